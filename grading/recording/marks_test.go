package recording

import (
	"fmt"
	"testing"
)

func TestMarker(t *testing.T) {
	for _, c := range []struct{ marker, want string }{
		{"effect=latency;effect=status code;status=503;rule=x;new=1", "x [latency status] 503"},
		{" rule = x ; effect = no response ", "x [no-response] -"},
		{"effect=noresponse;rule=x", "x [no-response] -"},
		{"effect=no-response;rule=x", "x [no-response] -"},
		{"effect=melt;rule=x", "x [melt] -"},
		{"injected fault", "unnamed [] -"},
		{"status=503", "unnamed [] 503"},
		{"status=bad;rule=x", "x [] -"},
		{"status=1503;rule=x", "x [] -"},
		{";", "unnamed [] -"},
		{"rule=;effect=;status=", "unnamed [] -"},
		{"None", "unnamed [] -"},
		{"none;rule=x", "x [] -"},
		{"none", "left alone"},
		{" none ", "left alone"},
		{"", "left alone"},
		{" ", "left alone"},
	} {
		got := "left alone"
		if m := parseMarker([]byte(c.marker)); m != nil {
			status := "-"
			if m.HasStatus {
				status = fmt.Sprint(m.Status)
			}
			got = fmt.Sprint(m.Rule, " ", m.Effects, " ", status)
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.marker, got, c.want)
		}
	}
}

func TestMarkedStatus(t *testing.T) {
	for _, c := range []struct {
		marker string
		want   int
	}{
		{"none", 200},
		{"effect=status code;status=503", 503},
		{"effect=latency", 200},
		{"effect=status", 200},
		{"effect=drop", 200},
		{"effect=corrupt", 200},
		{"effect=refuse", 0},
		{"effect=latency;effect=reset", 0},
		{"effect=stall", 0},
		{"effect=no response", 0},
		{"effect=stall;status=504", 504},
	} {
		if got := parseMarker([]byte(c.marker)).sent(200); got != c.want {
			t.Errorf("%s: got %d, want %d", c.marker, got, c.want)
		}
	}
}
