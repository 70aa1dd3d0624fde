package main

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// pool answers many requests on as many workers as there are cores. Its workers live as long as
// there is work. A worker that dies is replaced and its request asked once more.
type pool struct {
	b       browser
	workers []*poolWorker
	tasks   []task
	again   []int // requests of workers that died
	next    int
	left    int
	each    func(i int, reply gjson.Result)
	done    func()
	broken  func(why string)
}

// task is the fields of one request, and how many workers died of it.
type task struct {
	fields string
	deaths int
}

type poolWorker struct {
	w    thread
	task int // -1 when idle
}

// deathsMax is how many workers one request may cost.
const deathsMax = 2

// run asks everything; each is called for every reply, in the order they come, and done at the end,
// or broken when a request kills every worker that it is given to.
func (p *pool) run(tasks []string, each func(i int, reply gjson.Result), done func(), broken func(why string)) {
	p.cancel()
	p.tasks, p.again, p.next, p.left = nil, nil, 0, len(tasks)
	for _, t := range tasks {
		p.tasks = append(p.tasks, task{fields: t})
	}
	p.each, p.done, p.broken = each, done, broken
	if len(tasks) == 0 {
		done()
		return
	}
	for range min(max(p.b.cores(), 1), len(tasks)) {
		p.hire()
	}
}

// hire starts a worker and gives it something to do.
func (p *pool) hire() {
	pw := &poolWorker{task: -1}
	p.workers = append(p.workers, pw)
	pw.w = p.b.spawn(func(message string) { p.hear(pw, message) })
	p.give(pw)
}

// cancel ends all work; nothing is called any more.
func (p *pool) cancel() {
	for _, w := range p.workers {
		w.w.end()
	}
	p.workers, p.tasks, p.again = nil, nil, nil
}

func (p *pool) give(pw *poolWorker) {
	switch {
	case len(p.again) > 0:
		pw.task, p.again = p.again[0], p.again[1:]
	case p.next < len(p.tasks):
		pw.task = p.next
		p.next++
	default:
		return
	}
	pw.w.post(`{"id":` + strconv.Itoa(pw.task) + `,` + p.tasks[pw.task].fields + `}`)
}

func (p *pool) hear(pw *poolWorker, message string) {
	if !slices.Contains(p.workers, pw) {
		return
	}
	if message == "" {
		p.died(pw)
		return
	}
	r := gjson.Parse(message)
	if r.Get("ready").Bool() || r.Get("progress").Exists() || pw.task < 0 || int(r.Get("id").Int()) != pw.task {
		return
	}
	i := pw.task
	pw.task = -1
	p.left--
	p.each(i, r)
	if len(p.workers) == 0 { // each has cancelled it all
		return
	}
	if p.left == 0 {
		done := p.done
		p.cancel()
		done()
		return
	}
	p.give(pw)
}

// died replaces a worker that has crashed.
func (p *pool) died(pw *poolWorker) {
	p.workers = slices.DeleteFunc(p.workers, func(w *poolWorker) bool { return w == pw })
	if i := pw.task; i >= 0 {
		p.tasks[i].deaths++
		if p.tasks[i].deaths >= deathsMax {
			broken := p.broken
			p.cancel()
			broken("The engine stopped twice while it worked on the same run; the comparison was given up.")
			return
		}
		p.again = append(p.again, i)
	} else if len(p.workers) > 0 {
		return
	}
	p.hire()
}
