package world

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"squall/engine/ticks"
)

// TestHashRoll is the check values of grading.md 3.
func TestHashRoll(t *testing.T) {
	for text, want := range map[string]float64{
		"42|payments-down|checkout|payments|0|1|-": 2.5753981216472988,
		"42|payments-down|checkout|payments|1|1|-": 88.49865782017918,
		"42|payments-down|checkout|-":              50.81239918839457,
	} {
		if got := HashRoll([]byte(text)) * 100; got != want {
			t.Errorf("%s rolls %v, want %v", text, got, want)
		}
	}
	j := NewInjector(&Chaos{Rules: []ChaosRule{{ID: "payments-down"}}}, 42)
	s := j.Site("checkout", "payments")
	if got := j.roll(&j.rules[0], &s, 1, 1, "-") * 100; got != 88.49865782017918 {
		t.Errorf("call 1 rolls %v", got)
	}
	j.rules[0].Sticky = true
	if got := j.roll(&j.rules[0], &s, 1, 1, "-") * 100; got != 50.81239918839457 {
		t.Errorf("a sticky rule rolls %v", got)
	}
}

// TestRollsAreSpread: neighbouring calls roll independently. Without the finish of the hash a 10%
// rule fires on none or on 200 of 1000.
func TestRollsAreSpread(t *testing.T) {
	for seed := range int32(20) {
		j := NewInjector(&Chaos{Rules: []ChaosRule{{ID: "r", Percent: 10, MaxLatency: 1, Effects: []ChaosEffect{{Kind: EffectDrop}}}}}, seed)
		s := j.Site("a", "b")
		for call := range 1000 {
			j.Roll(&s, 0, call, 1)
		}
		if j.Matched[0] != 1000 || j.Fired[0] < 60 || j.Fired[0] > 140 {
			t.Errorf("seed %d: a 10%% rule fired on %d of %d", seed, j.Fired[0], j.Matched[0])
		}
	}
}

func always(id string, effects ...ChaosEffect) ChaosRule {
	return ChaosRule{ID: id, Percent: 100, MaxLatency: 30 * second, Effects: effects}
}

// TestFirstRuleClaims: the first open rule in scope claims the call, and there is no falling through
// to a later one when its roll declines.
func TestFirstRuleClaims(t *testing.T) {
	drop := ChaosEffect{Kind: EffectDrop}
	never := always("never", drop)
	never.Percent = 0
	declines := always("declines", ChaosEffect{Kind: EffectDrop, HasPercent: true})
	late := always("late", drop)
	late.StartAfter, late.Duration, late.HasDuration = 10*second, 5*second, true
	open := always("open", drop)
	open.StartAfter = 10 * second
	elsewhere := always("elsewhere", drop)
	elsewhere.Scope.To = "c"
	for _, c := range []struct {
		name           string
		rules          []ChaosRule
		at             ticks.Ticks
		claims         int // the rule that does, -1 for none
		fires          bool
		matched, fired []int
	}{
		{"the first of two", []ChaosRule{always("x", drop), always("y", drop)}, 0, 0, true, []int{1, 0}, []int{1, 0}},
		{"a roll declines", []ChaosRule{never, always("y", drop)}, 0, 0, false, []int{1, 0}, []int{0, 0}},
		{"every effect declines", []ChaosRule{declines, always("y", drop)}, 0, 0, false, []int{1, 0}, []int{0, 0}},
		{"out of scope", []ChaosRule{elsewhere, always("y", drop)}, 0, 1, true, []int{0, 1}, []int{0, 1}},
		{"just before the window", []ChaosRule{late, always("y", drop)}, 10*second - 1, 1, true, []int{0, 1}, []int{0, 1}},
		{"the window is closed at its start", []ChaosRule{late, always("y", drop)}, 10 * second, 0, true, []int{1, 0}, []int{1, 0}},
		{"the last tick of the window", []ChaosRule{late, always("y", drop)}, 15*second - 1, 0, true, []int{1, 0}, []int{1, 0}},
		{"the window is open at its end", []ChaosRule{late, always("y", drop)}, 15 * second, 1, true, []int{0, 1}, []int{0, 1}},
		{"a start without a length has no end", []ChaosRule{open}, ticks.Max, 0, true, []int{1}, []int{1}},
		{"nothing is open", []ChaosRule{late}, 0, -1, false, []int{0}, []int{0}},
	} {
		j := NewInjector(&Chaos{Rules: c.rules}, 1)
		s := j.Site("a", "b")
		f := j.Roll(&s, c.at, 0, 1)
		if (f != nil) != c.fires || f != nil && f.Rule != c.claims {
			t.Errorf("%s: %+v", c.name, f)
		}
		if !slices.Equal(j.Matched, c.matched) || !slices.Equal(j.Fired, c.fired) || !slices.Equal(s.Matched, c.matched) {
			t.Errorf("%s: matched %v, fired %v", c.name, j.Matched, j.Fired)
		}
	}
}

// TestSticky: a sticky rule decides once for each caller, whomever it calls and whenever.
func TestSticky(t *testing.T) {
	r := always("r", ChaosEffect{Kind: EffectDrop})
	r.Percent, r.Sticky = 50, true
	some := 0
	for caller := range 40 {
		j := NewInjector(&Chaos{Rules: []ChaosRule{r}}, 7)
		from := "caller" + strconv.Itoa(caller)
		first, second := j.Site(from, "b"), j.Site(from, "c")
		fired := j.Roll(&first, 0, 0, 1) != nil
		for call := range 20 {
			if (j.Roll(&first, 0, call, 1+call%3) != nil) != fired || (j.Roll(&second, 0, call, 1) != nil) != fired {
				t.Fatalf("%s: a sticky rule changed its mind", from)
			}
		}
		if fired {
			some++
		}
	}
	if some < 10 || some > 30 {
		t.Errorf("a sticky 50%% rule strikes %d of 40 callers", some)
	}
}

func TestScopeCovers(t *testing.T) {
	for _, c := range []struct {
		scope ChaosScope
		want  bool
	}{
		{ChaosScope{}, true}, {ChaosScope{To: "b"}, true}, {ChaosScope{To: "B"}, false}, {ChaosScope{From: "a", To: "b"}, true}, {ChaosScope{From: "b"}, false},
		{ChaosScope{Method: "get"}, true}, {ChaosScope{Method: "POST"}, false}, {ChaosScope{Path: "/b"}, true}, {ChaosScope{Path: "/B"}, false},
		{ChaosScope{Path: "/*"}, true}, {ChaosScope{Path: "*"}, true}, {ChaosScope{Path: "/b*"}, true}, {ChaosScope{Path: "/bc*"}, false}, {ChaosScope{Path: "/b/"}, false},
	} {
		if got := c.scope.Covers("a", "b", "GET", "/b"); got != c.want {
			t.Errorf("%+v: %v", c.scope, got)
		}
	}
}

// TestEffects: what each effect does to an attempt that is served in 40 ms, alone and together.
func TestEffects(t *testing.T) {
	kind := func(k EffectKind) ChaosEffect { return ChaosEffect{Kind: k} }
	status := func(s int) ChaosEffect { return ChaosEffect{Kind: EffectStatus, Status: s} }
	latency := func(factor float64, low, high ticks.Ticks) ChaosEffect {
		return ChaosEffect{Kind: EffectLatency, LatencyFactor: factor, LatencyLow: low, LatencyHigh: high}
	}
	two := latency(0, 2*second, 2*second)
	for _, c := range []struct {
		name    string
		effects []ChaosEffect
		ceiling ticks.Ticks
		status  int
		fails   bool
		skips   bool        // the served latency does not count
		adds    ticks.Ticks // to the served latency, or the whole time
	}{
		{"a fixed addition", []ChaosEffect{two}, 30 * second, 0, false, false, 2 * second},
		{"the ceiling", []ChaosEffect{two}, second, 0, false, false, second},
		{"three times as long adds twice", []ChaosEffect{latency(3, 0, 0)}, 30 * second, 0, false, false, 80 * ms},
		{"once as long adds nothing", []ChaosEffect{latency(1, 0, 0)}, 30 * second, 0, false, false, 0},
		{"a factor under the ceiling", []ChaosEffect{latency(1000, 0, 0)}, 5 * second, 0, false, false, 5 * second},
		{"additions add up", []ChaosEffect{two, latency(2, 0, 0), two}, 30 * second, 0, false, false, 4*second + 40*ms},
		{"a status", []ChaosEffect{status(503)}, second, 503, false, false, 0},
		{"the first of two", []ChaosEffect{status(404), status(503)}, second, 404, false, false, 0},
		{"a late status", []ChaosEffect{two, status(503)}, 30 * second, 503, false, false, 2 * second},
		{"refuse", []ChaosEffect{kind(EffectRefuse)}, second, 0, true, true, 0},
		{"reset", []ChaosEffect{kind(EffectReset)}, second, 0, true, false, 0},
		{"drop", []ChaosEffect{kind(EffectDrop)}, second, 0, true, false, 0},
		{"corrupt", []ChaosEffect{kind(EffectCorrupt)}, second, 0, true, false, 0},
		{"truncate", []ChaosEffect{kind(EffectTruncate)}, second, 0, true, false, 0},
		{"no response", []ChaosEffect{kind(EffectNoResponse)}, second, 0, true, false, 0},
		{"stall", []ChaosEffect{kind(EffectStall)}, 7 * second, 0, true, true, 7 * second},
		{"a stall beside a delay is the ceiling", []ChaosEffect{two, kind(EffectStall)}, 7 * second, 0, true, true, 7 * second},
		{"an answer comes before a broken connection", []ChaosEffect{kind(EffectReset), status(503)}, second, 503, false, false, 0},
	} {
		r := always("r", c.effects...)
		r.MaxLatency = c.ceiling
		j := NewInjector(&Chaos{Rules: []ChaosRule{r}}, 1)
		s := j.Site("a", "b")
		f := j.Roll(&s, 0, 0, 1)
		if f == nil || f.Status != c.status || f.Failure != c.fails || f.Skip != c.skips || f.Reaches == c.skips || len(f.Effects) != len(c.effects) {
			t.Errorf("%s: %+v", c.name, f)
			continue
		}
		if got := f.Delay(40 * ms); got != c.adds {
			t.Errorf("%s: adds %v, want %v", c.name, got, c.adds)
		}
	}
}

// TestLatencyRange: a range is uniform by the hash of the effect's text with |value behind it.
func TestLatencyRange(t *testing.T) {
	low, high := 100*ms, 2*second
	j := NewInjector(&Chaos{Rules: []ChaosRule{always("r", ChaosEffect{Kind: EffectDrop, HasPercent: true}, ChaosEffect{Kind: EffectLatency, LatencyLow: low, LatencyHigh: high})}}, 9)
	s := j.Site("a", "b")
	least, most := ticks.Max, ticks.Ticks(0)
	for call := range 1000 {
		f := j.Roll(&s, 0, call, 2)
		roll := HashRoll([]byte("9|r|a|b|" + strconv.Itoa(call) + "|2|1|value"))
		if want := low + ticks.Ticks(math.Trunc(float64(roll*float64(high-low)))); f.Delay(0) != want || !slices.Equal(f.Effects, []int{1}) {
			t.Fatalf("call %d: %v of %v, want %v", call, f.Delay(0), f.Effects, want)
		}
		least, most = min(least, f.Delay(0)), max(most, f.Delay(0))
	}
	if least < low || most >= high || least > 150*ms || most < 1900*ms {
		t.Errorf("between %v and %v", least, most)
	}
}

// TestEffectPercent: an effect's own percent is a roll of its own, independent of the rule's.
func TestEffectPercent(t *testing.T) {
	half := func(k EffectKind) ChaosEffect { return ChaosEffect{Kind: k, HasPercent: true, Percent: 50} }
	j := NewInjector(&Chaos{Rules: []ChaosRule{always("r", half(EffectDrop), half(EffectReset))}}, 5)
	s := j.Site("a", "b")
	var seen [4]int
	for call := range 2000 {
		n := 0
		if f := j.Roll(&s, 0, call, 1); f != nil {
			for _, e := range f.Effects {
				n |= 1 << e
			}
		}
		seen[n]++
	}
	for n, times := range seen {
		if times < 400 || times > 600 {
			t.Errorf("effects %02b fired on %d of 2000", n, times)
		}
	}
	if j.Matched[0] != 2000 || j.Fired[0] != 2000-seen[0] {
		t.Errorf("matched %d, fired %d, none %d", j.Matched[0], j.Fired[0], seen[0])
	}
}
