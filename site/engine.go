package main

import (
	"strconv"

	"github.com/tidwall/gjson"
)

// A run may go on for so many milliseconds while a newer one waits, before its worker is ended. Each
// time that happens the next run is given twice as long, up to patienceMost, until one is answered:
// where every run takes long, a drag without an end would otherwise show nothing.
const (
	impatience   = 250
	patienceMost = 4000
)

// engine runs the newest document in a worker. Of the requests that wait only the newest is kept. A
// run that takes long while a newer one waits is dropped: its worker is ended and one that stands by
// takes over.
type engine struct {
	b        browser
	live     thread
	standby  thread
	ready    string // the greeting of the engine
	id       int
	asked    *question // what the live worker works on
	waiting  *question
	askedAt  float64
	patience int // of the run that goes on
	giveUp   func()
	onReady  func()
	crashes  int
	onBroken func(why string)
}

// question is one request and what to do with its reply.
type question struct {
	fields   string // of the request, without id
	done     func(reply gjson.Result)
	progress func(done float64)
}

func newEngine(b browser) *engine { return &engine{b: b, patience: impatience} }

func (e *engine) start() {
	e.live = e.spawn()
	e.standby = e.spawn()
}

func (e *engine) spawn() thread {
	var w thread
	w = e.b.spawn(func(message string) { e.hear(w, message) })
	return w
}

// ask asks for something; what waited to be asked before is forgotten.
func (e *engine) ask(fields string, progress func(float64), done func(gjson.Result)) {
	e.waiting = &question{fields, done, progress}
	if e.asked == nil {
		e.next()
		return
	}
	if e.giveUp == nil {
		wait := max(0, e.patience-int(e.b.now()-e.askedAt))
		e.giveUp = e.b.later(wait, func() {
			e.giveUp = nil
			if e.asked != nil && e.waiting != nil {
				e.patience = min(2*e.patience, patienceMost)
				e.replace()
				e.next()
			}
		})
	}
}

// cancel drops what was asked.
func (e *engine) cancel() {
	e.waiting = nil
	if e.asked != nil {
		e.replace()
	}
}

// busy tells that an answer is on its way.
func (e *engine) busy() bool { return e.asked != nil || e.waiting != nil }

// replace ends the live worker; the one that stands by becomes live.
func (e *engine) replace() {
	e.live.end()
	e.live, e.asked = e.standby, nil
	e.standby = e.spawn()
}

func (e *engine) next() {
	q := e.waiting
	if q == nil {
		return
	}
	e.waiting, e.asked = nil, q
	if e.giveUp != nil {
		e.giveUp()
		e.giveUp = nil
	}
	e.id++
	e.askedAt = e.b.now()
	e.live.post(`{"id":` + strconv.Itoa(e.id) + `,` + q.fields + `}`)
}

func (e *engine) hear(from thread, message string) {
	if message == "" {
		e.crashed(from)
		return
	}
	r := gjson.Parse(message)
	if r.Get("ready").Bool() {
		e.ready = r.Get("engine").Str
		if e.onReady != nil {
			e.onReady()
		}
		return
	}
	if from != e.live || e.asked == nil || int(r.Get("id").Int()) != e.id {
		return
	}
	if p := r.Get("progress"); p.Exists() {
		if e.asked.progress != nil && e.waiting == nil {
			e.asked.progress(p.Num)
		}
		return
	}
	q := e.asked
	e.asked, e.crashes, e.patience = nil, 0, impatience
	overtaken := e.waiting != nil
	e.next()
	// A result is shown although a newer one is on its way: it is what moves while one drags. What
	// was wrong with an older text is not said.
	if !overtaken || r.Get("ok").Bool() {
		q.done(r)
	}
}

// crashed starts another worker in the place of one that died. What it was asked is asked once
// more; if that kills the next worker too, the request is to blame.
func (e *engine) crashed(w thread) {
	if w != e.live {
		e.standby = e.spawn()
		return
	}
	q := e.asked
	e.asked = nil
	e.live = e.standby
	e.standby = e.spawn()
	e.crashes++
	if e.waiting == nil {
		e.waiting = q
	}
	if e.crashes > 1 {
		e.waiting, e.crashes = nil, 0
		if e.onBroken != nil {
			e.onBroken("The engine stopped twice while it worked on this. It has been started again; change something to go on.")
		}
		return
	}
	e.next()
}
