package grading

import (
	"math"
	"strings"

	"squall/engine/document"
	"squall/engine/ticks"
)

// maxBound is far above any bound that means something, and small enough for exact arithmetic.
const maxBound = 1_000_000_000

// ReadSettings reads the value of "grading" (grading.md 2), of a scenario or of a recording. What
// is wrong is reported to the document that the value belongs to; a missing value has the defaults.
func ReadSettings(v document.Value) Settings {
	o := written(v).Object("role", "bounds", "ladder", "accept")
	s := Settings{Bounds: DefaultBounds, Ladder: DefaultLadder}
	if role, ok := written(o.Get("role")).Enum(roleNames[:]...); ok {
		s.Role = Role(role)
	}
	bounds := written(o.Get("bounds")).Object("maxRetries", "maxLatencyAmplification", "recoveryWindow")
	retries, _ := written(bounds.Get("maxRetries")).Int(math.MinInt64, maxBound)
	s.Bounds.MaxRetries = int(max(retries, 0))
	s.Bounds.MaxLatencyAmplification = decodeThousandths(bounds.Get("maxLatencyAmplification"))
	s.Bounds.RecoveryWindow = decodeWindow(bounds.Get("recoveryWindow"))
	s.Ladder = decodeLadder(o.Get("ladder"))
	for item := range written(o.Get("accept")).List() {
		s.Accept = append(s.Accept, decodeAcceptance(item))
	}
	return s.withDefaults()
}

// decodeWindow lets a negative window through: like every bound it takes the default then.
func decodeWindow(v document.Value) ticks.Ticks {
	v = written(v)
	if v.Kind() == document.Text {
		if text, _ := v.Text(); strings.HasPrefix(text, "-") {
			if _, err := document.ParseDuration(text[1:]); err == nil {
				return 0
			}
		}
	}
	window, _ := v.Duration("s")
	return window
}

// decodeLadder reads all four rungs; a ladder that is not written is the default one.
func decodeLadder(v document.Value) Ladder {
	v = written(v)
	if !v.Exists() {
		return DefaultLadder
	}
	o := v.Object("A", "B", "C", "D")
	var l Ladder
	complete := true
	for _, rung := range []struct {
		key string
		at  *Thousandths
	}{{"A", &l.A}, {"B", &l.B}, {"C", &l.C}, {"D", &l.D}} {
		value := o.Need(rung.key)
		complete = complete && value.Kind() == document.Number
		if value.Kind() == document.Null {
			value.Float() // says what it must be
		}
		*rung.at = decodeThousandths(value)
	}
	if complete && !l.valid() {
		v.Problem("must descend strictly from at most 100 to above 0, such as 99, 95, 90, 80")
	}
	return l
}

// decodeThousandths reads a number with at most three decimals. Anything at or below zero is 0.
func decodeThousandths(v document.Value) Thousandths {
	x, ok := written(v).Float()
	if !ok || x <= 0 {
		return 0
	}
	if x > maxBound {
		v.Problem("must be at most 1000000000")
		return 0
	}
	// The double nearest to a decimal of three places is nearest to that decimal alone, so the
	// number was one exactly when reading its thousandths back gives the same double.
	t := Thousandths(ticks.FromFloat(float64(x*1000) + 0.5))
	if float64(t)/1000 != x {
		v.Problem("must have at most three decimals")
	}
	return t
}

func decodeAcceptance(v document.Value) Acceptance {
	o := v.Object("service", "check", "endpoint", "rule", "reason")
	var a Acceptance
	a.Service, _ = written(o.Get("service")).Text()
	check, _ := o.Need("check").Enum(checkNames[:]...)
	a.Check = Check(check)
	a.Endpoint, _ = o.Need("endpoint").Text()
	a.Rule, _ = o.Need("rule").Text()
	reason := o.Need("reason")
	var ok bool
	if a.Reason, ok = reason.Text(); ok && strings.TrimSpace(a.Reason) == "" {
		reason.Problem("must say why the finding is accepted")
	}
	return a
}

// written is a value that may as well be null: nobody wrote it then.
func written(v document.Value) document.Value {
	if v.Kind() == document.Null {
		return document.Value{}
	}
	return v
}
