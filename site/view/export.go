package view

import (
	"strconv"
	"strings"
)

// Command is the same run for a terminal, with the scenario in a here-document.
func Command(file, text string, r *Run) string {
	end := "SCENARIO"
	for strings.Contains(text, end) {
		end += "_"
	}
	return "cat > " + file + " <<'" + end + "'\n" + strings.TrimRight(text, "\n") + "\n" + end + "\n" +
		"squall run " + file + " --seed=" + strconv.FormatInt(r.Seed, 10) + "   # " + r.Digest + "\n"
}

// GoTest is a test of the Go API that fails when the scenario no longer gives this report.
func GoTest(title, text string, r *Run) string {
	literal := "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
	var name strings.Builder
	up := true
	for _, c := range title {
		switch {
		case c >= 'a' && c <= 'z' && up:
			name.WriteRune(c - 'a' + 'A')
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			name.WriteRune(c)
		default:
			up = true
			continue
		}
		up = false
	}
	if name.Len() == 0 {
		name.WriteString("Scenario")
	}
	return `package resilience_test

import (
	"context"
	"testing"

	"squall/engine"
	"squall/engine/scenario"
)

// ` + strings.ReplaceAll(title, "\n", " ") + `
func Test` + name.String() + `(t *testing.T) {
	s, problems := scenario.Read([]byte(` + literal + `), scenario.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	report, err := engine.Run(context.Background(), &s.Topology, ` + strconv.FormatInt(r.Seed, 10) + `, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := ` + strconv.Quote(r.Digest) + `; report.Digest != want {
		t.Errorf("another run than was agreed on: %s, want %s\n%s", report.Digest, want, report.Text())
	}
}
`
}
