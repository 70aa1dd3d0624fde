package main

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"

	"squall/examples"
	"squall/site/link"
)

// embedHTML is the embedded page as it stands.
func embedHTML(t *testing.T, a *App) string {
	t.Helper()
	build, err := vugu.NewBuildEnv(vugu.NewEventEnvImpl(nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := staticrender.New(&out).Render(build.RunBuild(&Embed{App: a})); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEmbed(t *testing.T) {
	a, b := begin(t, nil)
	b.hash = link.Encode(link.Shared{Text: examples.Brownout, Engine: a.Run.Engine, Digest: a.Run.Digest})
	a = newApp(b)
	b.app = a
	a.embed()
	b.settle()
	has(t, embedHTML(t, a), "In the worst second (1:29)", "90.3%", "Reproduced, identical", a.Run.Digest, "Open in playground")
	opened, err := link.Decode(strings.TrimPrefix(a.playground(), "./"))
	if err != nil || opened.Text != examples.Brownout || opened.Digest != a.Run.Digest {
		t.Errorf("the playground would open %+v: %v", opened, err)
	}
	a.pickSecond(3)
	if a.Panel != "" {
		t.Error("a click opens a panel that is not there")
	}
	a.showScenario(`{ "duration": 5 }`)
	b.settle()
	has(t, embedHTML(t, a), "1:15: duration:")
}

func TestEmbedWithoutScenario(t *testing.T) {
	_, b := begin(t, nil)
	for hash, want := range map[string]string{"": "Waiting for a scenario", "s1.AAAA": "this link is broken", "s9.AAAA": "newer version"} {
		b.hash = hash
		a := newApp(b)
		b.app = a
		a.embed()
		b.settle()
		has(t, embedHTML(t, a), want)
	}
}
