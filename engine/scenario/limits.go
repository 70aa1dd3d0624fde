package scenario

import (
	"squall/engine"
	"squall/engine/world"
)

// What one document may ask for. A scenario can come from a link, so everything it can multiply is
// bounded; every bound has a message of its own. Lengths of time are bounded by the reader of
// durations (ten years), sizes of documents and their depth by the package document (1 MiB, 64).
const (
	// CallsMax is how many calls the loads of one run may offer, if Options do not say otherwise.
	CallsMax = 20_000_000
	// RecordedShare of that is allowed with "record": a timeline keeps every event in memory.
	RecordedShare = 0.1
	// SecondsMax is the longest duration in seconds.
	SecondsMax = engine.SecondsMax
	// CellsMax bounds seconds times calls, services and dependencies: the size of a report.
	CellsMax = engine.CellsMax
	// DeclaredMax is how many policies, budgets, services, dependencies and calls may be declared, each.
	DeclaredMax = 200
	// PerSecondMax is the most that one load may offer in a second.
	PerSecondMax = world.PerSecondMax
	// LoadsMax is how many loads may be listed.
	LoadsMax = 50
	// StretchesMax is how many impairments a dependency, and stalls a pool, may have.
	StretchesMax = 100
	// RulesMax is how many chaos rules there may be, and EffectsMax how many effects a rule may have.
	RulesMax, EffectsMax = 200, 20
	// SeedsMax is how many seeds a band may have.
	SeedsMax = 10_000
	// ExpectMax is how many expectations there may be.
	ExpectMax = 200
	// VariantsMax is how many variants there may be.
	VariantsMax = 50
	// IntegerMax is the largest whole number of a setting.
	IntegerMax = 1<<31 - 1
)
