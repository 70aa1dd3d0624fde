// Command vgen turns the components of a folder (*.vugu) into Go (*_gen.go).
//
// It differs from vugu's own command in one thing: markup without expressions is not turned into a
// block of HTML, because the renderer sets such a block anew at every render, and what lives in its
// elements (focus, caret, open details) would be lost each time.
//
//	go run ./site/vgen DIR PACKAGE
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/vugu/vugu/gen"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: vgen DIR PACKAGE")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "vgen:", err)
		os.Exit(1)
	}
}

// generate writes one _gen.go beside each component of dir.
func generate(dir, pkg string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.vugu"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("no components in " + dir)
	}
	for _, file := range files {
		if err := component(file, dir, pkg); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func component(file, dir, pkg string) error {
	r, err := os.Open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	base := strings.TrimSuffix(filepath.Base(file), ".vugu")
	p := &gen.ParserGo{
		PackageName: pkg, StructType: typeName(base), OutDir: dir, OutFile: base + "_gen.go",
		NoOptimizeStatic: true,
	}
	return p.Parse(r, filepath.Base(file))
}

// typeName is the Go type of a component's file: "seed-field" is SeedField.
func typeName(base string) string {
	var b strings.Builder
	up := true
	for _, r := range base {
		if r == '-' || r == '_' {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	return b.String()
}
