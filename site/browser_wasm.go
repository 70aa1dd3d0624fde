package main

import (
	"errors"
	"strings"
	"syscall/js"

	"github.com/vugu/vugu"
	vjs "github.com/vugu/vugu/js"
)

// page is the real browser.
type page struct {
	env    vugu.EventEnv
	app    *App
	window js.Value
	doc    js.Value
	events chan happening
	// glidedAt is when a slider moved last. While it moves, soon tells that a light render is coming,
	// and owing that a full one is when the slider rests.
	glidedAt    float64
	soon, owing bool
	// light and full tell which render was asked for; neither is a full one that the renderer's own
	// events ask for.
	light, full bool

	texts  map[string]js.Value
	charts map[string]*plot
	edit   js.Value
	// before holds what was told to the editor until it is there.
	before []func()
	after  []func() // of the next render
	quiet  bool     // what happens now needs no render
	list   js.Value
}

func newPage(env vugu.EventEnv) *page {
	p := &page{
		env: env, window: js.Global(), doc: js.Global().Get("document"), events: make(chan happening, 1024),
		charts: map[string]*plot{}, texts: map[string]js.Value{},
	}
	go p.pump()
	return p
}

// happening is something that changes the page. What glides is drawn a little later and lightly
// (patch.go): it comes many times a second.
type happening struct {
	change  func()
	urgency urgency
}

const (
	// glideFor is for how many milliseconds after a slider's move results are drawn lightly too.
	glideFor = 160
	// glideEvery is how often, in milliseconds, the page is drawn while a slider moves.
	glideEvery = 32
)

// urgency is whether the page must be drawn for what happened.
type urgency int

const (
	never urgency = iota
	gliding
	lightly // now, but only what has changed
	atOnce
)

// pump lets everything that happens between two renders change the page together.
func (p *page) pump() {
	for h := range p.events {
		p.env.Lock()
		due := p.change(h)
		for more := true; more; {
			select {
			case h := <-p.events:
				due = max(due, p.change(h))
			default:
				more = false
			}
		}
		p.light, p.full = p.light || due == lightly, p.full || due == atOnce
		if due >= lightly {
			p.env.UnlockRender()
			continue
		}
		p.env.UnlockOnly()
		if due == gliding && !p.soon {
			p.soon = true
			p.window.Call("setTimeout", once(func([]js.Value) { p.post(happening{func() { p.soon = false }, lightly}) }), glideEvery)
		}
	}
}

// change makes something happen.
func (p *page) change(h happening) urgency {
	p.quiet = false
	h.change()
	if p.quiet && len(p.after) == 0 {
		return never
	}
	return h.urgency
}

func (p *page) still() { p.quiet = true }

// owes makes sure that the page is drawn in full when the slider rests.
func (p *page) owes() {
	if !p.owing {
		p.owing = true
		p.rest()
	}
}

func (p *page) rest() {
	p.window.Call("setTimeout", once(func([]js.Value) {
		if p.now()-p.glidedAt < glideFor {
			p.rest()
			return
		}
		p.happens(func() { p.owing = false })
	}), glideFor)
}

// happens calls f soon, alone, and then draws the page. It never waits: it is called by the browser.
func (p *page) happens(f func()) { p.post(happening{f, atOnce}) }

// glides is happens for a move of a slider.
func (p *page) glides(f func()) {
	p.glidedAt = p.now()
	p.post(happening{f, gliding})
}

// arrives is happens for what a person did not do, a message of the engine or a timer: in the middle
// of a drag it glides too.
func (p *page) arrives(f func()) {
	if p.now()-p.glidedAt < glideFor {
		p.post(happening{f, gliding})
		return
	}
	p.happens(f)
}

func (p *page) post(h happening) {
	select {
	case p.events <- h:
	default:
		go func() { p.events <- h }()
	}
}

// rendered runs what waited for the elements to be there.
func (p *page) rendered() {
	after := p.after
	p.after = nil
	for _, f := range after {
		f()
	}
}

// once is a function for the browser that frees itself after one call.
func once(f func(args []js.Value)) js.Func {
	var fn js.Func
	fn = js.FuncOf(func(_ js.Value, args []js.Value) any {
		fn.Release()
		f(args)
		return nil
	})
	return fn
}

// settle calls f with the value of a promise, or with ok false.
func settle(promise js.Value, f func(v js.Value, ok bool)) {
	var good, bad js.Func
	release := func() { good.Release(); bad.Release() }
	good = js.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		f(v, true)
		return nil
	})
	bad = js.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		f(js.Undefined(), false)
		return nil
	})
	promise.Call("then", good, bad)
}

type jsThread struct {
	w       js.Value
	ready   bool
	waiting []string
	funcs   []js.Func
}

func (p *page) spawn(on func(message string)) thread {
	t := &jsThread{w: p.window.Call("squallWorker")}
	message := js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].Get("data").String()
		if !t.ready {
			t.ready = true
			for _, w := range t.waiting {
				t.w.Call("postMessage", w)
			}
			t.waiting = nil
		}
		p.arrives(func() { on(text) })
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		args[0].Call("preventDefault")
		t.end()
		p.happens(func() { on("") })
		return nil
	})
	t.funcs = []js.Func{message, failed}
	t.w.Set("onmessage", message)
	t.w.Set("onerror", failed)
	return t
}

func (t *jsThread) post(message string) {
	if !t.ready {
		t.waiting = append(t.waiting, message)
		return
	}
	t.w.Call("postMessage", message)
}

func (t *jsThread) end() {
	t.w.Call("terminate")
	t.w.Set("onmessage", js.Null())
	t.w.Set("onerror", js.Null())
	for _, f := range t.funcs {
		f.Release()
	}
	t.funcs = nil
}

func (p *page) cores() int {
	n := p.window.Get("navigator").Get("hardwareConcurrency")
	if n.Type() != js.TypeNumber {
		return 2
	}
	return min(max(n.Int(), 1), 16)
}

func (p *page) later(ms int, f func()) func() {
	over := false
	p.window.Call("setTimeout", once(func([]js.Value) {
		if over { // it was cancelled; its function frees itself now
			return
		}
		p.arrives(func() {
			if over {
				p.still()
				return
			}
			over = true
			f()
		})
	}), ms)
	return func() { over = true }
}

func (p *page) now() float64   { return p.window.Get("performance").Call("now").Float() }
func (p *page) today() float64 { return p.window.Get("Date").Call("now").Float() }

var errStorage = errors.New("the browser keeps nothing")

// storage calls a method of a storage, which a browser may forbid altogether.
func (p *page) storage(which, method string, args ...any) (v js.Value, err error) {
	defer func() {
		if recover() != nil {
			err = errStorage
		}
	}()
	// through a call, because even looking at a storage throws where it is forbidden
	return p.window.Get("Reflect").Call("get", p.window, which).Call(method, args...), nil
}

func (p *page) load(key string) string { return p.item("localStorage", key) }

func (p *page) item(which, key string) string {
	v, err := p.storage(which, "getItem", key)
	if err != nil || v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

func (p *page) store(key, value string) error {
	if value == "" {
		_, err := p.storage("localStorage", "removeItem", key)
		return err
	}
	_, err := p.storage("localStorage", "setItem", key, value)
	return err
}

func (p *page) session(key string) string { return p.item("sessionStorage", key) }

func (p *page) storeSession(key, value string) {
	// a tab that keeps nothing begins anew after a reload, which is all that is lost
	_, _ = p.storage("sessionStorage", "setItem", key, value)
}

func (p *page) fragment() string {
	return strings.TrimPrefix(p.window.Get("location").Get("hash").String(), "#")
}

func (p *page) setFragment(fragment string, push bool) {
	location := p.window.Get("location")
	address := location.Get("pathname").String() + location.Get("search").String()
	if fragment != "" {
		address += "#" + fragment
	}
	method := "replaceState"
	if push && fragment != p.fragment() {
		method = "pushState"
	}
	p.window.Get("history").Call(method, js.Null(), "", address)
}

func (p *page) address() string { return p.window.Get("location").Get("href").String() }

func (p *page) copyText(text string, done func(ok bool)) {
	clipboard := p.window.Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		done(false)
		return
	}
	settle(clipboard.Call("writeText", text), func(_ js.Value, ok bool) { p.happens(func() { done(ok) }) })
}

var mediaTypes = map[string]string{"json": "application/json", "csv": "text/csv", "txt": "text/plain", "svg": "image/svg+xml"}

func (p *page) download(name, kind, content string) {
	address := content
	if mediaType, ok := mediaTypes[kind]; ok {
		parts := p.window.Get("Array").New(content)
		blob := p.window.Get("Blob").New(parts, map[string]any{"type": mediaType + ";charset=utf-8"})
		address = p.window.Get("URL").Call("createObjectURL", blob).String()
		p.window.Call("setTimeout", once(func([]js.Value) { p.window.Get("URL").Call("revokeObjectURL", address) }), 10_000)
	}
	a := p.doc.Call("createElement", "a")
	a.Set("href", address)
	a.Set("download", name)
	a.Call("click")
}

func (p *page) fetch(path string, done func(text string, ok bool)) {
	settle(p.window.Call("fetch", path), func(r js.Value, ok bool) {
		if !ok || !r.Get("ok").Bool() {
			p.happens(func() { done("", false) })
			return
		}
		settle(r.Call("text"), func(text js.Value, ok bool) {
			p.happens(func() {
				if ok {
					done(text.String(), true)
				} else {
					done("", false)
				}
			})
		})
	})
}

func (p *page) send(method, path, body string, done func(answer)) {
	if !strings.HasPrefix(p.window.Get("location").Get("protocol").String(), "http") {
		done(answer{}) // a file from disk has no server
		return
	}
	request := map[string]any{"method": method, "cache": "no-store"}
	if body != "" {
		request["body"] = body
	}
	settle(p.window.Call("fetch", path, request), func(r js.Value, ok bool) {
		if !ok {
			p.happens(func() { done(answer{}) })
			return
		}
		a := answer{Status: r.Get("status").Int()}
		if links := r.Get("headers").Call("get", linksHeader); links.Type() == js.TypeString {
			a.Links = links.String()
		}
		settle(r.Call("text"), func(text js.Value, ok bool) {
			if ok {
				a.Text = text.String()
			}
			p.happens(func() { done(a) })
		})
	})
}

// largeQuery is as in style.css.
const largeQuery = "(min-width: 2800px)"

func (p *page) large() bool { return p.window.Call("matchMedia", largeQuery).Get("matches").Bool() }

func (p *page) dark() bool {
	return p.window.Call("matchMedia", "(prefers-color-scheme: dark)").Get("matches").Bool()
}

func (p *page) setTheme(theme string) {
	p.doc.Get("documentElement").Get("dataset").Set("theme", theme)
}

func (p *page) setTitle(title string) { p.doc.Set("title", title) }

func (p *page) focus(selector string) {
	p.after = append(p.after, func() {
		if el := p.doc.Call("querySelector", selector); el.Truthy() {
			el.Call("focus")
		}
	})
}

func (p *page) fieldText(id string) string {
	if el := p.doc.Call("getElementById", id); el.Truthy() {
		return el.Get("value").String()
	}
	return ""
}

func (p *page) dialog(id string, open bool) {
	p.after = append(p.after, func() {
		d := p.doc.Call("getElementById", id)
		switch {
		case !d.Truthy() || d.Get("open").Bool() == open:
		case open:
			if link := d.Call("querySelector", "[data-link]"); link.Truthy() {
				link.Set("value", p.app.Share.Address)
			}
			d.Call("showModal")
			p.app.Shown = id
		default:
			d.Call("close")
			p.app.Shown = ""
		}
	})
}

func (p *page) mountText(id string, host vjs.Value) {
	el := js.Value(host)
	inner := el.Get("firstChild")
	if !inner.Truthy() {
		inner = p.doc.Call("createElement", "span")
		el.Call("appendChild", inner)
	}
	if waiting, ok := p.texts[id]; ok && waiting.Type() == js.TypeString && !waiting.Equal(inner.Get("textContent")) {
		inner.Set("textContent", waiting)
	}
}

func (p *page) setText(id, text string) { p.texts[id] = js.ValueOf(text) }
