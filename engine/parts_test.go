package engine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// The pieces that the checks of simulator.md 17 are put together from.
var (
	fast    = engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond)
	slowing = fast.Brownout(30*ticks.Second, 8, ticks.Minute)
	sick    = engine.Healthy(20*ticks.Millisecond, 100*ticks.Millisecond).Brownout(10*ticks.Second, 10, 15*ticks.Second).WithFailing(0.2)
)

const (
	ms     = ticks.Millisecond
	second = ticks.Second
	minute = ticks.Minute
)

// pagePolicy is the policy of the simulation page.
func pagePolicy() policy.Settings {
	p := policy.HTTP()
	p.Name, p.Deadline = "api", 10*second
	return p
}

// retrying is A(base): three attempts, no budget, a measured ceiling by default.
func retrying(base ticks.Ticks) policy.Settings {
	p := policy.Instant()
	p.Deadline, p.AttemptTimeout = 10*second, 2*second
	p.Backoff = policy.ExponentialBackoff()
	p.Backoff.TransientBase = base
	return p
}

// changed is a policy with one thing changed.
func changed(p policy.Settings, change func(*policy.Settings)) policy.Settings {
	change(&p)
	return p
}

// budget is a bucket of its own.
func budget(fraction float64, perSecond int) policy.BudgetChoice {
	return policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: &policy.BudgetSettings{Fraction: fraction, MinimumPerSecond: perSecond}}
}

func simulate(t testing.TB, s engine.Simulation, seed int32) *measure.Report {
	t.Helper()
	r, err := s.Run(seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func single(t testing.TB, s engine.Simulation, seed int32) *measure.Measured {
	t.Helper()
	return &simulate(t, s, seed).Calls[0].Measured
}

func simulateAll(t testing.TB, s engine.Simulation, seeds ...int32) *measure.Band {
	t.Helper()
	b, err := s.RunAll(seeds...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func runGraph(t testing.TB, g engine.CallGraph, seed int32) *measure.Report {
	t.Helper()
	r, err := g.Run(seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func upTo(n int32) []int32 {
	seeds := make([]int32, n)
	for i := range seeds {
		seeds[i] = int32(i) + 1
	}
	return seeds
}

func concurrency(n int) world.Limiter { return world.Limiter{Concurrency: n} }

// holds checks terms such as "calls 149742; LM 1.016; p99 < 1; TTR never": a value is compared in
// as many decimals as are written, times in seconds or, with "ms" behind them, in milliseconds.
func holds(t *testing.T, id string, m *measure.Measured, terms string) {
	t.Helper()
	for term := range strings.SplitSeq(terms, ";") {
		words := strings.Fields(term)
		if len(words) != 2 && len(words) != 3 {
			t.Fatalf("%s: what is %q?", id, term)
		}
		want := words[len(words)-1]
		unit := 1.0
		if rest, ok := strings.CutSuffix(want, "ms"); ok {
			want, unit = rest, 1000
		}
		value, known := measuredValue(t, m, words[0])
		value *= unit
		bound := func(text string) float64 {
			text = strings.TrimSuffix(text, "ms")
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("%s: %s: %v", id, term, err)
			}
			return x
		}
		ok := known
		switch low, high, span := strings.Cut(want, ".."); {
		case want == "never" || want == "recovers":
			ok = known == (want == "recovers")
		case span:
			ok = ok && value >= bound(low) && value <= bound(high)
		case len(words) == 2:
			_, decimals, _ := strings.Cut(want, ".")
			ok = ok && strconv.FormatFloat(value, 'f', len(decimals), 64) == want
		case words[1] == "<":
			ok = ok && value < bound(want)
		case words[1] == "<=":
			ok = ok && value <= bound(want)
		case words[1] == ">":
			ok = ok && value > bound(want)
		case words[1] == ">=":
			ok = ok && value >= bound(want)
		default:
			t.Fatalf("%s: what is %q?", id, term)
		}
		if !ok {
			t.Errorf("%s: %s: it is %v (known: %v)", id, strings.TrimSpace(term), value, known)
		}
	}
}

// measuredValue is a value by the name it has in the checks; times are seconds.
func measuredValue(t *testing.T, m *measure.Measured, name string) (value float64, known bool) {
	t.Helper()
	seconds := func(d ticks.Ticks) float64 { return float64(d) / 1e7 }
	switch name {
	case "calls":
		return float64(m.Calls), true
	case "succeeded":
		return float64(m.Succeeded), true
	case "failed":
		return float64(m.Failed()), true
	case "reached":
		return float64(m.Reached), true
	case "refused":
		return float64(m.RefusedByLimiter), true
	case "availability":
		return m.Availability(), true
	case "LM":
		return m.LoadMultiplier(), true
	case "Amp":
		return m.Amplification, true
	case "opens":
		return float64(m.BreakerOpens()), true
	case "p50":
		return seconds(m.Latency.P50), true
	case "p99":
		return seconds(m.Latency.P99), true
	case "TTR":
		return seconds(m.TimeToRecover), m.Recovered
	case "limit":
		return float64(m.Limiter.Limit), true
	}
	if at, ok := strings.CutPrefix(name, "availability@"); ok {
		name = at
		for level := range policy.Levels {
			if policy.Level(level).String() == name {
				return m.AvailabilityAt(policy.Level(level)), true
			}
		}
	}
	for kind, n := range m.Events {
		if policy.EventKind(kind).String() == name {
			return float64(n), true
		}
	}
	for level, n := range m.Levels {
		if policy.Level(level).String() == name {
			return float64(n.Calls), true
		}
	}
	t.Fatalf("nothing is called %q", name)
	return 0, false
}

// kinds are the events of a run by number, as in executor.md 24: kinds that never came are left out.
func kinds(m *measure.Measured) string {
	var out []string
	for kind, n := range m.Events {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d:%d", kind, n))
		}
	}
	return strings.Join(out, " ")
}

// first is the first event of a kind.
func first(m *measure.Measured, kind policy.EventKind) *measure.Moment {
	for i := range m.Timeline {
		if m.Timeline[i].Kind == kind {
			return &m.Timeline[i]
		}
	}
	return nil
}

// jsonOf is a report without what tells its engine: what must be the same twice.
func jsonOf(r *measure.Report) string { return string(r.AppendJSON(nil)) }
