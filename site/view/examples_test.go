package view

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"squall/engine/document"
	"squall/examples"
	"squall/wasm/module"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// TestVerdictsOfExamples pins what is said of every example, as one reads it: name, sentence, why.
func TestVerdictsOfExamples(t *testing.T) {
	var said strings.Builder
	for _, g := range examples.Gallery {
		for _, name := range g.Names {
			r := runExample(t, name)
			for i := range r.Calls {
				s := &r.Calls[i]
				f := Find(r, s, s.Measured.Series())
				said.WriteString(name + ": " + s.Name + "\n  " + f.Sentence + "\n")
				if f.Why != "" {
					said.WriteString("  " + f.Why + "\n")
				}
			}
		}
	}
	const file = "testdata/verdicts.txt"
	if *update {
		if err := os.WriteFile(file, []byte(said.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(said.String(), "\n") {
		if lines := strings.Split(string(want), "\n"); i >= len(lines) || lines[i] != line {
			t.Fatalf("line %d says\n%s\nwant (-update writes it anew)\n%s", i+1, line, append(lines, "", "")[min(i, len(lines))])
		}
	}
}

func runExample(t *testing.T, name string) *Run {
	t.Helper()
	text, err := os.ReadFile("../../examples/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return runText(t, string(text))
}

func runText(t *testing.T, text string) *Run {
	t.Helper()
	var m module.Module
	reply := gjson.Parse(m.Answer(`{"id":1,"op":"run","text":`+string(document.AppendText(nil, text))+`}`, nil))
	if !reply.Get("ok").Bool() {
		t.Fatal(reply.Raw)
	}
	return Parse(reply)
}
