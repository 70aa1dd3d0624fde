package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"squall/engine/scenario"
)

func TestFresh(t *testing.T) {
	written, err := os.ReadFile("../scenario.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, reference()) {
		t.Error("docs/scenario.md is stale: go run ./docs/refgen > docs/scenario.md")
	}
}

// Every key has a row, and every link to an object has a heading.
func TestComplete(t *testing.T) {
	text := string(reference())
	for _, o := range scenario.Objects() {
		_, part, found := strings.Cut(text, "\n### "+o.Name+"\n")
		if !found {
			t.Errorf("no heading for %s", o.Name)
			continue
		}
		part, _, _ = strings.Cut(part, "\n### ")
		for _, k := range o.Keys {
			if !strings.Contains(part, "\n| `"+k.Name+"` |") {
				t.Errorf("%s has no row for %s", o.Name, k.Name)
			}
		}
	}
	for _, link := range strings.Split(text, "](#")[1:] {
		name, _, _ := strings.Cut(link, ")")
		if !strings.Contains(strings.ToLower(text), "\n### "+name+"\n") && !strings.Contains(strings.ToLower(text), "\n## "+strings.ReplaceAll(name, "-", " ")+"\n") {
			t.Errorf("no heading for the link #%s", name)
		}
	}
}
