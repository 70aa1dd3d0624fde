package client

import (
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// ErrDigest says that a report is not what its digest was made of: it was damaged, or made up.
var ErrDigest = errors.New("the report is not what its digest says")

// readReport reads a report as scenario.md 9 writes it, and seals it again: what was read is what was
// measured when the digest comes out the same. What a report does not hold comes from the topology.
func readReport(v gjson.Result, t *engine.Topology) (*measure.Report, error) {
	r := &measure.Report{
		Engine: v.Get("engine").Str, Seed: int32(v.Get("seed").Int()), Duration: span(v.Get("durationNs")), Single: t.Single,
	}
	for i := range t.Loads {
		r.Entries = append(r.Entries, t.Loads[i].At)
	}
	each(v.Get("calls"), func(c gjson.Result) {
		call := measure.CallReport{From: c.Get("from").Str, To: c.Get("to").Str, Measured: readMeasured(c.Get("measured"))}
		if i := len(r.Calls); i < len(t.Calls) {
			call.Policy = t.Calls[i].Policy.Name
		}
		r.Calls = append(r.Calls, call)
	})
	each(v.Get("services"), func(s gjson.Result) {
		degraded := s.Get("degraded")
		r.Services = append(r.Services, measure.ServiceReport{
			Name: s.Get("name").Str, Entry: s.Get("entry").Bool(), Leaf: s.Get("leaf").Bool(),
			Degraded: int(degraded.Int()), HasOptional: degraded.Exists(), Measured: readMeasured(s.Get("measured")),
		})
	})
	if len(r.Calls) != len(t.Calls) {
		return nil, fmt.Errorf("seed %d: %w", r.Seed, ErrDigest)
	}
	if r.Seal(); r.Digest != v.Get("digest").Str {
		return nil, fmt.Errorf("seed %d: %w", r.Seed, ErrDigest)
	}
	return r, nil
}

func each(list gjson.Result, read func(gjson.Result)) {
	list.ForEach(func(_, v gjson.Result) bool {
		read(v)
		return true
	})
}

// span is a time of a report; reports count in nanoseconds.
func span(v gjson.Result) ticks.Ticks { return ticks.Ticks(v.Int() / 100) }

var (
	eventKinds = map[string]policy.EventKind{}
	levels     = map[string]policy.Level{}
	verdicts   = map[string]policy.Kind{}
	failures   = map[string]policy.Failure{}
)

func init() {
	for k := range policy.EventKind(policy.EventKinds) {
		eventKinds[k.String()] = k
	}
	for l := range policy.Level(policy.Levels) {
		levels[l.String()] = l
	}
	for k := policy.Ok; k <= policy.Permanent; k++ {
		verdicts[k.String()] = k
	}
	for f := policy.NoFailure; f <= policy.RateLimitedException; f++ {
		failures[f.String()] = f
	}
}

func readMeasured(v gjson.Result) measure.Measured {
	n := func(key string) int { return int(v.Get(key).Int()) }
	latency := func(key string) ticks.Ticks { return span(v.Get("latencyNs." + key)) }
	recovery := v.Get("timeToRecoverNs")
	m := measure.Measured{
		Calls: n("calls"), Succeeded: n("succeeded"), Reached: n("reached"), RefusedByLimiter: n("refusedByLimiter"),
		Amplification: v.Get("amplification").Num,
		Latency: measure.Quantiles{P50: latency("p50"), P90: latency("p90"), P95: latency("p95"),
			P99: latency("p99"), P999: latency("p999"), Max: latency("max")},
		TimeToRecover: span(recovery), Recovered: recovery.Type == gjson.Number,
		Seconds: readSeconds(v.Get("seconds")),
	}
	v.Get("events").ForEach(func(kind, n gjson.Result) bool {
		if k, ok := eventKinds[kind.Str]; ok {
			m.Events[k] = int(n.Int())
		}
		return true
	})
	v.Get("levels").ForEach(func(level, n gjson.Result) bool {
		if l, ok := levels[level.Str]; ok {
			m.Levels[l] = measure.LevelCount{Calls: int(n.Get("calls").Int()), Succeeded: int(n.Get("succeeded").Int())}
		}
		return true
	})
	if limiter := v.Get("limiter"); limiter.IsObject() {
		m.Limiter = &measure.LimiterReport{Limit: int(limiter.Get("limit").Int())}
		each(limiter.Get("changes"), func(c gjson.Result) {
			m.Limiter.Changes = append(m.Limiter.Changes, measure.LimitChange{At: span(c.Get("atNs")), Limit: int(c.Get("limit").Int())})
		})
	}
	if timeline := v.Get("timeline"); timeline.IsArray() {
		m.Timeline = []measure.Moment{}
		each(timeline, func(e gjson.Result) {
			delay := e.Get("delayNs")
			m.Timeline = append(m.Timeline, measure.Moment{
				At: span(e.Get("atNs")), Kind: eventKinds[e.Get("kind").Str], Number: int(e.Get("number").Int()),
				Verdict: verdicts[e.Get("verdict").Str], Error: failures[e.Get("error").Str], Duration: span(e.Get("durationNs")),
				Delay: span(delay), HasDelay: delay.Type == gjson.Number,
			})
		})
	}
	return m
}

func readSeconds(v gjson.Result) measure.Seconds {
	s := measure.Seconds{}
	for key, into := range map[string]*[]int{
		"calls": &s.Calls, "reached": &s.Reached, "succeeded": &s.Succeeded,
		"failedPermanent": &s.Failed[policy.StopPermanent], "failedExhausted": &s.Failed[policy.StopAttemptsExhausted],
		"failedDeadline": &s.Failed[policy.StopDeadlineExceeded], "failedBudget": &s.Failed[policy.StopBudgetExhausted],
		"failedBreaker": &s.Failed[policy.StopDependencyUnavailable],
		"inFlight":      &s.InFlight, "breaker": &s.Breaker, "permits": &s.Permits,
	} {
		each(v.Get(key), func(n gjson.Result) { *into = append(*into, int(n.Int())) })
	}
	for key, into := range map[string]*[]ticks.Ticks{
		"p50Ns": &s.P50, "p99Ns": &s.P99, "ceilingNs": &s.Ceiling, "queueDelayNs": &s.QueueDelay,
	} {
		each(v.Get(key), func(n gjson.Result) { *into = append(*into, span(n)) })
	}
	each(v.Get("budget"), func(n gjson.Result) { s.Budget = append(s.Budget, n.Num) })
	return s
}
