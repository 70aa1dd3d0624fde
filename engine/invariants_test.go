package engine_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"

	"pgregory.net/rapid"
)

// affordable bounds the attempts of a random scenario: retries multiply down a graph.
const affordable = 30_000

// checker is what the invariants are checked for: a test or rapid.
type checker interface {
	Helper()
	Fatalf(format string, args ...any)
}

// TestInvariants holds thousands of random scenarios, the same ones every time, to what is true of
// every run. A failure names the scenario's number, and chosenBy makes it again.
func TestInvariants(t *testing.T) {
	scenarios := 3000
	if runtime.GOARCH == "wasm" {
		scenarios = 600 // ten times slower, and the goldens say that it is the same
	}
	ran := 0
	var seen [policy.EventKinds]bool
	for number := range scenarios {
		r := checkRun(numbered{t, number}, chosenBy(number).scenario(), int32(number))
		if r == nil {
			continue
		}
		ran++
		for i := range r.Calls {
			for kind, n := range r.Calls[i].Measured.Events {
				seen[kind] = seen[kind] || n > 0
			}
		}
	}
	if ran < scenarios*9/10 {
		t.Errorf("only %d of %d scenarios were run: the others make too many attempts", ran, scenarios)
	}
	for kind, saw := range seen {
		switch k := policy.EventKind(kind); k {
		case policy.EventNestedRetry, policy.EventStalled, policy.EventRejectedByQuota, policy.EventStreamResumed, policy.EventDraining:
			// a simulated call raises none of these
		default:
			if !saw {
				t.Errorf("no scenario raised %v: the generator does not reach it", k)
			}
		}
	}
}

// numbered says which scenario failed.
type numbered struct {
	*testing.T
	number int
}

func (n numbered) Fatalf(format string, args ...any) {
	n.Helper()
	n.T.Fatalf("scenario %d: %s", n.number, fmt.Sprintf(format, args...))
}

// TestInvariantsShrink is the same with fresh scenarios and a search for the smallest that fails.
func TestInvariantsShrink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRun(t, drawn(t).scenario(), rapid.Int32().Draw(t, "seed")) })
}

func FuzzRun(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("squall: any bytes are a scenario, and a scenario never fails its invariants"))
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { checkRun(t, drawn(t).scenario(), rapid.Int32().Draw(t, "seed")) }))
}

// checkRun runs a scenario in several ways; nil means that it makes too many attempts.
func checkRun(t checker, topology *engine.Topology, seed int32) *measure.Report {
	t.Helper()
	if problems := topology.Validate(); len(problems) > 0 {
		t.Fatalf("the generator made an invalid scenario: %v", problems)
	}
	o := engine.Options{AttemptsMax: affordable}
	r, left, err := engine.RunToTheEnd(context.Background(), topology, seed, o)
	if errors.Is(err, engine.ErrTooManyAttempts) {
		return nil
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	checkLeftovers(t, topology, r, left)
	checkCounts(t, topology, r)

	// The same run, recorded in both ways: nothing else is different.
	loud := *topology
	loud.Record, loud.RecordCalls = true, true
	recorded, err := engine.Run(context.Background(), &loud, seed, o)
	if err != nil {
		t.Fatalf("recorded: %v", err)
	}
	checkTimelines(t, topology, recorded)
	checkRecording(t, recorded)
	for i := range recorded.Calls {
		recorded.Calls[i].Measured.Timeline = nil
	}
	recorded.Seal()
	if a, b := string(r.AppendJSON(nil)), string(recorded.AppendJSON(nil)); a != b {
		t.Fatalf("recording changes the run:\n%s\n%s", a, b)
	}
	if r.Text() != recorded.Text() {
		t.Fatalf("recording changes the text:\n%s%s", r.Text(), recorded.Text())
	}
	return r
}

// checkLeftovers: nothing is in flight when a run is over (executor.md 23.13 U2, U3, V3).
func checkLeftovers(t checker, topology *engine.Topology, r *measure.Report, left engine.Leftovers) {
	t.Helper()
	launched := left.Launched
	left.Launched = 0
	if left != (engine.Leftovers{}) {
		t.Fatalf("left over: %+v", left)
	}
	ended, out := 0, 0
	for i := range r.Calls {
		m := &r.Calls[i].Measured
		ended += m.Events[policy.EventAttempt] + m.Events[policy.EventHedgeDiscarded]
		out += m.Reached + m.RefusedByLimiter
	}
	if ended != launched {
		t.Fatalf("%d attempts launched, %d recorded or discarded", launched, ended)
	}
	if out > launched || len(topology.Pools) == 0 && out != launched {
		t.Fatalf("%d attempts launched, %d got through or were refused", launched, out)
	}
}

// terminal are the events that end a call, exactly one each (V1).
var terminal = [policy.EventKinds]bool{
	policy.EventSucceeded: true, policy.EventNotRetried: true, policy.EventRejectedByBreaker: true, policy.EventRejectedByBudget: true,
	policy.EventDeadlineExceeded: true, policy.EventExhausted: true,
}

// checkCounts: what a report says adds up, within a call, from second to second, and from one
// service to the next.
func checkCounts(t checker, topology *engine.Topology, r *measure.Report) {
	t.Helper()
	into, outOf := map[string]int{}, map[string]int{}
	for i := range r.Calls {
		c := &r.Calls[i]
		m := &c.Measured
		into[c.To] += m.Reached
		outOf[c.From] += m.Reached
		ends := 0
		for kind, n := range m.Events {
			if terminal[kind] {
				ends += n
			}
		}
		at := c.From + " -> " + c.To
		switch e := &m.Events; {
		case ends != m.Calls:
			t.Fatalf("%s: %d calls end %d times", at, m.Calls, ends)
		case e[policy.EventSucceeded] != m.Succeeded:
			t.Fatalf("%s: %d calls succeeded, %d events say so", at, m.Succeeded, e[policy.EventSucceeded])
		case e[policy.EventHedgeWon] > e[policy.EventHedgeStarted]:
			t.Fatalf("%s: %d hedges won of %d", at, e[policy.EventHedgeWon], e[policy.EventHedgeStarted])
		case e[policy.EventBreakerHalfOpened] > e[policy.EventBreakerOpened]:
			t.Fatalf("%s: half-opened %d times, opened %d", at, e[policy.EventBreakerHalfOpened], e[policy.EventBreakerOpened])
		}
		checkSums(t, at, m)
	}
	for i := range r.Services {
		s := &r.Services[i]
		m := &s.Measured
		checkSums(t, s.Name, m)
		if s.Leaf && (m.Calls != into[s.Name] || m.Reached != m.Calls) {
			t.Fatalf("%s: %d attempts reach it, it saw %d and has reached %d", s.Name, into[s.Name], m.Calls, m.Reached)
		}
		if s.Leaf {
			continue
		}
		if m.Reached != outOf[s.Name] {
			t.Fatalf("%s: sent %d, its calls %d", s.Name, m.Reached, outOf[s.Name])
		}
		// An injected refusal keeps an attempt from the service that it reached.
		if !s.Entry && (m.Calls > into[s.Name] || topology.Chaos == nil && m.Calls != into[s.Name]) {
			t.Fatalf("%s: %d attempts reach it, it saw %d", s.Name, into[s.Name], m.Calls)
		}
	}
}

// checkSums: the parts of one measured object add up to its totals.
func checkSums(t checker, of string, m *measure.Measured) {
	t.Helper()
	sum := func(series []int) (n int) {
		for _, x := range series {
			n += x
		}
		return n
	}
	failed, calls, succeeded := 0, 0, 0
	for _, series := range m.Seconds.Failed {
		failed += sum(series)
	}
	for _, level := range m.Levels {
		calls += level.Calls
		succeeded += level.Succeeded
	}
	q := m.Latency
	switch {
	case sum(m.Seconds.Calls) != m.Calls || sum(m.Seconds.Reached) != m.Reached:
		t.Fatalf("%s: the seconds hold %d calls and %d attempts of %d and %d", of, sum(m.Seconds.Calls), sum(m.Seconds.Reached), m.Calls, m.Reached)
	case sum(m.Seconds.Succeeded) != m.Succeeded || failed != m.Failed():
		t.Fatalf("%s: the seconds hold %d successes and %d failures of %d and %d", of, sum(m.Seconds.Succeeded), failed, m.Succeeded, m.Failed())
	case calls != m.Calls || succeeded != m.Succeeded:
		t.Fatalf("%s: the levels hold %d calls and %d successes of %d and %d", of, calls, succeeded, m.Calls, m.Succeeded)
	case q.P50 > q.P90 || q.P90 > q.P95 || q.P95 > q.P99 || q.P99 > q.P999 || q.P999 > q.Max:
		t.Fatalf("%s: quantiles fall: %+v", of, q)
	}
	worst := 0.0
	for i, n := range m.Seconds.Calls {
		if n > 0 {
			worst = max(worst, float64(m.Seconds.Reached[i])/float64(n))
		}
	}
	if worst != m.Amplification {
		t.Fatalf("%s: the worst second is %v, reported is %v", of, worst, m.Amplification)
	}
}

// checkTimelines: events come in order, count what was counted, and tell of each call one story with
// one end.
func checkTimelines(t checker, topology *engine.Topology, r *measure.Report) {
	t.Helper()
	for i := range r.Calls {
		c := &r.Calls[i]
		m := &c.Measured
		attempts := topology.Calls[i].Policy.Attempts
		recorded, ended := make([]int, m.Calls), make([]int, m.Calls)
		var counts [policy.EventKinds]int
		before := ticks.Ticks(0)
		for k := range m.Timeline {
			e := &m.Timeline[k]
			counts[e.Kind]++
			if e.At < before {
				t.Fatalf("%s -> %s: %v after %v", c.From, c.To, e.At, before)
			}
			before = e.At
			if terminal[e.Kind] {
				ended[e.Call]++
			}
			if e.Kind == policy.EventAttempt {
				if recorded[e.Call]++; e.Number != recorded[e.Call] && topology.Calls[i].Policy.Hedge == nil {
					t.Fatalf("%s -> %s: attempt %d of call %d is numbered %d", c.From, c.To, recorded[e.Call], e.Call, e.Number)
				}
			}
		}
		if counts != m.Events {
			t.Fatalf("%s -> %s: the timeline holds %v, counted were %v", c.From, c.To, counts, m.Events)
		}
		for call := range ended {
			if ended[call] != 1 || recorded[call] > attempts {
				t.Fatalf("%s -> %s: call %d ended %d times after %d of %d attempts", c.From, c.To, call, ended[call], recorded[call], attempts)
			}
		}
		if len(c.Traces) != m.Calls {
			t.Fatalf("%s -> %s: %d traces of %d calls", c.From, c.To, len(c.Traces), m.Calls)
		}
		took, recovered := recoveryByRule(topology, c)
		if recovered != m.Recovered || recovered && took != m.TimeToRecover {
			t.Fatalf("%s -> %s: recovered %v after %v, the rule says %v, %v", c.From, c.To, m.Recovered, m.TimeToRecover, recovered, took)
		}
	}
}

// recoveryByRule is the TimeToRecover of simulator.md 10, from a recorded run.
func recoveryByRule(topology *engine.Topology, c *measure.CallReport) (ticks.Ticks, bool) {
	until := ticks.Ticks(-1)
	for i := range topology.Leaves {
		for _, m := range topology.Leaves[i].Dependency.Impairments {
			if topology.Leaves[i].Name == c.To {
				until = max(until, m.After+m.Lasting)
			}
		}
	}
	served := make([]bool, len(c.Traces))
	for i := range c.Measured.Timeline {
		if e := &c.Measured.Timeline[i]; e.Kind == policy.EventSucceeded {
			served[e.Call] = true
		}
	}
	for i, first := range c.Traces {
		if until < 0 || first.Begun < until {
			continue
		}
		closes := first.Begun + second
		if closes > topology.Duration {
			break
		}
		k := i
		for k < len(c.Traces) && c.Traces[k].Begun < closes && served[k] {
			k++
		}
		if k == len(c.Traces) || c.Traces[k].Begun >= closes {
			return first.Begun - until, true
		}
	}
	return 0, false
}

// checkRecording: the grader's recording holds every request and every attempt that got through, and
// no more rules fired than matched.
func checkRecording(t checker, r *measure.Report) {
	t.Helper()
	for i := range r.Recording.Services {
		s := &r.Recording.Services[i]
		m := r.At(s.Service)
		if len(s.Inbound) != m.Calls || len(s.Outbound) != m.Reached {
			t.Fatalf("%s: %d requests and %d attempts recorded of %d and %d", s.Service, len(s.Inbound), len(s.Outbound), m.Calls, m.Reached)
		}
		good := 0
		for k := range s.Inbound {
			if s.Inbound[k].Status == 200 {
				good++
			}
		}
		if good != m.Succeeded {
			t.Fatalf("%s: %d requests answered 200, %d succeeded", s.Service, good, m.Succeeded)
		}
		for k := range s.Outbound {
			o := &s.Outbound[k]
			in := &s.Inbound[o.Parent]
			if o.At < in.At || o.Duration < 0 || o.Delay < 0 || (o.Rule < 0) != (len(o.Effects) == 0) {
				t.Fatalf("%s: attempt %+v of request %+v", s.Service, *o, *in)
			}
		}
	}
	for i, fired := range r.Recording.Fired {
		if fired > r.Recording.Matched[i] {
			t.Fatalf("rule %d fired %d times and matched %d calls", i, fired, r.Recording.Matched[i])
		}
	}
}
