package policy

import (
	"bytes"
	"encoding/json"
	"math"

	"squall/engine/ticks"
)

// explanationJSON is an explanation for a page. Instants and spans are whole nanoseconds, counted
// from the start of the call where they are instants; null is one that is infinite or not known.
type explanationJSON struct {
	Headline     string            `json:"headline"`
	Problems     []problemJSON     `json:"problems"`
	Bound        boundJSON         `json:"bound"`
	Walk         walkJSON          `json:"walk"`
	Load         loadJSON          `json:"load"`
	Measured     []measurementJSON `json:"measured"`
	MeasuredNote string            `json:"measuredNote"`
	Breaker      string            `json:"breaker"`
	Classifier   classifierJSON    `json:"classifier"`
	Text         string            `json:"text"`
}

type problemJSON struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

type boundJSON struct {
	By   string `json:"by"`
	Text string `json:"text"`
}

type walkJSON struct {
	Rows       []rowJSON `json:"rows"`
	Notes      []string  `json:"notes"`
	Stop       string    `json:"stop"`
	Attempts   int       `json:"attempts"`
	DeadlineNs *int64    `json:"deadlineNs"`
	WorstNs    *int64    `json:"worstNs"`
	LowerBound bool      `json:"lowerBound"`
}

type rowJSON struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"`
	FromNs int64  `json:"fromNs"`
	ToNs   *int64 `json:"toNs"`
	// ShortestNs is there for a backoff only.
	ShortestNs *int64 `json:"shortestNs,omitempty"`
	Note       string `json:"note"`
}

type loadJSON struct {
	AttemptsMax    int      `json:"attemptsMax"`
	Budget         string   `json:"budget"`
	Sustained      *float64 `json:"sustained"`
	Fraction       *float64 `json:"fraction"`
	FloorPerSecond int      `json:"floorPerSecond"`
	Spent          *float64 `json:"spent"`
	Text           string   `json:"text"`
}

type measurementJSON struct {
	Name    string `json:"name"`
	ValueNs *int64 `json:"valueNs"`
	Note    string `json:"note"`
}

type classifierJSON struct {
	Name  string     `json:"name"`
	Rules []ruleJSON `json:"rules"`
}

type ruleJSON struct {
	Of      string `json:"of"`
	Verdict string `json:"verdict"`
}

// AppendJSON appends the explanation as one JSON object for a page, without insignificant space.
// Every key is always present, except shortestNs, which only a backoff has. Spans are integers in
// nanoseconds; null stands for one that is infinite or not known. A row of the walk is a stretch
// on a time bar: from fromNs to toNs after the start of the call, or open when toNs is null; the
// rows of kind deadline and exhausted are instants. "text" is the whole of String.
func (e Explanation) AppendJSON(b []byte) []byte {
	j := explanationJSON{
		Headline: e.Headline,
		Problems: []problemJSON{},
		Bound:    boundJSON{e.Bound.String(), e.BoundText},
		Walk:     e.Walk.json(),
		Load: loadJSON{
			AttemptsMax: e.Load.AttemptsMax, Budget: e.Load.Budget.String(),
			Sustained: finite(e.Load.Sustained), Fraction: finite(e.Load.Fraction), FloorPerSecond: e.Load.FloorPerSecond, Spent: finite(e.Load.Spent),
			Text: e.Load.Text,
		},
		Measured:     []measurementJSON{},
		MeasuredNote: e.MeasuredNote,
		Breaker:      e.Breaker,
		Classifier:   classifierJSON{Name: e.Classifier, Rules: []ruleJSON{}},
		Text:         e.String(),
	}
	for _, p := range e.Problems {
		j.Problems = append(j.Problems, problemJSON(p))
	}
	for _, m := range e.Measured {
		row := measurementJSON{Name: m.Name, Note: m.Note}
		if m.Known {
			row.ValueNs = nanoseconds(m.Value)
		}
		j.Measured = append(j.Measured, row)
	}
	for _, r := range e.Rules {
		j.Classifier.Rules = append(j.Classifier.Rules, ruleJSON(r))
	}
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(&j); err != nil {
		return append(b, "null"...) // cannot happen: every number in j is finite
	}
	return append(b, bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))...)
}

func (w *Walk) json() walkJSON {
	j := walkJSON{
		Rows: []rowJSON{}, Notes: append([]string{}, w.Notes...), Stop: w.Stop.String(), Attempts: w.Attempts,
		DeadlineNs: nanoseconds(w.Deadline), WorstNs: nanoseconds(w.Worst), LowerBound: w.LowerBound,
	}
	for _, r := range w.Rows {
		row := rowJSON{Kind: r.Kind.String(), Number: r.Number, FromNs: r.From.Nanoseconds(), ToNs: nanoseconds(r.To), Note: r.Note}
		if r.Kind == RowBackoff {
			row.ShortestNs = nanoseconds(r.Shortest)
		}
		j.Rows = append(j.Rows, row)
	}
	return j
}

// nanoseconds is nil for an infinite span.
func nanoseconds(t ticks.Ticks) *int64 {
	if t == ticks.Infinite {
		return nil
	}
	return new(t.Nanoseconds())
}

// finite is nil for what JSON has no number for.
func finite(x float64) *float64 {
	if x != x || math.IsInf(x, 0) {
		return nil
	}
	return &x
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
