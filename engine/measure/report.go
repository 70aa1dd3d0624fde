// Package measure is what a run measured: counters, latencies, seconds and events, and how they
// become a report, a band, a text block and a digest (scenario.md 9, simulator.md 10 to 12).
package measure

import (
	"squall/engine/policy"
	"squall/engine/ticks"
)

// Report is what one run measured.
type Report struct {
	// Engine is the version of the engine that made it, without "+metadata".
	Engine   string
	Seed     int32
	Duration ticks.Ticks
	// Single asks for the text block of a single run (simulator.md 10) instead of a graph's.
	Single   bool
	Calls    []CallReport
	Services []ServiceReport
	// Entries are the services that load arrives at, in declaration order, repeats kept.
	Entries []string
	Expect  []Expectation
	// Digest is "sha256:" and 64 hexadecimal digits (scenario.md 9).
	Digest string
	// Recording is what the grader reads; nil unless the run kept its calls.
	Recording *Recording
}

// CallReport is what one declared call measured.
type CallReport struct {
	From, To string
	// Policy is the name of the call's policy, empty for none: the prefix of its events' text.
	Policy   string
	Measured Measured
	// Readings are what the call's policy had measured when the run ended (executor.md 19.1). They
	// are no part of the report's JSON.
	Readings policy.Readings
	// Traces has one entry for each call of a recorded run, in the order they began; nil otherwise.
	Traces []Trace
}

// Trace is where one call of a recorded run comes from.
type Trace struct {
	Begun ticks.Ticks
	// Parent is the index in Report.Calls of the declared call above, -1 for a call made by a
	// request from outside; ParentCall and ParentAttempt say which call and attempt of it.
	Parent, ParentCall, ParentAttempt int
}

// ServiceReport is what one service or leaf measured (simulator.md 14.6).
type ServiceReport struct {
	Name        string
	Entry, Leaf bool
	// Degraded counts requests that succeeded without an optional call; it is in the report only
	// when HasOptional is true.
	Degraded    int
	HasOptional bool
	Measured    Measured
}

// Expectation is one line of a scenario's "expect", judged.
type Expectation struct {
	Text  string
	Holds bool
	// Actual is the measured value as JSON: a number, nanoseconds for times, or null.
	Actual string
}

// Measured is the M of scenario.md 9.
type Measured struct {
	Calls, Succeeded, Reached, RefusedByLimiter int
	// Amplification is the worst second (simulator.md 10).
	Amplification float64
	Latency       Quantiles
	// TimeToRecover counts only when Recovered is true.
	TimeToRecover ticks.Ticks
	Recovered     bool
	Events        [policy.EventKinds]int
	Levels        [policy.Levels]LevelCount
	// Limiter is nil without a limiter.
	Limiter *LimiterReport
	Seconds Seconds
	// Timeline is nil unless the run recorded.
	Timeline []Moment
	// latencies, as calls finished; they answer LatencyAt for any q.
	latencies []ticks.Ticks
}

// Quantiles are the six latencies of a report.
type Quantiles struct{ P50, P90, P95, P99, P999, Max ticks.Ticks }

// LevelCount is what a level offered and what of it succeeded.
type LevelCount struct{ Calls, Succeeded int }

// LimiterReport is a limiter's last limit and every move of it.
type LimiterReport struct {
	Limit   int
	Changes []LimitChange
}

// LimitChange is one move of a limit's whole part.
type LimitChange struct {
	At    ticks.Ticks
	Limit int
}

// Seconds are the series of a report, one array each, index = second. Calls and Reached have the
// same length; the others may be longer. Series that do not apply are empty.
type Seconds struct {
	Calls, Reached []int
	// Succeeded and Failed count calls by the second they finished in.
	Succeeded []int
	Failed    [policy.Stops][]int
	// P50 and P99 are the latencies of the calls that finished in the second, 0 when none did.
	P50, P99 []ticks.Ticks
	// What follows is read at the end of each second.
	InFlight []int
	// Budget is how many tokens the bucket held.
	Budget []float64
	// Breaker is the stored state: 0 closed, 1 open, 2 half-open, 3 recovering.
	Breaker []int
	// Ceiling is the last attempt ceiling that was applied, 0 while none was.
	Ceiling []ticks.Ticks
	// Permits is how many permits of the call's own limiter were held.
	Permits []int
	// QueueDelay is the modelled pool's delay of the caller.
	QueueDelay []ticks.Ticks
}

// Moment is one event of a timeline.
type Moment struct {
	At      ticks.Ticks
	Kind    policy.EventKind
	Number  int
	Verdict policy.Kind
	Error   policy.Failure
	// Duration is the attempt's or the time elapsed in the call (executor.md 17).
	Duration ticks.Ticks
	// Delay counts only when HasDelay is true.
	Delay    ticks.Ticks
	HasDelay bool
	// Call is which call of this edge raised it, counted from 0 in the order they began.
	Call int
}

// Recording is every request and attempt of a run, for the grader (grading.md 1, 4).
type Recording struct {
	Services []ServiceRecording
	// Matched and Fired count per rule, in the order of the rules.
	Matched, Fired []int
}

// ServiceRecording is what one service answered and sent.
type ServiceRecording struct {
	Service  string
	Inbound  []InboundCall
	Outbound []OutboundCall
	// Matched counts per rule how many of this service's calls it claimed.
	Matched []int
}

// InboundCall is one request at the service.
type InboundCall struct {
	At, Duration ticks.Ticks
	// Status is 200, 503 or 504 (grading.md 4).
	Status int
}

// OutboundCall is one attempt that reached the callee.
type OutboundCall struct {
	At, Duration ticks.Ticks
	To           string
	Status       int
	// Parent is the index of the request in Inbound.
	Parent int
	// Rule is the index of the rule that perturbed the call, -1 for none.
	Rule    int
	Effects []int
	// ChaosStatus is the status that was injected, 0 for none.
	ChaosStatus int
	// Delay is what the rule added.
	Delay ticks.Ticks
}
