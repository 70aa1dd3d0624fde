package measure

import (
	"strconv"
	"strings"
)

// Comparison sets several bands over the same seeds side by side. The first is what the others
// are compared with (simulator.md 12, scenario.md 8).
type Comparison struct {
	Names []string
	Bands []*Band
}

// Verdict says whether a band can be told from the first one of a comparison.
type Verdict uint8

// The verdicts.
const (
	// CannotTell: some run of one lies within the other; the difference may be chance.
	CannotTell Verdict = iota
	// Separates: no run of either lies within the other.
	Separates
	// NotComparable: one of the two has no such value in any run.
	NotComparable
)

// String is the verdict in the words of a table.
func (v Verdict) String() string {
	return [...]string{"cannot tell apart", "separates", "cannot be compared"}[min(v, NotComparable)]
}

// Row is one measure of one declared call over all bands of a comparison.
type Row struct {
	Measure string
	// Values are the ranges as text, Verdicts what each says beside the first, which is always
	// CannotTell. A band without that call has an empty value and is not comparable.
	Values   []string
	Verdicts []Verdict
}

// rowKinds are the measures of a comparison, in the order of a band's text.
var rowKinds = []struct {
	name  string
	value func(*Bands) string
	apart func(a, b *Bands) bool
	known func(*Bands) bool
}{
	{"Calls", func(b *Bands) string { return b.Calls.String() }, func(a, b *Bands) bool { return a.Calls.Separates(b.Calls) }, always},
	{"Availability", func(b *Bands) string { return b.Availability.String() }, func(a, b *Bands) bool { return a.Availability.Separates(b.Availability) }, always},
	{"LoadMultiplier", func(b *Bands) string { return b.LoadMultiplier.String() }, func(a, b *Bands) bool { return a.LoadMultiplier.Separates(b.LoadMultiplier) }, always},
	{"Amplification", func(b *Bands) string { return b.Amplification.String() }, func(a, b *Bands) bool { return a.Amplification.Separates(b.Amplification) }, always},
	{"Latency p50", func(b *Bands) string { return b.P50.String() }, func(a, b *Bands) bool { return a.P50.Separates(b.P50) }, always},
	{"Latency p99", func(b *Bands) string { return b.P99.String() }, func(a, b *Bands) bool { return a.P99.Separates(b.P99) }, always},
	{"BreakerOpens", func(b *Bands) string { return b.BreakerOpens.String() }, func(a, b *Bands) bool { return a.BreakerOpens.Separates(b.BreakerOpens) }, always},
	{"TimeToRecover", recoveryText, func(a, b *Bands) bool { return a.TimeToRecover.Separates(b.TimeToRecover) }, func(b *Bands) bool { return b.Recovered > 0 }},
}

func always(*Bands) bool { return true }

// recoveryText says how many runs recovered too: the range is over those alone.
func recoveryText(b *Bands) string {
	if b.Recovered == 0 {
		return "never"
	}
	return b.TimeToRecover.String() + " in " + strconv.Itoa(b.Recovered) + " of " + strconv.Itoa(b.Runs)
}

// Rows compares one declared call of the first band.
func (c *Comparison) Rows(from, to string) []Row {
	rows := make([]Row, 0, len(rowKinds))
	first := c.Bands[0].On(from, to)
	for _, kind := range rowKinds {
		row := Row{Measure: kind.name}
		for i, band := range c.Bands {
			b := band.On(from, to)
			switch {
			case b == nil || first == nil:
				row.Values = append(row.Values, "")
				row.Verdicts = append(row.Verdicts, NotComparable)
				continue
			case i == 0 || !kind.known(b) && !kind.known(first):
				row.Verdicts = append(row.Verdicts, CannotTell)
			case !kind.known(b) || !kind.known(first):
				row.Verdicts = append(row.Verdicts, NotComparable)
			case kind.apart(first, b):
				row.Verdicts = append(row.Verdicts, Separates)
			default:
				row.Verdicts = append(row.Verdicts, CannotTell)
			}
			row.Values = append(row.Values, kind.value(b))
		}
		rows = append(rows, row)
	}
	return rows
}

// Text is the comparison as one block: for each declared call of the first band a line a measure
// and band, with what it says beside the first.
func (c *Comparison) Text() string {
	first := c.Bands[0]
	var b strings.Builder
	b.WriteString("Comparison over ")
	b.Write(AppendClock(nil, first.Reports[0].Duration))
	b.WriteString(", " + strconv.Itoa(len(first.Seeds)) + " seeds from " + strconv.Itoa(int(first.Seeds[0])) + "\n")
	wide := 0
	for _, name := range c.Names {
		wide = max(wide, len(name))
	}
	for _, call := range first.Calls {
		b.Write(appendArrow(nil, call.From, call.To))
		for _, row := range c.Rows(call.From, call.To) {
			column := 0
			for _, v := range row.Values {
				column = max(column, len(v))
			}
			for i, v := range row.Values {
				label := row.Measure
				if i > 0 {
					label = ""
				}
				line := "    " + pad(label, 15) + pad(c.Names[i], wide) + "  "
				switch {
				case v == "":
					line += "no such call"
				case i == 0:
					line += v
				default:
					line += pad(v, column) + "  " + row.Verdicts[i].String()
				}
				b.WriteString(strings.TrimRight(line, " ") + "\n")
			}
		}
	}
	return b.String()
}

func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-len(s))) }

// AppendJSON appends the comparison: {"squall", "engine", "names", "seeds", "calls": [{"from", "to",
// "measures": [{"measure", "verdicts": [null, ...]}]}], "bands": [{"calls", "services"}, ...]}. Verdicts are
// "separates", "cannot tell apart" or "cannot be compared"; the first is null. Bands are as in
// scenario.md 9, without their runs.
func (c *Comparison) AppendJSON(out []byte) []byte {
	first := c.Bands[0]
	out = append(out, `{"squall":1,"engine":`...)
	out = append(AppendText(out, first.Engine), `,"names":[`...)
	for i, name := range c.Names {
		out = AppendText(comma(out, i), name)
	}
	out = append(out, `],"seeds":[`...)
	for i, seed := range first.Seeds {
		out = strconv.AppendInt(comma(out, i), int64(seed), 10)
	}
	out = append(out, `],"calls":[`...)
	for i, call := range first.Calls {
		out = AppendText(append(comma(out, i), `{"from":`...), call.From)
		out = AppendText(append(out, `,"to":`...), call.To)
		out = append(out, `,"measures":[`...)
		for k, row := range c.Rows(call.From, call.To) {
			out = AppendText(append(comma(out, k), `{"measure":`...), row.Measure)
			out = append(out, `,"verdicts":[null`...)
			for _, v := range row.Verdicts[1:] {
				out = AppendText(append(out, ','), v.String())
			}
			out = append(out, `]}`...)
		}
		out = append(out, `]}`...)
	}
	out = append(out, `],"bands":[`...)
	for i, band := range c.Bands {
		out = band.AppendBands(comma(out, i))
	}
	return append(out, `]}`...)
}
