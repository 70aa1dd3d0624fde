package policy

import "strings"

// ParseLevel reads how a level is written on the wire (executor.md 15.1): its name in any letter
// case. The highest level cannot be claimed from outside, so CriticalPlus is read as Critical.
// Everything else - digits, spaces around a name, nothing at all - is no level, and ok is false.
func ParseLevel(text string) (level Level, ok bool) {
	for l := Sheddable; l < Levels; l++ {
		// The lengths are compared too, because letters outside of ASCII fold onto letters in it.
		if name := l.String(); len(text) == len(name) && strings.EqualFold(text, name) {
			return min(l, Critical), true
		}
	}
	return 0, false
}
