package grading

import (
	"squall/engine/ticks"
	"squall/engine/world"
	"squall/grading/recording"
)

// Input is everything a grade depends on (grading.md 2).
type Input struct {
	// Recordings are one a service, in the order of the report.
	Recordings []recording.Recording
	// Rules are the declared chaos rules; rules that a recording alone knows are added to them.
	Rules    []world.ChaosRule
	Settings Settings
}

// Settings are how a grade is made. The zero value grades by the defaults and counts for no gate.
type Settings struct {
	Role   Role
	Bounds Bounds
	// Ladder is replaced by the default one when its rungs do not descend (grading.md 7).
	Ladder Ladder
	Accept []Acceptance
}

// Role says what a grade counts for (grading.md 7).
type Role uint8

// The roles.
const (
	// RoleOff is computed and shown, and no part of the overall letter.
	RoleOff Role = iota
	// RoleAdvisory is shown and never fails a gate.
	RoleAdvisory
	// RoleRequired counts.
	RoleRequired
)

var roleNames = [...]string{RoleOff: "off", RoleAdvisory: "advisory", RoleRequired: "required"}

// String is the role as a document writes it.
func (r Role) String() string { return roleNames[min(r, RoleRequired)] }

// Bounds say what counts as handling a fault well. A bound at or below zero takes the default.
type Bounds struct {
	// MaxRetries is how many attempts beyond its usual ones a request may make.
	MaxRetries int
	// MaxLatencyAmplification is how many times the injected delay a request may slow down by.
	MaxLatencyAmplification Thousandths
	// RecoveryWindow is how long an endpoint has to answer once its rule stopped firing.
	RecoveryWindow ticks.Ticks
}

// DefaultBounds has the bounds of grading.md 2.
var DefaultBounds = Bounds{MaxRetries: 3, MaxLatencyAmplification: 2000, RecoveryWindow: 30 * ticks.Second}

// Check is one of the four questions; its text is the check's id.
type Check uint8

// The checks, in the order in which they are judged and shown.
const (
	ErrorPassedThrough Check = iota
	UnboundedRetries
	LatencyAmplification
	NoRecovery
	// Checks is how many checks there are.
	Checks = iota
)

var checkNames = [Checks]string{"error_passed_through", "unbounded_retries", "latency_amplification", "no_recovery"}

// String is the check's id.
func (c Check) String() string { return checkNames[min(c, NoRecovery)] }

// ParseCheck reads a check's id.
func ParseCheck(id string) (Check, bool) {
	for i, name := range checkNames {
		if name == id {
			return Check(i), true
		}
	}
	return 0, false
}

// Acceptance is a finding that somebody decided to live with. It names a finding by its identity:
// check, inbound endpoint and rule id, and the service unless that is empty (any service).
type Acceptance struct {
	Service  string
	Check    Check
	Endpoint string
	Rule     string
	Reason   string
}

// withDefaults are the settings that the report shows.
func (s Settings) withDefaults() Settings {
	if s.Bounds.MaxRetries <= 0 {
		s.Bounds.MaxRetries = DefaultBounds.MaxRetries
	}
	if s.Bounds.MaxLatencyAmplification <= 0 {
		s.Bounds.MaxLatencyAmplification = DefaultBounds.MaxLatencyAmplification
	}
	if s.Bounds.RecoveryWindow <= 0 {
		s.Bounds.RecoveryWindow = DefaultBounds.RecoveryWindow
	}
	if !s.Ladder.valid() {
		s.Ladder = DefaultLadder
	}
	return s
}
