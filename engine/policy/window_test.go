package policy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"squall/engine/ticks"
)

const ms = ticks.Millisecond

func record(w *Window, n int, now, d ticks.Ticks) {
	for range n {
		w.Record(now, d)
	}
}

// expectThreshold reads with a minimum of 20 and wants an answer from low to high; low 0 wants none.
func expectThreshold(t *testing.T, w *Window, now, low, high ticks.Ticks) {
	t.Helper()
	got, ok := w.Threshold(now, 20)
	if ok != (low > 0) || got < low || got > high {
		t.Errorf("at %d: threshold %d, %v; want %d to %d", now, got, ok, low, high)
	}
}

func expectSamples(t *testing.T, w *Window, now ticks.Ticks, want int) {
	t.Helper()
	if got := w.Samples(now); got != want {
		t.Errorf("at %d: %d samples, want %d", now, got, want)
	}
}

// breaker.md 14 G; the window has rings of a second.
func TestWindow(t *testing.T) {
	fresh := func(quantile float64) Window { return NewWindow(quantile, 4*ticks.Second, 0) }
	const s = ticks.Second

	t.Run("G1", func(t *testing.T) {
		w := fresh(0.95)
		expectThreshold(t, &w, 0, 0, 0)
		expectSamples(t, &w, 0, 0)
		record(&w, 19, 0, 10*ms)
		expectThreshold(t, &w, 0, 0, 0)
		w.Record(0, 10*ms)
		expectThreshold(t, &w, 0, 102400, 102400)
	})
	t.Run("G2", func(t *testing.T) {
		w := fresh(0.95)
		record(&w, 1000, 0, 100*ms)
		expectThreshold(t, &w, 0, 100*ms, 1125*ms/10)
	})
	t.Run("G3", func(t *testing.T) {
		w, tail := fresh(0.95), fresh(0.99)
		for _, w := range []*Window{&w, &tail} {
			record(w, 95, 0, 10*ms)
			record(w, 5, 0, s)
		}
		expectThreshold(t, &w, 0, 10*ms, 1125*ms/100)
		expectThreshold(t, &tail, 0, s, 1125*ms)
	})
	t.Run("G4", func(t *testing.T) {
		for _, us := range []ticks.Ticks{1, 7, 8, 100, 999, 1000, 50_000, 1_000_000, 30_000_000} {
			w := fresh(0.95)
			record(&w, 50, 0, us*10)
			expectThreshold(t, &w, 0, us*10, us*10*9/8+10)
		}
	})
	t.Run("G5", func(t *testing.T) {
		w := fresh(0.95)
		record(&w, 100, 0, 10*ms)
		expectThreshold(t, &w, 0, 102400, 102400)
		expectSamples(t, &w, 4*s, 0)
		expectThreshold(t, &w, 4*s, 0, 0)
	})
	t.Run("G6", func(t *testing.T) {
		w := fresh(0.95)
		for i := range ticks.Ticks(4) {
			record(&w, 100, i*s, 10*ms)
		}
		expectSamples(t, &w, 4*s, 300)
	})
	t.Run("G7", func(t *testing.T) {
		w := fresh(0.95)
		record(&w, 500, 0, 10*ms)
		expectThreshold(t, &w, 0, 10*ms, 1125*ms/100)
		record(&w, 500, 4*s, 100*ms)
		expectThreshold(t, &w, 4*s, 100*ms, 1125*ms/10)
	})
	t.Run("G8", func(t *testing.T) {
		w := fresh(0.95)
		record(&w, 50, 0, ticks.Hour)
		expectThreshold(t, &w, 0, 2684354560, 2684354560)
	})
	t.Run("G9", func(t *testing.T) {
		w := fresh(0.95)
		w.Record(0, -s)
		expectSamples(t, &w, 0, 0)
		w.Record(0, 0)
		expectSamples(t, &w, 0, 1)
		if got, ok := w.Threshold(0, 1); got != 10 || !ok {
			t.Errorf("threshold %d, %v", got, ok)
		}
	})
	t.Run("G10", func(t *testing.T) {
		w := fresh(0.95)
		record(&w, 100, 0, 10*ms)
		expectThreshold(t, &w, 40*s, 0, 0)
		w.Record(40*s, 10*ms)
		expectSamples(t, &w, 40*s, 1)
	})
	t.Run("G11", func(t *testing.T) {
		w, tenfold := fresh(0.95), fresh(0.95)
		for i := range 1000 {
			d := 200 * ms
			if i%100 < 95 {
				d = 10 * ms
			}
			w.Record(0, d)
			tenfold.Record(0, 10*d)
		}
		a, _ := w.Threshold(0, 20)
		b, _ := tenfold.Threshold(0, 20)
		if a == 0 || b < 9*a || b > 11*a {
			t.Errorf("%d and ten times that: %d", a, b)
		}
	})
}

func TestWindowBounds(t *testing.T) { // breaker.md G12, executor.md W1
	us := ticks.Microsecond
	for _, tt := range []struct{ d, want ticks.Ticks }{
		{0, 10}, {7 * us, 80}, {8 * us, 90}, {15 * us, 160}, {16 * us, 180}, {ms, 10240}, {10 * ms, 102400},
		{20 * ms, 204800}, {40 * ms, 409600}, {50 * ms, 532480}, {100 * ms, 1064960}, {400 * ms, 4259840},
		{ticks.Second, 10485760}, {1 << 27 * us, 1509949440}, {(1<<28 - 1) * us, 2684354560},
		{1 << 28 * us, 2684354560}, {ticks.Max, 2684354560},
		{79, 80}, {300 * us, 3200}, {2 * ms, 20480}, {200 * ms, 2129920}, {500 * ms, 5242880},
		{2 * ticks.Second, 20971520}, {20 * ticks.Second, 209715200}, {60 * ticks.Second, 629145600},
		{300 * ticks.Second, 2684354560},
	} {
		if got := bucketBound(bucketOf(tt.d)); got != tt.want {
			t.Errorf("the bucket of %d ends at %d, want %d", tt.d, got, tt.want)
		}
	}
	for i := range latencyBuckets - 1 {
		if end := bucketBound(i); bucketOf(end-1) != i || bucketOf(end) != i+1 {
			t.Errorf("bucket %d ends at %d, but that is where bucket %d ends", i, end, bucketOf(end-1))
		}
	}
}

func TestWindowMemo(t *testing.T) { // executor.md 11.4
	w := NewWindow(0.5, 4*ticks.Second, 0)
	if _, ok := w.Peek(); ok {
		t.Error("an answer before anybody asked")
	}
	record(&w, 20, 0, 10*ms)
	expectThreshold(t, &w, 0, 102400, 102400)
	record(&w, 200, 0, 100*ms)
	expectThreshold(t, &w, ticks.Second-1, 102400, 102400)
	if got, ok := w.Peek(); got != 102400 || !ok {
		t.Errorf("the last answer was %d, %v", got, ok)
	}
	expectThreshold(t, &w, ticks.Second, 1064960, 1064960)
	if got, _ := w.Peek(); got != 1064960 {
		t.Errorf("the last answer was %d", got)
	}
	expectThreshold(t, &w, 20*ticks.Second, 0, 0)
	if got, ok := w.Peek(); got != 1064960 || !ok {
		t.Errorf("a read that is too cold left %d, %v", got, ok)
	}
}

func TestWindowAnchor(t *testing.T) {
	const anchor = 12_345_678
	w := NewWindow(0.5, 4*ticks.Second, anchor)
	record(&w, 20, anchor, ms)
	expectSamples(t, &w, anchor+4*ticks.Second-1, 20)
	expectSamples(t, &w, anchor+4*ticks.Second, 0)
	if allocated := testing.AllocsPerRun(100, func() { w.Record(anchor, ms); w.Threshold(anchor, 20) }); allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}

// The ceiling and base readings of executor.md 23.4 and 23.5, as far as window and setting decide them.
func TestWindowReadings(t *testing.T) {
	type samples struct {
		n int
		d ticks.Ticks
	}
	for _, tt := range []struct {
		id      string
		ceiling *CeilingSettings
		base    *MeasuredBaseSettings
		samples []samples
		want    ticks.Ticks // 0 for none
	}{
		{id: "F1", ceiling: ptr(Ceiling(3)), samples: []samples{{19, 100 * ms}}},
		{id: "F2", ceiling: ptr(Ceiling(3)), samples: []samples{{20, 100 * ms}}, want: 3194880},
		{id: "F6", ceiling: &CeilingSettings{Multiple: 3, Quantile: 0.95, MinimumSamples: 20, Floor: 1}, samples: []samples{{20, 2 * ms}}, want: 61440},
		{id: "F7", ceiling: &CeilingSettings{Multiple: 3, Quantile: 0.95, MinimumSamples: 20, Floor: 1}, samples: []samples{{20, 2000 * ms}}, want: 62914560},
		{id: "F8", ceiling: ptr(Ceiling(3)), samples: []samples{{40, 20 * ticks.Second}}, want: 629145600},
		{id: "F11", ceiling: ptr(Ceiling(3)), samples: []samples{{40, 300 * ticks.Microsecond}}, want: 50 * ms},
		{id: "F13", ceiling: &CeilingSettings{Multiple: 2, Quantile: 0.95, MinimumSamples: 20}, samples: []samples{{90, 10 * ms}, {10, 500 * ms}}, want: 10485760},
		{id: "F15", ceiling: ptr(Ceiling(3)), samples: []samples{{40, 40 * ms}}, want: 1228800},
		{id: "G1", base: ptr(MeasuredBase(1)), samples: []samples{{19, 200 * ms}}},
		{id: "G2", base: ptr(MeasuredBase(1)), samples: []samples{{20, 200 * ms}}, want: 2129920},
		{id: "G4", base: ptr(MeasuredBase(1)), samples: []samples{{40, 60 * ticks.Second}}, want: ticks.Second},
		{id: "G5", base: ptr(MeasuredBase(1)), samples: []samples{{40, 100 * ticks.Microsecond}}, want: 10 * ms},
		{id: "G8", base: &MeasuredBaseSettings{Multiple: 1, Quantile: 0.5, MinimumSamples: 20, Spread: 1000}, samples: []samples{{40, 2 * ms}}, want: 20480},
		{id: "G9", base: &MeasuredBaseSettings{Multiple: 1, Quantile: 0.5, MinimumSamples: 20, Spread: 1000}, samples: []samples{{40, 2000 * ms}}, want: 20971520},
	} {
		quantile := 0.5
		if tt.ceiling != nil {
			quantile = tt.ceiling.Quantile
		}
		w := NewWindow(quantile, ticks.Hour, 0)
		for _, s := range tt.samples {
			record(&w, s.n, 0, s.d)
		}
		got, ok := w.Threshold(0, 20)
		switch {
		case !ok:
		case tt.ceiling != nil:
			got = max(ticks.FromFloat(float64(got)*tt.ceiling.Multiple), tt.ceiling.Floor)
		default:
			s := ExponentialBackoff()
			s.Measured = tt.base
			c := NewCurve(s)
			got = c.Base(got)
		}
		if ok != (tt.want > 0) || got != tt.want {
			t.Errorf("%s: %d, %v; want %d", tt.id, got, ok, tt.want)
		}
	}
}

// plainWindow is executor.md 11 told in the plainest way: every sample is kept, and every answer
// sorts those that count.
type plainWindow struct {
	quantile  float64
	ring      ticks.Ticks
	anchor    ticks.Ticks
	samples   []plainSample
	memo      ticks.Ticks
	memoCount int
	memoEpoch ticks.Ticks
}

type plainSample struct{ epoch, bound ticks.Ticks }

func (p *plainWindow) epoch(now ticks.Ticks) ticks.Ticks { return (now - p.anchor) / p.ring }

func (p *plainWindow) live(epoch ticks.Ticks) (bounds []ticks.Ticks) {
	for _, s := range p.samples {
		if s.epoch > epoch-4 {
			bounds = append(bounds, s.bound)
		}
	}
	slices.Sort(bounds)
	return bounds
}

func (p *plainWindow) threshold(now ticks.Ticks, minimum int) (ticks.Ticks, bool) {
	epoch := p.epoch(now)
	if p.memoEpoch != epoch || p.memoCount < minimum {
		live := p.live(epoch)
		p.memo, p.memoCount, p.memoEpoch = 0, len(live), epoch
		if len(live) > 0 {
			rank := 1
			for float64(rank) < p.quantile*float64(len(live)) {
				rank++
			}
			p.memo = live[rank-1]
		}
	}
	if p.memoCount == 0 || p.memoCount < minimum {
		return 0, false
	}
	return p.memo, true
}

func TestWindowAgainstPlainWindow(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		anchor := ticks.Ticks(r.IntN(1000))
		quantile := []float64{0.1, 0.5, 0.95, 0.99}[r.IntN(4)]
		minimum := 1 + r.IntN(30)
		w := NewWindow(quantile, 403, anchor)
		p := plainWindow{quantile: quantile, ring: 100, anchor: anchor, memoEpoch: -1}
		now := anchor
		for range 3000 {
			switch r.IntN(4) {
			case 0, 1:
				d := ticks.Ticks(r.Int64N(1 << (4 + r.IntN(30))))
				w.Record(now, d)
				p.samples = append(p.samples, plainSample{p.epoch(now), bucketBound(bucketOf(d))})
			case 2:
				got, ok := w.Threshold(now, minimum)
				want, wanted := p.threshold(now, minimum)
				if got != want || ok != wanted {
					t.Fatalf("seed %d at %d: threshold %d, %v; want %d, %v", seed, now, got, ok, want, wanted)
				}
			case 3:
				if got, want := w.Samples(now), len(p.live(p.epoch(now))); got != want {
					t.Fatalf("seed %d at %d: %d samples, want %d", seed, now, got, want)
				}
				now += ticks.Ticks(r.IntN(1 + r.IntN(40)))
				if r.IntN(200) == 0 {
					now += ticks.Ticks(r.IntN(1000))
				}
			}
		}
	}
}

func BenchmarkWindow(b *testing.B) {
	w := NewWindow(0.95, 5*ticks.Minute, 0)
	now := ticks.Ticks(0)
	for i := range b.N {
		now += 20_000
		w.Record(now, ticks.Ticks(i&0xfffff))
		w.Threshold(now, 20)
	}
}
