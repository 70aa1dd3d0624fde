package grading

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"squall/engine/ticks"
	"squall/engine/world"
	"squall/grading/recording"
)

// hard are recordings of n calls a direction, each of a shape that a naive judge is slow on.
var hard = []struct {
	name string
	make func(n int) *Input
}{
	{"plain", func(n int) *Input { return large(n, func(int, *recording.Inbound, *recording.Outbound) {}) }},
	{"one trace", func(n int) *Input {
		return large(n, func(_ int, in *recording.Inbound, out *recording.Outbound) {
			in.TraceID, out.TraceID = "4bf92f3577b34da6a3ce929d0e0e4736", "a3ce929d0e0e4736"
		})
	}},
	{"all in flight", func(n int) *Input {
		return large(n, func(_ int, in *recording.Inbound, _ *recording.Outbound) { in.DurationNs = 3600 * s })
	}},
	{"one request", func(n int) *Input {
		return large(n, func(i int, _ *recording.Inbound, out *recording.Outbound) {
			out.Parent, out.Host = "r0", strconv.Itoa(i)
		})
	}},
	{"a rule a call", func(n int) *Input {
		return large(n, func(i int, _ *recording.Inbound, out *recording.Outbound) {
			out.Chaos = &recording.Chaos{Rule: strconv.Itoa(i), Effects: []string{strconv.Itoa(i)}}
		})
	}},
	{"an endpoint a request", func(n int) *Input {
		return large(n, func(i int, in *recording.Inbound, _ *recording.Outbound) { in.Route = strconv.Itoa(i) })
	}},
}

// large is a recording with n requests and n calls, the tenth of them perturbed, half a minute long
// and with a minute behind it.
func large(n int, change func(i int, in *recording.Inbound, out *recording.Outbound)) *Input {
	rec := recording.Recording{Service: "svc", LoadEndsNs: 90 * s, HasLoadEnds: true,
		Inbound: make([]recording.Inbound, n), Outbound: make([]recording.Outbound, n)}
	step := int64(60*s) / int64(n)
	for i := range n {
		at := int64(i) * step
		in, out := &rec.Inbound[i], &rec.Outbound[i]
		*in = recording.Inbound{ID: "r" + strconv.Itoa(i), AtNs: at, DurationNs: 20 * ms, HasDuration: true,
			Method: "GET", Path: "/orders/" + strconv.Itoa(i) + "/items", Status: 200}
		out.Inbound = recording.Inbound{ID: "c" + strconv.Itoa(i), AtNs: at + 1, DurationNs: 5 * ms, HasDuration: true,
			Method: "POST", Path: "/v1/charge", Status: 200}
		out.Host = "payments"
		if i%10 == 0 && at < 30*s {
			out.Chaos = &recording.Chaos{Rule: "down", Effects: []string{"status"}, Status: 503, HasStatus: true}
			in.Status = 200 + 303*(i%20/10)
		}
		change(i, in, out)
	}
	rule := world.ChaosRule{ID: "down", Percent: 10, Duration: 30 * ticks.Second, HasDuration: true, MaxLatency: 30 * ticks.Second}
	return &Input{Recordings: []recording.Recording{rec}, Rules: []world.ChaosRule{rule}}
}

// TestLarge grades many calls of every shape; what is quadratic does not come to an end here. The
// memory that is allocated in all stays far below what a recording of that size takes itself.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large recordings")
	}
	for i, shape := range hard {
		t.Run(shape.name, func(t *testing.T) {
			n := callsKept / 2
			if i == 0 {
				n = callsKept
			}
			in := shape.make(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			report := Grade(in)
			runtime.ReadMemStats(&after)
			if r := &report.Services[0]; r.NA != "" || r.Faults.Paired == 0 {
				t.Errorf("%+v", r.Faults)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 300<<20 {
				t.Errorf("%d MB were allocated", allocated>>20)
			}
		})
	}
}

func BenchmarkGrade(b *testing.B) {
	for _, shape := range hard {
		for _, n := range []int{20_000, 200_000} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				in := shape.make(n)
				b.ReportAllocs()
				for b.Loop() {
					Grade(in)
				}
			})
		}
	}
}

// BenchmarkRead reads and grades the document of a plain recording.
func BenchmarkRead(b *testing.B) {
	text := large(callsKept, func(int, *recording.Inbound, *recording.Outbound) {}).AppendJSON(nil)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		in, problems := ReadInput(text)
		if in == nil {
			b.Fatal(problems)
		}
		Grade(in).AppendJSON(nil)
	}
}
