package world

import (
	"slices"

	"squall/engine/policy"
	"squall/engine/ticks"
)

const (
	probeEvery = 250 * ticks.Millisecond // simulator.md 7.3
	probeSpan  = 240                     // probes in the minute that the normal delay is taken from
)

// WaitQueue is what attempts of a service wait in before they run: the live form of a Pool, and
// its probe (simulator.md 7). Its instants never go back.
type WaitQueue struct {
	pieces []piece // consecutive, the first from 0
	at     int     // the piece that holds the last instant asked for
	read   ticks.Ticks
	last   reading
}

// piece is a stretch of constant delay that ends where the next one begins.
type piece struct{ from, delay ticks.Ticks }

// reading is what the probe found at a boundary.
type reading struct {
	delay, normal ticks.Ticks
	samples       int64
}

// NewWaitQueue is the live form of a valid pool.
func NewWaitQueue(p *Pool) *WaitQueue {
	edges := []ticks.Ticks{0}
	for _, s := range p.Stalls {
		edges = append(edges, s.After, ticks.Add(s.After, s.Lasting))
	}
	slices.Sort(edges)
	q := &WaitQueue{read: -1}
	for i, from := range edges {
		if i > 0 && from == edges[i-1] {
			continue
		}
		delay := p.Healthy
		for _, s := range p.Stalls {
			if s.After <= from && from < ticks.Add(s.After, s.Lasting) {
				delay = max(delay, s.Delay)
			}
		}
		q.pieces = append(q.pieces, piece{from, delay})
	}
	return q
}

// Delay is how long an attempt that begins to wait at an instant waits.
func (q *WaitQueue) Delay(at ticks.Ticks) ticks.Ticks {
	for q.at+1 < len(q.pieces) && q.pieces[q.at+1].from <= at {
		q.at++
	}
	return q.pieces[q.at].delay
}

// Reading is what the probe says at an instant to a policy that wants minimum samples: it holds
// from one boundary of 250 ms to the next.
func (q *WaitQueue) Reading(at ticks.Ticks, minimum int) policy.QueueReading {
	if b := at / probeEvery; b != q.read {
		q.read = b
		q.last = q.probe(b * probeEvery)
	}
	if q.last.samples < int64(minimum) {
		return policy.QueueReading{Delay: q.last.delay}
	}
	return policy.QueueReading{Delay: q.last.delay, Normal: q.last.normal, Known: true}
}

func (q *WaitQueue) probe(b ticks.Ticks) reading {
	i, _ := slices.BinarySearchFunc(q.pieces, b, func(p piece, t ticks.Ticks) int {
		if p.from <= t {
			return -1
		}
		return 1
	})
	return reading{
		delay:   q.pieces[i-1].delay,
		normal:  q.median(b),
		samples: min(int64(b/probeEvery), probeSpan),
	}
}

// median is the delay that half of the last minute stayed at or below, weighted by time. At 0
// there is no minute yet and the answer is the delay itself.
func (q *WaitQueue) median(b ticks.Ticks) ticks.Ticks {
	type width struct{ delay, span ticks.Ticks }
	from := max(0, b-probeSpan*probeEvery)
	var widths []width
	var total ticks.Ticks
	for i, p := range q.pieces {
		end := b
		if i+1 < len(q.pieces) {
			end = min(end, q.pieces[i+1].from)
		}
		if begin := max(p.from, from); begin < end {
			widths = append(widths, width{p.delay, end - begin})
			total += end - begin
		}
	}
	slices.SortFunc(widths, func(a, b width) int { return int(min(max(a.delay-b.delay, -1), 1)) })
	target := (total + 1) / 2
	for _, w := range widths {
		if target -= w.span; target <= 0 {
			return w.delay
		}
	}
	return q.pieces[0].delay
}
