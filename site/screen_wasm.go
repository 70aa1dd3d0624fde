package main

import (
	"syscall/js"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"
)

// screen draws what was built: all of it, or, while a slider moves, only what differs from what was
// drawn before.
type screen struct {
	page     *page
	renderer *domrender.JSRenderer
	shown    *tree
}

// draw shows what was built.
func (s *screen) draw(built *vugu.BuildResults) error {
	light := s.page.light && !s.page.full
	s.page.light, s.page.full = false, false
	before, next := s.shown, newTree(built)
	s.shown = next
	if light && before != nil {
		if patches, ok := before.patches(next); ok && s.patch(patches) {
			s.page.owes()
			return nil
		}
	}
	return s.renderer.Render(built)
}

// patch changes the document, or tells that it is not what was drawn.
func (s *screen) patch(patches []patch) bool {
	root := s.page.doc.Call("getElementById", "page")
	nodes := make([]js.Value, len(patches))
	for i, p := range patches {
		n := root
		for _, k := range p.path {
			if n = n.Get("childNodes").Index(k); !n.Truthy() {
				return false
			}
		}
		nodes[i] = n
	}
	json := s.page.window.Get("JSON")
	for i, p := range patches {
		n := nodes[i]
		switch p.kind {
		case patchText:
			n.Set("data", p.value)
		case patchAttribute:
			n.Call("setAttribute", p.name, p.value)
		case patchNoAttribute:
			n.Call("removeAttribute", p.name)
		case patchProperty:
			n.Set(p.name, json.Call("parse", p.value))
		}
	}
	return true
}
