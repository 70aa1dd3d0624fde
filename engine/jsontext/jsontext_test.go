package jsontext_test

import (
	"encoding/json"
	"math"
	"testing"

	"squall/engine/jsontext"

	"pgregory.net/rapid"
)

// What is written reads back as what it was, and numbers are written as the library writes them.
func TestAppend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("\"\\\x00\x1f\b\f\n\r\t<\u2028é")))).Draw(t, "text")
		var back string
		if b := jsontext.AppendText(nil, text); json.Unmarshal(b, &back) != nil || back != text {
			t.Errorf("%q is written %s", text, b)
		}
		x := rapid.Float64().Draw(t, "x")
		want, _ := json.Marshal(x)
		if got := jsontext.AppendNumber(nil, x); x != 0 && string(got) != string(want) {
			t.Errorf("%s, want %s", got, want)
		}
	})
	for x, want := range map[float64]string{0: "0", 1e-6: "0.000001", 1e-7: "1e-7", 1e21: "1e+21", 123456789: "123456789", math.MaxFloat64: "1.7976931348623157e+308"} {
		if got := jsontext.AppendNumber(nil, x); string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
