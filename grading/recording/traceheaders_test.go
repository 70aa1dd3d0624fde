package recording

import (
	"strings"
	"testing"
)

func TestTraceHeaders(t *testing.T) {
	const (
		a     = "0af7651916cd43dd8448eb211c80319c"
		zeros = "00000000000000000000000000000000"
		p     = "00f067aa0ba902b7"
		b     = "463ac35c9f6413ad48485a3953bb6124"
	)
	for _, c := range []struct{ headers, want string }{
		{"traceparent: 00-" + a + "-" + p + "-01", a},
		{"TraceParent: \t00-" + a + "-" + p + "-00 ", a},
		{"traceparent: 00-" + strings.ToUpper(a) + "-" + p + "-01", ""},
		{"traceparent: 00-" + a + "-" + p + "-0A", ""},
		{"traceparent: 00-" + a + "-" + p + "-01-x", ""},
		{"traceparent: 00-" + a + "-" + p + "-0", ""},
		{"traceparent: cc-" + a + "-" + p + "-01", a},
		{"traceparent: cc-" + a + "-" + p + "-01-what", a},
		{"traceparent: cc-" + a + "-" + p + "-01.what", ""},
		{"traceparent: ff-" + a + "-" + p + "-01", ""},
		{"traceparent: FF-" + a + "-" + p + "-01", ""},
		{"traceparent: 00-" + zeros + "-" + p + "-01", ""},
		{"traceparent: 00-" + a + "-0000000000000000-01", ""},
		{"traceparent: 00_" + a + "-" + p + "-01", ""},
		{"traceparent: 00-" + a + "-" + p + "-01|Traceparent: 00-" + a + "-" + p + "-01", ""},
		{"traceparent: 00-" + strings.ToUpper(a) + "-" + p + "-01|b3: " + b + "-" + p, b},
		{"b3: " + b + "-" + p + "|traceparent: 00-" + a + "-" + p + "-01", a},
		{"b3: " + strings.ToUpper(b) + "-" + p + "-1-" + p, b},
		{"b3: " + b[:16] + "-" + p + "-d", b[:16]},
		{"b3: 0", ""},
		{"b3: " + b, ""},
		{"b3: " + b + "-" + p + "-2", ""},
		{"b3: " + b + "-" + p + "-1-short", ""},
		{"b3: " + b[:15] + "-" + p, ""},
		{"b3: 0|X-B3-TraceId: " + b, b},
		{"b3: nonsense|x-b3-traceid: " + strings.ToUpper(b[:16]), b[:16]},
		{"X-B3-TraceId: " + b[:17], ""},
		{"X-B3-TraceId: " + zeros, ""},
		{"X-Other: " + b, ""},
	} {
		var h traceHeaders
		for header := range strings.SplitSeq(c.headers, "|") {
			name, value, _ := strings.Cut(header, ":")
			h.add([]byte(name), []byte(strings.TrimPrefix(value, " ")))
		}
		if got := string(h.traceID()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.headers, got, c.want)
		}
	}
}
