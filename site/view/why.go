package view

import "strings"

// whyMost is how many sentences say why: more are not read.
const whyMost = 3

// why are the sentences behind a verdict, the most telling first. Each is a rule that says nothing
// where it does not apply.
func (f *facts) why() []string {
	rules := []func() string{
		f.whyFailed, f.whyEcho, f.whyHidden, f.whyStorm, f.whyHedges, f.whyFlaps, f.whyNeverOpened, f.whySaturated, f.whyKeptBack, f.whyLevels, f.whyChaos,
	}
	var said []string
	for _, rule := range rules {
		if text := rule(); text != "" && len(said) < whyMost {
			said = append(said, text)
		}
	}
	return said
}

// whyFailed names how most of the failed calls ended and what made their attempts fail.
func (f *facts) whyFailed() string {
	if f.m.Failed == 0 || f.kind != call {
		return ""
	}
	top, part := f.top()
	if part == 0 {
		return ""
	}
	text := share(part) + " "
	switch top {
	case budget:
		text += "were refused a retry when the retry budget was spent"
	case breaker:
		text += "were refused by the open breaker"
		if !f.flaps() {
			text += " (it opened " + times(f.m.BreakerOpens) + ")"
		}
	case deadline:
		text += "ran out of their deadline"
		if f.call != nil && f.call.DeadlineNs > 0 {
			text += " of " + Duration(f.call.DeadlineNs)
		}
	case exhausted:
		if f.call != nil && f.call.Attempts == 1 {
			text += "failed at their only attempt"
		} else {
			text += "used up every attempt"
		}
	case permanent:
		if f.leaf == nil {
			return text + "were turned down further down, which no retry helps."
		}
		return text + "failed in a way that no retry helps."
	}
	switch reason := f.reason(); {
	case reason == "":
	case top == budget && strings.HasPrefix(reason, "because"):
		text += "; their attempts failed " + reason
	default:
		text += ", " + reason
	}
	return text + "."
}

// reason is what made attempts fail, the first of these that the report shows.
func (f *facts) reason() string {
	for _, rule := range []func() string{f.byLimiter, f.byOutage, f.byCeiling, f.byTimeout, f.byShedding, f.byCrowd, f.byPool, f.byNoRoom} {
		if text := rule(); text != "" {
			return text
		}
	}
	return ""
}

// byLimiter: most attempts that did not succeed were refused by the caller's own limiter.
func (f *facts) byLimiter() string {
	lost := f.m.Count("Attempt") - f.m.Succeeded
	if f.m.RefusedByLimiter == 0 || f.m.RefusedByLimiter*2 < lost {
		return ""
	}
	if f.m.Limit >= 0 {
		return "because the limiter let only " + Integer(f.m.Limit) + " be under way at once and turned " + Integer(f.m.RefusedByLimiter) + " attempts away"
	}
	return "because the limiter of " + f.caller + " turned " + Integer(f.m.RefusedByLimiter) + " attempts away"
}

// byOutage: most failures fell inside an outage.
func (f *facts) byOutage() string {
	if _, ok := f.during("outage"); !ok {
		return ""
	}
	return "because the outage failed every attempt at once"
}

// byCeiling: in a brownout half of the answers took longer than the measured ceiling let them.
func (f *facts) byCeiling() string {
	span, ok := f.during("brownout")
	if !ok || f.leaf == nil {
		return ""
	}
	ceiling := At(f.series.Ceiling, int(span.FromNs/1e9)+1)
	if ceiling <= 0 || ceiling >= float64(f.leaf.P50Ns)*span.Slower {
		return ""
	}
	return "after the measured ceiling of " + Duration(int64(ceiling)) + " had cut their attempts off"
}

// byTimeout: in a brownout half, or the slowest, of the answers took longer than the attempt timeout.
func (f *facts) byTimeout() string {
	span, ok := f.during("brownout")
	if !ok || f.leaf == nil || f.call == nil || f.call.TimeoutNs <= 0 {
		return ""
	}
	timeout := float64(f.call.TimeoutNs)
	switch {
	case timeout < float64(f.leaf.P50Ns)*span.Slower:
		return "because most answers took longer than the attempt timeout of " + Duration(f.call.TimeoutNs)
	case timeout < float64(f.leaf.P99Ns)*span.Slower:
		return "because the slower answers took longer than the attempt timeout of " + Duration(f.call.TimeoutNs)
	}
	return ""
}

// byShedding: more than three times the capacity was under way, where the dependency sheds.
func (f *facts) byShedding() string {
	if f.leaf == nil || f.leaf.Capacity == 0 || f.crowd() <= 3*f.leaf.Capacity {
		return ""
	}
	return "because " + f.callee + " was over three times its capacity of " + Integer(f.leaf.Capacity) + " and shed them"
}

// byCrowd: more than the capacity was under way, which makes a dependency slow.
func (f *facts) byCrowd() string {
	if f.leaf == nil || f.leaf.Capacity == 0 || f.crowd() <= f.leaf.Capacity {
		return ""
	}
	return "because up to " + Integer(f.crowd()) + " were under way at once where " + f.callee + " has room for " + Integer(f.leaf.Capacity)
}

// byPool: attempts waited for the caller's own pool.
func (f *facts) byPool() string {
	if _, ok := f.during("stall"); !ok || f.queued() < 1e6 {
		return ""
	}
	return "because their attempts waited up to " + Duration(f.queued()) + " for the caller’s own pool"
}

// byNoRoom: the deadline has no room for a second attempt behind a slow first one.
func (f *facts) byNoRoom() string {
	if f.call == nil || f.call.DeadlineNs <= 0 || f.call.TimeoutNs <= 0 || f.call.Attempts < 2 || f.causes[deadline] < f.failed/2 ||
		f.call.DeadlineNs >= 2*f.call.TimeoutNs {
		return ""
	}
	return "which leaves no room for a second attempt behind one of " + Duration(f.call.TimeoutNs)
}

// whyEcho: the worst second lies behind what was wrong, so retries came back together.
func (f *facts) whyEcho() string {
	if f.kind != call || f.m.Amplification < 1.5 || f.worst < 0 || len(f.spans) == 0 || f.within(f.worst) {
		return ""
	}
	behind := int64(-1)
	for _, s := range f.spans {
		if late := int64(f.worst)*1e9 - s.ToNs; late > 0 && (behind < 0 || late < behind) {
			behind = late
		}
	}
	if behind < 0 {
		return ""
	}
	return "The worst second comes " + Duration(behind) + " after " + f.trouble + ": what had failed tried again together."
}

// whyHidden: no call failed, but the callee paid for it.
func (f *facts) whyHidden() string {
	if f.kind != call || f.m.Failed > 0 || f.m.Amplification < 1.1 || f.m.Count("Retrying") == 0 {
		return ""
	}
	return "Retries hid the trouble from callers and passed it on to " + f.callee + "."
}

// whyStorm: retries were a good part of what the callee got.
func (f *facts) whyStorm() string {
	n := f.m.Count("Retrying")
	if f.kind != call || f.m.Amplification < 1.5 || f.m.Reached == 0 || n*20 < f.m.Reached {
		return ""
	}
	text := Percent(float64(n)/float64(f.m.Reached)) + " of the attempts were retries"
	if f.call != nil && !f.call.Budget && f.call.Attempts > 1 {
		text += ", and no retry budget holds them back"
	}
	return text + "."
}

// whyHedges: how many hedges were sent and won.
func (f *facts) whyHedges() string {
	n := f.m.Count("HedgeStarted")
	if n == 0 {
		return ""
	}
	text := plural(n, "hedge")
	if n == 1 {
		text += " was"
	} else {
		text += " were"
	}
	text += " sent, " + Percent(float64(f.m.Count("HedgeWon"))/float64(n)) + " of them won"
	if extra := f.m.Reached - f.m.Calls; extra > 0 && n*2 > extra && f.m.LoadMultiplier >= 1.3 {
		text += ", and they are most of the extra load"
	}
	return text + "."
}

// flaps tells that the breaker opened at least five times and every ten seconds.
func (f *facts) flaps() bool {
	n := f.m.BreakerOpens
	return n >= 5 && f.run.DurationNs/n < 10e9
}

// whyFlaps: the breaker opened more often than every ten seconds.
func (f *facts) whyFlaps() string {
	n := f.m.BreakerOpens
	top, _ := f.top()
	switch {
	case f.flaps():
		return "The breaker flaps: it opened " + times(n) + ", every " + Duration(f.run.DurationNs/n) + " on average."
	case n > 0 && !(f.m.Failed > 0 && top == breaker):
		return "The breaker opened " + times(n) + "."
	}
	return ""
}

// whyNeverOpened: there is a breaker, one call in ten failed or the load half as high again, and it
// stayed closed.
func (f *facts) whyNeverOpened() string {
	if f.call == nil || !f.call.Breaker || f.m.BreakerOpens > 0 || f.m.Failed*10 < f.m.Calls && f.m.Amplification < 1.5 {
		return ""
	}
	return "The breaker never opened."
}

// whySaturated: the caller noticed that its own pool was the slow part.
func (f *facts) whySaturated() string {
	n := f.m.Count("SaturationDetected")
	if n == 0 {
		return ""
	}
	return "The caller’s own pool was the slow part, noticed " + times(n) + ": what was measured meanwhile is not held against " + f.callee + "."
}

// whyKeptBack: the limiter refused some, but that is not what most calls failed of.
func (f *facts) whyKeptBack() string {
	if f.m.RefusedByLimiter == 0 || f.m.Failed > 0 && f.byLimiter() != "" {
		return ""
	}
	return "The limiter turned " + plural(f.m.RefusedByLimiter, "attempt") + " away."
}

// whyLevels: calls of different importance fared differently.
func (f *facts) whyLevels() string {
	if len(f.m.Levels) < 2 {
		return ""
	}
	rate := func(l Level) float64 { return float64(l.Succeeded) / float64(max(l.Calls, 1)) }
	best, worst := f.m.Levels[0], f.m.Levels[0]
	for _, l := range f.m.Levels[1:] {
		if rate(l) > rate(best) {
			best = l
		}
		if rate(l) < rate(worst) {
			worst = l
		}
	}
	if rate(best)-rate(worst) < 0.01 {
		return ""
	}
	return Percent(rate(best)) + " of " + level(best.Name) + " calls succeeded, but only " + Percent(rate(worst)) + " of " + level(worst.Name) + " ones."
}

// whyChaos: faults were injected, which the Grade panel judges.
func (f *facts) whyChaos() string {
	if !f.run.World.Chaos {
		return ""
	}
	return "Faults were injected; Grade says how they were handled."
}

// level is a level of importance as an adjective.
func level(name string) string {
	switch name {
	case "Sheddable":
		return "sheddable"
	case "SheddablePlus":
		return "less sheddable"
	case "Critical":
		return "critical"
	case "CriticalPlus":
		return "most critical"
	}
	return name
}
