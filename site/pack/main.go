// Command pack compresses the files of a folder beside themselves (.gz and .br) and prints what a
// first visit weighs. The output holds no names and no times: the same files give the same bytes.
//
//	go run ./site/pack DIR
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// compressible are the kinds of files that become smaller; the single-file page is compressed inside.
var compressible = map[string]bool{".html": true, ".js": true, ".mjs": true, ".css": true, ".json": true, ".wasm": true, ".svg": true, ".webmanifest": true}

// notFirst are the files that a first visit does not load.
var notFirst = map[string]bool{"squall.wasm": true, "squall.js": true, "package.json": true, "squall-embed.js": true, "squall-offline.html": true, "embed.html": true, "embed.js": true, "embed.css": true}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack DIR")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// size is a file's bytes, plain and compressed.
type size struct {
	name          string
	plain, gz, br int
	err           error
}

func pack(dir string, out io.Writer) error {
	var sizes []*size
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && compressible[filepath.Ext(path)] && filepath.Base(path) != "squall-offline.html" {
			sizes = append(sizes, &size{name: path})
		}
		return err
	})
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	for _, s := range sizes {
		group.Go(func() { s.err = s.compress() })
	}
	group.Wait()
	var gz, br int
	for _, s := range sizes {
		if s.err != nil {
			return s.err
		}
		name, _ := filepath.Rel(dir, s.name)
		if s.plain >= 64<<10 {
			fmt.Fprintf(out, "%-22s %9d bytes, gzip %9d, brotli %9d\n", name, s.plain, s.gz, s.br)
		}
		if !notFirst[name] && !strings.HasPrefix(name, "examples") {
			gz, br = gz+s.gz, br+s.br
		}
	}
	fmt.Fprintf(out, "%-22s %9s        gzip %9d, brotli %9d\n", "a first visit", "", gz, br)
	return nil
}

func (s *size) compress() error {
	plain, err := os.ReadFile(s.name)
	if err != nil {
		return err
	}
	var gz, br bytes.Buffer
	g, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		return err
	}
	b := brotli.NewWriterLevel(&br, 10) // 11 takes three times as long for one percent
	for _, w := range []io.WriteCloser{g, b} {
		if _, err := w.Write(plain); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	s.plain, s.gz, s.br = len(plain), gz.Len(), br.Len()
	if err := os.WriteFile(s.name+".gz", gz.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(s.name+".br", br.Bytes(), 0o644)
}
