package policy

import (
	"slices"
	"testing"

	"squall/engine/ticks"
)

func spend(b *Bucket, now ticks.Ticks, sheddable bool) (granted int) {
	for b.TrySpend(now, sheddable) {
		granted++
	}
	return granted
}

// executor.md 23.2, but for what needs calls (D) or validation (C11, C12).
func TestBucket(t *testing.T) {
	t.Run("C1 to C6", func(t *testing.T) {
		b := NewBucket(BudgetSettings{Fraction: 0.1, MinimumPerSecond: 2}, 0)
		if u := b.Utilization(0); u != 0 {
			t.Errorf("utilization of a fresh bucket %v", u)
		}
		if n := spend(&b, 0, false); n != 20 {
			t.Errorf("%d spends granted", n)
		}
		if u := b.Utilization(0); u != 1 {
			t.Errorf("utilization of an empty bucket %v", u)
		}
		if d, ok := b.Hint(0); d != 500*ms || !ok {
			t.Errorf("hint %d, %v", d, ok)
		}
		var granted []bool
		for range 3 {
			granted = append(granted, b.TrySpend(ticks.Second, false))
		}
		if !slices.Equal(granted, []bool{true, true, false}) {
			t.Errorf("a second later: %v", granted)
		}
		if n := spend(&b, ticks.Hour, false); n != 20 {
			t.Errorf("an hour later %d spends granted", n)
		}
	})
	t.Run("C7 C8", func(t *testing.T) {
		b := NewBucket(BudgetSettings{Fraction: 0.25}, 0)
		granted := []bool{b.TrySpend(0, false), b.TrySpend(0, false)}
		for range 3 {
			b.Deposit(0)
		}
		granted = append(granted, b.TrySpend(ticks.Hour, false))
		b.Deposit(ticks.Hour)
		granted = append(granted, b.TrySpend(ticks.Hour, false))
		if !slices.Equal(granted, []bool{true, false, false, true}) {
			t.Errorf("%v", granted)
		}
		if d, ok := b.Hint(0); ok {
			t.Errorf("hint %d without a floor", d)
		}
	})
	t.Run("C9", func(t *testing.T) {
		b := NewBucket(BudgetSettings{Fraction: 0.1, MinimumPerSecond: 1}, 0)
		for range 5 {
			b.TrySpend(0, false)
		}
		if u := b.Utilization(0); u != 0.5 {
			t.Errorf("utilization %v", u)
		}
	})
	t.Run("C10", func(t *testing.T) {
		b := NewBucket(BudgetSettings{Fraction: 0.1, MinimumPerSecond: 2}, 0)
		if n := spend(&b, 0, true); n != 10 {
			t.Errorf("%d sheddable spends granted", n)
		}
		if !b.TrySpend(0, false) {
			t.Error("an ordinary spend is refused")
		}
	})
}

func TestBucketHint(t *testing.T) { // D9: the guard pause has refilled a fifth of a token
	b := NewBucket(BudgetSettings{Fraction: 0.1, MinimumPerSecond: 2}, 0)
	spend(&b, 0, false)
	if d, ok := b.Hint(100 * ms); d != 400*ms || !ok {
		t.Errorf("hint %d, %v", d, ok)
	}
	if d, ok := b.Hint(600 * ms); d != 0 || !ok {
		t.Errorf("hint with a token: %d, %v", d, ok)
	}
}

// The capacity is a ceiling, deposits included, and looking at the level leaves no trace.
func TestBucketLevel(t *testing.T) {
	b := NewBucket(BudgetSettings{Fraction: 1, MinimumPerSecond: 3}, 0)
	b.Deposit(0)
	if l := b.Level(ticks.Second); l != 30 {
		t.Errorf("level %v of a full bucket", l)
	}
	spend(&b, 0, false)
	before := b
	if l := b.Level(ticks.Second); l != 3 {
		t.Errorf("level %v a second after the last token", l)
	}
	if b != before {
		t.Error("looking changed the bucket")
	}
	if u := b.Utilization(ticks.Second); u != 1-3.0/30 || b == before {
		t.Errorf("utilization %v, refilled %v", u, b != before)
	}
}
