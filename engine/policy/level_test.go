package policy

import "testing"

func TestParseLevel(t *testing.T) { // E6, E7
	for _, tt := range []struct {
		text string
		want Level
		ok   bool
	}{
		{"Sheddable", Sheddable, true},
		{"sheddable", Sheddable, true},
		{"SheddablePlus", SheddablePlus, true},
		{"SHEDDABLEPLUS", SheddablePlus, true},
		{"Critical", Critical, true},
		{"cRiTiCaL", Critical, true},
		{"CriticalPlus", Critical, true},
		{"criticalplus", Critical, true},
		{"", 0, false},
		{"0", 0, false},
		{"3", 0, false},
		{"urgent", 0, false},
		{"Sheddable ", 0, false},
		{" Sheddable", 0, false},
		{"Shed", 0, false},
		{"\u017fheddable", 0, false}, // a long s folds to s
	} {
		if got, ok := ParseLevel(tt.text); got != tt.want || ok != tt.ok {
			t.Errorf("%q: %v, %v, want %v, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}
