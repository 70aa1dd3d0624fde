package policy

import (
	"math"
	"strconv"

	"squall/engine/jsontext"
	"squall/engine/ticks"
)

// AppendJSON appends the explanation as one JSON object for a page, without insignificant space.
// Every key is always present, except shortestNs, which only a backoff has. Spans are integers in
// nanoseconds; null stands for one that is infinite or not known. A row of the walk is a stretch
// on a time bar: from fromNs to toNs after the start of the call, or open when toNs is null; the
// rows of kind deadline and exhausted are instants. "text" is the whole of String.
func (e Explanation) AppendJSON(b []byte) []byte {
	b = appendText(b, `{"headline":`, e.Headline)
	b = append(b, `,"problems":[`...)
	for i, p := range e.Problems {
		b = appendText(comma(b, i), `{"path":`, p.Path)
		b = append(appendText(b, `,"message":`, p.Message), '}')
	}
	b = appendText(b, `],"bound":{"by":`, e.Bound.String())
	b = appendText(b, `,"text":`, e.BoundText)
	b = e.Walk.appendJSON(append(b, `},"walk":`...))
	b = e.Load.appendJSON(append(b, `,"load":`...))
	b = append(b, `,"measured":[`...)
	for i, m := range e.Measured {
		b = appendText(comma(b, i), `{"name":`, m.Name)
		value := ticks.Infinite
		if m.Known {
			value = m.Value
		}
		b = appendSpan(b, `,"valueNs":`, value)
		b = append(appendText(b, `,"note":`, m.Note), '}')
	}
	b = appendText(b, `],"measuredNote":`, e.MeasuredNote)
	b = appendText(b, `,"breaker":`, e.Breaker)
	b = appendText(b, `,"classifier":{"name":`, e.Classifier)
	b = append(b, `,"rules":[`...)
	for i, r := range e.Rules {
		b = appendText(comma(b, i), `{"of":`, r.Of)
		b = append(appendText(b, `,"verdict":`, r.Verdict), '}')
	}
	b = appendText(b, `]},"text":`, e.String())
	return append(b, '}')
}

func (w *Walk) appendJSON(b []byte) []byte {
	b = append(b, `{"rows":[`...)
	for i, r := range w.Rows {
		b = appendText(comma(b, i), `{"kind":`, r.Kind.String())
		b = appendWhole(b, `,"number":`, int64(r.Number))
		b = appendWhole(b, `,"fromNs":`, r.From.Nanoseconds())
		b = appendSpan(b, `,"toNs":`, r.To)
		if r.Kind == RowBackoff && r.Shortest != ticks.Infinite {
			b = appendSpan(b, `,"shortestNs":`, r.Shortest)
		}
		b = append(appendText(b, `,"note":`, r.Note), '}')
	}
	b = append(b, `],"notes":[`...)
	for i, note := range w.Notes {
		b = appendText(comma(b, i), "", note)
	}
	b = appendText(b, `],"stop":`, w.Stop.String())
	b = appendWhole(b, `,"attempts":`, int64(w.Attempts))
	b = appendSpan(b, `,"deadlineNs":`, w.Deadline)
	b = appendSpan(b, `,"worstNs":`, w.Worst)
	b = append(b, `,"lowerBound":`...)
	return append(strconv.AppendBool(b, w.LowerBound), '}')
}

func (l *Load) appendJSON(b []byte) []byte {
	b = appendWhole(b, `{"attemptsMax":`, int64(l.AttemptsMax))
	b = appendText(b, `,"budget":`, l.Budget.String())
	b = appendFinite(b, `,"sustained":`, l.Sustained)
	b = appendFinite(b, `,"fraction":`, l.Fraction)
	b = appendWhole(b, `,"floorPerSecond":`, int64(l.FloorPerSecond))
	b = appendFinite(b, `,"spent":`, l.Spent)
	return append(appendText(b, `,"text":`, l.Text), '}')
}

func appendText(b []byte, key, text string) []byte {
	return jsontext.AppendText(append(b, key...), text)
}

func appendWhole(b []byte, key string, n int64) []byte {
	return strconv.AppendInt(append(b, key...), n, 10)
}

// appendSpan writes null for an infinite span.
func appendSpan(b []byte, key string, t ticks.Ticks) []byte {
	if t == ticks.Infinite {
		return append(append(b, key...), "null"...)
	}
	return appendWhole(b, key, t.Nanoseconds())
}

// appendFinite writes null for what JSON has no number for.
func appendFinite(b []byte, key string, x float64) []byte {
	b = append(b, key...)
	if x != x || math.IsInf(x, 0) {
		return append(b, "null"...)
	}
	return jsontext.AppendNumber(b, x)
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// String is the word for the kind in a scenario, or what is written in its place.
func (k BudgetKind) String() string {
	switch k {
	case AutomaticBudget:
		return "automatic"
	case BucketBudget:
		return "bucket"
	}
	return "none"
}
