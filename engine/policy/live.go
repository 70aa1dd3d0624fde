package policy

import "squall/engine/ticks"

// Live is the state of one copy of a policy: what its calls share (executor.md 4). A driver makes
// one for each declared call and steps every Call through it.
type Live struct {
	settings Settings
	// Counts are the events raised so far.
	Counts [EventKinds]int
	// Listen, if not nil, gets every event.
	Listen func(Event)
	// Queue is the reading of the caller's pool that holds now (16.1). A driver refreshes it before
	// it reports the end of an attempt of a policy with Saturation; the zero value never queues.
	Queue QueueReading
	// Circuit is the breaker; it counts only when HasCircuit is true.
	Circuit    Circuit
	HasCircuit bool

	draw       func() float64
	curve      Curve
	ceiling    CeilingSettings
	hasCeiling bool
	shared     *Bucket
	http       bool
	guarded    bool // a breaker or a hedge has a say before an attempt starts

	// Created by the first call or by Wake.
	created       bool
	automatic     Bucket
	bucket        *Bucket
	ceilingWindow Window
	baseWindow    Window
	hedgeWindow   Window
	win           WinWindow
	lastCeiling   ticks.Ticks
	lastBase      ticks.Ticks
	episode       bool
	held          heldCeiling
}

// heldCeiling is the bound that holds for every attempt from an instant on, for a length of time:
// for the rest of an epoch a window gives the same answer (11.4). With a length of 0 it holds for
// one attempt only. The timer is the bound in whole milliseconds.
type heldCeiling struct {
	ceiling, timer, from, length ticks.Ticks
}

// QueueReading is what a pool's probe says: the queue's delay, and its normal delay once known.
type QueueReading struct {
	Delay, Normal ticks.Ticks
	Known         bool
}

// Event is one thing that a call tells its listener (section 17).
type Event struct {
	At       ticks.Ticks
	Kind     EventKind
	Number   int
	Verdict  Kind
	Error    Failure
	Duration ticks.Ticks
	// Delay counts only when HasDelay is true.
	Delay    ticks.Ticks
	HasDelay bool
	// Call is the Call.ID of the call that raised it.
	Call int
}

// NewLive is a fresh copy of a policy whose breaker is built at now. A policy with an explicit
// bucket gets it as shared; draw is the jitter stream. The settings must be valid.
func NewLive(s *Settings, shared *Bucket, now ticks.Ticks, draw func() float64) *Live {
	l := &Live{settings: *s, shared: shared, draw: draw, curve: NewCurve(s.Backoff), http: s.Preset == PresetHTTP}
	l.ceiling, l.hasCeiling = s.EffectiveCeiling()
	l.guarded = s.Breaker != nil || s.Hedge != nil
	if s.Breaker != nil {
		l.HasCircuit = true
		l.Circuit = NewCircuit(*s.Breaker, now)
	}
	return l
}

// Settings are the settings of the copy.
func (l *Live) Settings() *Settings { return &l.settings }

// Wake creates the state that is otherwise created by the first call: bucket and windows count
// from this instant (section 4). A driver calls it at time 0 for a policy with Saturation.
func (l *Live) Wake(now ticks.Ticks) {
	if !l.created {
		l.create(now)
	}
}

func (l *Live) create(now ticks.Ticks) {
	l.created = true
	s := &l.settings
	switch s.Budget.Kind {
	case BucketBudget:
		l.bucket = l.shared
	case AutomaticBudget:
		if s.Attempts > 1 {
			l.automatic = NewBucket(AutomaticBucket(), now)
			l.bucket = &l.automatic
		}
	}
	if l.hasCeiling {
		l.ceilingWindow = NewWindow(l.ceiling.Quantile, l.ceiling.Window, now)
	}
	if m := s.Backoff.Measured; m != nil {
		l.baseWindow = NewWindow(m.Quantile, m.Window, now)
	}
	if h := s.Hedge; h != nil {
		l.hedgeWindow = NewWindow(h.Quantile, h.Window, now)
		if h.WinRate != nil {
			l.win = NewWinWindow(*h.WinRate, now)
		}
	}
}

// BudgetLevel is how many tokens the bucket would hold now; ok is false without a bucket.
// Looking changes nothing.
func (l *Live) BudgetLevel(now ticks.Ticks) (tokens float64, ok bool) {
	if l.bucket == nil {
		return 0, false
	}
	return l.bucket.Level(now), true
}

// LastCeiling is the last attempt ceiling that was announced, 0 for none.
func (l *Live) LastCeiling() ticks.Ticks { return l.lastCeiling }

// measuredCeiling is 8.4: before AttemptTimeout and deadline, none while cold.
func (l *Live) measuredCeiling(now ticks.Ticks) (ticks.Ticks, bool) {
	if !l.hasCeiling {
		return 0, false
	}
	tail, ok := l.ceilingWindow.Threshold(now, l.ceiling.MinimumSamples)
	if !ok {
		return 0, false
	}
	m := max(ticks.FromFloat(float64(tail)*l.ceiling.Multiple), l.ceiling.Floor)
	if h := l.settings.Hedge; h != nil {
		if threshold, ok := l.hedgeWindow.Threshold(now, h.MinimumSamples); ok {
			m = max(m, ticks.FromFloat(float64(max(threshold, h.MinimumDelay))*l.ceiling.Multiple))
		}
	}
	return m, true
}

// measureCeiling finds the bound of the attempt about to start (8.3), and announces a new reading.
//
//go:noinline
func (l *Live) measureCeiling(c *Call, now ticks.Ticks, number int) {
	h := heldCeiling{ceiling: l.settings.AttemptTimeout, from: now}
	m, ok := l.measuredCeiling(now)
	if ok && (h.ceiling == ticks.Infinite || m < h.ceiling) {
		h.ceiling = m
		if m != l.lastCeiling {
			l.lastCeiling = m
			l.raise(Event{At: now, Kind: EventAttemptCeilingAdapted, Number: number, Delay: m, HasDelay: true, Call: c.ID})
		}
	}
	h.timer = h.ceiling.WholeMilliseconds()
	switch {
	case !l.hasCeiling:
		h.length = ticks.Max
	case ok && !l.Hedges(): // the threshold of a hedge can come up at any time
		h.length = l.ceilingWindow.clock.left(now)
	}
	l.held = h
}

// contaminated is 16.2: whether the caller's pool, not the dependency, explains a duration now.
// Number 0 asks without reporting; it can end an episode, never begin one.
func (l *Live) contaminated(c *Call, now ticks.Ticks, number int) bool {
	return l.settings.Saturation != nil && l.saturated(c, now, number)
}

func (l *Live) saturated(c *Call, now ticks.Ticks, number int) bool {
	s, q := l.settings.Saturation, &l.Queue
	if !q.Known || q.Delay < s.Floor || float64(q.Delay) < float64(q.Normal)*s.Multiple {
		l.episode = false
		return false
	}
	if number > 0 && !l.episode {
		l.episode = true
		l.raise(Event{At: now, Kind: EventSaturationDetected, Number: number, Delay: q.Delay, HasDelay: true, Call: c.ID})
	}
	return true
}

// classify is 3.2 for what a simulated callee can answer with, and 3.3 and 3.4 for its failures.
func (l *Live) classify(o Outcome) (Verdict, Failure) {
	switch {
	case o.Cut:
		return Verdict{Kind: Transient}, AttemptTimeoutException
	case o.Failure == RateLimitedException:
		return Verdict{Kind: Throttled, SelfImposed: true}, o.Failure
	case o.Failure == CallRejectedException:
		return Verdict{Kind: Permanent}, o.Failure
	case o.Failure != NoFailure:
		return Verdict{Kind: Transient}, o.Failure
	case l.http && o.Status >= 400:
		return Verdict{Kind: statusKind(o.Status)}, NoFailure
	}
	return Verdict{}, NoFailure
}

// statusKind judges an injected answer (grading.md 3).
func statusKind(status int) Kind {
	switch {
	case status == 408 || status >= 500:
		return Transient
	case status == 429:
		return Throttled
	}
	return Permanent
}

// raise counts an event and tells the listener.
//
//go:noinline
func (l *Live) raise(e Event) {
	if l.counts(e.Kind) {
		l.Listen(e)
	}
}

// counts counts an event and says whether somebody listens: for the two events of every call, which
// are not worth describing to nobody.
func (l *Live) counts(k EventKind) bool {
	l.Counts[k]++
	return l.Listen != nil
}
