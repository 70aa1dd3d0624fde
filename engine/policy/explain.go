package policy

import "squall/engine/problem"

// Explanation is what a policy can do to a caller and to a dependency, worked out without running
// it (executor.md 19). It is data; String lays it out as text and AppendJSON writes it for a page.
type Explanation struct {
	// Headline names the policy and its bounds.
	Headline string
	// Problems are those of Settings.Validate. A policy that has some is explained all the same.
	Problems problem.List
	// Bound is what ends a call first, and BoundText says it in a sentence (19.4).
	Bound     Bound
	BoundText string
	Walk      Walk
	Load      Load
	// Measured has one entry for each reading of 19.1, in that order.
	Measured []Measurement
	// MeasuredNote is empty without Saturation.
	MeasuredNote string
	// Breaker is the state and the settings in a sentence, or that there is none.
	Breaker string
	// Classifier is the name of the rules that turn outcomes into verdicts, Rules are the rules.
	Classifier string
	Rules      []Rule
}

// Bound names what ends a call.
type Bound uint8

// The bounds. Breaker and budget bound a call by what has happened to others; the rest is found by
// the walk, where BoundAttempts is a walk that was given up after very many attempts.
const (
	BoundNothing Bound = iota
	BoundBreaker
	BoundBudget
	BoundAttempts
	BoundDeadline
	BoundCeiling
	BoundTimeout
)

func (b Bound) String() string {
	return [...]string{"nothing", "breaker", "budget", "attempts", "deadline", "attemptCeiling", "attemptTimeout"}[b]
}

// Measurement is one measured term: its value now, and how it is measured.
type Measurement struct {
	Name string
	Reading
	Note string
}

// Rule is one line of a classifier: what it is about, and the verdict.
type Rule struct {
	Of, Verdict string
}

// Explain works out what the policy does at its worst, given what has been measured so far. Every
// failure is taken to be transient. The settings may be invalid; the walk is bounded all the same.
func Explain(s *Settings, r Readings) Explanation {
	r = r.of(s)
	e := Explanation{
		Headline: headline(s),
		Problems: s.Validate(),
		Walk:     walk(s, r),
		Load:     loadOf(s, r),
		Breaker:  describeBreaker(s.Breaker, r.Breaker),
	}
	e.Walk.Notes = walkNotes(s, len(e.Walk.Rows))
	e.Bound, e.BoundText = firstBound(s, r, &e.Walk)
	e.Measured, e.MeasuredNote = measurements(s, r)
	e.Classifier, e.Rules = classifierOf(s.Preset)
	return e
}

// Load is what one call can cost its dependency.
type Load struct {
	// AttemptsMax is the most attempts of one call, hedged legs included.
	AttemptsMax int
	// Budget is where retries are paid from.
	Budget BudgetKind
	// Sustained is the attempts per call that the bucket pays for while everything fails, as a
	// ratio, beside FloorPerSecond retries a second. Without a bucket it is AttemptsMax.
	Sustained      float64
	Fraction       float64
	FloorPerSecond int
	// Spent is the share of the bucket that is spent, in [0, 1].
	Spent float64
	// Text says it in a sentence.
	Text string
}

// loadOf works out what retries can add. A bucket that is not used counts as none.
func loadOf(s *Settings, r Readings) Load {
	l := Load{AttemptsMax: max(s.Attempts, 1), Budget: s.Budget.Kind}
	l.Sustained = float64(l.AttemptsMax)
	if b, on := s.bucket(); on && l.AttemptsMax > 1 {
		l.Fraction, l.FloorPerSecond = b.Fraction, b.MinimumPerSecond
		l.Sustained = 1 + b.Fraction
		l.Spent = r.Utilization
	}
	l.Text = l.text(s)
	return l
}

// bucket is the settings of the bucket that the policy spends from; false for none.
func (s *Settings) bucket() (BudgetSettings, bool) {
	switch {
	case s.Budget.Kind == AutomaticBudget:
		return AutomaticBucket(), true
	case s.Budget.Kind == BucketBudget && s.Budget.Bucket != nil:
		return *s.Budget.Bucket, true
	}
	return BudgetSettings{}, false
}
