package grading

import (
	"strconv"

	"squall/engine/document"
	"squall/engine/measure"
	"squall/engine/world"
)

// AppendJSON appends the report of grading.md 8: every key in its order, one line, and a line end.
func (r *Report) AppendJSON(b []byte) []byte {
	b = append(b, `{"squall":1,"overall":`...)
	b = appendLetter(b, r.Overall)
	b = append(b, `,"services":[`...)
	for i := range r.Services {
		b = r.Services[i].appendJSON(comma(b, i))
	}
	b = append(b, `],"unused":[`...)
	for i := range r.Unused {
		a := &r.Unused[i]
		b = append(comma(b, i), `{"service":`...)
		b = appendKnown(b, a.Service)
		b = appendKey(b, "check", a.Check.String())
		b = appendKey(b, "endpoint", a.Endpoint)
		b = appendKey(b, "rule", a.Rule)
		b = append(appendKey(b, "reason", a.Reason), '}')
	}
	return append(b, "]}\n"...)
}

func (r *ServiceReport) appendJSON(b []byte) []byte {
	b = append(b, `{"service":`...)
	b = document.AppendText(b, r.Service)
	b = appendKey(b, "role", r.Role.String())
	b = appendLetter(append(b, `,"letter":`...), r.Letter)
	b = appendKnown(append(b, `,"na":`...), r.NA)
	b = append(b, `,"measure":`...)
	if r.NA != "" {
		b = append(b, "null"...)
	} else {
		b = appendCount(b, `{"handled":`, r.Measure.Handled)
		b = appendCount(b, `,"windows":`, r.Measure.Windows)
		b = append(appendKey(b, "text", r.Measure.Text), '}')
	}
	b = appendCount(b, `,"buckets":{"errorPassedThrough":`, r.Buckets.ErrorPassedThrough)
	b = appendCount(b, `,"unboundedRetries":`, r.Buckets.UnboundedRetries)
	b = appendCount(b, `,"latencyAmplification":`, r.Buckets.LatencyAmplification)
	b = appendCount(b, `},"latencyNotJudged":`, r.LatencyNotJudged)
	b = r.Recovery.appendJSON(append(b, `,"recovery":`...))
	b = r.appendWorst(append(b, `,"worst":`...))
	b = r.Faults.appendJSON(append(b, `,"faults":`...))
	b = append(b, `,"findings":[`...)
	for i := range r.Findings {
		b = r.Findings[i].appendJSON(comma(b, i))
	}
	b = append(b, `],"steps":[`...)
	for i := range r.Steps {
		b = r.Steps[i].appendJSON(comma(b, i))
	}
	b = append(b, `],"rules":[`...)
	for i := range r.Rules {
		b = r.Rules[i].appendJSON(comma(b, i))
	}
	b = append(b, `],"bounds":`...)
	b = r.Bounds.appendJSON(b)
	b = append(b, `,"ladder":`...)
	b = r.Ladder.appendJSON(b)
	b = appendKnown(append(b, `,"threshold":`...), r.Threshold)
	return append(appendKey(b, "detail", r.Detail), '}')
}

func (r *Recovery) appendJSON(b []byte) []byte {
	b = appendCount(b, `{"recovered":`, r.Recovered)
	b = appendCount(b, `,"notRecovered":`, r.NotRecovered)
	b = appendCount(b, `,"unknown":`, r.Unknown)
	b = appendNs(b, `,"slowestNs":`, r.SlowestNs, r.HasSlowest)
	b = append(b, `,"endpoints":[`...)
	for i := range r.Endpoints {
		e := &r.Endpoints[i]
		b = append(comma(b, i), `{"endpoint":`...)
		b = document.AppendText(b, e.Endpoint)
		b = appendKey(b, "rule", e.Rule)
		b = appendKey(b, "state", e.State.String())
		b = append(appendNs(b, `,"afterNs":`, e.AfterNs, e.State == Recovered), '}')
	}
	return append(b, "]}"...)
}

func (r *ServiceReport) appendWorst(b []byte) []byte {
	b = append(b, `{"retryAmplification":`...)
	b = appendNumber(b, r.Worst.RetryAmplification, r.NA == "")
	b = append(b, `,"latencyAmplification":`...)
	return append(appendNumber(b, r.Worst.LatencyAmplification, r.NA == "" && r.Worst.HasLatency), '}')
}

func (f *Faults) appendJSON(b []byte) []byte {
	b = appendCount(b, `{"injected":`, f.Injected)
	b = appendCount(b, `,"paired":`, f.Paired)
	b = appendCount(b, `,"trace":`, f.Trace)
	b = appendCount(b, `,"traceAmbiguous":`, f.TraceAmbiguous)
	b = appendCount(b, `,"inFlight":`, f.InFlight)
	b = appendCount(b, `,"span":`, f.Span)
	b = appendCount(b, `,"notJudgedCalls":`, f.NotJudgedCalls)
	return append(appendCount(b, `,"nonHttp":`, f.NonHTTP), '}')
}

func (f *Finding) appendJSON(b []byte) []byte {
	b = append(b, `{"group":`...)
	b = document.AppendText(b, f.Group.String())
	b = appendKey(b, "check", f.Check.String())
	b = appendKey(b, "endpoint", f.Endpoint)
	b = appendKey(b, "rule", f.Rule)
	b = appendKey(b, "dependency", f.Dependency)
	b = appendCount(b, `,"count":`, f.Count)
	b = appendNs(b, `,"firstNs":`, f.FirstNs, true)
	b = appendNs(b, `,"lastNs":`, f.LastNs, true)
	b = appendKey(b, "sentence", f.Sentence)
	b = append(b, `,"accepted":`...)
	if f.Group != GroupAccepted {
		return append(b, "null}"...)
	}
	return append(document.AppendText(b, f.Accepted), '}')
}

func (s *Step) appendJSON(b []byte) []byte {
	b = append(b, `{"sentence":`...)
	b = document.AppendText(b, s.Sentence)
	b = appendKey(b, "from", s.From.String())
	b = appendKey(b, "to", s.To.String())
	return append(appendKnown(append(b, `,"stays":`...), s.Stays), '}')
}

func (r *RuleReport) appendJSON(b []byte) []byte {
	b = appendDeclared(b, &r.Rule)
	b = append(b, `,"matched":`...)
	if r.Rule.HasMatched {
		b = strconv.AppendInt(b, int64(r.Rule.Matched), 10)
	} else {
		b = append(b, "null"...)
	}
	b = appendCount(b, `,"fired":`, r.Fired)
	b = appendCount(b, `,"faulted":`, r.Faulted)
	b = appendCount(b, `,"handled":`, r.Handled)
	return append(appendKnown(append(b, `,"shadowedBy":`...), r.ShadowedBy), '}')
}

// appendDeclared appends a rule up to its effects and leaves the object open: what a baseline
// compares (gate.go).
func appendDeclared(b []byte, r *world.ChaosRule) []byte {
	b = append(b, `{"id":`...)
	b = document.AppendText(b, r.ID)
	b = appendKey(b, "name", r.Name)
	b = appendKnown(append(b, `,"scope":{"to":`...), r.Scope.To)
	b = appendKnown(append(b, `,"from":`...), r.Scope.From)
	b = appendKnown(append(b, `,"method":`...), r.Scope.Method)
	b = appendKnown(append(b, `,"path":`...), r.Scope.Path)
	b = append(b, `},"percent":`...)
	b = appendNumber(b, r.Percent, true)
	b = appendNs(b, `,"startAfterNs":`, r.StartAfter.Nanoseconds(), true)
	b = appendNs(b, `,"durationNs":`, r.Duration.Nanoseconds(), r.HasDuration)
	b = strconv.AppendBool(append(b, `,"sticky":`...), r.Sticky)
	b = appendNs(b, `,"maxLatencyNs":`, r.MaxLatency.Nanoseconds(), true)
	b = append(b, `,"effects":[`...)
	for i := range r.Effects {
		b = document.AppendText(comma(b, i), effectText(&r.Effects[i]))
	}
	return append(b, ']')
}

func (o Bounds) appendJSON(b []byte) []byte {
	b = appendCount(b, `{"maxRetries":`, o.MaxRetries)
	b = o.MaxLatencyAmplification.append(append(b, `,"maxLatencyAmplification":`...))
	return append(appendNs(b, `,"recoveryWindowNs":`, o.RecoveryWindow.Nanoseconds(), true), '}')
}

func (l Ladder) appendJSON(b []byte) []byte {
	b = l.A.append(append(b, `{"A":`...))
	b = l.B.append(append(b, `,"B":`...))
	b = l.C.append(append(b, `,"C":`...))
	return append(l.D.append(append(b, `,"D":`...)), '}')
}

// comma parts the items of a list.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendKey appends a text that is always there, with its key.
func appendKey(b []byte, key, text string) []byte {
	b = append(append(append(b, `,"`...), key...), `":`...)
	return document.AppendText(b, text)
}

// appendKnown appends a text, or null when it is empty.
func appendKnown(b []byte, text string) []byte {
	if text == "" {
		return append(b, "null"...)
	}
	return document.AppendText(b, text)
}

func appendCount(b []byte, key string, n int) []byte {
	return strconv.AppendInt(append(b, key...), int64(n), 10)
}

func appendNs(b []byte, key string, ns int64, known bool) []byte {
	b = append(b, key...)
	if !known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, ns, 10)
}

func appendNumber(b []byte, x float64, known bool) []byte {
	if !known {
		return append(b, "null"...)
	}
	return measure.AppendNumber(b, x)
}

func appendLetter(b []byte, l Letter) []byte {
	if l == NoLetter {
		return append(b, "null"...)
	}
	return append(b, '"', byte(l), '"')
}
