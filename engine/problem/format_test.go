package problem_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"squall/engine/problem"

	"pgregory.net/rapid"
)

type word int

func (w word) String() string { return fmt.Sprint("word ", int(w)) }

// Formats are strings with the verbs that messages use; package fmt says what comes of them.
func TestSprintfIsThatOfFmt(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"nothing", nil},
		{"", nil},
		{"100%% of %s", []any{"all"}},
		{"is %q; it is %q too", []any{"a \"b\"\n", word(3)}},
		{"%v and %v", []any{1e21, 1e-7}},
		{"%v and %v", []any{100_000.0, 1_000_000.0}},
		{"%v %v %v", []any{math.Inf(1), math.NaN(), math.Copysign(0, -1)}},
		{"%d-%d %d %d %d %d", []any{-1, int32(2), int64(math.MinInt64), uint8(7), uint32(math.MaxUint32), uint64(math.MaxInt64)}},
		{"%v, %s", []any{word(1), word(2)}},
		{"a comma or %c", []any{byte(']')}},
		{"a %c, not %q or %q", []any{'é', byte('\''), 'é'}},
		{"%s: %v", []any{io.EOF, io.ErrNoProgress}},
	} {
		if got, want := problem.Sprintf(c.format, c.args...), fmt.Sprintf(c.format, c.args...); got != want {
			t.Errorf("%q: %q, want %q", c.format, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, n, x := rapid.String().Draw(t, "text"), rapid.Int().Draw(t, "n"), rapid.Float64().Draw(t, "x")
		const format = "%s %q %d %v %v%%"
		args := []any{text, text, n, n, x}
		if got, want := problem.Sprintf(format, args...), fmt.Sprintf(format, args...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestSprintfSaysWhatItCannotFormat(t *testing.T) {
	for _, got := range []string{
		problem.Sprintf("%s"),
		problem.Sprintf("%s", 1),
		problem.Sprintf("%d", "one"),
		problem.Sprintf("%x", 1),
		problem.Sprintf("%v", struct{}{}),
	} {
		if !strings.Contains(got, "%!") {
			t.Errorf("%q", got)
		}
	}
	if got := problem.Sprintf("100%"); got != "100%" {
		t.Errorf("%q", got)
	}
}

func TestErrorfWraps(t *testing.T) {
	err := problem.Errorf("%q, line %d: %w", "a.json", 3, io.EOF)
	if got := err.Error(); got != `"a.json", line 3: EOF` {
		t.Error(got)
	}
	if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrNoProgress) {
		t.Error("wraps the wrong error")
	}
	if err := problem.Errorf("alone"); errors.Unwrap(err) != nil {
		t.Error("wraps something")
	}
}
