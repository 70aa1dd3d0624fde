package engine

import (
	"context"
	"errors"

	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/ticks"
	"squall/engine/virtual"
	"squall/engine/world"
)

// What a run may cost. A scenario can come from a link, so both are bounded; a longer run is an
// error, never a partial report.
const (
	// AttemptsMax is how many attempts a run may make.
	AttemptsMax = 60_000_000
	// SecondsMax is how far its clock may go.
	SecondsMax = 1_000_000
	// CellsMax bounds seconds times measured calls, services and leaves: the size of a report.
	CellsMax = 4_000_000
)

// Errors of a run. A run that was cancelled returns the context's error.
var (
	ErrTooManyAttempts = errors.New("the run makes more attempts than a run may")
	ErrTooLong         = errors.New("the run's clock goes further than a run may")
)

// Options are what a run may be given besides its seed.
type Options struct {
	// Progress, if not nil, is told now and then which part of the duration has passed, from 0 to 1.
	Progress func(done float64)
	// AttemptsMax replaces the bound of that name when it is not 0.
	AttemptsMax int
	// Unsealed leaves the digest empty, for who only looks at a timeline: to seal a recorded run takes
	// longer than to run it.
	Unsealed bool
}

// Run runs a valid topology with a seed. The topology is only read: one topology may be run by
// several goroutines at once.
func Run(ctx context.Context, t *Topology, seed int32, o Options) (*measure.Report, error) {
	r := newRun(t, seed, o)
	if err := r.drive(ctx); err != nil {
		return nil, problem.Errorf("seed %d: %w", seed, err)
	}
	return r.report(), nil
}

// run is one run: everything in it belongs to one goroutine.
type run struct {
	topology *Topology
	options  Options
	seed     int32
	now      ticks.Ticks
	queue    virtual.Queue
	dice     virtual.Dice
	jitter   virtual.Jitter
	edges    []edge
	services []service
	leaves   []leaf
	loads    []load
	injector *world.Injector

	requests slab[request]
	attempts slab[attempt]
	starting []uint32 // attempts whose requests have not come to their first wait, outermost first

	offered      int64 // how many calls the loads offer, about
	attemptsLeft int
	secondEnd    ticks.Ticks // when the second that meters count in ends
	secondsLeft  int
	err          error
}

// edge is one declared call.
type edge struct {
	call     *Call
	live     policy.Live
	meter    measure.Meter
	from     *service
	service  *service // the callee, or nil
	leaf     *leaf    // the callee, or nil
	gate     *world.Gate
	limits   []measure.LimitChange
	timeline []measure.Moment
	traces   []measure.Trace
	site     world.Site
	hedges   bool
	watchful bool // the policy reads its caller's pool
	// plain says that an attempt has nothing to do on its way to the callee and back but to be
	// counted: no pool, limiter, fault, recording or second meter.
	plain bool
	// direct says that its attempts are plain, alone, and go to a leaf.
	direct bool
}

// service is a caller.
type service struct {
	name     string
	calls    []*edge
	pool     *world.WaitQueue
	gate     *world.Gate
	limits   []measure.LimitChange
	meter    *measure.Meter // nil when the service's one call measures the same
	degraded int
	optional bool
	recorded *measure.ServiceRecording
}

// leaf is a dependency that is called.
type leaf struct {
	name     string
	server   world.Server
	inflight int64
	peers    int64
	meter    measure.Meter
}

// load is one entry and its next arrival.
type load struct {
	at       *service
	arrivals world.Arrivals
	next     ticks.Ticks
}

// newRun builds the world in the order of simulator.md 14.3; nothing of it draws.
func newRun(t *Topology, seed int32, o Options) *run {
	r := &run{
		topology: t, options: o, seed: seed,
		dice: virtual.NewDice(seed), jitter: virtual.NewJitter(seed),
		attemptsLeft: AttemptsMax, secondEnd: ticks.Second,
	}
	if o.AttemptsMax > 0 {
		r.attemptsLeft = o.AttemptsMax
	}
	if t.Chaos != nil && len(t.Chaos.Rules) > 0 {
		r.injector = world.NewInjector(t.Chaos, seed)
	}
	for i := range t.Loads {
		r.offered += int64(ticks.FromFloat(float64(t.Loads[i].Load.PerSecond) * (float64(t.Duration) / 1e7)))
	}
	r.makeServices()
	r.makeEdges()
	for i := range t.Loads {
		l := &t.Loads[i]
		r.loads = append(r.loads, load{at: r.service(l.At), arrivals: world.NewArrivals(&l.Load)})
	}
	r.secondsLeft = min(SecondsMax, CellsMax/(len(r.edges)+len(r.services)+len(r.leaves)))
	return r
}

// makeServices makes callers in order of first appearance and the leaves that are called.
func (r *run) makeServices() {
	t := r.topology
	optional := map[string]bool{}
	count := map[string]int{}
	var names []string
	for i := range t.Calls {
		from := t.Calls[i].From
		if count[from] == 0 {
			names = append(names, from)
		}
		count[from]++
		optional[from] = optional[from] || t.Calls[i].Optional
	}
	r.services = make([]service, len(names))
	for i, name := range names {
		s := &r.services[i]
		s.name, s.optional = name, optional[name]
		if count[name] > 1 || s.optional {
			s.meter = measure.NewMeter(r.offered)
		}
		if t.RecordCalls {
			s.recorded = &measure.ServiceRecording{Service: name}
		}
	}
	peers := int64(1)
	if len(t.Loads) == 1 {
		peers = int64(t.Loads[0].Load.Peers)
	}
	r.leaves = make([]leaf, 0, len(t.Leaves))
	for i := range t.Calls {
		to := t.Calls[i].To
		if r.service(to) != nil || r.leaf(to) != nil {
			continue
		}
		for k := range t.Leaves {
			if t.Leaves[k].Name == to {
				r.leaves = append(r.leaves, leaf{
					name: to, server: *world.NewServer(&t.Leaves[k].Dependency), peers: peers, meter: *measure.NewMeter(r.offered),
				})
			}
		}
	}
	for i := range t.Pools {
		r.service(t.Pools[i].Service).pool = world.NewWaitQueue(&t.Pools[i].Pool)
	}
	for i := range t.ServiceLimiters {
		l := &t.ServiceLimiters[i]
		r.service(l.Service).gate = world.NewGate(&l.Limiter, 0)
	}
}

func (r *run) makeEdges() {
	t := r.topology
	draw := r.jitter.Next
	buckets := map[*policy.BudgetSettings]*policy.Bucket{}
	r.edges = make([]edge, len(t.Calls))
	for i := range t.Calls {
		c := &t.Calls[i]
		e := &r.edges[i]
		e.call, e.from, e.service, e.leaf = c, r.service(c.From), r.service(c.To), r.leaf(c.To)
		e.from.calls = append(e.from.calls, e)
		var shared *policy.Bucket
		if b := c.Policy.Budget.Bucket; c.Policy.Budget.Kind == policy.BucketBudget {
			if buckets[b] == nil {
				bucket := policy.NewBucket(*b, 0)
				buckets[b] = &bucket
			}
			shared = buckets[b]
		}
		e.live = *policy.NewLive(&c.Policy, shared, 0, draw)
		e.hedges = e.live.Hedges()
		if c.Policy.Saturation != nil {
			e.watchful = e.from.pool != nil
			e.live.Wake(0)
		}
		if c.Limiter != nil {
			e.gate = world.NewGate(c.Limiter, 0)
		}
		e.meter = *measure.NewMeter(r.offered)
		if e.leaf != nil {
			if until, ok := e.leaf.server.ImpairedUntil(); ok {
				e.meter.WatchRecovery(until)
			}
		}
		if t.Record {
			e.timeline = []measure.Moment{}
			e.live.Listen = e.listen
		}
		if r.injector != nil {
			e.site = r.injector.Site(c.From, c.To)
		}
		e.plain = e.gate == nil && e.from.gate == nil && e.from.pool == nil && e.from.meter == nil &&
			r.injector == nil && !t.Record && !t.RecordCalls
		e.direct = e.plain && !e.hedges && e.leaf != nil
	}
}

// listen keeps an event of a recorded run.
func (e *edge) listen(v policy.Event) {
	e.timeline = append(e.timeline, measure.Moment{
		At: v.At, Kind: v.Kind, Number: v.Number, Verdict: v.Verdict, Error: v.Error,
		Duration: v.Duration, Delay: v.Delay, HasDelay: v.HasDelay, Call: v.Call,
	})
}

func (r *run) service(name string) *service {
	for i := range r.services {
		if r.services[i].name == name {
			return &r.services[i]
		}
	}
	return nil
}

func (r *run) leaf(name string) *leaf {
	for i := range r.leaves {
		if r.leaves[i].name == name {
			return &r.leaves[i]
		}
	}
	return nil
}
