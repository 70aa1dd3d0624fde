package grading

import (
	"strconv"
	"strings"

	"squall/engine/document"
	"squall/engine/measure"
	"squall/engine/ticks"
	"squall/engine/world"
	"squall/grading/recording"
)

// AppendJSON appends the input as a document (grading.md 2) on one line with a line end. Reading it
// again gives the same grade.
func (in *Input) AppendJSON(b []byte) []byte {
	b = append(b, `{"squall":1,"recording":`...)
	b = recording.AppendRecordings(b, in.Recordings)
	return append(in.appendConfig(b), "}\n"...)
}

// appendConfig appends the keys "chaos" and "grading".
func (in *Input) appendConfig(b []byte) []byte {
	b = append(b, `,"chaos":{"rules":[`...)
	for i := range in.Rules {
		b = appendRule(comma(b, i), &in.Rules[i])
	}
	return in.Settings.withDefaults().appendJSON(append(b, `]},"grading":`...))
}

func appendRule(b []byte, r *world.ChaosRule) []byte {
	b = append(b, `{"id":`...)
	b = document.AppendText(b, r.ID)
	if r.Name != "" && r.Name != r.ID {
		b = appendKey(b, "name", r.Name)
	}
	b = append(b, `,"scope":{`...)
	n := 0
	for _, key := range []struct{ name, text string }{
		{"to", r.Scope.To}, {"from", r.Scope.From}, {"method", r.Scope.Method}, {"path", r.Scope.Path}} {
		if key.text != "" {
			b = document.AppendText(comma(b, n), key.name)
			b = document.AppendText(append(b, ':'), key.text)
			n++
		}
	}
	b = appendNumber(append(b, `},"percent":`...), r.Percent, true)
	b = appendDuration(b, "startAfter", r.StartAfter)
	if r.HasDuration {
		b = appendDuration(b, "duration", r.Duration)
	}
	b = strconv.AppendBool(append(b, `,"sticky":`...), r.Sticky)
	b = appendDuration(b, "maxLatency", r.MaxLatency)
	b = append(b, `,"effects":[`...)
	for i := range r.Effects {
		b = appendEffect(comma(b, i), &r.Effects[i])
	}
	b = append(b, ']')
	if r.HasMatched {
		b = appendCount(b, `,"matched":`, r.Matched)
	}
	return append(b, '}')
}

func appendDuration(b []byte, key string, t ticks.Ticks) []byte {
	return appendKey(b, key, t.String())
}

// appendEffect writes the value as it was written: the report shows it.
func appendEffect(b []byte, e *world.ChaosEffect) []byte {
	text, _, _ := strings.Cut(effectText(e), " @")
	name, value, _ := strings.Cut(text, " ")
	switch e.Kind {
	case world.EffectStatus:
		b = append(append(b, `{"status":`...), value...)
	case world.EffectNoResponse:
		b = append(b, `{"noResponse":true`...)
	default:
		b = append(document.AppendText(append(b, '{'), name), ':')
		b = document.AppendText(b, value)
	}
	if e.HasPercent {
		b = appendNumber(append(b, `,"percent":`...), e.Percent, true)
	}
	return append(b, '}')
}

// effectText is an effect as the report shows it; one that was made by a program may have no text.
func effectText(e *world.ChaosEffect) string {
	if e.Text != "" {
		return e.Text
	}
	var text string
	switch e.Kind {
	case world.EffectLatency:
		text = "latency " + e.LatencyLow.String()
		if e.LatencyHigh != e.LatencyLow {
			text += "-" + e.LatencyHigh.String()
		}
		if e.LatencyFactor != 0 {
			text = "latency " + string(measure.AppendNumber(nil, e.LatencyFactor)) + "x"
		}
	case world.EffectStatus:
		text = "status " + strconv.Itoa(e.Status)
	case world.EffectRefuse, world.EffectReset, world.EffectStall, world.EffectDrop:
		text = "connection " + e.Kind.String()
	case world.EffectCorrupt, world.EffectTruncate:
		text = "body " + e.Kind.String()
	default:
		text = "no-response"
	}
	if e.HasPercent {
		text += " @" + string(measure.AppendNumber(nil, e.Percent)) + "%"
	}
	return text
}

func (s Settings) appendJSON(b []byte) []byte {
	b = append(b, `{"role":"`...)
	b = append(b, s.Role.String()...)
	b = appendCount(b, `","bounds":{"maxRetries":`, s.Bounds.MaxRetries)
	b = s.Bounds.MaxLatencyAmplification.append(append(b, `,"maxLatencyAmplification":`...))
	b = append(appendDuration(b, "recoveryWindow", s.Bounds.RecoveryWindow), '}')
	b = s.Ladder.appendJSON(append(b, `,"ladder":`...))
	b = append(b, `,"accept":[`...)
	for i := range s.Accept {
		a := &s.Accept[i]
		b = appendKnown(append(comma(b, i), `{"service":`...), a.Service)
		b = appendKey(b, "check", a.Check.String())
		b = appendKey(b, "endpoint", a.Endpoint)
		b = appendKey(b, "rule", a.Rule)
		b = append(appendKey(b, "reason", a.Reason), '}')
	}
	return append(b, "]}"...)
}
