package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestCollect arranges some examples as the gallery does, copies them, and describes the nameless.
func TestCollect(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "examples")
	for name, text := range map[string]string{
		"zebra.json":       `{}`,
		"bulkhead.json":    `{ "title": "A", "about": "B. C." }`,
		"brownout.json":    `{ /* nothing to say */ }`,
		"retry-storm.json": `{ "title": "Storm", }`,
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := collect(from, to); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(to, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got []entry
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := []entry{
		{"Retries", "brownout", "Brownout", got[0].About}, {"Retries", "retry-storm", "Storm", ""},
		{"Limits and pools", "bulkhead", "A", "B. C."}, {"More", "zebra", "Zebra", ""},
	}
	if len(got) != len(want) || got[0].About == "" {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if copied, err := os.ReadFile(filepath.Join(to, "bulkhead.json")); err != nil || string(copied) != `{ "title": "A", "about": "B. C." }` {
		t.Errorf("%q, %v", copied, err)
	}
}

// TestCollectRefuses says what is wrong with a folder or a file.
func TestCollectRefuses(t *testing.T) {
	empty := t.TempDir()
	if err := collect(empty, t.TempDir()); err == nil {
		t.Error("an empty folder was taken")
	}
	if err := os.WriteFile(filepath.Join(empty, "bad.json"), []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := collect(empty, t.TempDir()); err == nil {
		t.Error("a file that is no JSON was taken")
	}
}
