// Package client runs a band of seeds on Workers of Squall: it hands out chunks of seeds to one or
// several of them, retries under a policy of this very house on real time, and puts the reports
// together. The band equals that of this machine to the last digest: every report is sealed again
// when it comes in, and every seed is taken exactly once.
package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"squall/edge/realtime"
	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/scenario"
)

// Options are how a band is spread. URLs must be given; other zero fields have defaults.
type Options struct {
	// URLs are where Workers answer.
	URLs []string
	// Jobs is how many requests go to each of them at once; 0 is 4.
	Jobs int
	// Policy is what requests are made under; nil is Policy().
	Policy *policy.Settings
	// Patience is how long a URL may fail without any success before it is left out; 0 is 30 seconds.
	Patience time.Duration
	// Check is how many of the seeds are also run here, to compare digests with.
	Check int
	// Client makes the requests; nil is one of its own.
	Client *http.Client
	// Progress, if not nil, is told how many seeds are done; calls do not overlap.
	Progress func(done, total int)
	// Left, if not nil, is told why a URL was left out while others go on.
	Left func(err error)
}

// ErrDiffers says that a Worker measured something else than this machine.
var ErrDiffers = errors.New("the Worker measured something else than this machine does")

// pause is what a URL is left in peace for while its breaker is open.
const pause = 250 * time.Millisecond

// spread is one band while it goes on.
type spread struct {
	options  Options
	text     string
	topology *engine.Topology
	seeds    []int32

	mutex     sync.Mutex
	changed   *sync.Cond
	chunks    []chunk
	out       int // chunks that are being asked for
	reports   []*measure.Report
	done      int
	endpoints []*endpoint
}

// chunk is a stretch of the seeds, from one place to another.
type chunk struct{ from, to int }

// Band runs the seeds of a scenario on Workers. The text is the scenario as written; s is what was
// read of it.
func Band(ctx context.Context, text []byte, s *scenario.Scenario, seeds []int32, o Options) (*measure.Band, error) {
	if err := engine.CheckSeeds(seeds).Err(); err != nil {
		return nil, err
	}
	b := &spread{options: o, text: string(text), topology: &s.Topology, seeds: seeds, reports: make([]*measure.Report, len(seeds))}
	b.changed = sync.NewCond(&b.mutex)
	b.defaults()
	if err := b.greet(ctx); err != nil {
		return nil, err
	}
	b.cut()
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	if err := b.check(ctx); err != nil {
		return nil, err
	}
	return measure.NewBand(b.reports), nil
}

func (b *spread) defaults() {
	o := &b.options
	if o.Jobs <= 0 {
		o.Jobs = 4
	}
	if o.Patience <= 0 {
		o.Patience = 30 * time.Second
	}
	if o.Client == nil {
		o.Client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: o.Jobs}}
	}
	if o.Policy == nil {
		s := Policy()
		o.Policy = &s
	}
}

// greet makes the endpoints and keeps those that answer. An address that is none, or another version,
// is an error at once: it would stay one.
func (b *spread) greet(ctx context.Context) error {
	if len(b.options.URLs) == 0 {
		return errors.New("there is no URL to run on")
	}
	for i, address := range b.options.URLs {
		e, err := newEndpoint(address, b.options.Client, *b.options.Policy, int32(i+1))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(b.endpoints, func(o *endpoint) bool { return o.url == e.url }) {
			return fmt.Errorf("%s is there twice", e.url)
		}
		b.endpoints = append(b.endpoints, e)
	}
	var group sync.WaitGroup
	for _, e := range b.endpoints {
		group.Go(func() { e.gone = e.greet(ctx) })
	}
	group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var all []error
	for _, e := range b.endpoints {
		switch {
		case errors.Is(e.gone, ErrVersion):
			return e.gone
		case e.gone != nil:
			all = append(all, e.gone)
		}
	}
	if len(all) == len(b.endpoints) {
		return errors.Join(all...)
	}
	for _, err := range all {
		b.left(err)
	}
	return nil
}

func (b *spread) left(err error) {
	if b.options.Left != nil {
		b.options.Left(err)
	}
}

// cut cuts the seeds into chunks that every endpoint takes, small enough that all of them have
// something to do until the end.
func (b *spread) cut() {
	size, workers := len(b.seeds), 0
	for _, e := range b.endpoints {
		if e.gone == nil {
			size = min(size, e.limits.Seeds(b.topology))
			workers += b.options.Jobs
		}
	}
	size = max(min(size, (len(b.seeds)+4*workers-1)/(4*workers)), 1)
	for from := 0; from < len(b.seeds); from += size {
		b.chunks = append(b.chunks, chunk{from, min(from+size, len(b.seeds))})
	}
}

// run has all chunks run. It returns when every worker is back.
func (b *spread) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		b.changed.Broadcast()
	})
	defer stop()
	start := time.Now()
	var group sync.WaitGroup
	for _, e := range b.endpoints {
		if e.gone != nil {
			continue
		}
		e.lastGood = start
		for range b.options.Jobs {
			group.Go(func() {
				if err := b.work(ctx, e); err != nil {
					cancel(err)
				}
			})
		}
	}
	group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if b.done < len(b.seeds) {
		var all []error
		for _, e := range b.endpoints {
			all = append(all, e.gone)
		}
		return fmt.Errorf("%d of %d seeds were not run: %w", len(b.seeds)-b.done, len(b.seeds), errors.Join(all...))
	}
	return nil
}

// work takes chunks for an endpoint until none is left or the endpoint is. An error ends the band.
func (b *spread) work(ctx context.Context, e *endpoint) error {
	for {
		c, ok := b.take(ctx, e)
		if !ok {
			return nil
		}
		got, result, err := e.run(ctx, b.text, b.topology, b.seeds[c.from:c.to])
		if err != nil {
			return err // the band was cancelled
		}
		if result.OK() {
			b.put(e, c, got.reports)
			continue
		}
		err = e.failure(got, result)
		if refused := result.Stop == policy.StopPermanent; refused && c.to-c.from == 1 && aboutScenario(got.status) {
			return err
		}
		if b.back(e, c, got, result, err) {
			return nil
		}
		if result.Stop == policy.StopDependencyUnavailable {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
		}
	}
}

// aboutScenario tells the refusals that every other Worker would repeat.
func aboutScenario(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity
}

// take is the next chunk, when there is one. While others are being asked for, one may come back.
func (b *spread) take(ctx context.Context, e *endpoint) (chunk, bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for {
		switch {
		case ctx.Err() != nil || e.gone != nil || len(b.chunks) == 0 && b.out == 0:
			return chunk{}, false
		case len(b.chunks) > 0:
			c := b.chunks[0]
			b.chunks = b.chunks[1:]
			b.out++
			return c, true
		}
		b.changed.Wait()
	}
}

// put takes the reports of a chunk in.
func (b *spread) put(e *endpoint, c chunk, reports []*measure.Report) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	copy(b.reports[c.from:c.to], reports)
	b.done += c.to - c.from
	b.out--
	e.lastGood = time.Now()
	b.changed.Broadcast()
	if b.options.Progress != nil {
		b.options.Progress(b.done, len(b.seeds))
	}
}

// back gives a chunk back that failed for good, in halves when the Worker broke off or refused its
// size: a smaller one may be within what it can do. It tells whether the endpoint is left out from now on.
func (b *spread) back(e *endpoint, c chunk, got answer, result realtime.Result, err error) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.out--
	if middle := (c.from + c.to) / 2; middle > c.from && result.Attempts > 0 && (got.status >= 500 || aboutScenario(got.status)) {
		b.chunks = append(b.chunks, chunk{c.from, middle}, chunk{middle, c.to})
	} else {
		b.chunks = append(b.chunks, c)
	}
	if e.gone == nil && (time.Since(e.lastGood) > b.options.Patience || result.Stop == policy.StopPermanent && !aboutScenario(got.status)) {
		e.gone = err
		b.left(err)
	}
	b.changed.Broadcast()
	return e.gone != nil
}

// check runs some of the seeds here and compares digests.
func (b *spread) check(ctx context.Context) error {
	for i := range min(b.options.Check, len(b.seeds)) {
		own, err := engine.Run(ctx, b.topology, b.seeds[i], engine.Options{})
		if err != nil {
			return err
		}
		if own.Digest != b.reports[i].Digest {
			return fmt.Errorf("seed %d: %w: %s there, %s here", b.seeds[i], ErrDiffers, b.reports[i].Digest, own.Digest)
		}
	}
	return nil
}
