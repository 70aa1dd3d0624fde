package measure

import "testing"

func TestExpectationMeasured(t *testing.T) {
	tests := []struct {
		text, actual, want string
	}{
		{"p99 < 250ms", "434109000", "it is 434.109ms"},
		{"calls > 10", "7", "it is 7"},
		{"loadMultiplier <= 1.2", "1.25", "it is 1.25"},
		{"availability >= 99%", "0.9", "it is 0.9"},
		{"timeToRecover < 3s", "null", "it never happened"},
	}
	for _, tt := range tests {
		if got := (Expectation{Text: tt.text, Actual: tt.actual}).Measured(); got != tt.want {
			t.Errorf("%s, measured %s: got %q, want %q", tt.text, tt.actual, got, tt.want)
		}
	}
}
