package form

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"squall/engine/scenario"
	"squall/examples"
	"squall/site/edit"
)

func field(t *testing.T, f Form, path string) Field {
	t.Helper()
	for _, s := range f.Sections {
		for _, field := range s.Fields {
			if field.Path == path {
				return field
			}
		}
	}
	t.Fatalf("no field %s", path)
	return Field{}
}

func TestBuild(t *testing.T) {
	f := Build(examples.Brownout, "")
	for _, c := range []struct {
		path, value string
		written     bool
	}{
		{"duration", "5m", true},
		{"load.perSecond", "500", true},
		{"load.peers", "1", false},
		{"dependency.p50", "20ms", true},
		{"dependency.failing", "0%", false},
		{"dependency.impairments[0].brownout.slower", "8", true},
		{"policy.preset", "http", true},
		{"policy.deadline", "10s", true},
		{"policy.attemptTimeout", "10s", false},
		{"policy.backoff", "exponential", false},
		{"policy.budget", "automatic", false},
	} {
		if got := field(t, f, c.path); got.Value != c.value || got.Written != c.written {
			t.Errorf("%s shows %q, written %v", c.path, got.Value, got.Written)
		}
	}
	if position := field(t, f, "load.peers").Slider.Position; position != 0 {
		t.Errorf("one peer stands at %d", position)
	}
}

func TestPresetsShowTheirBounds(t *testing.T) {
	f := Build(`{ "policy": { "preset": "none" } }`, "")
	for path, want := range map[string]string{"policy.attempts": "1", "policy.deadline": "none", "policy.backoff": "none", "policy.budget": "none"} {
		if got := field(t, f, path).Value; got != want {
			t.Errorf("%s shows %q, not %q", path, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	const text = `{ "load": { "perSecond": 5, "mix": { "sheddable": 0.5 } }, "policy": { "deadline": "1s" } }`
	for _, c := range []struct {
		path  string
		kind  Kind
		value string
		want  string // what stands at the path afterwards
	}{
		{"load.perSecond", Count, "17", "17"},
		{"load.perSecond", Count, "", ""},
		{"load.perSecond", Count, "many", `"many"`},
		{"load.perSecond", "slide count 1 3000 log", "0", "1"},
		{"load.perSecond", "slide count 1 3000 log", "400", "3000"},
		{"load.perSecond", "slide count 1 3000 log", "200", "55"},
		{"load.mix.sheddable", Share, "25%", "0.25"},
		{"load.mix.sheddable", Share, "0.25", "0.25"},
		{"load.mix.sheddable", "slide share 0 1 linear", "100", "0.25"},
		{"policy.deadline", Bound, "none", `"none"`},
		{"policy.deadline", Bound, " 1.5 s", `"1.5s"`},
		{"policy.deadline", Bound, "80µs", `"80us"`},
		{"policy.deadline", "slide bound 1e+06 1.2e+11 log", "200", `"350ms"`},
		{"policy.breaker", Switch, "{}", "{}"},
		{"policy.attemptCeiling", Choice, "null", "null"},
		{"policy.deadline", Choice, "", ""},
		{"title", Text, `a "b"`, `"a \"b\""`},
		{"title", Text, "", ""},
	} {
		change, err := Write(text, c.path, c.kind, c.value)
		if err != nil {
			t.Errorf("%s %s %q: %v", c.path, c.kind, c.value, err)
			continue
		}
		if got := edit.Value(change.Apply(text), c.path); got != c.want {
			t.Errorf("%s %s %q writes %s, not %s", c.path, c.kind, c.value, got, c.want)
		}
	}
	for _, kind := range []Kind{"slide ", "slide count 1 x log", "slide count 1 2 log"} {
		if c, err := Write(text, "load.perSecond", kind, "x"); err == nil {
			t.Errorf("%s: %v", kind, c)
		}
	}
}

// Whatever a control can be moved to, the reader of scenarios takes it. A value may still be wrong
// beside others (p50 above p99); such problems say what they are compared with.
func TestControlsWriteWhatIsRead(t *testing.T) {
	graph, err := os.ReadFile("../../engine/testdata/golden/page-graph.json")
	if err != nil {
		t.Fatal(err)
	}
	everything := strings.Replace(examples.Brownout, `"name": "api"`, `"name": "api", "attemptCeiling": {}, "breaker": { "failures": {}, "slowCalls": {}, "recovery": {} },
		"hedge": { "winRate": {} }, "saturation": {}, "backoff": { "measured": {} }, "budget": { "fraction": 0.2 }`, 1)
	everything = strings.Replace(everything, `"load":`, `"pool": { "healthy": "80us", "stalls": [ { "after": "1s", "delay": "1s", "lasting": "1s" } ] }, "limiter": { "adaptive": {} }, "load":`, 1)
	fields := 0
	for _, text := range []string{examples.Brownout, everything, string(graph)} {
		for _, e := range Build(text, "").Entities {
			for _, s := range Build(text, e.ID).Sections {
				controls := s.Fields
				if s.Switch != nil {
					controls = append(controls, *s.Switch)
				}
				for _, f := range controls {
					fields++
					for _, move := range moves(f) {
						change, err := Write(text, f.Path, move.kind, move.value)
						if err != nil {
							continue // takes away what is not there
						}
						_, problems := scenario.Read([]byte(change.Apply(text)), scenario.Options{})
						for _, p := range problems {
							if p.Path == f.Path && !beside(p.Message) {
								t.Errorf("%s %s %q: %s", f.Path, move.kind, move.value, p)
							}
						}
					}
				}
			}
		}
	}
	if fields < 120 {
		t.Errorf("only %d controls were moved", fields)
	}
}

func beside(message string) bool {
	return strings.Contains(message, ", which is ") || strings.Contains(message, "between minimum") || strings.Contains(message, "form a cycle") || strings.Contains(message, "could never open") || strings.Contains(message, "is missing")
}

type move struct {
	kind  Kind
	value string
}

func moves(f Field) []move {
	var out []move
	if f.Slider != nil {
		for _, position := range []string{"0", "123", "400"} {
			out = append(out, move{Kind(f.SlideKind()), position})
		}
	}
	for _, o := range f.Options {
		out = append(out, move{f.Kind, o.Raw})
	}
	return out
}

func TestGraph(t *testing.T) {
	const text = `{ "services": { "a b": { "calls": [ { "to": "x", "policy": { "attempts": 2 } }, { "to": "y" } ] } },
		"dependencies": { "x": {}, "y": {} }, "policies": { "p": {} }, "budgets": { "common": {} }, "load": [ { "perSecond": 1 }, { "perSecond": 2 } ] }`
	f := Build(text, "")
	var names []string
	for _, e := range f.Entities {
		names = append(names, e.ID)
	}
	if got := strings.Join(names, " "); got != `run services["a b"] dependencies.x dependencies.y policies.p budgets.common` {
		t.Errorf("entities %s", got)
	}
	if got := field(t, f, "load[1].perSecond").Value; got != "2" {
		t.Errorf("second load %s", got)
	}
	service := Build(text, `services["a b"]`)
	if got := field(t, service, `services["a b"].calls[0].policy.attempts`).Value; got != "2" {
		t.Errorf("inline policy %s", got)
	}
	if got := field(t, service, `services["a b"].calls[1].policy`).Value; got != "default" {
		t.Errorf("a call without a policy shows %s", got)
	}
	for _, add := range f.Adds {
		change, err := edit.Set(text, add.Path, add.Raw)
		if err != nil || edit.Value(change.Apply(text), add.Path) != add.Raw {
			t.Errorf("%s: %v", add.Label, err)
		}
	}
}

func TestNoForm(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `"x"`, strings.Repeat(" ", TextMax) + `{}`} {
		if f := Build(text, ""); f.Why == "" || len(f.Sections) > 0 {
			t.Errorf("%.10q has a form", text)
		}
	}
}

// Every scenario that there is can be shown, part by part.
func TestEveryScenario(t *testing.T) {
	files, err := filepath.Glob("../../engine/testdata/golden/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, ".expected.json") {
			continue
		}
		f := Build(string(text), "")
		if f.Why != "" {
			t.Errorf("%s: %s", file, f.Why)
		}
		for _, e := range f.Entities {
			if sections := Build(string(text), e.ID).Sections; len(sections) == 0 {
				t.Errorf("%s: nothing about %s", file, e.ID)
			}
		}
	}
}

func FuzzForm(f *testing.F) {
	f.Add(examples.Brownout, "dependency.p50")
	f.Fuzz(func(t *testing.T, text, entity string) {
		for _, s := range Build(text, entity).Sections {
			for _, field := range s.Fields {
				for _, m := range moves(field) {
					_, _ = Write(text, field.Path, m.kind, m.value)
				}
			}
		}
	})
}

// TestStepChangesTheValue goes up and down every slider of a form by single steps: each step is
// another value, in the direction that was asked for, until the end of the scale.
func TestStepChangesTheValue(t *testing.T) {
	const text = `{ "duration": "5m", "dependency": { "p50": "20ms", "p99": "200ms", "impairments": [ { "brownout": { "after": "30s", "slower": 8, "lasting": "1m" } } ] },
		"policy": { "preset": "http" }, "load": { "perSecond": 500 } }`
	sliders := 0
	for _, section := range Build(text, "").Sections {
		for _, first := range section.Fields {
			if first.Slider == nil {
				continue
			}
			sliders++
			for _, by := range []int{1, -1} {
				f, now := first, text
				for range 12 {
					position := f.Step(by)
					if position == f.Slider.Position {
						break // the end of the scale
					}
					c, err := Write(now, f.Path, Kind(f.SlideKind()), strconv.Itoa(position))
					if err != nil {
						t.Fatal(f.Path, err)
					}
					now = c.Apply(now)
					next := field(t, Build(now, ""), f.Path)
					x, _ := number(f.Kind, f.Value)
					y, _ := number(f.Kind, next.Value)
					if f.Value != "none" && float64(by)*(y-x) <= 0 {
						t.Fatalf("%s: a step by %d from %s to %s", f.Path, by, f.Value, next.Value)
					}
					f = next
				}
			}
		}
	}
	if sliders < 8 {
		t.Errorf("%d sliders", sliders)
	}
}
