package measure

import (
	"slices"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"

	"pgregory.net/rapid"
)

// watched is one call of a run: when it began, when it ended, and whether it succeeded.
type watched struct {
	start, end ticks.Ticks
	ok         bool
}

// recoverBy measures calls as a run would: everything in the order of time.
func recoverBy(calls []watched, impairedUntil, duration ticks.Ticks) (ticks.Ticks, bool) {
	type edge struct {
		at    ticks.Ticks
		call  int
		begin bool
	}
	var edges []edge
	for i, c := range calls {
		edges = append(edges, edge{c.start, i, true}, edge{c.end, i, false})
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return int(a.at - b.at) })
	m := NewMeter(0)
	m.WatchRecovery(impairedUntil)
	watch := make([]int, len(calls))
	for _, e := range edges {
		if e.begin {
			watch[e.call] = m.Begin(e.at, policy.Critical)
			continue
		}
		why := policy.StopAttemptsExhausted
		if calls[e.call].ok {
			why = policy.StopSucceeded
		}
		m.End(watch[e.call], policy.Critical, e.at-calls[e.call].start, why)
	}
	m.CloseSecond(nil)
	r := m.Measured(duration)
	return r.TimeToRecover, r.Recovered
}

// recoverByRule is simulator.md 10 word by word, on calls in the order of their starts.
func recoverByRule(calls []watched, impairedUntil, duration ticks.Ticks) (ticks.Ticks, bool) {
	for i, c := range calls {
		if c.start < impairedUntil {
			continue
		}
		closes := c.start + ticks.Second
		if closes > duration {
			return 0, false
		}
		good := true
		for _, other := range calls[i:] {
			if other.start >= closes {
				break
			}
			good = good && other.ok
		}
		if good {
			return c.start - impairedUntil, true
		}
	}
	return 0, false
}

func TestTimeToRecover(t *testing.T) {
	const s = ticks.Second
	at := func(start ticks.Ticks, ok bool) watched { return watched{start, start + 1, ok} }
	for _, c := range []struct {
		name      string
		calls     []watched
		until     ticks.Ticks
		duration  ticks.Ticks
		want      ticks.Ticks
		recovered bool
	}{
		{"nobody calls", nil, 5 * s, 60 * s, 0, false},
		{"nobody calls after it", []watched{at(s, true)}, 5 * s, 60 * s, 0, false},
		{"at the very instant it ends", []watched{at(5*s, true)}, 5 * s, 60 * s, 0, true},
		{"one tick before does not count", []watched{at(5*s-1, false), at(5*s+7, true)}, 5 * s, 60 * s, 7, true},
		{"the second may close with the run", []watched{at(5*s, true)}, 5 * s, 6 * s, 0, true},
		{"and no tick later", []watched{at(5*s, true)}, 5 * s, 6*s - 1, 0, false},
		{"a failure just inside the second", []watched{at(5*s, true), at(6*s-1, false), at(6*s, true)}, 5 * s, 60 * s, s, true},
		{"a failure just behind it", []watched{at(5*s, true), at(6*s, false)}, 5 * s, 60 * s, 0, true},
		{"the call itself failed", []watched{at(5*s, false), at(5*s+1, true)}, 5 * s, 60 * s, 1, true},
		{"only the last call is good, too late", []watched{at(5*s, false), at(59*s+1, true)}, 5 * s, 60 * s, 0, false},
		{"judged by the end, not at the end of the second", []watched{{5 * s, 50 * s, false}, at(7*s, true)}, 5 * s, 60 * s, 2 * s, true},
		{"calls that end late still count for their start", []watched{{5 * s, 50 * s, true}, at(7*s, false)}, 5 * s, 60 * s, 0, true},
		{"two calls at one instant, one fails", []watched{at(5*s, true), at(5*s, false), at(8*s, true)}, 5 * s, 60 * s, 3 * s, true},
	} {
		got, recovered := recoverBy(c.calls, c.until, c.duration)
		if got != c.want || recovered != c.recovered {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, got, recovered, c.want, c.recovered)
		}
		if rule, ok := recoverByRule(c.calls, c.until, c.duration); rule != c.want || ok != c.recovered {
			t.Errorf("%s: the rule says %v, %v", c.name, rule, ok)
		}
	}
	if m := NewMeter(0).Measured(60 * s); m.Recovered {
		t.Error("recovered without being impaired")
	}
}

// TestTimeToRecoverIsTheRule: what is found while a run goes is what the rule finds afterwards.
func TestTimeToRecoverIsTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const step = ticks.Second / 4
		draw := func(label string, most int) ticks.Ticks {
			return ticks.Ticks(rapid.IntRange(0, most).Draw(t, label)) * step
		}
		var calls []watched
		now := ticks.Ticks(0)
		for range rapid.IntRange(0, 30).Draw(t, "calls") {
			now += draw("gap", 3)
			calls = append(calls, watched{now, now + draw("takes", 12), rapid.IntRange(0, 3).Draw(t, "ok") > 0})
		}
		until, duration := draw("until", 12), draw("duration", 40)
		got, ok := recoverBy(calls, until, duration)
		want, wantOK := recoverByRule(calls, until, duration)
		if got != want && ok || ok != wantOK {
			t.Fatalf("found %v, %v; the rule says %v, %v of %v", got, ok, want, wantOK, calls)
		}
	})
}
