package main

import (
	"strings"
	"testing"

	"squall/examples"
	"squall/site/link"
)

func has(t *testing.T, html string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(html, part) {
			t.Errorf("the page does not say %q", part)
		}
	}
}

func TestOpens(t *testing.T) {
	a, b := begin(t, nil)
	if a.Text != examples.Brownout || a.Run == nil {
		t.Fatal("the page does not open with the example's run")
	}
	has(t, b.html(), "In the worst second (1:29) the dependency felt 1.10× the load; 9.7% of calls failed",
		"retry budget was spent", "90.3%", "holds", "brownout.slower")
	if len(b.updates) != 4 || b.options != 4 {
		t.Errorf("%d charts were updated, %d options drawn", len(b.updates), b.options)
	}
	if b.title != "Brownout · Squall" {
		t.Errorf("titled %q", b.title)
	}
}

func TestFormEditsTheText(t *testing.T) {
	a, b := begin(t, nil)
	before := a.Run.Digest
	a.field("dependency.impairments[0].brownout.slower", "slide factor 1 50 log", "260")
	b.settle()
	has(t, a.Text, `"slower": 13,`)
	if a.Run.Digest == before || b.changes != 1 {
		t.Error("a drag changed nothing")
	}
	if b.options != 4 {
		t.Error("a drag rebuilt charts")
	}
	a.field("policy.breaker", "switch", "{}")
	b.settle()
	has(t, a.Text, `"breaker": {}`)
	has(t, b.html(), "Consecutive failures")
	a.field("policy.breaker", "switch", "")
	b.settle()
	if strings.Contains(a.Text, "breaker") {
		t.Error("switched off, but still written")
	}
}

func TestProblems(t *testing.T) {
	a, b := begin(t, nil)
	good := a.Run
	a.typed(strings.Replace(a.Text, `"20ms"`, `20`, 1))
	b.settle()
	if a.Run != good || len(a.Problems) != 1 {
		t.Fatalf("%d problems; another result", len(a.Problems))
	}
	p := a.Problems[0]
	has(t, b.html(), "3:26", "dependency.p50", "did you mean", "last good run", "aria-invalid=\"true\"")
	if want := strings.Index(a.Text, `"p50": 20,`) + len(`"p50": `); p.from != want || p.to != want+2 {
		t.Errorf("marked %d to %d, not %d", p.from, p.to, want)
	}
	a.goTo(p)
	if b.caret != p.from {
		t.Error("the caret is elsewhere")
	}
	a.typed(examples.Brownout)
	b.settle()
	if len(a.Problems) != 0 || b.marks != "[]" {
		t.Error("repaired, but still marked")
	}
}

func TestShareAndOpen(t *testing.T) {
	a, b := begin(t, nil)
	a.setSeed("7")
	b.settle()
	a.share()
	if b.pushed != 1 || !strings.Contains(b.copied, "#s1.") {
		t.Fatalf("copied %.80q", b.copied)
	}

	other := newFake(t)
	other.hash = b.hash
	opened := again(other)
	if opened.Text != a.Text || !opened.Outcome.Same {
		t.Errorf("opened as %+v", opened.Outcome)
	}
	has(t, other.html(), "Reproduced, identical")

	forged := newFake(t)
	forged.hash = link.Encode(link.Shared{Text: a.Text, Engine: a.Run.Engine, Digest: "sha256:00"})
	if again(forged).Outcome.Same {
		t.Error("another digest is called identical")
	}
	has(t, forged.html(), "one of the two runs is wrong")

	for _, bad := range []string{"s2.x", "s1.!!"} {
		c := newFake(t)
		c.hash = bad
		if app := again(c); app.Trouble != "" || app.Notice == "" {
			// the example runs in its place, the reason stays to be read
			t.Errorf("%s: trouble %q, notice %q", bad, app.Trouble, app.Notice)
		} else {
			c.pass(60_000) // the reason stays until something else is opened or written
			has(t, c.html(), `id="bad-link"`)
			app.typed(app.Text + " ")
			if strings.Contains(c.html(), `id="bad-link"`) {
				t.Error("what was written since is called a bad link")
			}
		}
	}
}

func TestLinksNeverOverwriteDrafts(t *testing.T) {
	a, b := begin(t, nil)
	mine := strings.Replace(a.Text, "500", "501", 1)
	a.typed(mine)
	b.settle()
	b.pass(1000)

	b.hash = link.Encode(link.Shared{Text: examples.Brownout})
	a.moved()
	b.settle()
	if b.doc != examples.Brownout {
		t.Fatal("the link was not opened")
	}
	a.typed(strings.Replace(examples.Brownout, "500", "77", 1))
	b.settle()
	b.pass(1000)
	if len(a.Drafts.List) != 2 {
		t.Fatalf("%d drafts", len(a.Drafts.List))
	}
	if b.hash != "" || a.Opened != nil {
		t.Error("a changed text still looks like the sender's")
	}
	a.restore(a.Drafts.List[1].ID)
	b.settle()
	if a.Text != mine {
		t.Errorf("restored %q", a.Text)
	}

	// a reload of this tab goes on with its draft; another tab begins a draft of its own
	if reloaded := again(b); reloaded.Text != mine {
		t.Error("a reload lost the draft")
	}
	b.tab = map[string]string{}
	second := again(b)
	second.typed(second.Text + " ")
	b.settle()
	b.pass(1000)
	if len(second.Drafts.List) != 3 {
		t.Errorf("a second tab wrote into a draft of the first: %d drafts", len(second.Drafts.List))
	}
}

// TestDraftsAreDeletedOnPurpose presses delete once, which only asks, elsewhere, and twice.
func TestDraftsAreDeletedOnPurpose(t *testing.T) {
	a, b := begin(t, nil)
	a.typed(strings.Replace(a.Text, "500", "501", 1))
	b.settle()
	b.pass(1000)
	a.openDialog("drafts")
	id := a.Drafts.List[0].ID
	a.Drafts.askRemove(id)
	has(t, b.html(), "Delete for good?")
	a.openDialog("") // forgets the question
	a.openDialog("drafts")
	a.Drafts.askRemove(id)
	if len(a.Drafts.List) != 1 || b.storage["squall.draft."+id] == "" {
		t.Fatal("a draft is gone that nobody wanted to go")
	}
	a.Drafts.askRemove(id)
	if len(a.Drafts.List) != 0 || b.storage["squall.draft."+id] != "" {
		t.Error("a draft stays that was deleted")
	}
}

func TestStorageFull(t *testing.T) {
	a, b := begin(t, func(b *fake) { b.noRoom = true })
	a.typed(a.Text + "\n")
	b.settle()
	b.pass(1000)
	if !a.Drafts.Full {
		t.Error("nothing is said about what was not kept")
	}
}

func TestOvertakenRunsAreDropped(t *testing.T) {
	a, b := begin(t, nil)
	b.stuck = true
	a.setSeed("1")
	b.stuck = false
	a.setSeed("2")
	a.setSeed("3")
	b.settle()
	if a.Run.Seed != 42 {
		t.Fatal("a stuck worker answered")
	}
	workers := b.workers
	b.pass(impatience + 1)
	if a.Run.Seed != 3 || b.workers != workers+1 {
		t.Errorf("seed %d, %d new workers", a.Run.Seed, b.workers-workers)
	}
	if a.engine.busy() {
		t.Error("something is still asked")
	}
}

// TestSlowRunsAreShown lets every run take longer than the patience: the one after a dropped one is
// given more time, so that a drag without an end still shows something.
func TestSlowRunsAreShown(t *testing.T) {
	a, b := begin(t, nil)
	b.stuck = true
	a.setSeed("1")
	a.setSeed("2")
	b.pass(impatience + 1) // the first is dropped, the second begun
	b.stuck = false
	dropped := b.workers
	a.setSeed("3")
	b.clock += impatience + 1
	for _, timer := range b.timers {
		if !timer.over && timer.at <= b.clock {
			timer.over = true
			timer.f()
		}
	}
	if b.workers != dropped {
		t.Error("the second was dropped as soon as the first")
	}
	b.pass(2 * impatience)
	if a.Run.Seed != 3 {
		t.Errorf("seed %d is shown", a.Run.Seed)
	}
}

// TestPanelsWaitForTheSlider keeps a panel that needs a run of its own from asking in the middle of
// a drag.
func TestPanelsWaitForTheSlider(t *testing.T) {
	a, b := begin(t, func(b *fake) { b.clock = 5000 })
	a.openPanel("timeline")
	b.settle()
	recordedText := a.Timeline.text
	for _, position := range []string{"100", "120", "140"} {
		b.clock += 50
		a.field("dependency.impairments[0].brownout.slower", "slide factor 1 50 log", position)
		b.settle()
	}
	if a.Timeline.text != recordedText {
		t.Error("a move of the slider was recorded")
	}
	b.pass(restAfter)
	b.pass(restAfter)
	if a.Timeline.text != a.Text || a.Timeline.stage != recorded {
		t.Error("the text that the slider rested at is not recorded")
	}
}

func TestResultsMoveWhileOneDrags(t *testing.T) {
	a, b := begin(t, nil)
	a.setSeed("1")
	a.setSeed("2") // waits
	a.setSeed("3") // in its place
	b.messages[0]()
	if a.Run.Seed != 1 {
		t.Errorf("the finished run is not shown, but seed %d", a.Run.Seed)
	}
	b.messages = b.messages[1:]
	b.settle()
	if a.Run.Seed != 3 {
		t.Errorf("the newest run is not shown, but seed %d", a.Run.Seed)
	}
	a.typed(`{`)
	a.typed(examples.Brownout)
	b.settle()
	if len(a.Problems) > 0 || a.Run.Seed != 42 {
		t.Error("a problem of an older text is shown")
	}
}

func TestCrash(t *testing.T) {
	a, b := begin(t, nil)
	b.crash = 1
	a.setSeed("5")
	b.settle()
	if a.Run.Seed != 5 || a.Trouble != "" {
		t.Errorf("one crash: seed %d, %q", a.Run.Seed, a.Trouble)
	}
	b.crash = 2
	a.setSeed("6")
	b.settle()
	if a.Run.Seed != 5 || a.Trouble == "" {
		t.Errorf("two crashes: seed %d, %q", a.Run.Seed, a.Trouble)
	}
	a.setSeed("7")
	b.settle()
	if a.Run.Seed != 7 || a.Trouble != "" {
		t.Errorf("after that: seed %d, %q", a.Run.Seed, a.Trouble)
	}
}

func TestCancel(t *testing.T) {
	a, b := begin(t, nil)
	b.stuck = true
	a.setSeed("1")
	a.Progress = 0.5
	a.cancelRun()
	b.settle()
	if a.engine.busy() || a.Progress != 0 || a.Run.Seed != 42 {
		t.Error("it goes on")
	}
}

func TestThemes(t *testing.T) {
	a, b := begin(t, func(b *fake) { b.isDark = true })
	if !strings.HasPrefix(b.shapes["load"], "dark ") {
		t.Error("light charts on a dark page")
	}
	b.isLarge = true
	a.recolour()
	if !strings.HasPrefix(b.shapes["load"], "dark large ") {
		t.Error("small charts on a very wide page")
	}
	b.isLarge = false
	a.nextTheme()
	if b.theme != "light" || !strings.HasPrefix(b.shapes["load"], "light ") || b.storage["squall.theme"] != "light" {
		t.Errorf("theme %s, chart %s", b.theme, b.shapes["load"])
	}
}

func TestExports(t *testing.T) {
	a, b := begin(t, nil)
	for _, e := range a.exports() {
		a.export(e.ID)
	}
	if b.saved["brownout.json"] != a.Text || !strings.HasPrefix(b.saved["brownout-report.json"], `{"squall":1,"engine":`) {
		t.Errorf("saved %d files", len(b.saved))
	}
	csv := strings.Split(b.saved["brownout.csv"], "\r\n")
	if len(csv) != 301+2 || !strings.HasPrefix(csv[1], "0,491,500,1.0183,476,,0,,0,,") {
		t.Errorf("%d lines: %q", len(csv), csv[1])
	}
	if !strings.Contains(b.copied, a.Run.Digest) || !strings.Contains(b.copied, "func TestBrownout") {
		t.Errorf("copied %s", b.copied)
	}
	if name := fileName("  Ünsafe / name: ../x  "); name != "nsafe-name-x" {
		t.Errorf("a file called %q", name)
	}
}

func TestKeys(t *testing.T) {
	a, b := begin(t, nil)
	for key, open := range map[string]string{"?": "help", "e": "gallery", "d": "drafts", "x": "export"} {
		if !a.key(key) || b.open != open {
			t.Errorf("%s opens %q", key, b.open)
		}
	}
	if a.key("5"); a.Panel != "explain" {
		t.Errorf("5 opens %s", a.Panel)
	}
	if a.key("q") || a.key("9") {
		t.Error("a key without a meaning did something")
	}
	a.stepPanel(1)
	a.stepPanel(1)
	if a.Panel != "numbers" {
		t.Errorf("behind the last tab is %s", a.Panel)
	}
}

func TestExamples(t *testing.T) {
	a, b := begin(t, func(b *fake) {
		b.files["examples/index.json"] = `[{"name":"x","title":"An example","about":"Look."}]`
		b.files["examples/x.json"] = strings.Replace(examples.Brownout, "500", "50", 1)
	})
	if strings.Contains(b.html(), "An example") {
		t.Error("a dialog that is closed is drawn")
	}
	a.openDialog("gallery")
	has(t, b.html(), "An example", "Look.")
	a.openExample("x")
	b.settle()
	has(t, b.doc, `"perSecond": 50 }`)
	a.openExample("gone")
	if a.Notice == "" {
		t.Error("an example that is not there is not explained")
	}
}

// TestFormFollowsTheGraph chooses calls and boxes: the form shows what one turns for them.
func TestFormFollowsTheGraph(t *testing.T) {
	a, b := begin(t, nil)
	a.typed(`{ "duration": "5s", "policies": { "last one": {} },
  "services": { "a": { "calls": [ { "to": "b" } ] }, "b": { "calls": [ { "to": "c", /* the last */ "policy": "last one" } ] } },
  "dependencies": { "c": { "p50": "1ms", "p99": "2ms" } }, "load": { "perSecond": 5 } }`)
	b.settle()
	if got := a.Form.entity(); got != "run" {
		t.Errorf("opens on %s", got)
	}
	for name, part := range map[string]string{"b → c": `policies["last one"]`, "a → b": "services.a", "b": "services.b", "c": "dependencies.c"} {
		a.choose(name)
		if got := a.Form.entity(); got != part {
			t.Errorf("%s: %s, not %s", name, got, part)
		}
	}
	a.choose("gone")
	if got := a.Form.entity(); got == "" {
		t.Error("the form is about nothing")
	}
}
