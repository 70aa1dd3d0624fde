package main

import (
	"strings"
	"syscall/js"
)

// listen hears what the renderer is too slow for, or does not hear at all: moves of controls, keys,
// the address, the system's theme, files that are dropped.
func (p *page) listen() {
	p.on(p.doc, "input", func(e js.Value) { p.control(e.Get("target"), false) })
	p.on(p.doc, "change", func(e js.Value) { p.control(e.Get("target"), true) })
	p.on(p.doc, "keydown", p.key)
	p.on(p.doc, "click", func(e js.Value) { p.choose(e) })
	p.on(p.window, "hashchange", func(js.Value) { p.happens(p.app.moved) })
	p.on(p.window, "pagehide", func(js.Value) { p.app.Drafts.save() })
	p.on(p.window.Call("matchMedia", "(prefers-color-scheme: dark)"), "change", func(js.Value) { p.happens(p.app.recolour) })
	p.on(p.window.Call("matchMedia", largeQuery), "change", func(js.Value) { p.happens(p.app.recolour) })
	p.on(p.doc, "close", func(e js.Value) {
		id := e.Get("target").Get("id").String()
		p.happens(func() {
			if p.app.Dialog == id {
				p.app.Dialog = ""
			}
			if p.app.Shown == id {
				p.app.Shown = ""
			}
		})
	})
	p.on(p.doc, "dragover", func(e js.Value) { e.Call("preventDefault") })
	p.on(p.doc, "drop", p.drop)
}

func (p *page) on(target js.Value, event string, f func(e js.Value)) {
	target.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	}), event == "close") // it does not bubble: it is caught on the way down
}

// control is a move of one of the form's controls, or of what carries data-do.
func (p *page) control(el js.Value, settled bool) {
	data := el.Get("dataset")
	if !data.Truthy() {
		return
	}
	if do := data.Get("do"); do.Type() == js.TypeString {
		if settled || data.Get("live").Type() == js.TypeString {
			p.do(do.String(), el, settled)
		}
		return
	}
	path, kind := data.Get("path"), data.Get("kind")
	if path.Type() != js.TypeString || kind.Type() != js.TypeString {
		return
	}
	value := el.Get("value").String()
	switch kind.String() {
	case "switch":
		which := "off"
		if el.Get("checked").Bool() {
			which = "on"
		}
		value = ""
		if v := data.Get(which); v.Type() == js.TypeString {
			value = v.String()
		}
	case "choice":
		value = strings.TrimPrefix(value, "=")
	default:
		if value == "" && !settled {
			return // a field is often emptied to write another value
		}
	}
	if settled || !strings.HasPrefix(kind.String(), "slide ") {
		p.happens(func() { p.app.field(path.String(), kind.String(), value) })
		return
	}
	p.glides(func() {
		p.app.field(path.String(), kind.String(), value)
		if entry := el.Get("parentElement").Call("querySelector", "input[type=text]"); entry.Truthy() {
			entry.Set("value", p.app.Form.value(path.String()))
		}
	})
}

func (p *page) do(what string, el js.Value, settled bool) {
	value := el.Get("value").String()
	switch what {
	case "subject":
		p.happens(func() { p.app.choose(value) })
	case "entity":
		p.happens(func() { p.app.chooseEntity(value) })
	case "seed":
		p.happens(func() { p.app.setSeed(value) })
	case "files":
		p.files(el.Get("files"))
	default:
		set := func() { p.app.set(what, value) }
		if settled {
			p.happens(set)
		} else {
			p.glides(set)
		}
	}
}

// choose makes the result be about what was clicked in the graph.
func (p *page) choose(e js.Value) bool {
	el := e.Get("target").Call("closest", "[data-choose]")
	if !el.Truthy() {
		return false
	}
	name := el.Get("dataset").Get("choose").String()
	p.happens(func() { p.app.choose(name) })
	return true
}

// key answers single keys outside of fields, and the arrows between tabs.
func (p *page) key(e js.Value) {
	target := e.Get("target")
	tag := strings.ToLower(target.Get("tagName").String())
	key := e.Get("key").String()
	if key == "Escape" {
		p.happens(func() { p.app.say("") })
	}
	if e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
		return
	}
	if role := target.Call("getAttribute", "role"); role.Type() == js.TypeString && role.String() == "tab" {
		if step := map[string]int{"ArrowRight": 1, "ArrowLeft": -1, "Home": -len(panels), "End": len(panels)}[key]; step != 0 {
			e.Call("preventDefault")
			p.happens(func() { p.app.stepPanel(step) })
			return
		}
	}
	if by := map[string]int{"ArrowRight": 1, "ArrowUp": 1, "ArrowLeft": -1, "ArrowDown": -1}[key]; by != 0 && tag == "input" {
		data := target.Get("dataset")
		if path, kind := data.Get("path"), data.Get("kind"); path.Type() == js.TypeString && kind.Type() == js.TypeString && strings.HasPrefix(kind.String(), "slide ") {
			e.Call("preventDefault")
			p.glides(func() { p.app.nudge(path.String(), by) })
			return
		}
	}
	if (key == "Enter" || key == " ") && tag == "g" && p.choose(e) {
		e.Call("preventDefault")
		return
	}
	if tag == "textarea" || tag == "select" || target.Get("isContentEditable").Bool() || target.Get("shadowRoot").Truthy() ||
		tag == "input" && target.Get("type").String() != "checkbox" && !(target.Get("type").String() == "range" && len(key) == 1 && (key < "0" || key > "9")) {
		return
	}
	if p.doc.Call("querySelector", "dialog[open]").Truthy() || len(key) != 1 {
		return
	}
	if strings.Contains("?edsxtnur/123456", key) {
		e.Call("preventDefault")
		p.happens(func() { p.app.key(key) })
	}
}

// drop takes files: a scenario is opened, anything else is graded.
func (p *page) drop(e js.Value) {
	e.Call("preventDefault")
	p.files(e.Get("dataTransfer").Get("files"))
}

func (p *page) files(list js.Value) {
	if !list.Truthy() || list.Length() == 0 {
		return
	}
	read := make([]file, list.Length())
	left := len(read)
	for i := range read {
		f := list.Index(i)
		read[i].Name = f.Get("name").String()
		settle(f.Call("text"), func(v js.Value, ok bool) {
			if ok {
				read[i].Text = v.String()
			}
			if left--; left == 0 {
				p.happens(func() { p.app.dropped(read) })
			}
		})
	}
}
