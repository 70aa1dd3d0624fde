package main

import (
	"strconv"

	"github.com/tidwall/gjson"
)

// pool answers many requests on as many workers as there are cores. Its workers live as long as
// there is work.
type pool struct {
	b       browser
	workers []*poolWorker
	tasks   []task
	next    int
	left    int
	failed  bool
	done    func()
	each    func(i int, reply gjson.Result)
	broken  func(why string)
}

// task is the fields of one request.
type task struct{ fields string }

type poolWorker struct {
	w    thread
	task int // -1 when idle
	born bool
}

// run asks everything; each is called for every reply, in the order they come, and done at the end.
func (p *pool) run(tasks []string, each func(i int, reply gjson.Result), done func(), broken func(why string)) {
	p.cancel()
	p.tasks, p.next, p.left, p.failed = nil, 0, len(tasks), false
	for _, t := range tasks {
		p.tasks = append(p.tasks, task{t})
	}
	p.each, p.done, p.broken = each, done, broken
	if len(tasks) == 0 {
		done()
		return
	}
	for range min(max(p.b.cores(), 1), len(tasks)) {
		pw := &poolWorker{task: -1}
		p.workers = append(p.workers, pw)
		pw.w = p.b.spawn(func(message string) { p.hear(pw, message) })
		p.give(pw)
	}
}

// cancel ends all work; nothing is called any more.
func (p *pool) cancel() {
	for _, w := range p.workers {
		if w.w != nil {
			w.w.end()
		}
	}
	p.workers = nil
	p.tasks = nil
}

func (p *pool) give(pw *poolWorker) {
	if p.next >= len(p.tasks) || pw.w == nil || pw.task >= 0 {
		return
	}
	pw.task = p.next
	p.next++
	pw.w.post(`{"id":` + strconv.Itoa(pw.task) + `,` + p.tasks[pw.task].fields + `}`)
}

func (p *pool) hear(pw *poolWorker, message string) {
	live := false
	for _, w := range p.workers {
		live = live || w == pw
	}
	if !live {
		return
	}
	if message == "" {
		broken := p.broken
		p.cancel()
		broken("A worker of the engine stopped; the comparison was given up.")
		return
	}
	r := gjson.Parse(message)
	if r.Get("ready").Bool() || r.Get("progress").Exists() || int(r.Get("id").Int()) != pw.task {
		return
	}
	i := pw.task
	pw.task = -1
	p.left--
	p.each(i, r)
	if p.left == 0 {
		done := p.done
		p.cancel()
		done()
		return
	}
	p.give(pw)
}
