package main

import (
	"syscall/js"

	vjs "github.com/vugu/vugu/js"
)

// The editor and the charts keep state in the document that the renderer does not know. Each lives
// in an element that the page makes once inside an element that the renderer leaves alone.

// island makes the inner element of a host, or tells that it is there.
func (p *page) island(host vjs.Value) (js.Value, bool) {
	el := js.Value(host)
	if el.Get("firstChild").Truthy() {
		return js.Value{}, false
	}
	inner := p.doc.Call("createElement", "div")
	inner.Set("className", "island")
	el.Call("appendChild", inner)
	return inner, true
}

func (p *page) mountEditor(host vjs.Value) {
	inner, fresh := p.island(host)
	if !fresh {
		return
	}
	typed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].String()
		p.happens(func() { p.app.typed(text) })
		return nil
	})
	leave := js.FuncOf(func(js.Value, []js.Value) any {
		if el := p.doc.Call("getElementById", "do-undo"); el.Truthy() {
			el.Call("focus")
		}
		return nil
	})
	p.edit = p.window.Get("squallEditor").Call("editor", inner, p.app.Text, typed, leave)
	for _, f := range p.before {
		f()
	}
	p.before = nil
}

func (p *page) withEditor(f func()) {
	if p.edit.Truthy() {
		f()
		return
	}
	p.before = append(p.before, f)
}

func (p *page) editorReplace(text string) { p.withEditor(func() { p.edit.Call("replace", text) }) }
func (p *page) editorChange(from, to int, insert string) {
	p.withEditor(func() { p.edit.Call("change", from, to, insert) })
}
func (p *page) editorProblems(json string) { p.withEditor(func() { p.edit.Call("problems", json) }) }
func (p *page) editorGo(offset int)        { p.withEditor(func() { p.edit.Call("go", offset) }) }
func (p *page) editorUndo()                { p.withEditor(func() { p.edit.Call("undo") }) }
func (p *page) editorRedo()                { p.withEditor(func() { p.edit.Call("redo") }) }
func (p *page) editorSchema(json string)   { p.withEditor(func() { p.edit.Call("schema", json) }) }

// plot is one chart, and what was drawn before it was there.
type plot struct {
	chart  js.Value
	shape  string
	option func() []byte
	update []byte
	due    bool
}

func (p *page) plotOf(id string) *plot {
	if p.charts[id] == nil {
		p.charts[id] = &plot{}
	}
	return p.charts[id]
}

func (p *page) mountChart(id string, host vjs.Value) {
	inner, fresh := p.island(host)
	if !fresh {
		return
	}
	c := p.plotOf(id)
	pick := js.FuncOf(func(_ js.Value, args []js.Value) any {
		second := args[0].Int()
		p.happens(func() { p.app.pickSecond(second) })
		return nil
	})
	c.chart = p.window.Get("squallCharts").Call("chart", inner, "squall", pick)
	c.draw()
}

func (p *page) plot(id, shape string, option func() []byte, update []byte) {
	c := p.plotOf(id)
	if c.shape != shape {
		c.shape, c.option = shape, option
	}
	c.update, c.due = update, true
	c.draw()
}

// draw hands over what is due: the option when there is a new one, then the numbers.
func (c *plot) draw() {
	if !c.chart.Truthy() || !c.due {
		return
	}
	if c.option != nil {
		c.chart.Call("draw", string(c.option()))
		c.option = nil
	}
	c.chart.Call("update", string(c.update))
	c.due = false
}

func (p *page) plotPicture(id, kind string) string {
	c := p.charts[id]
	if c == nil || !c.chart.Truthy() {
		return ""
	}
	if kind == "svg" {
		return c.chart.Call("svg").String()
	}
	palette, _ := p.app.palette()
	return c.chart.Call("png", palette.Panel).String()
}

func (p *page) layout(json string) string {
	return p.window.Get("squallCharts").Call("layout", json).String()
}
