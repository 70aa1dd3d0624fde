package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// TestCommands: the reference of the command line has the help of every command.
func TestCommands(t *testing.T) {
	help, _ := newShell(t).run(t, "squall --help")
	_, list, _ := strings.Cut(help, "Commands:\n")
	commands := regexp.MustCompile(`(?m)^  ([a-z]+) `).FindAllStringSubmatch(list, -1)
	if len(commands) < 5 {
		t.Fatalf("found %d commands in\n%s", len(commands), help)
	}
	page := read(t, "cli.md")
	for _, c := range commands {
		if !strings.Contains(page, "\n$ squall "+c[1]+" --help\n") {
			t.Errorf("cli.md does not show squall %s --help", c[1])
		}
	}
}

// TestLinks: what a page links to is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)
	all, _ := filepath.Glob("*.md")
	for _, page := range append(all, "../README.md", "../CONTRIBUTING.md") {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			} else if m[2] != "" && !slices.Contains(anchors(read(t, target)), m[2]) {
				t.Errorf("%s links to %s%s, a heading that is not there", page, m[1], m[2])
			}
		}
	}
}

// TestEveryPageIsFound: README.md leads to every page of the folder.
func TestEveryPageIsFound(t *testing.T) {
	index := read(t, "README.md")
	for _, pattern := range []string{"*.md", "*.html"} {
		pages, _ := filepath.Glob(pattern)
		for _, page := range pages {
			if page != "README.md" && !strings.Contains(index, "("+page+")") {
				t.Errorf("README.md does not link to %s", page)
			}
		}
	}
}

// anchors are the headings of a page as links name them.
func anchors(page string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		name := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, "#"+strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

// keysOf collects the keys of JSON, at any depth.
func keysOf(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			into[key] = true
			keysOf(inner, into)
		}
	case []any:
		for _, inner := range v {
			keysOf(inner, into)
		}
	}
}

// TestKeys: every key that comes out, and every event that there is, is explained.
func TestKeys(t *testing.T) {
	events := map[string]bool{}
	for k := range policy.EventKind(policy.EventKinds) {
		events[k.String()] = true
	}
	for _, c := range []struct {
		page, command string
		also          map[string]bool
	}{
		{"report.md", "squall run --json --record examples/adaptive-limit.json", events},
		{"report.md", "squall run --json examples/criticality.json", nil},
		{"report.md", "squall run --json examples/does-everything-right.json", nil},
		{"report.md", "squall run --json --seeds 1-2 examples/retry-storm.json", nil},
		{"grading.md", "squall grade --json examples/fails-its-grade.json", nil},
	} {
		out, _ := newShell(t).run(t, c.command+" 2>/dev/null")
		var v any
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatal(c.command, err)
		}
		keys := map[string]bool{}
		keysOf(v, keys)
		page := read(t, c.page)
		for key := range c.also {
			keys[key] = true
		}
		for key := range keys {
			if !strings.Contains(page, "`"+key+"`") {
				t.Errorf("%s does not explain %q of %s", c.page, key, c.command)
			}
		}
	}
}

// TestPresets: the table of presets says what the presets are.
func TestPresets(t *testing.T) {
	span := func(d ticks.Ticks) string {
		if d == ticks.Infinite {
			return "none"
		}
		return fmt.Sprintf("%ds", int64(d/ticks.Second))
	}
	page := read(t, "policy.md")
	for name, p := range map[string]policy.Settings{
		"default": policy.Default(), "http": policy.HTTP(), "none": policy.None(), "instant": policy.Instant(),
	} {
		backoff, budget, ceiling := "exponential", "automatic", "none"
		if p.Backoff == policy.NoBackoff() {
			backoff = "none"
		}
		if p.Budget.Kind == policy.NoBudget {
			budget = "none"
		}
		if c, ok := p.EffectiveCeiling(); ok {
			ceiling = fmt.Sprintf("%g x p%g", c.Multiple, 100*c.Quantile)
		}
		row := fmt.Sprintf("| `%s` | %d | %s | %s | %s | %s | %s |", name, p.Attempts, span(p.Deadline), span(p.AttemptTimeout), backoff, budget, ceiling)
		if !strings.Contains(page, row) {
			t.Errorf("policy.md has no row %s", row)
		}
	}
}
