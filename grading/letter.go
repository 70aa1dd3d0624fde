package grading

import "strconv"

// Letter is a grade from A to D, or F. The zero value is no letter: n/a.
type Letter byte

// The letters, best first; a worse letter is the greater one.
const (
	NoLetter Letter = 0
	A        Letter = 'A'
	B        Letter = 'B'
	C        Letter = 'C'
	D        Letter = 'D'
	F        Letter = 'F'
)

// String is the letter, or "n/a" for none.
func (l Letter) String() string {
	if l == NoLetter {
		return "n/a"
	}
	return string(rune(l))
}

// ParseLetter reads one of the five letters as they are printed.
func ParseLetter(text string) (Letter, bool) {
	switch text {
	case "A", "B", "C", "D", "F":
		return Letter(text[0]), true
	}
	return NoLetter, false
}

// Thousandths is a number with at most three decimals, kept exact: 2500 is 2.5.
type Thousandths int64

// String is the shortest decimal form.
func (t Thousandths) String() string { return string(t.append(nil)) }

func (t Thousandths) append(b []byte) []byte {
	n := uint64(t)
	if t < 0 {
		b = append(b, '-')
		n = -n
	}
	b = strconv.AppendUint(b, n/1000, 10)
	if rest := n % 1000; rest > 0 {
		b = append(b, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	return b
}

// Ladder is the share of faults handled, in percent, that each letter takes at least; below D is
// F. The zero value stands for [DefaultLadder].
type Ladder struct{ A, B, C, D Thousandths }

// DefaultLadder has the rungs of grading.md 7.
var DefaultLadder = Ladder{A: 99_000, B: 95_000, C: 90_000, D: 80_000}

// rungs are the letters that have one, best first.
func (l Ladder) rungs() [4]rung {
	return [4]rung{{A, l.A}, {B, l.B}, {C, l.C}, {D, l.D}}
}

type rung struct {
	letter  Letter
	atLeast Thousandths
}

// valid says whether the rungs descend strictly from at most 100 to above 0.
func (l Ladder) valid() bool {
	return l.A <= 100_000 && l.A > l.B && l.B > l.C && l.C > l.D && l.D > 0
}

// letter is what handled of windows earns: handled/windows is compared as an exact fraction.
func (l Ladder) letter(handled, windows int) Letter {
	for _, r := range l.rungs() {
		if int64(handled)*100_000 >= int64(r.atLeast)*int64(windows) {
			return r.letter
		}
	}
	return F
}

// capped is the letter under the recovery cap: at most D while an endpoint is not recovered.
func capped(letter Letter, notRecovered bool) Letter {
	if notRecovered {
		return max(letter, D)
	}
	return letter
}
