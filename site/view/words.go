package view

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Integer is a whole number with a comma between groups of three digits.
func Integer(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Percent is a ratio in [0, 1] as a percentage that tells "all" from "nearly all": never 100% or 0%
// unless it is exactly that.
func Percent(ratio float64) string {
	p := ratio * 100
	switch {
	case math.IsNaN(p):
		return "–"
	case p == 0 || p == 100:
		return strconv.FormatFloat(p, 'f', 0, 64) + "%"
	case p > 99 && p < 100:
		for digits := 1; digits < 7; digits++ {
			if s := strconv.FormatFloat(p, 'f', digits, 64); s[:3] != "100" {
				return s + "%"
			}
		}
		return "over 99.999999%"
	case p < 1:
		return strconv.FormatFloat(p, 'g', 2, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}

// Times is a factor: "1.10×".
func Times(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	if x >= 100 {
		return Integer(int64(math.Round(min(x, 1e15)))) + "×"
	}
	return strconv.FormatFloat(x, 'f', 2, 64) + "×"
}

// Duration is a time in nanoseconds with three digits and the unit that fits: "434 ms", "1.25 s".
func Duration(ns int64) string {
	abs := float64(max(ns, -ns))
	sign := ""
	if ns < 0 {
		sign = "-"
	}
	switch {
	case abs == 0:
		return "0 s"
	case abs < 999.5e3:
		return sign + digits(abs/1e3) + " µs"
	case abs < 999.5e6:
		return sign + digits(abs/1e6) + " ms"
	case abs < 99.95e9:
		return sign + digits(abs/1e9) + " s"
	}
	seconds := int64(math.Round(min(abs/1e9, 1e15)))
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	parts := make([]string, 0, 3)
	for _, p := range []struct {
		n    int64
		unit string
	}{{h, " h"}, {m, " min"}, {s, " s"}} {
		if p.n > 0 {
			parts = append(parts, strconv.FormatInt(p.n, 10)+p.unit)
		}
	}
	return sign + strings.Join(parts, " ")
}

// digits is a number in [0, 1000) with three digits, trailing zeros of its fraction cut.
func digits(x float64) string {
	places := 2
	switch {
	case x >= 99.95:
		places = 0
	case x >= 9.995:
		places = 1
	}
	s := strconv.FormatFloat(x, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Clock is a second of a run as minutes and seconds: "1:30".
func Clock(second int) string {
	s := strconv.Itoa(second % 60)
	if len(s) < 2 {
		s = "0" + s
	}
	m := second / 60
	if m < 60 {
		return strconv.Itoa(m) + ":" + s
	}
	mm := strconv.Itoa(m % 60)
	if len(mm) < 2 {
		mm = "0" + mm
	}
	return strconv.Itoa(m/60) + ":" + mm + ":" + s
}

// actual is the measured value of an expectation in words; what is measured decides the unit.
func actual(expectation string, v gjson.Result) string {
	measure := expectation
	if _, after, ok := strings.Cut(expectation, ": "); ok {
		measure = after
	}
	measure = strings.TrimPrefix(strings.TrimSpace(measure), "median(")
	name := measure
	for i, r := range measure {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.') {
			name = measure[:i]
			break
		}
	}
	switch {
	case v.Type != gjson.Number && name == "timeToRecover":
		return "never recovered"
	case v.Type != gjson.Number:
		return "nothing measured"
	case name == "availability":
		return Percent(v.Num)
	case name == "loadMultiplier" || name == "amplification":
		return strconv.FormatFloat(v.Num, 'f', 3, 64)
	case name == "timeToRecover" || name == "max" || len(name) > 1 && name[0] == 'p' && name[1] >= '0' && name[1] <= '9':
		return Duration(v.Int())
	}
	return Integer(v.Int())
}

// Sentence is a message as a sentence of its own.
func Sentence(text string) string {
	if text = upperFirst(text); text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}
