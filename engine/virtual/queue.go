// Package virtual is the time and the chance of a run: an ordered queue of timers on a clock that
// only the driver moves, and the two random streams that a seed fixes (simulator.md 1, 2).
package virtual

import "squall/engine/ticks"

// Timer is one scheduled instant. Payload and Stamp belong to whoever scheduled it: a timer is
// cancelled by changing what its stamp is compared with, which leaves the entry to be dropped
// when it comes up.
type Timer struct {
	Due   ticks.Ticks
	order uint64
	// Payload says what to do, Stamp whether it still holds.
	Payload, Stamp uint32
}

// Queue orders timers by (due, order of creation). The zero value is an empty queue.
type Queue struct {
	heap []Timer
	next uint64
}

// Order takes the next number of creation order for a timer that may be scheduled later.
func (q *Queue) Order() uint64 {
	q.next++
	return q.next
}

// Push schedules a timer with a new order number.
func (q *Queue) Push(due ticks.Ticks, payload, stamp uint32) {
	q.next++
	q.PushOrdered(due, q.next, payload, stamp)
}

// PushOrdered schedules a timer with a number taken earlier by Order, at most once a number.
func (q *Queue) PushOrdered(due ticks.Ticks, order uint64, payload, stamp uint32) {
	t := Timer{Due: due, order: order, Payload: payload, Stamp: stamp}
	q.heap = append(q.heap, t)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) >> 2
		if !t.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = t
}

// Len is how many timers are queued, cancelled ones included.
func (q *Queue) Len() int { return len(q.heap) }

// NextDue is when the head is due; ok is false for an empty queue.
func (q *Queue) NextDue() (due ticks.Ticks, ok bool) {
	if len(q.heap) == 0 {
		return 0, false
	}
	return q.heap[0].Due, true
}

// Pop takes the head of a queue that is not empty.
func (q *Queue) Pop() Timer {
	h := q.heap
	head := h[0]
	last := len(h) - 1
	t := h[last]
	h = h[:last]
	q.heap = h
	if last == 0 {
		return head
	}
	// Sift the last timer down from the root; four children share a cache line or two.
	i := 0
	for {
		child := i<<2 + 1
		if child >= last {
			break
		}
		least := child
		end := min(child+4, last)
		for k := child + 1; k < end; k++ {
			if h[k].before(&h[least]) {
				least = k
			}
		}
		if !h[least].before(&t) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = t
	return head
}

func (t *Timer) before(u *Timer) bool {
	return t.Due < u.Due || t.Due == u.Due && t.order < u.order
}
