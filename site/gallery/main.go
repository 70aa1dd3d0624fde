// Command gallery puts the examples where the page finds them: every scenario of a folder as a
// file of its own, and an index of their groups, titles and what to look for, in the order that
// teaches (package examples). An example that no group names comes last.
//
//	go run ./site/gallery EXAMPLES DIST
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"squall/engine/document"
	"squall/examples"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: gallery EXAMPLES DIST")
		os.Exit(2)
	}
	if err := collect(os.Args[1], filepath.Join(os.Args[2], "examples")); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// entry is one example in the index.
type entry struct {
	Group string `json:"group"`
	Name  string `json:"name"`
	Title string `json:"title"`
	About string `json:"about,omitempty"`
}

func collect(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("no examples in " + from)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	index := []entry{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		e, err := describe(file, text)
		if err != nil {
			return err
		}
		index = append(index, e)
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o644); err != nil {
			return err
		}
	}
	arrange(index)
	list, err := json.Marshal(index)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "index.json"), list, 0o644)
}

// arrange puts the index into the order of the gallery.
func arrange(index []entry) {
	place := map[string]int{}
	for _, g := range examples.Gallery {
		for _, name := range g.Names {
			place[name] = len(place) + 1
		}
	}
	for i := range index {
		e := &index[i]
		e.Group = "More"
		for _, g := range examples.Gallery {
			if slices.Contains(g.Names, e.Name) {
				e.Group = g.Title
			}
		}
		if e.Name == "brownout" && e.About == "" {
			e.About = examples.AboutBrownout
		}
	}
	slices.SortStableFunc(index, func(a, b entry) int {
		x, y := place[a.Name], place[b.Name]
		if x == 0 || y == 0 {
			return y - x
		}
		return x - y
	})
}

// describe reads what the index says of an example; its title defaults to its file's name.
func describe(file string, text []byte) (entry, error) {
	doc, problems := document.Parse(text, document.Limits{})
	if len(problems) > 0 {
		return entry{}, fmt.Errorf("%s:%s", file, problems[0])
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	e := entry{Name: name, Title: strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")}
	for key, value := range doc.Root().Members() {
		switch key {
		case "title":
			e.Title, _ = value.Text()
		case "about":
			e.About, _ = value.Text()
		}
	}
	return e, nil
}
