// Command precache writes the service worker of the built playground:
//
//	go run ./site/precache DIST
//
// writes DIST/sw.js, which holds the list of the files that the page needs and a hash of their
// content, so that it differs from an older one exactly when one of them does.
package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

//go:embed sw.js
var worker string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: precache DIST")
		os.Exit(2)
	}
	text, err := script(os.DirFS(os.Args[1]))
	if err == nil {
		err = os.WriteFile(path.Join(os.Args[1], "sw.js"), []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "precache:", err)
		os.Exit(1)
	}
}

// notNeeded are files of dist that the page itself never asks for.
var notNeeded = map[string]bool{"sw.js": true, "squall.wasm": true, "squall.js": true, "package.json": true, "squall-offline.html": true, "squall-embed.js": true, "embed.html": true, "embed.js": true, "embed.css": true}

// needed tells whether the page works only with a file.
func needed(name string) bool {
	if notNeeded[name] || strings.HasPrefix(name, "docs/") {
		return false
	}
	switch path.Ext(name) {
	case ".html", ".js", ".css", ".json", ".wasm", ".svg", ".png", ".webmanifest":
		return true
	}
	return false
}

// script is the service worker of a folder of files.
func script(files fs.FS) (string, error) {
	list := []string{}
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error { // in the order of names
		if err != nil || entry.IsDir() || !needed(name) {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(text))
		sum.Write(text)
		if name == "index.html" {
			name = "./"
		}
		list = append(list, name)
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", errors.New("there is nothing to keep")
	}
	names, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	sum.Write([]byte(worker))
	return strings.NewReplacer("'VERSION'", "'"+hex.EncodeToString(sum.Sum(nil)[:8])+"'", "['FILES']", string(names)).Replace(worker), nil
}
