package view

import (
	"strings"
	"testing"
)

// made is a run of twenty seconds of one call, a hundred calls a second, in which nothing happens.
type made struct {
	run     Run
	subject Subject
	series  Series
}

func calm() *made {
	m := &made{
		run: Run{DurationNs: 20e9, World: World{
			Calls:  []Call{{From: "client", To: "dependency", Attempts: 3, DeadlineNs: 10e9, TimeoutNs: 2e9, Budget: true}},
			Leaves: []Leaf{{Name: "dependency", P50Ns: 20e6, P99Ns: 100e6}},
			Loads:  []Load{{At: "client", PerSecond: 100, Peers: 1}},
		}},
		subject: Subject{Name: "client → dependency", From: "client", To: "dependency", Measured: Measured{
			Calls: 2000, Succeeded: 2000, Reached: 2000, Availability: 1, LoadMultiplier: 1, Amplification: 1, Limit: -1,
		}},
	}
	for range 20 {
		m.series.Calls = append(m.series.Calls, 100)
		m.series.Reached = append(m.series.Reached, 100)
	}
	return m
}

// fail lets n calls of some seconds fail in a way.
func (m *made) fail(series *[]float64, n float64, seconds ...int) {
	if *series == nil {
		*series = make([]float64, 20)
	}
	for _, i := range seconds {
		(*series)[i] += n
		m.subject.Measured.Failed += int64(n)
		m.subject.Measured.Succeeded -= int64(n)
	}
}

func (m *made) impair(kind string, from, to int64) *Span {
	l := &m.run.World.Leaves[0]
	l.Impairments = append(l.Impairments, Span{Kind: kind, At: l.Name, FromNs: from * 1e9, ToNs: to * 1e9, Slower: 8})
	return &l.Impairments[len(l.Impairments)-1]
}

// storm makes a second the worst one.
func (m *made) storm(second int, times float64) {
	m.series.Reached[second] = 100 * times
	m.subject.Measured.Amplification = times
	m.subject.Measured.Reached += int64(100 * (times - 1))
	m.subject.Measured.LoadMultiplier = float64(m.subject.Measured.Reached) / 2000
}

func (m *made) count(kind string, n int64) {
	m.subject.Measured.Events = append(m.subject.Measured.Events, Count{kind, n})
}

func (m *made) call() *Call { return &m.run.World.Calls[0] }

// TestSentence says what happened, clause by clause.
func TestSentence(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(m *made)
		want string
		bad  bool
	}{
		{"nothing at all", func(m *made) { m.subject.Measured.Calls = 0 }, "No call was made.", false},
		{"nothing happened", func(*made) {}, "Nothing happened: no call failed, and the dependency felt no more than its load.", false},
		{"impaired and unharmed", func(m *made) { m.impair("brownout", 5, 10); m.subject.Measured.Recovered = true },
			"The dependency never felt more than its load; no call failed, not even inside the brownout.", false},
		{"a storm that hides", func(m *made) { m.impair("outage", 5, 10); m.storm(7, 2.5); m.subject.Measured.Recovered = true },
			"In the worst second (0:07) the dependency felt 2.50× the load; no call failed, not even inside the outage.", true},
		{"inside", func(m *made) {
			m.impair("brownout", 5, 10)
			m.fail(&m.series.Exhausted, 50, 5, 6, 10)
			m.subject.Measured.Recovered, m.subject.Measured.RecoverNs = true, 688500
		}, "The dependency never felt more than its load; 7.5% of calls failed, all inside the brownout; recovered 688 µs after it ended.", true},
		{"mostly inside", func(m *made) {
			m.impair("brownout", 5, 10)
			m.fail(&m.series.Exhausted, 30, 5, 6, 7, 15)
		}, "The dependency never felt more than its load; 6.0% of calls failed, most of them (75.0%) inside the brownout; it had not recovered when the run ended.", true},
		{"hardly inside", func(m *made) {
			m.impair("brownout", 5, 10)
			m.fail(&m.series.Exhausted, 30, 5, 15, 16, 17)
		}, "The dependency never felt more than its load; 6.0% of calls failed, only 25.0% of them inside the brownout; it had not recovered when the run ended.", true},
		{"outside", func(m *made) {
			m.impair("brownout", 5, 7)
			m.fail(&m.series.Exhausted, 30, 15)
		}, "The dependency never felt more than its load; 1.5% of calls failed, none of them inside the brownout; it had not recovered when the run ended.", true},
		{"two alike", func(m *made) {
			m.impair("outage", 2, 3)
			m.impair("outage", 8, 9)
			m.fail(&m.series.Exhausted, 100, 2, 8)
			m.subject.Measured.Recovered, m.subject.Measured.RecoverNs = true, 2e9
		}, "The dependency never felt more than its load; 10.0% of calls failed, all inside the outages; recovered 2 s after the last impairment ended.", true},
		{"two unlike", func(m *made) {
			m.impair("outage", 2, 3)
			m.impair("brownout", 8, 9)
			m.fail(&m.series.Exhausted, 100, 2, 8)
		}, "The dependency never felt more than its load; 10.0% of calls failed, all inside the impairments; it had not recovered when the run ended.", true},
		{"until the end", func(m *made) {
			m.impair("brownout", 5, 20)
			m.fail(&m.series.Exhausted, 50, 7)
		}, "The dependency never felt more than its load; 2.5% of calls failed, all inside the brownout; the run ended before the brownout did.", true},
		{"behind the end", func(m *made) { m.impair("brownout", 30, 40); m.fail(&m.series.Exhausted, 50, 7) },
			"The dependency never felt more than its load; 2.5% of calls failed, in the second at 0:07.", true},
		{"for a while", func(m *made) { m.fail(&m.series.Exhausted, 10, 7, 8, 9) },
			"The dependency never felt more than its load; 1.5% of calls failed, from 0:07 to 0:10.", true},
		{"all the time", func(m *made) {
			m.fail(&m.series.Exhausted, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
		}, "The dependency never felt more than its load; 1.0% of calls failed, all through the run.", true},
		{"every call", func(m *made) {
			m.fail(&m.series.Exhausted, 100, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
		}, "The dependency never felt more than its load; every call failed, all through the run.", true},
		{"a few", func(m *made) { m.fail(&m.series.Exhausted, 1, 3) },
			"The dependency never felt more than its load; 0.05% of calls failed, in the second at 0:03.", false},
		{"spared", func(m *made) {
			m.subject.Measured.LoadMultiplier = 0.6
			m.fail(&m.series.BrokenOpen, 40, 3, 4)
		}, "The dependency was spared 40.0% of its load; 4.0% of calls failed, from 0:03 to 0:05.", true},
		{"a pool that stalls", func(m *made) {
			m.run.World.Stalls = []Span{{Kind: "stall", At: "client", FromNs: 5e9, ToNs: 8e9, DelayNs: 4e8}}
			m.fail(&m.series.Deadline, 40, 5)
		}, "The dependency never felt more than its load; 2.0% of calls failed, all inside the pool stall.", true},
		{"a service", func(m *made) {
			m.subject.Name, m.subject.From, m.subject.To = "client", "", ""
			m.impair("brownout", 5, 10)
			m.storm(6, 1.5)
			m.fail(&m.series.Exhausted, 40, 5)
		}, "client had 2,000 requests and sent up to 1.50× as many calls down (0:06); 2.0% of them failed, all inside the brownout.", true},
		{"a dependency", func(m *made) {
			m.subject.Name, m.subject.From, m.subject.To, m.subject.Leaf = "dependency", "", "", true
			m.fail(&m.series.Exhausted, 40, 5)
		}, "The dependency served 2,000 calls; 2.0% of them failed, in the second at 0:05.", true},
	} {
		m := calm()
		c.make(m)
		f := Find(&m.run, &m.subject, &m.series)
		if f.Sentence != c.want || f.Bad != c.bad {
			t.Errorf("%s (bad %v):\n got %s\nwant %s", c.name, f.Bad, f.Sentence, c.want)
		}
	}
}

// TestWhy names the mechanism: each rule where it applies, and not a step beside.
func TestWhy(t *testing.T) {
	brownout := func(m *made) { m.impair("brownout", 5, 10) }
	for _, c := range []struct {
		name string
		make func(m *made)
		want string // what is said, a part of it, or with "not " before it what is not said
	}{
		{"nothing happened", func(*made) {}, ""},
		{"budget", func(m *made) { m.fail(&m.series.Budgetless, 9, 5); m.fail(&m.series.Exhausted, 1, 5) },
			"90.0% of them were refused a retry when the retry budget was spent."},
		{"breaker", func(m *made) { m.fail(&m.series.BrokenOpen, 9, 5); m.subject.Measured.BreakerOpens = 2 },
			"All of them were refused by the open breaker (it opened twice)."},
		{"deadline", func(m *made) { m.fail(&m.series.Deadline, 9, 5) }, "All of them ran out of their deadline of 10 s."},
		{"attempts", func(m *made) { m.fail(&m.series.Exhausted, 9, 5) }, "All of them used up every attempt."},
		{"one attempt", func(m *made) { m.call().Attempts = 1; m.fail(&m.series.Exhausted, 9, 5) }, "All of them failed at their only attempt."},
		{"permanent", func(m *made) { m.fail(&m.series.Permanent, 9, 5) }, "All of them failed in a way that no retry helps."},
		{"permanent, further down", func(m *made) { m.run.World.Leaves = nil; m.fail(&m.series.Permanent, 9, 5) },
			"All of them were turned down further down, which no retry helps."},

		{"by the call's limiter", func(m *made) {
			m.fail(&m.series.Exhausted, 9, 5)
			m.subject.Measured.RefusedByLimiter, m.subject.Measured.Limit = 27, 4
			m.count("Attempt", 2018)
		}, "used up every attempt, because the limiter let only 4 be under way at once and turned 27 attempts away."},
		{"by the service's limiter", func(m *made) {
			m.fail(&m.series.Exhausted, 9, 5)
			m.subject.Measured.RefusedByLimiter = 27
			m.count("Attempt", 2018)
		}, "because the limiter of client turned 27 attempts away."},
		{"a limiter that is not to blame", func(m *made) {
			m.fail(&m.series.Exhausted, 90, 5)
			m.subject.Measured.RefusedByLimiter = 2
			m.count("Attempt", 2180)
		}, "All of them used up every attempt. The limiter turned 2 attempts away."},
		{"by an outage", func(m *made) { m.impair("outage", 5, 7); m.fail(&m.series.Exhausted, 9, 5) },
			"used up every attempt, because the outage failed every attempt at once."},
		{"not by an outage", func(m *made) {
			m.impair("outage", 5, 7)
			m.fail(&m.series.Exhausted, 9, 5)
			m.fail(&m.series.Exhausted, 20, 15)
		}, "not because the outage"},
		{"by the ceiling", func(m *made) {
			brownout(m)
			m.fail(&m.series.Budgetless, 9, 6)
			m.series.Ceiling = []float64{0, 9e7, 9e7, 9e7, 9e7, 9e7, 9e7}
		}, "the retry budget was spent, after the measured ceiling of 90 ms had cut their attempts off."},
		{"not by a ceiling that is high enough", func(m *made) {
			brownout(m)
			m.fail(&m.series.Budgetless, 9, 6)
			m.series.Ceiling = []float64{0, 9e7, 9e7, 9e7, 9e7, 9e7, 16e7}
		}, "not ceiling"},
		{"by the timeout", func(m *made) { brownout(m); m.call().TimeoutNs = 100e6; m.fail(&m.series.Exhausted, 9, 6) },
			"because most answers took longer than the attempt timeout of 100 ms."},
		{"by the timeout, now and then", func(m *made) { brownout(m); m.call().TimeoutNs = 500e6; m.fail(&m.series.Exhausted, 9, 6) },
			"because the slower answers took longer than the attempt timeout of 500 ms."},
		{"not by a long timeout", func(m *made) { brownout(m); m.call().TimeoutNs = 800e6; m.fail(&m.series.Exhausted, 9, 6) }, "not timeout"},
		{"by shedding", func(m *made) {
			m.run.World.Leaves[0].Capacity = 10
			m.series.InFlight = []float64{1, 31, 1}
			m.fail(&m.series.Exhausted, 9, 6)
		}, "because the dependency was over three times its capacity of 10 and shed them."},
		{"by shedding, behind a budget", func(m *made) {
			m.run.World.Leaves[0].Capacity = 10
			m.series.InFlight = []float64{1, 31, 1}
			m.fail(&m.series.Budgetless, 9, 6)
		}, "budget was spent; their attempts failed because the dependency was over"},
		{"by a queue", func(m *made) {
			m.run.World.Leaves[0].Capacity = 10
			m.series.InFlight = []float64{1, 30, 1}
			m.fail(&m.series.Exhausted, 9, 6)
		}, "because up to 30 were under way at once where the dependency has room for 10."},
		{"by a queue of peers", func(m *made) {
			m.run.World.Leaves[0].Capacity = 10
			m.run.World.Loads[0].Peers = 5
			m.series.InFlight = []float64{1, 5, 1}
			m.fail(&m.series.Exhausted, 9, 6)
		}, "because up to 25 were under way"},
		{"not by a queue within the capacity", func(m *made) {
			m.run.World.Leaves[0].Capacity = 10
			m.series.InFlight = []float64{1, 10, 1}
			m.fail(&m.series.Exhausted, 9, 6)
		}, "not under way"},
		{"by the pool", func(m *made) {
			m.run.World.Stalls = []Span{{Kind: "stall", At: "client", FromNs: 5e9, ToNs: 8e9, DelayNs: 4e8}}
			m.series.Queue = []float64{8e4, 4e8, 8e4}
			m.fail(&m.series.Deadline, 9, 6)
		}, "because their attempts waited up to 400 ms for the caller’s own pool."},
		{"by want of room", func(m *made) {
			m.call().DeadlineNs, m.call().TimeoutNs = 300e6, 250e6
			m.fail(&m.series.Deadline, 9, 6)
		}, "their deadline of 300 ms, which leaves no room for a second attempt behind one of 250 ms."},

		{"an echo", func(m *made) { m.impair("outage", 5, 6); m.storm(8, 1.9); m.subject.Measured.Recovered = true },
			"The worst second comes 2 s after the outage: what had failed tried again together."},
		{"no echo inside", func(m *made) { m.impair("outage", 5, 6); m.storm(5, 1.9) }, "not again together"},
		{"hidden", func(m *made) { m.storm(5, 1.4); m.count("Retrying", 40) }, "Retries hid the trouble from callers and passed it on to the dependency."},
		{"a storm", func(m *made) { m.storm(5, 21); m.count("Retrying", 2000); m.fail(&m.series.Exhausted, 9, 6) }, "50.0% of the attempts were retries."},
		{"a storm without a budget", func(m *made) {
			m.call().Budget = false
			m.storm(5, 21)
			m.count("Retrying", 2000)
			m.fail(&m.series.Exhausted, 9, 6)
		}, "50.0% of the attempts were retries, and no retry budget holds them back."},
		{"hedges", func(m *made) { m.count("HedgeStarted", 50); m.count("HedgeWon", 20) }, "50 hedges were sent, 40.0% of them won."},
		{"one hedge", func(m *made) { m.count("HedgeStarted", 1); m.count("HedgeWon", 1) }, "1 hedge was sent, 100% of them won."},
		{"hedges that weigh", func(m *made) {
			m.subject.Measured.Reached, m.subject.Measured.LoadMultiplier = 3000, 1.5
			m.count("HedgeStarted", 900)
		}, "900 hedges were sent, 0% of them won, and they are most of the extra load."},
		{"a breaker that flaps", func(m *made) { m.subject.Measured.BreakerOpens = 8; m.fail(&m.series.BrokenOpen, 9, 5) },
			"All of them were refused by the open breaker. The breaker flaps: it opened 8 times, every 2.5 s on average."},
		{"a breaker that opened", func(m *made) { m.subject.Measured.BreakerOpens = 1; m.fail(&m.series.Exhausted, 9, 5) }, "The breaker opened once."},
		{"a breaker that never opens", func(m *made) { m.call().Breaker = true; m.fail(&m.series.Exhausted, 100, 5, 6) }, "The breaker never opened."},
		{"a breaker that need not open", func(m *made) { m.call().Breaker = true; m.fail(&m.series.Exhausted, 10, 5, 6) }, "not breaker"},
		{"saturation", func(m *made) { m.count("SaturationDetected", 1) },
			"The caller’s own pool was the slow part, noticed once: what was measured meanwhile is not held against the dependency."},
		{"levels", func(m *made) {
			m.subject.Measured.Levels = []Level{{"Sheddable", 1000, 800}, {"Critical", 1000, 990}}
		}, "99.0% of critical calls succeeded, but only 80.0% of sheddable ones."},
		{"levels alike", func(m *made) {
			m.subject.Measured.Levels = []Level{{"Sheddable", 1000, 985}, {"Critical", 1000, 990}}
		}, ""},
		{"chaos", func(m *made) { m.run.World.Chaos = true }, "Faults were injected; Grade says how they were handled."},
		{"no more than three", func(m *made) {
			m.run.World.Chaos = true
			m.count("SaturationDetected", 1)
			m.count("HedgeStarted", 1)
			m.subject.Measured.BreakerOpens = 1
			m.fail(&m.series.Exhausted, 9, 5)
		}, "not Faults"},
	} {
		m := calm()
		c.make(m)
		got := Find(&m.run, &m.subject, &m.series).Why
		without, not := strings.CutPrefix(c.want, "not ")
		switch {
		case not && strings.Contains(got, without):
			t.Errorf("%s: says %q", c.name, got)
		case !not && !strings.HasSuffix(got, c.want) && !strings.Contains(got, c.want) || c.want == "" && got != "":
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
