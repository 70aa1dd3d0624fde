package grading

import (
	"cmp"
	"slices"
)

// stepsMax is how many moves are shown.
const stepsMax = 2

// steps are what would move the letter, each on top of the one before (grading.md 7). The findings
// are sorted.
func (s *service) steps() {
	handled, windows := s.report.Measure.Handled, s.report.Measure.Windows
	broken := s.report.Recovery.NotRecovered
	letter := s.report.Letter
	var left []*finding
	var firstBroken *finding
	for i := range s.findings {
		f := &s.findings[i]
		switch {
		case f.accepted:
		case f.Check != NoRecovery:
			left = append(left, f)
		case firstBroken == nil:
			firstBroken = f
		}
	}
	slices.SortFunc(left, func(a, b *finding) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Check, b.Check), byWeight(a, b))
	})
	for len(s.report.Steps) < stepsMax && letter != A {
		earned := s.report.Ladder.letter(handled, windows)
		var sentence, others string
		switch {
		case broken > 0 && earned < D && firstBroken != nil:
			sentence, others = firstBroken.Sentence, moreEndpoints(broken-1)
			broken = 0
		case len(left) > 0:
			sentence = left[0].Sentence
			handled += left[0].Count
			left = left[1:]
		default:
			return
		}
		to := capped(s.report.Ladder.letter(handled, windows), broken > 0)
		share := s.report.Ladder.share(handled, windows)
		s.report.Steps = append(s.report.Steps, step(sentence, others, share, letter, to))
		letter = to
	}
}
