package main

import (
	"strconv"

	"github.com/tidwall/gjson"
)

// clerk answers what panels ask, beside the live run, in one worker that is started when something
// is asked first. It keeps the recorded run between requests, so it never ends its worker.
type clerk struct {
	b     browser
	w     thread
	id    int
	asked *topic
	queue []*topic
}

// topic is a request; a newer one of the same name takes its place while it waits.
type topic struct {
	name   string
	fields string
	done   func(reply gjson.Result)
}

// ask answers a request; the replies come in order.
func (c *clerk) ask(name, fields string, done func(gjson.Result)) {
	t := &topic{name, fields, done}
	for i, waiting := range c.queue {
		if waiting.name == name {
			c.queue[i] = t
			return
		}
	}
	c.queue = append(c.queue, t)
	c.next()
}

func (c *clerk) next() {
	if c.asked != nil || len(c.queue) == 0 {
		return
	}
	if c.w == nil {
		var w thread
		w = c.b.spawn(func(message string) {
			if w == c.w {
				c.hear(message)
			}
		})
		c.w = w
	}
	c.asked, c.queue = c.queue[0], c.queue[1:]
	c.id++
	c.w.post(`{"id":` + strconv.Itoa(c.id) + `,` + c.asked.fields + `}`)
}

func (c *clerk) hear(message string) {
	if message == "" {
		asked := c.asked
		c.w, c.asked = nil, nil
		if asked != nil {
			asked.done(gjson.Parse(`{"ok":false,"error":"The engine stopped while it worked on this."}`))
		}
		c.next()
		return
	}
	r := gjson.Parse(message)
	if c.asked == nil || r.Get("progress").Exists() || int(r.Get("id").Int()) != c.id {
		return
	}
	asked := c.asked
	c.asked = nil
	asked.done(r)
	c.next()
}
