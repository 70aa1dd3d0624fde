package policy

import "squall/engine/ticks"

// Transition is what an admission or an outcome did to a breaker, as far as events tell
// (breaker.md 10.2).
type Transition uint8

// The transitions. Closed also stands for the start of a ramp; the end of one is silent.
const (
	NoTransition Transition = iota
	Opened
	Closed
	HalfOpened
)

func (t Transition) String() string {
	return [...]string{"none", "opened", "closed", "half-opened"}[t]
}

// CircuitState is the state of a breaker.
type CircuitState uint8

// The states. Recovering is the ramp behind a break, Isolated was asked for by hand.
const (
	CircuitClosed CircuitState = iota
	CircuitOpen
	CircuitHalfOpen
	CircuitRecovering
	CircuitIsolated
)

func (s CircuitState) String() string {
	return [...]string{"Closed", "Open", "HalfOpen", "Recovering", "Isolated"}[s]
}

// growthMax is where consecutive breaks stop being counted, and so stop doubling.
const growthMax = 40

// Circuit is a live breaker (breaker.md): it counts what it is told, refuses calls while the
// dependency is in trouble, and then lets it be tried. It is a value and keeps everything inside
// itself; nothing is allocated after NewCircuit. Use it like this: TryEnter before an attempt, and
// when it admits, one Record after it, or, if a probe's outcome will never be known, ReleaseProbe.
type Circuit struct {
	settings BreakerSettings
	evidence evidence
	state    CircuitState

	consecutive    int // Transient outcomes in a row
	opens          int // breaks in a row, at most growthMax
	probes         int // in flight
	probeSuccesses int

	until  ticks.Ticks // end of the break
	served ticks.Ticks // length of the last break, jitter included
	opened ticks.Ticks
	ramp   ramp
}

// NewCircuit is a closed breaker that has seen nothing, with every window counting from now. The
// settings should be valid; the derived ones are worked out here, once.
func NewCircuit(s BreakerSettings, now ticks.Ticks) Circuit {
	return Circuit{settings: s, evidence: newEvidence(&s, now)}
}

// TryEnter asks for admission (breaker.md 6). probe says that the admission took a half-open slot,
// which Record or ReleaseProbe gives back. t is NoTransition or HalfOpened.
func (c *Circuit) TryEnter(now ticks.Ticks) (admitted bool, t Transition, probe bool) {
	switch c.state {
	case CircuitClosed:
		return true, NoTransition, false
	case CircuitOpen:
		if now < c.until {
			return false, NoTransition, false
		}
		c.state, c.probeSuccesses, c.probes = CircuitHalfOpen, 0, 1
		return true, HalfOpened, true
	case CircuitHalfOpen:
		if c.probes >= c.settings.HalfOpenProbes {
			return false, NoTransition, false
		}
		c.probes++
		return true, NoTransition, true
	case CircuitRecovering:
		share := c.ramp.admission(now)
		if share >= 1 {
			c.close()
			return true, NoTransition, false
		}
		return c.ramp.admit(share), NoTransition, false
	}
	return false, NoTransition, false
}

// ReleaseProbe gives back the slot of a probe whose outcome will never be known.
func (c *Circuit) ReleaseProbe() {
	if c.state == CircuitHalfOpen && c.probes > 0 {
		c.probes--
	}
}

// Record tells how an admitted attempt ended and how long it took (breaker.md 7). It is judged by
// the state that the breaker is in now, not by the one that admitted it. A break that begins here
// draws its jitter from draw, a number in [0, 1), here. t is NoTransition, Opened or Closed.
func (c *Circuit) Record(now ticks.Ticks, k Kind, d ticks.Ticks, draw func() float64) (t Transition) {
	was := c.state
	if was == CircuitIsolated || was == CircuitOpen {
		return NoTransition
	}
	if was == CircuitHalfOpen && c.probes > 0 {
		c.probes--
	}
	switch k {
	case Ok:
		return c.succeeded(now, was, d, draw)
	case Transient:
		c.evidence.count(now, true, false)
		c.consecutive++
		if was != CircuitClosed || c.trips() {
			return c.open(now, draw)
		}
	}
	return NoTransition
}

func (c *Circuit) succeeded(now ticks.Ticks, was CircuitState, d ticks.Ticks, draw func() float64) Transition {
	slow := c.evidence.slow(now, d)
	c.consecutive = 0
	c.evidence.count(now, false, slow && was != CircuitRecovering)
	switch was {
	case CircuitHalfOpen:
		if slow && c.settings.Recovery == nil {
			return c.open(now, draw)
		}
		if c.probeSuccesses++; c.probeSuccesses >= c.settings.ProbeSuccesses {
			return c.recover(now)
		}
	case CircuitRecovering:
		c.ramp.pace(now, slow, c.settings.ProbeSuccesses)
	case CircuitClosed:
		// A fast success never trips anything, even with a ratio over the line.
		if slow && c.trips() {
			return c.open(now, draw)
		}
	}
	return NoTransition
}

// trips is 7.3.
func (c *Circuit) trips() bool {
	return c.consecutive >= c.settings.ConsecutiveFailures || c.evidence.trips()
}

// open begins a break (8.1): doubled with every break in a row, capped, then jittered. The jitter
// does not feed back into the growth.
func (c *Circuit) open(now ticks.Ticks, draw func() float64) Transition {
	grown := c.settings.BreakDuration << min(c.opens, growthMax)
	if grown <= 0 { // overflown
		grown = ticks.Max
	}
	c.served = c.jittered(min(grown, c.settings.MaximumBreakDuration), draw)
	c.opens = min(c.opens+1, growthMax)
	c.opened, c.until = now, ticks.Add(now, c.served)
	c.enter(CircuitOpen)
	return Opened
}

func (c *Circuit) jittered(t ticks.Ticks, draw func() float64) ticks.Ticks {
	x := float64(t)
	switch c.settings.BreakJitter {
	case EqualJitter:
		half := float64(x * 0.5) // x / 2 would be fused with the sum below
		x = half + float64(half*draw())
	case FullJitter:
		x = float64(x * draw())
	}
	return ticks.FromFloat(x)
}

// recover ends a break over a ramp, or at a cliff (8.2).
func (c *Circuit) recover(now ticks.Ticks) Transition {
	r := c.settings.Recovery
	if r == nil || c.served <= 0 {
		c.close()
		return Closed
	}
	c.until = 0
	c.enter(CircuitRecovering)
	c.ramp = ramp{first: r.InitialFraction, cap: 1, start: now, length: r.length(c.served)}
	return Closed
}

func (c *Circuit) close() {
	c.until, c.opens = 0, 0
	c.enter(CircuitClosed)
}

// enter takes on a state with everything forgotten that belongs to the one before. What was
// learned about normal behaviour stays.
func (c *Circuit) enter(s CircuitState) {
	c.state = s
	c.consecutive, c.probes, c.probeSuccesses = 0, 0, 0
	c.ramp = ramp{}
	c.evidence.recent.clear()
}

// Isolate refuses everything until Reset (8.4). It raises no event.
func (c *Circuit) Isolate(now ticks.Ticks) {
	c.opened = now
	c.enter(CircuitIsolated)
}

// Reset closes the breaker from any state, without a ramp.
func (c *Circuit) Reset() { c.close() }
