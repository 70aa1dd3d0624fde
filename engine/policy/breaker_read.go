package policy

import "squall/engine/ticks"

// Stored is the state as the last admission or outcome left it.
func (c *Circuit) Stored() CircuitState { return c.state }

// State is the state that the next call would meet (breaker.md 11): a break or a ramp that is over
// counts as over though nobody has asked for admission since. It changes nothing.
func (c *Circuit) State(now ticks.Ticks) CircuitState {
	switch {
	case c.state == CircuitOpen && now >= c.until:
		return CircuitHalfOpen
	case c.state == CircuitRecovering && c.ramp.admission(now) >= 1:
		return CircuitClosed
	}
	return c.state
}

// OpenedAt is when the last break or isolation began; false while the stored state is Closed.
func (c *Circuit) OpenedAt() (ticks.Ticks, bool) { return c.opened, c.state != CircuitClosed }

// RetryAfter is how long the break still lasts; false unless the stored state is Open (10.3).
func (c *Circuit) RetryAfter(now ticks.Ticks) (ticks.Ticks, bool) {
	if c.state != CircuitOpen {
		return 0, false
	}
	return max(c.until-now, 0), true
}

// NormalLatency is the measured normal latency (5); false without a relative slow-call trip or
// with too few samples. Asking can fix the answer for a while, see Window.Threshold.
func (c *Circuit) NormalLatency(now ticks.Ticks) (ticks.Ticks, bool) {
	return c.evidence.normalLatency(now)
}

// NormalFailureRate is the measured share of failures (4), in [0, 1]; false without a relative
// failure trip or with too few samples. It is as of the last outcome, however long ago.
func (c *Circuit) NormalFailureRate() (float64, bool) { return c.evidence.normalFailureRate() }

// Elevated says whether the failures of the trip window have reached a fraction of what would
// trip (7.4). Hedging asks it. It changes nothing.
func (c *Circuit) Elevated(fraction float64) bool { return c.evidence.elevated(fraction) }

// Probes is how many half-open slots are taken.
func (c *Circuit) Probes() int { return c.probes }
