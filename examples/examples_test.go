package examples

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/scenario"
)

// seeds are what every claim must hold on, besides the seed of the example.
var seeds = []int32{1, 2, 3}

func read(t *testing.T, name string) *scenario.Scenario {
	t.Helper()
	text, err := os.ReadFile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	s, problems := scenario.Read(text, scenario.Options{})
	if s == nil {
		t.Fatal(problems)
	}
	return s
}

func band(t *testing.T, s *scenario.Scenario, seeds []int32) *measure.Band {
	t.Helper()
	b, err := engine.RunBand(context.Background(), &s.Topology, seeds, engine.BandOptions{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestGallery finds every file in the gallery, once.
func TestGallery(t *testing.T) {
	files, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	var listed, there []string
	for _, g := range Gallery {
		if g.Title == "" || len(g.Names) == 0 {
			t.Errorf("an empty group: %+v", g)
		}
		listed = append(listed, g.Names...)
	}
	for _, f := range files {
		there = append(there, strings.TrimSuffix(f, ".json"))
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("listed %q\nthere  %q", listed, there)
	}
	if len(there) < 16 {
		t.Errorf("only %d examples", len(there))
	}
}

// TestWords wants a title and two sentences of every example, or three where one needs a number more.
func TestWords(t *testing.T) {
	for _, g := range Gallery {
		for _, name := range g.Names {
			s := read(t, name)
			about := s.About
			if name == "brownout" {
				about = AboutBrownout
			} else if s.Title == "" {
				t.Errorf("%s has no title", name)
			}
			if n := strings.Count(about+" ", ". "); n != 2 {
				t.Errorf("%s says %d sentences: %s", name, n, about)
			}
		}
	}
}

// TestClaims runs every example and every variant on some seeds. What an example expects holds of
// it on all of them; a variant with expectations of its own keeps them, and is no longer what the
// example claims.
func TestClaims(t *testing.T) {
	for _, g := range Gallery {
		for _, name := range g.Names {
			t.Run(name, func(t *testing.T) {
				s := read(t, name)
				base := band(t, s, append([]int32{s.Seed}, without(seeds, s.Seed)...))
				for _, e := range s.JudgeBand(base) {
					if !e.Holds && name != "brownout" {
						t.Errorf("%s does not hold: %s", e.Text, e.Actual)
					}
				}
				if len(s.Expect) == 0 && g.Title != "Grades" {
					t.Error("it claims nothing")
				}
				for _, v := range s.Variants() {
					if g.Title == "Grades" {
						continue // TestGrades looks at those
					}
					if len(v.Scenario.Expect) == 0 || slices.EqualFunc(v.Scenario.Expect, s.Expect, func(a, b scenario.Expectation) bool { return a.Text == b.Text }) {
						t.Errorf("%s claims nothing of its own", v.Name)
					}
					changed := band(t, v.Scenario, seeds)
					for _, e := range v.Scenario.JudgeBand(changed) {
						if !e.Holds {
							t.Errorf("%s: %s does not hold: %s", v.Name, e.Text, e.Actual)
						}
					}
					if !slices.ContainsFunc(s.JudgeBand(changed), func(e measure.Expectation) bool { return !e.Holds }) {
						t.Errorf("%s is still all that the example claims", v.Name)
					}
				}
			})
		}
	}
}

func without(seeds []int32, seed int32) []int32 {
	return slices.DeleteFunc(slices.Clone(seeds), func(s int32) bool { return s == seed })
}

// TestSeparates holds the examples to what a comparison must say of their change: which measures
// separate, and, where that is the point, which do not.
func TestSeparates(t *testing.T) {
	for _, c := range []struct {
		example, variant, from, to, measure string
		want                                measure.Verdict
	}{
		{"retry-storm", "retry at the bottom only", "payments", "bank", "Calls", measure.Separates},
		{"budget-saves-the-day", "with a budget", "client", "dependency", "Amplification", measure.Separates},
		{"budget-saves-the-day", "with a budget", "client", "dependency", "Availability", measure.CannotTell},
		{"fixed-timeout", "a timeout above the brownout", "client", "dependency", "Availability", measure.Separates},
		{"no-jitter", "full jitter", "client", "dependency", "Amplification", measure.Separates},
		{"deadline-too-short", "a longer deadline", "client", "dependency", "Availability", measure.Separates},
		{"breaker-never-opens", "judge a share of failures", "client", "dependency", "LoadMultiplier", measure.Separates},
		{"breaker-flaps", "judge a share, not a streak", "client", "dependency", "Availability", measure.Separates},
		{"half-open-cliff", "a recovery ramp", "client", "dependency", "BreakerOpens", measure.Separates},
		{"half-open-cliff", "a recovery ramp", "client", "dependency", "Availability", measure.Separates},
		{"hedging-helps", "without hedging", "client", "dependency", "Latency p99", measure.Separates},
		{"hedging-hurts", "hedge the slowest twentieth", "client", "dependency", "Latency p99", measure.Separates},
		{"bulkhead", "a bulkhead each", "checkout", "payments", "Availability", measure.Separates},
		{"adaptive-limit", "an adaptive limit", "client", "dependency", "Availability", measure.Separates},
		{"fifty-peers", "one process", "client", "dependency", "Availability", measure.Separates},
		{"criticality", "everyone alike", "client", "dependency", "LoadMultiplier", measure.CannotTell},
		{"pool-stall", "a pool with room", "payments", "bank", "BreakerOpens", measure.Separates},
	} {
		s := read(t, c.example)
		found := false
		for _, v := range s.Variants() {
			if v.Name != c.variant {
				continue
			}
			set := measure.Comparison{Names: []string{"base", v.Name}, Bands: []*measure.Band{band(t, s, seeds), band(t, v.Scenario, seeds)}}
			for _, row := range set.Rows(c.from, c.to) {
				if row.Measure == c.measure {
					found = true
					if row.Verdicts[1] != c.want {
						t.Errorf("%s, %s: %s %s: %q", c.example, c.variant, c.measure, row.Verdicts[1], row.Values)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s, %s: %s is not compared", c.example, c.variant, c.measure)
		}
	}
}

// TestPage finds every example, with what it is about and its variants, in the documentation.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../docs/examples.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, g := range Gallery {
		if !strings.Contains(page, "\n## "+g.Title+"\n") {
			t.Errorf("no heading %s", g.Title)
		}
		for _, name := range g.Names {
			s := read(t, name)
			said := []string{"(`examples/" + name + ".json`)", s.Title, s.About}
			if name == "brownout" {
				said = append(said, AboutBrownout)
			}
			for _, v := range s.Variants() {
				said = append(said, "*"+v.Name+"*")
			}
			for _, part := range said {
				if !strings.Contains(page, part) {
					t.Errorf("%s: the page does not say %q", name, part)
				}
			}
		}
	}
}
