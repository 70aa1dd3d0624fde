package policy

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"squall/engine/ticks"
	"squall/engine/virtual"
)

// The checks of breaker.md 14 are short stories about one breaker; they are told here in words:
//
//	T:4  Ok:20:100ms     serve: enter, which must be admitted, and record; n times, with a duration
//	enter  refused       ask for admission; enter>half-opened names the transition
//	rec:Ok:30s>closed    record an outcome without entering; >none, >opened, >closed
//	release              give a probe's slot back
//	offer:200:Ok:3s=5..20  n entries, admitted ones recorded (Ok, no time); how many were admitted
//	+14s                 let time pass
//	Closed Open ...      the readable state
//	opened  unopened     whether OpenedAt is present
//	hint=15s  normal=20ms..22.5ms  rate=0.25   readings; none for absent, some for any
//	elevated:0.5=yes     whether the error rate is elevated at a fraction
//	isolate  reset       by hand
//	4x{ ... }            again
//
// Times are written as Go writes them, or in ticks: 1064960t.
type story struct {
	id       string
	settings func(*BreakerSettings)
	steps    string
}

func tell(t *testing.T, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.id, func(t *testing.T) {
			settings := Breaker()
			if s.settings != nil {
				s.settings(&settings)
			}
			if problems := settings.Validate(); problems != nil && !strings.HasPrefix(s.id, "!") {
				t.Fatalf("settings: %v", problems)
			}
			jitter := virtual.NewJitter(1)
			teller{t: t, circuit: NewCircuit(settings, 0), draw: jitter.Next}.tell(strings.Fields(s.steps))
		})
	}
}

type teller struct {
	t       *testing.T
	circuit Circuit
	now     ticks.Ticks
	draw    func() float64
}

func (b teller) tell(words []string) { (&b).run(words) }

func (b *teller) run(words []string) {
	b.t.Helper()
	for i := 0; i < len(words); i++ {
		if count, ok := strings.CutSuffix(words[i], "x{"); ok {
			end := i + 1
			for words[end] != "}" {
				end++
			}
			for range number(count) {
				b.run(words[i+1 : end])
			}
			i = end
			continue
		}
		if wrong := b.step(words[i]); wrong != "" {
			b.t.Fatalf("word %d, %q in %q: %s", i, words[i], strings.Join(words, " "), wrong)
		}
	}
}

// step does one word and says what is wrong.
func (b *teller) step(word string) string {
	c := &b.circuit
	if rest, ok := strings.CutPrefix(word, "+"); ok {
		b.now += instant(rest)
		return ""
	}
	word, want, _ := strings.Cut(word, "=")
	word, transition, watched := strings.Cut(word, ">")
	args := strings.Split(word, ":")
	switch args[0] {
	case "enter":
		admitted, t, _ := c.TryEnter(b.now)
		if !admitted {
			return "refused"
		}
		if watched && t.String() != transition {
			return "transition " + t.String()
		}
	case "refused":
		if admitted, _, _ := c.TryEnter(b.now); admitted {
			return "admitted"
		}
	case "rec":
		kind, d := outcome(args[1:])
		if t := c.Record(b.now, kind, d, b.draw); watched && t.String() != transition {
			return "transition " + t.String()
		}
	case "release":
		c.ReleaseProbe()
	case "isolate":
		c.Isolate(b.now)
	case "reset":
		c.Reset()
	case "T", "Ok", "Throttled", "Permanent":
		n := 1
		if len(args) > 1 {
			n = number(args[1])
		}
		kind, d := outcome(append(args[:1:1], args[min(2, len(args)):]...))
		for i := range n {
			if admitted, _, _ := c.TryEnter(b.now); !admitted {
				return fmt.Sprintf("entry %d is refused", i+1)
			}
			c.Record(b.now, kind, d, b.draw)
		}
	case "offer":
		kind, d := outcome(args[2:])
		n := 0
		for range number(args[1]) {
			if admitted, _, _ := c.TryEnter(b.now); admitted {
				n++
				c.Record(b.now, kind, d, b.draw)
			}
		}
		return within(float64(n), true, want, func(s string) float64 { return float64(number(s)) })
	case "Closed", "Open", "HalfOpen", "Recovering", "Isolated":
		if s := c.State(b.now); s.String() != word {
			return "state " + s.String()
		}
	case "opened", "unopened":
		if _, ok := c.OpenedAt(); ok != (word == "opened") {
			return "the opposite"
		}
	case "hint":
		d, ok := c.RetryAfter(b.now)
		return within(float64(d), ok, want, inTicks)
	case "normal":
		d, ok := c.NormalLatency(b.now)
		return within(float64(d), ok, want, inTicks)
	case "rate":
		r, ok := c.NormalFailureRate()
		return within(r, ok, want, decimal)
	case "elevated":
		if e := c.Elevated(decimal(args[1])); e != (want == "yes") {
			return "the opposite"
		}
	default:
		return "not a word"
	}
	return ""
}

// within compares a reading with "none", "some", one value or "low..high".
func within(x float64, ok bool, want string, parse func(string) float64) string {
	low, high, ranged := strings.Cut(want, "..")
	if !ranged {
		high = low
	}
	switch {
	case !ok && want == "none", ok && want == "some":
		return ""
	case !ok:
		return "none"
	case want == "none", want == "some", x < parse(low), x > parse(high):
		return fmt.Sprint("reads ", x)
	}
	return ""
}

// outcome reads "Ok:30s"; no kind is Ok and no duration is 0.
func outcome(args []string) (kind Kind, d ticks.Ticks) {
	if len(args) > 0 {
		kind = map[string]Kind{"Ok": Ok, "T": Transient, "Throttled": Throttled, "Permanent": Permanent}[args[0]]
	}
	if len(args) > 1 {
		d = instant(args[1])
	}
	return kind, d
}

func instant(s string) ticks.Ticks {
	if t, ok := strings.CutSuffix(s, "t"); ok {
		return ticks.Ticks(number(t))
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		panic(err)
	}
	return ticks.Ticks(d / 100)
}

func inTicks(s string) float64 { return float64(instant(s)) }

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

// settings is shorthand for a change of settings that consists of several.
func settings(changes ...func(*BreakerSettings)) func(*BreakerSettings) {
	return func(s *BreakerSettings) {
		for _, change := range changes {
			change(s)
		}
	}
}

func noJitter(s *BreakerSettings) { s.BreakJitter = NoJitter }

func breaks(d string) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.BreakDuration = instant(d) }
}

func breaksAtMost(d string) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.MaximumBreakDuration = instant(d) }
}

func consecutive(n int) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.ConsecutiveFailures = n }
}

func minimumCalls(n int) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.MinimumCalls = n }
}

func failureRatio(x float64) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.FailureRatio, s.HasFailureRatio = x, true }
}

func slowerThan(d string) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.SlowCallThreshold, s.HasSlowCallThreshold = instant(d), true }
}

func slowCalls(v SlowCallsSettings) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.SlowCalls = Give(v) }
}

func failures(v FailuresSettings) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.Failures = Give(v) }
}

func noSlowCalls(s *BreakerSettings) { s.SlowCalls = Disable[SlowCallsSettings]() }

func noFailures(s *BreakerSettings) { s.Failures = Disable[FailuresSettings]() }

func probes(atOnce, successes int) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.HalfOpenProbes, s.ProbeSuccesses = atOnce, successes }
}

func recovers(r RecoverySettings) func(*BreakerSettings) {
	return func(s *BreakerSettings) { s.Recovery = &r }
}
