package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vugu/vugu"
)

// builder builds the page as the browser's main loop does, with the same components every time.
type builder struct {
	env  *vugu.BuildEnv
	root *Root
}

func newBuilder(t *testing.T, a *App) *builder {
	t.Helper()
	env, err := vugu.NewBuildEnv(vugu.NewEventEnvImpl(nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	return &builder{env, &Root{App: a}}
}

func (b *builder) tree() *tree { return newTree(b.env.RunBuild(b.root)) }

// dump is everything that is seen of a tree.
func (t *tree) dump() string {
	var out strings.Builder
	var walk func(n *vugu.VGNode, depth int)
	walk = func(n *vugu.VGNode, depth int) {
		n = t.node(n)
		attributes := map[string]string{}
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
		}
		fmt.Fprintf(&out, "%*s%q %v", depth, "", n.Data, attributes)
		for _, p := range n.Prop {
			fmt.Fprintf(&out, " .%s=%s", p.Key, p.JSONVal)
		}
		out.WriteByte('\n')
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, depth+1)
		}
	}
	walk(t.root, 0)
	return out.String()
}

// apply makes the changes in the tree, as the browser makes them in the document.
func (t *tree) apply(patches []patch) {
	for _, p := range patches {
		n := t.node(t.root)
		for _, k := range p.path {
			n = n.FirstChild
			for range k {
				n = n.NextSibling
			}
			n = t.node(n)
		}
		switch p.kind {
		case patchText:
			n.Data = p.value
		case patchProperty:
			for i := range n.Prop {
				if n.Prop[i].Key == p.name {
					n.Prop[i].JSONVal = []byte(p.value)
				}
			}
		default:
			kept := n.Attr[:0]
			for _, a := range n.Attr {
				if a.Key != p.name {
					kept = append(kept, a)
				}
			}
			n.Attr = kept
			if p.kind == patchAttribute {
				n.Attr = append(n.Attr, vugu.VGAttribute{Key: p.name, Val: p.value})
			}
		}
	}
}

// TestDragTouchesWhatChanged drags a slider through its range: what is touched makes the page that a
// full render would make, and it is little.
func TestDragTouchesWhatChanged(t *testing.T) {
	a, b := begin(t, nil)
	page := newBuilder(t, a)
	shown := page.tree()
	nodes := strings.Count(shown.dump(), "\n")
	for _, position := range []string{"0", "40", "200", "260", "400"} {
		a.field("dependency.impairments[0].brownout.slower", "slide factor 1 50 log", position)
		b.settle()
		next := page.tree()
		patches, ok := shown.patches(next)
		if !ok {
			t.Fatalf("at %s the page has another shape", position)
		}
		if len(patches) == 0 || len(patches)*5 > nodes {
			t.Errorf("at %s %d of %d nodes are touched", position, len(patches), nodes)
		}
		shown.apply(patches)
		if got, want := shown.dump(), next.dump(); got != want {
			t.Fatalf("at %s the page became\n%s\nnot\n%s", position, got, want)
		}
		shown = next
	}
	if again, ok := shown.patches(page.tree()); !ok || len(again) > 0 {
		t.Errorf("nothing happened, and %d nodes are touched", len(again))
	}
}

// TestPatchesGiveUp leaves it to a full render when nodes come or go.
func TestPatchesGiveUp(t *testing.T) {
	a, b := begin(t, nil)
	page := newBuilder(t, a)
	for _, step := range []struct {
		what   string
		change func()
	}{
		{"a feature", func() { a.field("policy.breaker", "switch", "{}") }},
		{"a panel", func() { a.openPanel("numbers") }},
		{"a dialog", func() { a.openDialog("help") }},
		{"a problem", func() { a.typed("{") }},
	} {
		before := page.tree()
		step.change()
		b.settle()
		if patches, ok := before.patches(page.tree()); ok {
			t.Errorf("%s comes with %d patches", step.what, len(patches))
		}
	}
}

func TestContentIsText(t *testing.T) {
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: "p"}
	n.SetInnerHTML(`5 < 6 & "so"`)
	if asText(n); n.InnerHTML != nil || n.FirstChild.Data != `5 < 6 & "so"` {
		t.Errorf("%v", n.FirstChild)
	}
	empty := &vugu.VGNode{Type: vugu.ElementNode, Data: "p"}
	empty.SetInnerHTML("")
	if asText(empty); empty.FirstChild == nil {
		t.Error("what is empty would keep the text that was there before")
	}
	long := &vugu.VGNode{Type: vugu.ElementNode, Data: "p"}
	long.SetInnerHTML(strings.Repeat("x", 20_000))
	if asText(long); long.InnerHTML == nil {
		t.Error("the renderer's buffer has no room for a text this long")
	}
}
