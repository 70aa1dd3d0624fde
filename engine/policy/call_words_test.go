package policy_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// What a story can say about settings. Each line starts from the defaults of what it names and
// changes them with key=value words; keys are those of a scenario where a scenario has the setting.

// set reads one settings line; ok is false when it is no such line.
func set(s *policy.Settings, verb string, words []string) (ok bool, err error) {
	switch verb {
	case "policy":
		*s, err = preset(words[0])
		words = words[1:]
	case "hedge":
		h := policy.Hedge(decimal(words[0]))
		s.Hedge, words = &h, words[1:]
	case "winRate":
		w := policy.WinRate(decimal(words[0]))
		s.Hedge.WinRate, words = &w, words[1:]
	case "ceiling":
		s.AttemptCeiling, words = policy.Give(policy.Ceiling(decimal(words[0]))), words[1:]
	case "measuredBase":
		m := policy.MeasuredBase(decimal(words[0]))
		s.Backoff.Measured, words = &m, words[1:]
	case "saturation":
		x := policy.Saturation(decimal(words[0]))
		s.Saturation, words = &x, words[1:]
	case "breaker":
		b := policy.Breaker()
		s.Breaker = &b
	case "bucket":
		b := policy.AutomaticBucket()
		s.Budget = policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: &b}
	default:
		return false, nil
	}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		if err == nil && !setKey(s, verb, key, value) {
			err = fmt.Errorf("%s has no %s", verb, w)
		}
	}
	return true, err
}

func preset(name string) (policy.Settings, error) {
	switch name {
	case "default":
		return policy.Default(), nil
	case "http":
		return policy.HTTP(), nil
	case "none":
		return policy.None(), nil
	case "instant":
		return policy.Instant(), nil
	}
	return policy.Settings{}, fmt.Errorf("no preset %s", name)
}

func setKey(s *policy.Settings, verb, key, v string) bool {
	switch verb {
	case "policy":
		return setPolicy(s, key, v)
	case "breaker":
		return setBreaker(s.Breaker, key, v)
	}
	switch verb + " " + key {
	case "hedge concurrent":
		s.Hedge.MaximumConcurrent = number(v)
	case "hedge samples":
		s.Hedge.MinimumSamples = number(v)
	case "hedge minimumDelay":
		s.Hedge.MinimumDelay = duration(v)
	case "hedge window":
		s.Hedge.Window = duration(v)
	case "hedge suppressAt":
		s.Hedge.SuppressAt = decimal(v)
	case "winRate samples":
		s.Hedge.WinRate.MinimumSamples = number(v)
	case "winRate window":
		s.Hedge.WinRate.Window = duration(v)
	case "ceiling quantile":
		s.AttemptCeiling.Value.Quantile = decimal(v)
	case "ceiling window":
		s.AttemptCeiling.Value.Window = duration(v)
	case "ceiling floor":
		s.AttemptCeiling.Value.Floor = duration(v)
	case "measuredBase window":
		s.Backoff.Measured.Window = duration(v)
	case "measuredBase spread":
		s.Backoff.Measured.Spread = decimal(v)
	case "bucket fraction":
		s.Budget.Bucket.Fraction = decimal(v)
	case "bucket minimumPerSecond":
		s.Budget.Bucket.MinimumPerSecond = number(v)
	default:
		return false
	}
	return true
}

func setPolicy(s *policy.Settings, key, v string) bool {
	switch key {
	case "attempts":
		s.Attempts = number(v)
	case "deadline":
		s.Deadline = duration(v)
	case "attemptTimeout":
		s.AttemptTimeout = duration(v)
	case "attemptCeiling":
		s.AttemptCeiling = policy.Disable[policy.CeilingSettings]()
		return v == "off"
	case "constant":
		jitter := s.Backoff.Jitter
		s.Backoff = policy.ConstantBackoff(duration(v))
		s.Backoff.Jitter = jitter
	case "exponential":
		jitter := s.Backoff.Jitter
		s.Backoff = policy.ExponentialBackoff()
		s.Backoff.TransientBase, s.Backoff.Jitter = duration(v), jitter
	case "throttledBase":
		s.Backoff.ThrottledBase = duration(v)
	case "jitter":
		return jitter(&s.Backoff.Jitter, v)
	case "budget":
		s.Budget = policy.BudgetChoice{Kind: map[string]policy.BudgetKind{"automatic": policy.AutomaticBudget, "none": policy.NoBudget}[v]}
	case "useAmbientCriticality":
		s.UseAmbientCriticality = v == "true"
	default:
		return false
	}
	return true
}

func setBreaker(b *policy.BreakerSettings, key, v string) bool {
	switch key {
	case "consecutiveFailures":
		b.ConsecutiveFailures = number(v)
	case "failureRatio":
		b.FailureRatio, b.HasFailureRatio = decimal(v), true
	case "minimumCalls":
		b.MinimumCalls = number(v)
	case "tripWindow":
		b.TripWindow = duration(v)
	case "failures":
		b.Failures = policy.Disable[policy.FailuresSettings]()
		return v == "off"
	case "slowCalls":
		b.SlowCalls = policy.Disable[policy.SlowCallsSettings]()
		return v == "off"
	case "breakDuration":
		b.BreakDuration = duration(v)
	case "breakJitter":
		return jitter(&b.BreakJitter, v)
	case "halfOpenProbes":
		b.HalfOpenProbes = number(v)
	case "probeSuccesses":
		b.ProbeSuccesses = number(v)
	case "recovery":
		r := policy.Recovery(decimal(v))
		b.Recovery = &r
	default:
		return false
	}
	return true
}

func jitter(j *policy.Jitter, v string) bool {
	i, ok := map[string]policy.Jitter{"full": policy.FullJitter, "equal": policy.EqualJitter, "none": policy.NoJitter}[v]
	*j = i
	return ok
}

// script reads what the attempts of a call do, one after the other, split by commas:
//
//	ok 10ms         answers after 10 ms; without a time at once
//	io 5ms          fails with an I/O error
//	rejected        its own callee was refused: a permanent failure
//	limited         a limiter refuses it
//	503 5ms         answers with a status
//	hangs           comes back when its token is cancelled, and not before
//	deaf ok 1.1s    the same as without deaf, but never looks at its token
//	deaf cut 1.1s   looks at its token only then
func script(text string) ([]callback, error) {
	var all []callback
	for _, part := range strings.Split(text, ",") {
		var b callback
		words := strings.Fields(part)
		if len(words) > 1 && words[0] == "deaf" {
			b.deaf, words = true, words[1:]
		}
		if len(words) == 0 {
			return nil, fmt.Errorf("an attempt that does nothing in %q", text)
		}
		switch words[0] {
		case "ok":
		case "io":
			b.outcome.Failure = policy.IOException
		case "rejected":
			b.outcome.Failure = policy.CallRejectedException
		case "late":
			b.outcome.Failure = policy.DeadlineExceededException
		case "limited":
			b.outcome.Failure = policy.RateLimitedException
		case "hangs":
			b.hangs = true
		case "cut":
			b.notices = true
		default:
			status, err := strconv.Atoi(words[0])
			if err != nil {
				return nil, fmt.Errorf("an attempt cannot do %q", part)
			}
			b.outcome.Status = status
		}
		if len(words) > 1 {
			b.takes = duration(words[1])
		}
		all = append(all, b)
	}
	return all, nil
}

// duration reads a time, none, or 1t for one tick. The readers of single values panic on a typing
// error; the runner says in which line.

func duration(s string) ticks.Ticks {
	switch {
	case s == "none":
		return ticks.Infinite
	case s == "1t":
		return 1
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		panic(err)
	}
	return ticks.Ticks(d / 100)
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func decimal(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return x
}
