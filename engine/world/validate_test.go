package world

import (
	"math"
	"strings"
	"testing"

	"squall/engine/problem"
	"squall/engine/ticks"
)

type validator interface{ Validate() problem.List }

func TestValidate(t *testing.T) {
	ms, s, nan := ticks.Millisecond, ticks.Second, math.NaN()
	adaptive := DefaultAdaptive()
	rule := func(change func(*ChaosRule)) *ChaosRule {
		r := ChaosRule{ID: "r", Percent: 100, MaxLatency: 30 * s}
		change(&r)
		return &r
	}
	effect := func(e ChaosEffect) *ChaosRule {
		return rule(func(r *ChaosRule) { r.Effects = []ChaosEffect{{Kind: EffectRefuse}, e} })
	}
	for _, c := range []struct {
		name  string
		value validator
		want  string
	}{
		{"healthy", &Dependency{P50: 20 * ms, P99: 200 * ms}, ""},
		{"no spread", &Dependency{P50: 20 * ms, P99: 20 * ms, Failing: 1, Capacity: 1, Impairments: []Impairment{{Slower: 1, Lasting: 1}, {Outage: true, Lasting: 1}}}, ""},
		{"S13", &Dependency{P50: 200 * ms, P99: 20 * ms, Failing: 2, Impairments: []Impairment{{After: s, Slower: 0.5}}},
			"p99: is 20ms; it must be at least p50, which is 200ms\n" +
				"failing: is 2; it must be between 0 and 1\n" +
				"impairments[0].brownout.lasting: is 0s; it must be positive\n" +
				"impairments[0].brownout.slower: is 0.5; a brownout multiplies latency by at least 1"},
		{"all of a dependency", &Dependency{Failing: nan, Capacity: -1, Impairments: []Impairment{{Outage: true, After: -1}, {Slower: math.Inf(1), Lasting: 1}, {Slower: nan, Lasting: 1}}},
			"p50: is 0s; it must be positive\n" +
				"failing: is NaN; it must be between 0 and 1\n" +
				"capacity: is -1; it must be at least 1, or 0 for no bound\n" +
				"impairments[0].outage.after: is -100ns; it must not be negative\n" +
				"impairments[0].outage.lasting: is 0s; it must be positive\n" +
				"impairments[1].brownout.slower: is +Inf; a brownout multiplies latency by at least 1\n" +
				"impairments[2].brownout.slower: is NaN; a brownout multiplies latency by at least 1"},
		{"load", &Load{PerSecond: 1, Peers: 1, Sheddable: 0.5, SheddablePlus: 0.25, CriticalPlus: 0.25}, ""},
		{"time would stand still", &Load{PerSecond: PerSecondMax + 1, Peers: 1}, "perSecond: is 10000001; at most 10000000 may arrive in a second, one in each 100ns, the smallest step of time"},
		{"S14", &Load{}, "perSecond: is 0; it must be at least 1\npeers: is 0; it must be at least 1"},
		{"C9 sum", &Load{PerSecond: 1, Peers: 1, Sheddable: 0.8, CriticalPlus: 0.4},
			"mix: gives out 1.200 of the load; the shares may add up to 1, and Critical takes the remainder"},
		{"C9 share", &Load{PerSecond: 1, Peers: 1, Sheddable: 1.5, SheddablePlus: -1, CriticalPlus: nan},
			"mix.sheddable: is 1.5; the Sheddable share must be between 0 and 1\n" +
				"mix.sheddablePlus: is -1; the SheddablePlus share must be between 0 and 1\n" +
				"mix.criticalPlus: is NaN; the CriticalPlus share must be between 0 and 1"},
		{"pool", &Pool{Healthy: 1, Stalls: []Stall{{Delay: 1, Lasting: 1}}}, ""},
		{"P11", &Pool{Stalls: []Stall{{After: -s}}},
			"healthy: is 0s; it must be positive\n" +
				"stalls[0].after: is -1s; it must not be negative\n" +
				"stalls[0].lasting: is 0s; it must be positive\n" +
				"stalls[0].delay: is 0s; it must be positive"},
		{"limiter", &Limiter{Concurrency: 1}, ""},
		{"no permits", &Limiter{}, "concurrency: is 0; it must be at least 1"},
		{"adaptive", &Limiter{Adaptive: &adaptive}, ""},
		{"A10", &Limiter{Adaptive: &Adaptive{Maximum: 5, Initial: 50, Multiple: 1, Decrease: 1}},
			"adaptive.minimum: is 0; it must be at least 1\n" +
				"adaptive.initial: is 50; it must lie between minimum 0 and maximum 5\n" +
				"adaptive.multiple: is 1; it must be above 1\n" +
				"adaptive.decrease: is 1; it must be above 0 and below 1"},
		{"crossed", &Adaptive{Minimum: 9, Maximum: 5, Initial: 7, Multiple: nan, Decrease: nan},
			"maximum: is 5; it must be at least minimum, which is 9\n" +
				"initial: is 7; it must lie between minimum 9 and maximum 5\n" +
				"multiple: is NaN; it must be above 1\n" +
				"decrease: is NaN; it must be above 0 and below 1"},
		{"rule", effect(ChaosEffect{Kind: EffectLatency, LatencyLow: s, LatencyHigh: s, HasPercent: true, Percent: 0}), ""},
		{"all of a rule", rule(func(r *ChaosRule) {
			*r = ChaosRule{Percent: 101, StartAfter: -1, HasDuration: true, MaxLatency: 61 * s}
		}),
			"id: is empty; a rule needs an id\n" +
				"percent: is 101; it must be between 0 and 100\n" +
				"startAfter: is -100ns; it must not be negative\n" +
				"duration: is 0s; it must be positive\n" +
				"maxLatency: is 1m1s; it must be positive and at most 1m"},
		{"status", effect(ChaosEffect{Kind: EffectStatus, Status: 600, HasPercent: true, Percent: nan}),
			"effects[1].status: is 600; an HTTP status lies between 100 and 599\neffects[1].percent: is NaN; it must be between 0 and 100"},
		{"factor", effect(ChaosEffect{Kind: EffectLatency, LatencyFactor: 0.5}), "effects[1].latency: is 0.5x; latency is multiplied by at least 1"},
		{"range", effect(ChaosEffect{Kind: EffectLatency, LatencyLow: 2 * s, LatencyHigh: s}), "effects[1].latency: is 2s-1s; a range begins at its shorter end"},
		{"two ids", &Chaos{Rules: []ChaosRule{*rule(func(*ChaosRule) {}), *rule(func(r *ChaosRule) { r.Percent = -1 })}},
			"rules[1].id: is \"r\", which rule 1 has already; the id of a rule is its own\nrules[1].percent: is -1; it must be between 0 and 100"},
	} {
		if got := c.value.Validate().Error(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, strings.ReplaceAll(got, "\n", "\n     "), strings.ReplaceAll(c.want, "\n", "\n     "))
		}
	}
}
