package policy

import (
	"slices"
	"testing"

	"squall/engine/ticks"
)

// winBench offers hedges, an epoch of a second after the other.
type winBench struct {
	w     WinWindow
	epoch ticks.Ticks
}

func newWinBench(change func(*WinRateSettings)) *winBench {
	s := WinRate(0.2)
	s.Window = 4 * ticks.Second
	if change != nil {
		change(&s)
	}
	return &winBench{w: NewWinWindow(s, 0), epoch: -1}
}

// offer begins an epoch, offers n hedges in it, starts the admitted ones, and lets them win until
// wins of them have.
func (b *winBench) offer(n, wins int) (started int, allowance float64) {
	b.epoch++
	now := b.epoch * ticks.Second
	for range n {
		if b.w.Admits(now) {
			b.w.Started(now)
			if started++; started <= wins {
				b.w.Won(now)
			}
		}
	}
	return started, b.w.Allowance()
}

func (b *winBench) epochs(n, offered, wins int) (started int, allowances []float64) {
	for range n {
		s, a := b.offer(offered, wins)
		started += s
		allowances = append(allowances, a)
	}
	return started, allowances
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// executor.md 23.8, but for L12 to L14, which need calls.
func TestWinWindow(t *testing.T) {
	expect := func(t *testing.T, started, wantStarted int, allowances, want []float64) {
		t.Helper()
		if started != wantStarted || !slices.Equal(allowances, want) {
			t.Errorf("%d started, allowances %v; want %d, %v", started, allowances, wantStarted, want)
		}
	}
	t.Run("L1", func(t *testing.T) {
		started, allowances := newWinBench(nil).epochs(100, 1, 0)
		expect(t, started, 100, allowances, ones(100))
	})
	t.Run("L2 L6 L7", func(t *testing.T) {
		b := newWinBench(nil)
		started, allowances := b.epochs(8, 100, 33)
		expect(t, started, 800, allowances, ones(8))
		_, allowances = b.epochs(8, 100, 0)
		expect(t, 0, 0, allowances, []float64{1, 1, .5, .25, .125, .0625, .05, .05})
		_, allowances = b.epochs(8, 100, 33)
		for i := range allowances { // to two places: the sums of .05 and .25 round
			allowances[i] = float64(int(allowances[i]*100+.5)) / 100
		}
		expect(t, 0, 0, allowances, []float64{.05, .3, .55, .8, 1, 1, 1, 1})
	})
	t.Run("L3", func(t *testing.T) {
		started, allowances := newWinBench(nil).epochs(8, 100, 0)
		expect(t, started, 208, allowances, []float64{1, .5, .25, .125, .0625, .05, .05, .05})
	})
	t.Run("L4 L5", func(t *testing.T) {
		b := newWinBench(nil)
		b.offer(10, 0)
		var allowances []float64
		for now := ticks.Second; now <= 7*ticks.Second; now += ticks.Second {
			b.w.Admits(now) // decides, but none starts
			allowances = append(allowances, b.w.Allowance())
		}
		expect(t, 0, 0, allowances, []float64{.5, .25, .125, .375, .625, .875, 1})
	})
	t.Run("L8", func(t *testing.T) {
		b := newWinBench(nil)
		b.offer(10, 0)
		var admitted []bool
		for range 4 {
			admitted = append(admitted, b.w.Admits(ticks.Second))
		}
		if !slices.Equal(admitted, []bool{false, true, false, true}) || b.w.Allowance() != .5 {
			t.Errorf("at %v: %v", b.w.Allowance(), admitted)
		}
	})
	t.Run("L9", func(t *testing.T) {
		b := newWinBench(nil)
		for range 10 {
			b.w.Admits(0)
		}
		b.w.Admits(ticks.Second)
		if a := b.w.Allowance(); a != 1 {
			t.Errorf("allowance %v though none started", a)
		}
	})
	t.Run("L10", func(t *testing.T) {
		started, allowances := newWinBench(nil).epochs(3, 3, 0)
		expect(t, started, 9, allowances, ones(3))
	})
	t.Run("L11", func(t *testing.T) {
		b := newWinBench(func(s *WinRateSettings) { s.MinimumAllowance = 0 })
		_, allowances := b.epochs(8, 100, 0)
		expect(t, 0, 0, allowances[5:], []float64{.03125, .015625, .0078125})
		b.epoch += 3
		if _, a := b.offer(1, 0); a != 1 {
			t.Errorf("4 s later: allowance %v", a)
		}
	})
}
