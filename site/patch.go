package main

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/vugu/vugu"
)

// The renderer walks every node of the page whenever anything happens, which takes longer than a
// frame. While a slider moves, hardly more than texts and attributes change: then the page compares
// what it built with what it built before, and touches only what differs. Handlers stay those of the
// last full render, which is why one follows when the slider rests.

// tree is a page that was built.
type tree struct {
	root  *vugu.VGNode
	parts map[any]*vugu.VGNode // by component
}

// newTree reads what was built; the builder uses its results again, the nodes themselves stay.
func newTree(built *vugu.BuildResults) *tree {
	t := &tree{root: built.Out.Out[0], parts: map[any]*vugu.VGNode{}}
	t.read(built, t.root)
	return t
}

func (t *tree) read(built *vugu.BuildResults, n *vugu.VGNode) {
	if n.Component != nil {
		part := built.ResultFor(n.Component).Out[0]
		t.parts[n.Component] = part
		t.read(built, part)
		return
	}
	asText(n)
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		t.read(built, child)
	}
}

// textMost is how long a text may be that is given to the renderer in one piece.
const textMost = 4000

// asText turns content that is text alone into a node of text: content is parsed and laid out anew at
// every render, a node of text that is the same is left alone.
func asText(n *vugu.VGNode) {
	if n.InnerHTML == nil || len(*n.InnerHTML) > textMost || strings.Contains(*n.InnerHTML, "<") {
		return
	}
	n.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: html.UnescapeString(*n.InnerHTML)})
	n.InnerHTML = nil
}

// node is what stands in the place of a component, or the node itself.
func (t *tree) node(n *vugu.VGNode) *vugu.VGNode {
	for n != nil && n.Component != nil {
		n = t.parts[n.Component]
	}
	return n
}

// patch is one change of one node of the document.
type patch struct {
	path        []int // from the page's element down, through the child nodes
	kind        patchKind
	name, value string
}

type patchKind int

const (
	patchText patchKind = iota
	patchAttribute
	patchNoAttribute
	patchProperty // value is JSON
)

// patches are what makes a page that was drawn as t look like next. They do not exist when nodes come,
// go or change their kind.
func (t *tree) patches(next *tree) ([]patch, bool) {
	d := differ{old: t, new: next}
	ok := d.compare(t.root, next.root)
	return d.found, ok
}

type differ struct {
	old, new *tree
	path     []int
	found    []patch
}

func (d *differ) add(kind patchKind, name, value string) {
	d.found = append(d.found, patch{slices.Clone(d.path), kind, name, value})
}

func (d *differ) compare(a, b *vugu.VGNode) bool {
	a, b = d.old.node(a), d.new.node(b)
	if a == nil || b == nil || a.Type != b.Type || a.IsTemplate() || b.IsTemplate() {
		return false
	}
	if a.Type != vugu.ElementNode {
		if a.Data != b.Data {
			d.add(patchText, "", b.Data)
		}
		return true
	}
	if a.Data != b.Data || a.Namespace != b.Namespace || len(a.DOMEventHandlerSpecList) != len(b.DOMEventHandlerSpecList) ||
		(a.InnerHTML == nil) != (b.InnerHTML == nil) || a.InnerHTML != nil && *a.InnerHTML != *b.InnerHTML {
		return false
	}
	d.attributes(a.Attr, b.Attr)
	if !d.properties(a.Prop, b.Prop) {
		return false
	}
	d.path = append(d.path, 0)
	last := len(d.path) - 1
	x, y := a.FirstChild, b.FirstChild
	for ; x != nil && y != nil; x, y = x.NextSibling, y.NextSibling {
		if !d.compare(x, y) {
			return false
		}
		d.path[last]++
	}
	d.path = d.path[:last]
	return x == nil && y == nil
}

func (d *differ) attributes(a, b []vugu.VGAttribute) {
	at := func(list []vugu.VGAttribute, i int, key string) int {
		if i < len(list) && list[i].Key == key { // nearly always
			return i
		}
		return slices.IndexFunc(list, func(x vugu.VGAttribute) bool { return x.Key == key })
	}
	for i := range b {
		if k := at(a, i, b[i].Key); k < 0 || a[k].Val != b[i].Val {
			d.add(patchAttribute, b[i].Key, b[i].Val)
		}
	}
	for i := range a {
		if at(b, i, a[i].Key) < 0 {
			d.add(patchNoAttribute, a[i].Key, "")
		}
	}
}

func (d *differ) properties(a, b []vugu.VGProperty) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key {
			return false
		}
		if !bytes.Equal(a[i].JSONVal, b[i].JSONVal) {
			d.add(patchProperty, b[i].Key, string(b[i].JSONVal))
		}
	}
	return true
}
