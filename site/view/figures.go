package view

import (
	"math"
	"strconv"
	"strings"
)

// Figure is one headline number.
type Figure struct {
	Label, Value string
	// Help says what it means.
	Help string
	// Bad marks a number that asks for attention.
	Bad bool
}

// Figures are the headline numbers of a subject, the most telling first.
func Figures(s *Subject) []Figure {
	m := &s.Measured
	figures := []Figure{
		{"Load multiplier", Times(m.LoadMultiplier), "attempts that reached the callee for each call, over the whole run", m.LoadMultiplier >= 1.5},
		{"Amplification", Times(m.Amplification), "the same in the worst second", m.Amplification >= 1.5},
		{"Availability", Percent(m.Availability), "calls that succeeded", m.Availability < 0.99},
		{"p50", Duration(m.P50), "half of the calls took no longer", false},
		{"p99", Duration(m.P99), "99 of 100 calls took no longer", false},
		{"Breaker opens", Integer(m.BreakerOpens), "how often the circuit breaker opened", false},
		{"Recovery", recoveryFigure(m), "from the end of the last impairment to the first success that began after it", false},
	}
	if m.RefusedByLimiter > 0 {
		figures = append(figures, Figure{"Kept back", Integer(m.RefusedByLimiter), "attempts that the limiter refused", false})
	}
	return figures
}

func recoveryFigure(m *Measured) string {
	if !m.Recovered {
		return "–"
	}
	return Duration(m.RecoverNs)
}

// Row is a row of a table: a name and cells.
type Row struct {
	Name  string
	Cells []string
}

// Columns name the cells of Summary's rows.
var Columns = []string{"calls", "failed", "attempts", "availability", "worst second", "p50", "p99", "opens"}

// Summary is one row a subject, for the table of a graph.
func Summary(subjects []Subject) []Row {
	rows := make([]Row, 0, len(subjects))
	for i := range subjects {
		m := &subjects[i].Measured
		rows = append(rows, Row{subjects[i].Name, []string{
			Integer(m.Calls), Integer(m.Failed), Integer(m.Reached), Percent(m.Availability), Times(m.Amplification),
			Duration(m.P50), Duration(m.P99), Integer(m.BreakerOpens),
		}})
	}
	return rows
}

// SecondsColumns name the columns of the per-second table and of the CSV.
var SecondsColumns = []string{
	"second", "calls", "attempts", "amplification", "succeeded", "failed permanent", "failed exhausted", "failed deadline",
	"failed budget", "failed breaker", "p50 ms", "p99 ms", "in flight", "budget", "breaker", "ceiling ms", "permits", "queue ms",
}

// Seconds is one row a second. Cells of series that do not apply are empty.
func Seconds(s *Series) [][]string {
	rows := make([][]string, s.Length())
	for i := range rows {
		row := make([]string, 0, len(SecondsColumns))
		count := func(series []float64) {
			if len(series) == 0 {
				row = append(row, "")
				return
			}
			row = append(row, strconv.FormatFloat(At(series, i), 'g', -1, 64))
		}
		ms := func(series []float64) {
			if i >= len(series) {
				row = append(row, "")
				return
			}
			row = append(row, strconv.FormatFloat(series[i]/1e6, 'f', -1, 64))
		}
		row = append(row, strconv.Itoa(i))
		count(s.Calls)
		count(s.Reached)
		if a := s.Amplification(i); math.IsNaN(a) {
			row = append(row, "")
		} else {
			row = append(row, strconv.FormatFloat(a, 'f', 4, 64))
		}
		for _, series := range [][]float64{s.Succeeded, s.Permanent, s.Exhausted, s.Deadline, s.Budgetless, s.BrokenOpen} {
			count(series)
		}
		ms(s.P50)
		ms(s.P99)
		for _, series := range [][]float64{s.InFlight, s.Budget, s.Breaker} {
			count(series)
		}
		ms(s.Ceiling)
		count(s.Permits)
		ms(s.Queue)
		rows[i] = row
	}
	return rows
}

// CSV is the per-second table as comma-separated values with a line of names.
func CSV(s *Series) string {
	var b strings.Builder
	b.WriteString(strings.Join(SecondsColumns, ",") + "\r\n")
	for _, row := range Seconds(s) {
		b.WriteString(strings.Join(row, ",") + "\r\n")
	}
	return b.String()
}
