package grading

import (
	"math"
	"strconv"
	"strings"

	"squall/engine/document"
	"squall/engine/measure"
	"squall/engine/ticks"
	"squall/engine/world"
)

const (
	// chaosDelayDefault is the delay ceiling of a rule that names none, chaosDelayMax the longest.
	chaosDelayDefault = 30 * ticks.Second
	chaosDelayMax     = 60 * ticks.Second
)

// decodeChaos reads the value of "chaos" (grading.md 3), of a scenario or of a recording. What is
// wrong is reported to the document that the value belongs to; a missing value has no rules.
func decodeChaos(v document.Value) world.Chaos {
	var c world.Chaos
	o := written(v).Object("rules")
	rules := written(o.Get("rules"))
	for item := range rules.List() {
		c.Rules = append(c.Rules, decodeRule(item, len(c.Rules)))
	}
	v.Report(c.Validate())
	return c
}

func decodeRule(v document.Value, index int) world.ChaosRule {
	o := v.Object("id", "name", "scope", "percent", "startAfter", "duration", "sticky", "maxLatency", "effects", "matched")
	// The id of a rule whose own is wrong only keeps the check from saying so again.
	r := world.ChaosRule{ID: "rule " + strconv.Itoa(index+1), Percent: 100, MaxLatency: chaosDelayDefault}
	if id, ok := o.Need("id").Text(); ok {
		r.ID = id
	}
	r.Name = r.ID
	if name, ok := written(o.Get("name")).Text(); ok && name != "" {
		r.Name = name
	}
	scope := written(o.Get("scope")).Object("to", "from", "method", "path")
	r.Scope.To, _ = written(scope.Get("to")).Text()
	r.Scope.From, _ = written(scope.Get("from")).Text()
	r.Scope.Method, _ = written(scope.Get("method")).Text()
	r.Scope.Path, _ = written(scope.Get("path")).Text()
	if percent, ok := written(o.Get("percent")).Float(); ok {
		r.Percent = percent
	}
	r.StartAfter, _ = written(o.Get("startAfter")).Duration("s")
	r.Duration, r.HasDuration = written(o.Get("duration")).Duration("s")
	r.Sticky, _ = written(o.Get("sticky")).Bool()
	if ceiling, ok := written(o.Get("maxLatency")).Duration("s"); ok {
		r.MaxLatency = min(ceiling, chaosDelayMax)
	}
	for item := range written(o.Get("effects")).List() {
		r.Effects = append(r.Effects, decodeEffect(item))
	}
	if n, ok := written(o.Get("matched")).Int(0, math.MaxInt32); ok {
		r.Matched, r.HasMatched = int(n), true
	}
	return r
}

// The words of a connection and of a body, and what they do.
var (
	connectionWords = []string{"refuse", "reset", "stall", "drop"}
	connectionKinds = []world.EffectKind{world.EffectRefuse, world.EffectReset, world.EffectStall, world.EffectDrop}
	bodyWords       = []string{"corrupt", "truncate"}
	bodyKinds       = []world.EffectKind{world.EffectCorrupt, world.EffectTruncate}
)

// decodeEffect reads one effect: an object with one key that says what it does, and its percent.
func decodeEffect(v document.Value) world.ChaosEffect {
	o := v.Object("latency", "status", "connection", "body", "noResponse", "percent")
	e := world.ChaosEffect{Kind: world.EffectNoResponse}
	found := 0
	if value := written(o.Get("latency")); value.Exists() {
		found++
		decodeLatency(value, &e)
	}
	if value := written(o.Get("status")); value.Exists() {
		found++
		e.Kind, e.Status = world.EffectStatus, 500 // valid, should the value be none
		if n, ok := value.Int(100, 599); ok {
			e.Status = int(n)
			e.Text = "status " + strconv.Itoa(e.Status)
		}
	}
	if value := written(o.Get("connection")); value.Exists() {
		found++
		if i, ok := value.Enum(connectionWords...); ok {
			e.Kind, e.Text = connectionKinds[i], "connection "+connectionWords[i]
		}
	}
	if value := written(o.Get("body")); value.Exists() {
		found++
		if i, ok := value.Enum(bodyWords...); ok {
			e.Kind, e.Text = bodyKinds[i], "body "+bodyWords[i]
		}
	}
	if value := written(o.Get("noResponse")); value.Exists() {
		found++
		if yes, ok := value.Bool(); ok && yes {
			e.Kind, e.Text = world.EffectNoResponse, "no-response"
		} else if ok {
			value.Problem("must be true; leave the effect out instead")
		}
	}
	if o.Exists() && found != 1 {
		v.Problem("an effect is one of latency, status, connection, body and noResponse, not " + strconv.Itoa(found) + " of them")
	}
	if percent, ok := written(o.Get("percent")).Float(); ok {
		e.Percent, e.HasPercent = percent, true
		e.Text = string(measure.AppendNumber([]byte(e.Text+" @"), percent)) + "%"
	}
	return e
}

// decodeLatency reads "2s", "3x" or "100ms-2s".
func decodeLatency(v document.Value, e *world.ChaosEffect) {
	e.Kind = world.EffectLatency
	text, ok := v.Text()
	if !ok {
		return
	}
	e.Text = "latency " + text
	if factor, isFactor := strings.CutSuffix(text, "x"); isFactor {
		x, err := strconv.ParseFloat(factor, 64)
		if err != nil || !plainDecimal(factor) || x < 1 {
			v.Problem(`must be a factor of at least 1, such as "3x", not "` + text + `"`)
			return
		}
		e.LatencyFactor = x
		return
	}
	low, high, isRange := strings.Cut(text, "-")
	if !isRange || low == "" {
		d, _ := v.Duration("ms")
		e.LatencyLow, e.LatencyHigh = d, d
		return
	}
	from, err := document.ParseDuration(low)
	to, err2 := document.ParseDuration(high)
	if err != nil || err2 != nil {
		v.Problem(`must be a duration, a factor or a range, such as "2s", "3x" or "100ms-2s", not "` + text + `"`)
		return
	}
	e.LatencyLow, e.LatencyHigh = from, to
}

// plainDecimal keeps out the other forms that a parser of doubles knows: 0x1p3, Inf, 1_000.
func plainDecimal(text string) bool {
	return text != "" && strings.Trim(text, "0123456789.") == ""
}

// written is a value that may as well be null: nobody wrote it then.
func written(v document.Value) document.Value {
	if v.Kind() == document.Null {
		return document.Value{}
	}
	return v
}
