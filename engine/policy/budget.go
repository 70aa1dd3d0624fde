package policy

import "squall/engine/ticks"

const (
	// bankedSeconds is how many seconds of its floor rate a bucket can save up (executor.md 2.9).
	bankedSeconds = 10.0
	// sheddableReserve is the share of a bucket that calls of level Sheddable may not touch.
	sheddableReserve = 0.5
)

// Bucket holds retry tokens: each retry or hedge takes one, each successful call puts a fraction
// back, and a floor rate refills it with time (executor.md 10). Tokens are a real number in
// [0, capacity]. The order of operations decides the last bit of it, and is part of the contract.
type Bucket struct {
	fraction float64 // tokens a successful call puts back
	rate     float64 // tokens a second
	capacity float64
	tokens   float64
	refilled ticks.Ticks
}

// NewBucket is a full bucket.
func NewBucket(s BudgetSettings, now ticks.Ticks) Bucket {
	capacity := max(float64(s.MinimumPerSecond)*bankedSeconds, 1)
	return Bucket{
		fraction: s.Fraction,
		rate:     float64(s.MinimumPerSecond),
		capacity: capacity,
		tokens:   capacity,
		refilled: now,
	}
}

// TrySpend takes a token, or refuses and takes nothing. A sheddable call must leave half of the
// capacity behind.
func (b *Bucket) TrySpend(now ticks.Ticks, sheddable bool) bool {
	b.refill(now)
	least := 1.0
	if sheddable {
		least = 1 + float64(sheddableReserve*b.capacity)
	}
	if b.tokens < least {
		return false
	}
	b.tokens--
	return true
}

// Deposit puts back what one successful call is worth.
func (b *Bucket) Deposit(now ticks.Ticks) {
	b.refill(now)
	b.fill(b.fraction)
}

// Hint is how long until the floor rate has refilled one token; false without a floor rate. It
// refills, which changes how later sums round (10.4).
func (b *Bucket) Hint(now ticks.Ticks) (ticks.Ticks, bool) {
	if !(b.rate > 0) {
		return 0, false
	}
	b.refill(now)
	need := 1 - b.tokens
	if need <= 0 {
		return 0, true
	}
	return ticks.FromFloat((need / b.rate) * float64(ticks.Second)), true
}

// Utilization is how much of the capacity is spent, in [0, 1]. It refills.
func (b *Bucket) Utilization(now ticks.Ticks) float64 {
	b.refill(now)
	return min(max(1-b.tokens/b.capacity, 0), 1)
}

// Level is how many tokens there would be now. It changes nothing.
func (b *Bucket) Level(now ticks.Ticks) float64 {
	as := *b
	as.refill(now)
	return as.tokens
}

// refill adds what the floor rate gave since the last time. A full bucket stays just as full.
func (b *Bucket) refill(now ticks.Ticks) {
	if now <= b.refilled {
		return
	}
	if b.tokens < b.capacity && b.rate > 0 {
		elapsed := float64(now-b.refilled) / float64(ticks.Second)
		b.fill(float64(elapsed * b.rate))
	}
	b.refilled = now
}

// fill adds tokens up to the capacity. It compares by hand: the built-in min of doubles is a call
// under WebAssembly.
func (b *Bucket) fill(tokens float64) {
	if b.tokens += tokens; b.tokens > b.capacity {
		b.tokens = b.capacity
	}
}
