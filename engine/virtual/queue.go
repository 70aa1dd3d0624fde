// Package virtual is the time and the chance of a run: an ordered queue of timers on a clock that
// only the driver moves, and the two random streams that a seed fixes (simulator.md 1, 2).
package virtual

import (
	"math/bits"

	"squall/engine/ticks"
)

// Timer is one scheduled instant. Payload and Stamp belong to whoever scheduled it: a timer is
// cancelled by changing what its stamp is compared with, which leaves the entry to be dropped
// when it comes up.
type Timer struct {
	Due   ticks.Ticks
	order uint64
	// Payload says what to do, Stamp whether it still holds.
	Payload, Stamp uint32
}

// Most timers of a run are due within a second, some milliseconds apart. Those lie in a ring of
// buckets of 2^13 ticks, 0.8 ms, where a bitmap finds the next bucket that holds any and a bucket
// seldom holds more than two. The others lie in a heap until they are due.
const (
	bucketShift = 13
	buckets     = 1024
	nothing     = ^uint32(0)
)

// Queue orders timers by (due, order of creation). The zero value is an empty queue. Its head
// never goes back: a timer is due no earlier than those that were popped before it was pushed.
type Queue struct {
	far   farHeap
	nodes []node
	free  []uint32
	first [buckets]uint32 // place+1 of a bucket's first node, 0 for an empty bucket
	used  [buckets / 64]uint64
	at    int64 // the bucket of the last timer that was popped
	near  int   // how many timers the ring holds
	next  uint64

	// The head, once it was looked for: a place in the ring with the node before it in its bucket,
	// or nothing for the heap's.
	known       bool
	head, prior uint32
	due         ticks.Ticks // of the head
}

type node struct {
	Timer
	next uint32 // place+1
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
	b := int64(due) >> bucketShift
	if b-q.at >= buckets {
		if q.known && q.head == nothing {
			q.known = false // the heap may have a new head
		}
		q.far.push(t)
		return
	}
	var place uint32
	if n := len(q.free); n > 0 {
		place = q.free[n-1]
		q.free = q.free[:n-1]
		q.nodes[place].Timer = t
	} else {
		place = uint32(len(q.nodes))
		q.nodes = append(q.nodes, node{Timer: t})
	}
	slot := b & (buckets - 1)
	q.nodes[place].next = q.first[slot]
	q.first[slot] = place + 1
	q.used[slot>>6] |= 1 << (slot & 63)
	q.near++
	if !q.known {
		return
	}
	if q.head == nothing {
		q.known = false
	} else if due < q.due || due == q.due && t.before(&q.nodes[q.head].Timer) {
		q.head, q.prior, q.due = place, nothing, due
	} else if q.prior == nothing && int64(q.due)>>bucketShift == b {
		q.prior = place
	}
}

// Len is how many timers are queued, cancelled ones included.
func (q *Queue) Len() int { return q.near + len(q.far) }

// NextDue is when the head is due; ok is false for an empty queue.
func (q *Queue) NextDue() (due ticks.Ticks, ok bool) {
	ok = q.known || q.look()
	return q.due, ok
}

// Pop takes the head of a queue that is not empty.
func (q *Queue) Pop() Timer {
	if !q.known {
		q.look()
	}
	q.known = false
	if q.head == nothing {
		t := q.far.pop()
		q.at = int64(t.Due) >> bucketShift
		return t
	}
	n := &q.nodes[q.head]
	b := int64(n.Due) >> bucketShift
	q.at = b
	q.near--
	q.free = append(q.free, q.head)
	if q.prior != nothing {
		q.nodes[q.prior].next = n.next
		return n.Timer
	}
	slot := b & (buckets - 1)
	if q.first[slot] = n.next; n.next == 0 {
		q.used[slot>>6] &^= 1 << (slot & 63)
	}
	return n.Timer
}

// look finds the head; false for an empty queue.
func (q *Queue) look() bool {
	if q.near == 0 {
		if q.known = len(q.far) > 0; q.known {
			q.head, q.due = nothing, q.far[0].Due
		}
		return q.known
	}
	// From the bucket of the last timer on, once around; the ring holds nothing before it.
	slot := q.at & (buckets - 1)
	word := slot >> 6
	set := q.used[word] &^ (1<<(slot&63) - 1)
	for set == 0 {
		word = (word + 1) & (buckets/64 - 1)
		set = q.used[word]
	}
	slot = word<<6 + int64(bits.TrailingZeros64(set))
	head, prior := q.first[slot]-1, nothing
	for before, at := head, q.nodes[head].next; at != 0; {
		n := &q.nodes[at-1]
		if n.before(&q.nodes[head].Timer) {
			head, prior = at-1, before
		}
		before, at = at-1, n.next
	}
	q.head, q.prior, q.due, q.known = head, prior, q.nodes[head].Due, true
	if len(q.far) > 0 && q.far[0].before(&q.nodes[head].Timer) {
		q.head, q.due = nothing, q.far[0].Due
	}
	return true
}

func (t *Timer) before(u *Timer) bool {
	return t.Due < u.Due || t.Due == u.Due && t.order < u.order
}
