package policy

// Kind is what an attempt's outcome means to the policy (executor.md 3.1).
type Kind uint8

// The kinds of verdict, in the order of 3.1.
const (
	Ok Kind = iota
	Transient
	Throttled
	Permanent
)

func (k Kind) String() string { return [...]string{"Ok", "Transient", "Throttled", "Permanent"}[k] }

// Verdict is a kind and whether it was made on this side of the wire, by a limiter.
type Verdict struct {
	Kind        Kind
	SelfImposed bool
}

// Failure is the error family that an attempt or a call ended with (3.4).
type Failure uint8

const (
	NoFailure Failure = iota
	IOException
	AttemptTimeoutException
	DeadlineExceededException
	CallRejectedException
	RateLimitedException
)

func (f Failure) String() string {
	return [...]string{"", "IOException", "AttemptTimeoutException", "DeadlineExceededException", "CallRejectedException", "RateLimitedException"}[f]
}

// Level is how much a call matters (15.1), in ascending order.
type Level uint8

// The levels; Critical is what a call has that says nothing.
const (
	Sheddable Level = iota
	SheddablePlus
	Critical
	CriticalPlus
	Levels = 4
)

func (l Level) String() string {
	return [...]string{"Sheddable", "SheddablePlus", "Critical", "CriticalPlus"}[l]
}

// Stop is why a call ended (18.1).
type Stop uint8

// The stop reasons, in the order of 18.1.
const (
	StopSucceeded Stop = iota
	StopPermanent
	StopAttemptsExhausted
	StopDeadlineExceeded
	StopBudgetExhausted
	StopDependencyUnavailable
	StopDraining
	Stops = 7
)

// EventKind numbers the events of a call (section 17). The numbers are part of the contract.
type EventKind uint8

// The kinds, in the order of section 17.
const (
	EventAttempt EventKind = iota
	EventRetrying
	EventSucceeded
	EventNotRetried
	EventRejectedByBreaker
	EventRejectedByBudget
	EventDeadlineExceeded
	EventOrphanedWork
	EventBreakerOpened
	EventBreakerClosed
	EventBreakerHalfOpened
	EventNestedRetry
	EventExhausted
	EventHedgeStarted
	EventHedgeWon
	EventHedgeDiscarded
	EventAttemptCeilingAdapted
	EventBackoffBaseAdapted
	EventHedgeSuppressed
	EventStalled
	EventSaturationDetected
	EventRejectedByQuota
	EventStreamResumed
	EventDraining
	EventKinds = 24
)

var eventNames = [EventKinds]string{
	"Attempt", "Retrying", "Succeeded", "NotRetried", "RejectedByBreaker", "RejectedByBudget", "DeadlineExceeded",
	"OrphanedWork", "BreakerOpened", "BreakerClosed", "BreakerHalfOpened", "NestedRetry", "Exhausted", "HedgeStarted",
	"HedgeWon", "HedgeDiscarded", "AttemptCeilingAdapted", "BackoffBaseAdapted", "HedgeSuppressed", "Stalled",
	"SaturationDetected", "RejectedByQuota", "StreamResumed", "Draining",
}

func (k EventKind) String() string { return eventNames[k] }
