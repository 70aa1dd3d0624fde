package grading

import "squall/engine/world"

// Report is a grade (grading.md 8). Its zero values are what the output shows as null, 0 or empty.
type Report struct {
	// Overall is the worst letter of the services that count, [NoLetter] when none has one.
	Overall  Letter
	Services []ServiceReport
	// Unused are the acceptances that match no finding, in input order.
	Unused []Acceptance
}

// ServiceReport is the grade of one service.
type ServiceReport struct {
	Service string
	Role    Role
	// Letter is [NoLetter] when NA says why there is none.
	Letter  Letter
	NA      string
	Measure Measure
	Buckets Buckets
	// LatencyNotJudged counts handled windows whose latency had nothing to be compared with.
	LatencyNotJudged int
	Recovery         Recovery
	Worst            Worst
	Faults           Faults
	Findings         []Finding
	Steps            []Step
	Rules            []RuleReport
	Bounds           Bounds
	Ladder           Ladder
	// Threshold is empty in n/a.
	Threshold string
	Detail    string
}

// Measure is the share of fault windows that were handled. It does not count in n/a.
type Measure struct {
	Handled, Windows int
	// Text is the measure in words: "90% of faults handled".
	Text string
}

// Buckets are the fault windows that were not handled, by the first check they fell to.
type Buckets struct{ ErrorPassedThrough, UnboundedRetries, LatencyAmplification int }

// Recovery is what became of the affected endpoints.
type Recovery struct {
	// Recovered includes the accepted ones.
	Recovered, NotRecovered, Unknown int
	// SlowestNs counts only when HasSlowest is true: an endpoint did recover.
	SlowestNs  int64
	HasSlowest bool
	// Endpoints are sorted by endpoint, then by rule id.
	Endpoints []EndpointRecovery
}

// EndpointRecovery is one inbound endpoint that one rule hit.
type EndpointRecovery struct {
	Endpoint, Rule string
	State          RecoveryState
	// AfterNs is how long after the rule stopped it answered; it counts for Recovered alone.
	AfterNs int64
}

// RecoveryState is what became of an affected endpoint.
type RecoveryState uint8

// The states (grading.md 6).
const (
	Recovered RecoveryState = iota
	Accepted
	NotRecovered
	// NoRequest is unknown: no request reached the endpoint after the fault cleared.
	NoRequest
	// StillFiring is unknown: the rule fired until the load ended.
	StillFiring
)

var recoveryStateNames = [...]string{"recovered", "accepted", "notRecovered", "noRequest", "stillFiring"}

// String is the state as the report writes it.
func (s RecoveryState) String() string { return recoveryStateNames[min(s, StillFiring)] }

// Worst are the worst amplifications of all fault windows, whatever their bucket.
type Worst struct {
	// RetryAmplification is the greatest attempts beyond the usual ones.
	RetryAmplification float64
	// LatencyAmplification counts only when HasLatency is true: some window had one.
	LatencyAmplification float64
	HasLatency           bool
}

// Faults count the perturbed calls and how they were paired.
type Faults struct {
	Injected, Paired                      int
	Trace, TraceAmbiguous, InFlight, Span int
	// NotJudgedCalls are those beyond the limit of calls kept, NonHTTP those of other protocols.
	NotJudgedCalls, NonHTTP int
}

// Finding is one thing the service did wrong, with its worst example in words.
type Finding struct {
	Group Group
	Check Check
	// Endpoint is the inbound endpoint and Rule the chaos rule's id: with the check they are the
	// finding's identity.
	Endpoint, Rule string
	// Dependency is the outbound endpoint of the example.
	Dependency string
	// Count is windows, or the requests looked at for [NoRecovery].
	Count           int
	FirstNs, LastNs int64
	Sentence        string
	// Accepted is the reason; it counts only in [GroupAccepted].
	Accepted string
}

// Group is where a finding is shown.
type Group uint8

// The groups: one a check in the order of the checks, and the accepted findings last.
const (
	GroupNotHandled Group = iota
	GroupRetries
	GroupLatency
	GroupRecovery
	GroupAccepted
)

var groupNames = [...]string{"Not handled", "Retries", "Latency", "Recovery", "Accepted"}

// String is the group's heading.
func (g Group) String() string { return groupNames[min(g, GroupAccepted)] }

// Step is one move that would raise the measure or lift the cap, on top of the step before.
type Step struct {
	Sentence string
	From, To Letter
	// Stays is the mark of a step that reaches no rung ("Stays F"), else empty.
	Stays string
}

// RuleReport is one line of the chaos rules table.
type RuleReport struct {
	// Rule is as declared; of a rule that was only seen it has the id, the name and the effects.
	// Its Matched is what this service's recording says.
	Rule world.ChaosRule
	// Fired are perturbed calls, Faulted the windows with one, Handled those that were handled.
	Fired, Faulted, Handled int
	// ShadowedBy is the id of the rule in front that leaves it nothing to match, or empty.
	ShadowedBy string
}
