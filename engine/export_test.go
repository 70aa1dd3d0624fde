package engine

import (
	"context"

	"squall/engine/measure"
)

// Leftovers is what a finished run still held, and how many attempts it launched.
type Leftovers struct {
	Requests, Attempts, InService, Permits, Timers int
	Launched                                       int
}

// RunToTheEnd is Run that also tells what is left over.
func RunToTheEnd(ctx context.Context, t *Topology, seed int32, o Options) (*measure.Report, Leftovers, error) {
	r := newRun(t, seed, o)
	allowed := r.attemptsLeft
	if err := r.drive(ctx); err != nil {
		return nil, Leftovers{}, err
	}
	left := Leftovers{
		Requests: r.requests.inUse(), Attempts: r.attempts.inUse(), Timers: r.queue.Len(), Launched: allowed - r.attemptsLeft,
	}
	for i := range r.leaves {
		left.InService += int(r.leaves[i].inflight)
	}
	for i := range r.edges {
		if g := r.edges[i].gate; g != nil {
			left.Permits += g.Held()
		}
	}
	for i := range r.services {
		if g := r.services[i].gate; g != nil {
			left.Permits += g.Held()
		}
	}
	return r.report(), left, nil
}
