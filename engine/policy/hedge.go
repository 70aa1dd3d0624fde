package policy

import "squall/engine/ticks"

// Started reports that the attempt asked for by Start has run to its first wait, or to its end
// when ended is true. Hedged policies only (13.4, 13.5).
func (l *Live) Started(c *Call, g *Leg, ended bool, now ticks.Ticks) Action {
	tail := &c.running
	for *tail != nil {
		tail = &(*tail).next
	}
	*tail = g
	if g.Hedged {
		if l.settings.Hedge.WinRate != nil {
			l.win.Started(now)
		}
		l.raise(Event{
			At: now, Kind: EventHedgeStarted, Number: g.Number, Verdict: c.verdict.Kind,
			Duration: now - c.begun, Delay: c.threshold, HasDelay: true, Call: c.ID,
		})
	}
	return l.race(c, now, ended)
}

// HedgeDue reports that the armed timer came before any attempt (13.5).
func (l *Live) HedgeDue(c *Call, now ticks.Ticks) Action {
	h := l.settings.Hedge
	suppressed := l.HasCircuit && l.Circuit.Elevated(h.SuppressAt)
	if !suppressed && h.WinRate != nil {
		suppressed = !l.win.Admits(now)
	}
	if suppressed {
		c.refused = true
		l.raise(Event{
			At: now, Kind: EventHedgeSuppressed, Number: c.started + 1, Verdict: c.verdict.Kind,
			Duration: now - c.begun, Delay: c.threshold, HasDelay: true, Call: c.ID,
		})
		return Race
	}
	if l.bucket != nil && !l.bucket.TrySpend(now, false) {
		c.refused = true
		return Race
	}
	return l.launch(c, now, l.remaining(c, now), true, false)
}

// race arms the next hedge, unless something forbids it, silently (13.4). Arming comes before an
// attempt that is already over is looked at: it reads the threshold, which can fix it for a while.
func (l *Live) race(c *Call, now ticks.Ticks, ended bool) Action {
	armed := l.arm(c, now)
	switch {
	case ended:
		return Returned
	case !armed:
		return Race
	}
	if c.Delay = c.threshold.WholeMilliseconds(); c.Delay > 0 {
		return Arm
	}
	return l.HedgeDue(c, now)
}

// arm decides whether a hedge may follow and after how long.
func (l *Live) arm(c *Call, now ticks.Ticks) bool {
	h := l.settings.Hedge
	if c.refused || c.inFlight() >= h.MaximumConcurrent || c.started >= l.settings.Attempts || c.sheddable {
		return false
	}
	if l.HasCircuit && l.Circuit.State(now) != CircuitClosed {
		return false
	}
	threshold, ok := l.hedgeWindow.Threshold(now, h.MinimumSamples)
	if !ok {
		return false
	}
	threshold = max(threshold, h.MinimumDelay)
	if left := l.remaining(c, now); left != ticks.Infinite && threshold >= left {
		return false
	}
	c.threshold = threshold
	return true
}

// legEnded is 13.6.
//
//go:noinline
func (l *Live) legEnded(c *Call, g *Leg, o Outcome, now ticks.Ticks) Action {
	c.remove(g)
	c.verdict, c.err = l.classify(o)
	if !c.verdict.SelfImposed && !l.contaminated(c, now, 0) {
		l.hedgeWindow.Record(now, now-g.Begun)
	}
	l.record(c, g, now)
	if c.verdict.Kind != Ok {
		if c.running != nil {
			return l.race(c, now, false)
		}
		return l.decide(c, now, c.entries, o.Cut && g.byDeadline)
	}
	winner := c.entries
	if g.Hedged {
		if l.settings.Hedge.WinRate != nil {
			l.win.Won(now)
		}
		l.raise(Event{At: now, Kind: EventHedgeWon, Number: winner, Duration: now - c.begun, Call: c.ID})
	}
	for loser := c.running; loser != nil; loser = loser.next {
		c.entries++
		loser.Discarded = true
		l.raise(Event{At: now, Kind: EventHedgeDiscarded, Number: c.entries, Duration: now - loser.Begun, Call: c.ID})
	}
	c.discarded, c.running = c.running, nil
	return l.succeed(c, now, winner)
}

func (c *Call) inFlight() int {
	n := 0
	for g := c.running; g != nil; g = g.next {
		n++
	}
	return n
}

func (c *Call) remove(g *Leg) {
	at := &c.running
	for *at != g {
		at = &(*at).next
	}
	*at, g.next = g.next, nil
}
