package policy

import (
	"math"
	"testing"

	"squall/engine/ticks"
	"squall/engine/virtual"
)

const second = ticks.Second

func noDraw() float64 { panic("a delay without jitter draws nothing") }

// executor.md 23.1 without jitter, but for delays that a server asks for (B6, B7, B20) and custom
// curves (B10), which a scenario cannot have.
func TestCurve(t *testing.T) {
	curve := func(change func(*BackoffSettings)) BackoffSettings {
		s := ExponentialBackoff()
		s.Jitter = NoJitter
		if change != nil {
			change(&s)
		}
		return s
	}
	constant := func(throttled, most ticks.Ticks) BackoffSettings {
		s := ConstantBackoff(250 * ms)
		s.ThrottledBase, s.MaximumDelay, s.Jitter = throttled, most, NoJitter
		return s
	}
	byDefault := curve(nil)
	unbounded := curve(func(s *BackoffSettings) { s.MaximumDelay = ticks.Infinite })
	b13 := curve(func(s *BackoffSettings) { s.MaximumDelay = 45 * second })
	b14 := curve(func(s *BackoffSettings) { s.TransientBase, s.ThrottledBase, s.Factor = 500*ms, 5*second, 1.5 })
	b15 := curve(func(s *BackoffSettings) { s.TransientBase, s.ThrottledBase, s.Factor = 250*ms, 4*second, 3 })
	measured := curve(func(s *BackoffSettings) { s.Measured = ptr(MeasuredBase(1)) })
	none := NoBackoff()
	none.Jitter = NoJitter

	for _, tt := range []struct {
		id      string
		curve   BackoffSettings
		next    int
		verdict Kind
		normal  ticks.Ticks // 0 for unknown
		want    ticks.Ticks
	}{
		{"B1", byDefault, 2, Transient, 0, 100 * ms},
		{"B2", byDefault, 2, Throttled, 0, second},
		{"B3", byDefault, 3, Transient, 0, 200 * ms},
		{"B4", byDefault, 4, Transient, 0, 400 * ms},
		{"B5", byDefault, 30, Transient, 0, 30 * second},
		{"B8", none, 5, Transient, 0, 0},
		{"B9", constant(250*ms, 250*ms), 2, Transient, 0, 250 * ms},
		{"B9", constant(250*ms, 250*ms), 9, Transient, 0, 250 * ms},
		{"B11", unbounded, 1100, Transient, 0, 0},
		{"B12", unbounded, 1000, Transient, 0, ticks.Max},
		{"B13", b13, 4, Transient, 0, 400 * ms},
		{"B13", b13, 4, Throttled, 0, 4 * second},
		{"B14", b14, 4, Transient, 0, 1125 * ms},
		{"B14", b14, 4, Throttled, 0, 11250 * ms},
		{"B15", b15, 2, Transient, 0, 250 * ms},
		{"B15", b15, 3, Transient, 0, 750 * ms},
		{"B15", b15, 2, Throttled, 0, 4 * second},
		{"B16", constant(2*second, 250*ms), 5, Throttled, 0, 250 * ms},
		{"B17", constant(2*second, 2*second), 5, Transient, 0, 250 * ms},
		{"B17", constant(2*second, 2*second), 5, Throttled, 0, 2 * second},
		{"B18", measured, 2, Transient, 200 * ms, 200 * ms},
		{"B18", measured, 3, Transient, 200 * ms, 400 * ms},
		{"B18", measured, 4, Transient, 200 * ms, 800 * ms},
		{"B18", measured, 30, Transient, 200 * ms, 30 * second},
		{"B19", measured, 2, Throttled, 200 * ms, second},
		{"B21", measured, 2, Transient, 0, 100 * ms},
		{"B22", measured, 2, Transient, 60 * second, second},
		{"B22", measured, 2, Transient, 100 * ticks.Microsecond, 10 * ms},
		{"normal without Measured", byDefault, 2, Transient, 200 * ms, 100 * ms},
		{"beyond the known powers", curve(func(s *BackoffSettings) { s.Factor, s.MaximumDelay = 1.5, ticks.Infinite }), 62, Transient, 0,
			ticks.FromFloat(1e6 * power(1.5, 60))},
	} {
		c := NewCurve(tt.curve)
		for range 2 { // the second time from the powers it knows
			if got := c.Delay(tt.next, tt.verdict, tt.normal, tt.normal > 0, noDraw); got != tt.want {
				t.Errorf("%s: before attempt %d: %d, want %d", tt.id, tt.next, got, tt.want)
			}
		}
	}
}

func TestCurveJitter(t *testing.T) { // B23, B24
	for _, tt := range []struct {
		jitter                 Jitter
		draws                  int
		least, low, high, most ticks.Ticks
	}{
		{FullJitter, 500, 0, 300 * ms, 700 * ms, second},
		{EqualJitter, 200, 500 * ms, second, 0, second},
	} {
		s := ExponentialBackoff()
		s.TransientBase, s.Jitter = second, tt.jitter
		c := NewCurve(s)
		jitter := virtual.NewJitter(1)
		shortest, longest := ticks.Max, ticks.Ticks(0)
		for range tt.draws {
			d := c.Delay(2, Transient, 0, false, jitter.Next)
			shortest, longest = min(shortest, d), max(longest, d)
		}
		if shortest < tt.least || shortest >= tt.low || longest <= tt.high || longest > tt.most {
			t.Errorf("jitter %d: delays from %d to %d", tt.jitter, shortest, longest)
		}
	}
}

func TestCurveDraws(t *testing.T) { // B25
	none := ExponentialBackoff()
	none.Jitter = NoJitter
	for _, tt := range []struct {
		name  string
		curve BackoffSettings
		want  int
	}{{"full", ExponentialBackoff(), 1}, {"none", NoBackoff(), 1}, {"jitter none", none, 0}} {
		c, draws := NewCurve(tt.curve), 0
		c.Delay(2, Transient, 0, false, func() float64 { draws++; return 0.5 })
		if draws != tt.want {
			t.Errorf("%s: %d draws, want %d", tt.name, draws, tt.want)
		}
	}
}

func TestJitterStream(t *testing.T) { // W8
	for seed, want := range map[int32][3]int64{42: {742510259, 685274065, 306178868}, 7: {154218078, 873514891, 7172763}} {
		j := virtual.NewJitter(seed)
		for i, w := range want {
			if got := int64(math.Round(j.Next() * 1e9)); got != w {
				t.Errorf("seed %d, draw %d: %d, want %d", seed, i, got, w)
			}
		}
	}
}

func TestPower(t *testing.T) { // B26
	for _, tt := range []struct {
		factor float64
		n      int
		want   float64
	}{
		{1.1, 2, 1.2100000000000002}, {1.7, 3, 4.912999999999999}, {3, 33, 5559060566555523}, {2, 1023, 0x1p1023},
		{0.5, 5, 0.03125}, {7, 0, 1}, {7, 1, 7}, {0, 3, 0}, {0, 0, 1}, {1, 1 << 40, 1}, {2, 1024, math.Inf(1)},
		{1e300, 2, math.Inf(1)}, {0.5, 1074, 0x1p-1074}, {0.5, 1100, 0}, {1.5, 1 << 62, math.Inf(1)}, {0.9, 1 << 62, 0},
	} {
		var p powers
		for range 2 {
			if got := p.of(tt.factor, tt.n); got != tt.want {
				t.Errorf("%v to the %d: %v, want %v", tt.factor, tt.n, got, tt.want)
			}
		}
	}
	for n := range 1100 {
		if got, want := power(2, n), powerOfTwo(n); got != want {
			t.Errorf("2 to the %d: %v, want %v", n, got, want)
		}
	}
}

func TestCurveWithOddSettings(t *testing.T) {
	for _, factor := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, math.MaxFloat64} {
		for _, next := range []int{-5, 0, 2, 3, 100} {
			c := NewCurve(BackoffSettings{TransientBase: 1, Factor: factor, MaximumDelay: ticks.Infinite, Measured: &MeasuredBaseSettings{}})
			if d := c.Delay(next, Transient, 5, true, func() float64 { return 0.5 }); d < 0 {
				t.Errorf("factor %v: a delay of %d", factor, d)
			}
		}
	}
}
