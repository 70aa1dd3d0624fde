package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/vugu/vugu"
	vjs "github.com/vugu/vugu/js"
	"github.com/vugu/vugu/staticrender"

	"squall/wasm/module"
)

// fake is a browser that answers at once. Its workers are the engine itself, its timers fire when
// the test says so.
type fake struct {
	*testing.T
	app      *App
	storage  map[string]string
	tab      map[string]string
	hash     string
	pushed   int
	noRoom   bool
	noCopy   bool
	copied   string
	saved    map[string]string
	title    string
	theme    string
	isDark   bool
	isLarge  bool
	open     string
	doc      string // the editor's text
	marks    string // its problems
	caret    int
	changes  int
	shapes   map[string]string
	options  int
	updates  map[string]string
	fields   map[string]string
	texts    map[string]string
	files    map[string]string
	clock    float64
	timers   []*fakeTimer
	workers  int
	stuck    bool // workers take messages and never answer
	crash    int  // so many next requests kill their worker
	messages []func()
	list     fakeList
	// sent is what was asked of the server, which is nobody's when it is nil.
	sent   []string
	server func(method, path, body string) answer
}

type fakeTimer struct {
	at   float64
	f    func()
	over bool
}

type fakeThread struct {
	b     *fake
	m     module.Module
	on    func(string)
	ended bool
}

func newFake(t *testing.T) *fake {
	return &fake{T: t, storage: map[string]string{}, tab: map[string]string{}, saved: map[string]string{}, shapes: map[string]string{},
		updates: map[string]string{}, fields: map[string]string{}, texts: map[string]string{}, files: map[string]string{}}
}

// begin opens the page.
func begin(t *testing.T, prepare func(*fake)) (*App, *fake) {
	t.Helper()
	b := newFake(t)
	if prepare != nil {
		prepare(b)
	}
	return again(b), b
}

// again opens the page another time in the same browser.
func again(b *fake) *App {
	a := newApp(b)
	b.app = a
	a.start()
	b.settle()
	return a
}

func (b *fake) spawn(on func(string)) thread {
	b.workers++
	t := &fakeThread{b: b, on: on}
	b.messages = append(b.messages, func() { on(module.Greeting()) })
	return t
}

func (t *fakeThread) post(message string) {
	switch {
	case t.b.stuck:
	case t.b.crash > 0:
		t.b.crash--
		t.b.messages = append(t.b.messages, func() {
			if !t.ended {
				t.on("")
			}
		})
	default:
		reply := t.m.Answer(message, nil)
		t.b.messages = append(t.b.messages, func() {
			if !t.ended {
				t.on(reply)
			}
		})
	}
}

func (t *fakeThread) end() { t.ended = true }

// settle delivers every message that is on its way.
func (b *fake) settle() {
	for len(b.messages) > 0 {
		next := b.messages[0]
		b.messages = b.messages[1:]
		next()
	}
}

// pass lets time go by.
func (b *fake) pass(ms float64) {
	b.clock += ms
	for _, timer := range b.timers {
		if !timer.over && timer.at <= b.clock {
			timer.over = true
			timer.f()
		}
	}
	b.settle()
}

func (b *fake) cores() int { return 2 }
func (b *fake) later(ms int, f func()) func() {
	timer := &fakeTimer{at: b.clock + float64(ms), f: f}
	b.timers = append(b.timers, timer)
	return func() { timer.over = true }
}
func (b *fake) now() float64           { return b.clock }
func (b *fake) today() float64         { return 1.8e12 + b.clock }
func (b *fake) load(key string) string { return b.storage[key] }
func (b *fake) store(key, value string) error {
	if b.noRoom {
		return errors.New("full")
	}
	if value == "" {
		delete(b.storage, key)
	} else {
		b.storage[key] = value
	}
	return nil
}
func (b *fake) session(key string) string      { return b.tab[key] }
func (b *fake) storeSession(key, value string) { b.tab[key] = value }
func (b *fake) fragment() string               { return b.hash }
func (b *fake) setFragment(fragment string, push bool) {
	b.hash = fragment
	if push {
		b.pushed++
	}
}
func (b *fake) address() string { return "http://127.0.0.1/#" + b.hash }
func (b *fake) copyText(text string, done func(bool)) {
	b.copied = text
	done(!b.noCopy)
}
func (b *fake) download(name, kind, content string) { b.saved[name] = content }
func (b *fake) fetch(path string, done func(string, bool)) {
	text, ok := b.files[path]
	done(text, ok)
}
func (b *fake) send(method, path, body string, done func(answer)) {
	b.sent = append(b.sent, method+" "+path+" "+body)
	reply := b.server
	b.messages = append(b.messages, func() {
		if reply == nil {
			done(answer{})
			return
		}
		done(reply(method, path, body))
	})
}
func (b *fake) large() bool           { return b.isLarge }
func (b *fake) dark() bool            { return b.isDark }
func (b *fake) setTheme(theme string) { b.theme = theme }
func (b *fake) setTitle(title string) { b.title = title }
func (b *fake) focus(string)          {}
func (b *fake) fieldText(id string) string {
	return b.fields[id]
}
func (b *fake) dialog(id string, open bool) {
	b.open = ""
	if open {
		b.open = id
	}
}
func (b *fake) mountText(string, vjs.Value) {}
func (b *fake) setText(id, text string)     { b.texts[id] = text }
func (b *fake) mountEditor(vjs.Value)       {}
func (b *fake) editorReplace(text string)   { b.doc = text }
func (b *fake) editorChange(from, to int, insert string) {
	b.changes++
}
func (b *fake) editorProblems(json string)      { b.marks = json }
func (b *fake) editorGo(offset int)             { b.caret = offset }
func (b *fake) editorUndo()                     {}
func (b *fake) editorRedo()                     {}
func (b *fake) editorSchema(string)             {}
func (b *fake) mountChart(string, vjs.Value)    {}
func (b *fake) plotPicture(id, _ string) string { return "picture of " + id }
func (b *fake) plot(id, shape string, option func() []byte, update []byte) {
	if b.shapes[id] != shape {
		b.shapes[id] = shape
		b.options++
		if !gjson.ValidBytes(option()) {
			b.Errorf("the option of %s is no JSON", id)
		}
	}
	b.updates[id] = string(update)
}
func (b *fake) layout(json string) string {
	if !gjson.Valid(json) {
		b.Errorf("the graph to lay out is no JSON: %s", json)
	}
	nodes, edges := []string{}, []string{}
	gjson.Get(json, "nodes").ForEach(func(_, _ gjson.Result) bool {
		nodes = append(nodes, `{"x":50,"y":20}`)
		return true
	})
	gjson.Get(json, "edges").ForEach(func(_, _ gjson.Result) bool {
		edges = append(edges, `{"x":5,"y":2,"points":[{"x":0,"y":0},{"x":5,"y":2},{"x":9,"y":0}]}`)
		return true
	})
	return `{"width":300,"height":80,"nodes":[` + strings.Join(nodes, ",") + `],"edges":[` + strings.Join(edges, ",") + `]}`
}

// html is the page as it would be drawn.
func (b *fake) html() string {
	b.Helper()
	build, err := vugu.NewBuildEnv(vugu.NewEventEnvImpl(nil, nil))
	if err != nil {
		b.Fatal(err)
	}
	var out strings.Builder
	if err := staticrender.New(&out).Render(build.RunBuild(&Root{App: b.app})); err != nil {
		b.Fatal(err)
	}
	return out.String()
}
