package main

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func folder() fstest.MapFS {
	return fstest.MapFS{
		"index.html":          {Data: []byte("<!doctype html>")},
		"boot.js":             {Data: []byte("1")},
		"boot.js.br":          {Data: []byte("br")},
		"playground.wasm":     {Data: []byte("wasm")},
		"examples/a.json":     {Data: []byte("{}")},
		"squall.wasm":         {Data: []byte("module")},
		"squall-offline.html": {Data: []byte("all")},
		"docs/embeds.html":    {Data: []byte("docs")},
		"LICENSE":             {Data: []byte("MIT")},
	}
}

func TestScript(t *testing.T) {
	text, err := script(folder())
	if err != nil {
		t.Fatal(err)
	}
	if want := `const files = ["boot.js","examples/a.json","./","playground.wasm"];`; !strings.Contains(text, want) {
		t.Errorf("it keeps other files than %s:\n%s", want, text)
	}
	if !regexp.MustCompile(`const version = '[0-9a-f]{16}';`).MatchString(text) {
		t.Error("it has no version")
	}
}

// The worker differs exactly when something differs that it keeps.
func TestVersion(t *testing.T) {
	first, _ := script(folder())
	for name, differs := range map[string]bool{"boot.js": true, "index.html": true, "playground.wasm": true, "squall.wasm": false, "boot.js.br": false, "LICENSE": false} {
		files := folder()
		files[name] = &fstest.MapFile{Data: []byte("another")}
		if text, err := script(files); err != nil || (text != first) != differs {
			t.Errorf("another %s: differs %v, %v", name, text != first, err)
		}
	}
	if _, err := script(fstest.MapFS{}); err == nil {
		t.Error("nothing is kept without complaint")
	}
}
