package virtual

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"squall/engine/ticks"

	"pgregory.net/rapid"
)

// executor.md 23.14 W8.
func TestJitterFirstDraws(t *testing.T) {
	for _, c := range []struct {
		seed int32
		want [3]int64
	}{
		{42, [3]int64{742510259, 685274065, 306178868}},
		{7, [3]int64{154218078, 873514891, 7172763}},
	} {
		j := NewJitter(c.seed)
		for i, want := range c.want {
			if got := int64(math.Round(j.Next() * 1e9)); got != want {
				t.Errorf("seed %d draw %d = %d, want %d", c.seed, i, got, want)
			}
		}
	}
}

// breaker.md X10: the first draw of a seed times 2^24.
func TestJitterFirstWord(t *testing.T) {
	for seed, want := range map[int32]float64{0: 4337308, 1: 3625646, 7: 2587350, 13: 12317335, 42: 12457255} {
		j := NewJitter(seed)
		if got := j.Next() * (1 << 24); got != want {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// Two streams of one seed share nothing; a seed and its negative differ.
func TestDiceSignExtends(t *testing.T) {
	a, b := NewDice(-1), NewDice(1)
	if a.Next() == b.Next() {
		t.Error("seeds -1 and 1 draw the same")
	}
	if d := NewDice(-1); d.state != math.MaxUint64 {
		t.Errorf("state of seed -1 = %x", d.state)
	}
}

// The queue gives what a stable sort by due gives, whatever is pushed and popped in between and
// however far apart timers are.
func TestQueueIsAStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue
		type pair struct {
			due   ticks.Ticks
			order uint32
		}
		var model []pair
		var created uint32
		var now ticks.Ticks
		pop := func() {
			if rapid.Bool().Draw(t, "look") {
				if due, ok := q.NextDue(); !ok || due != model[0].due {
					t.Fatalf("next due %v %v, want %v", due, ok, model[0].due)
				}
			}
			got := q.Pop()
			want := model[0]
			model = model[1:]
			now = got.Due
			if got.Due != want.due || got.Payload != want.order {
				t.Fatalf("popped %v #%d, want %v", got.Due, got.Payload, want)
			}
		}
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			if len(model) > 0 && rapid.IntRange(0, 2).Draw(t, "pop") == 0 {
				pop()
				continue
			}
			far := rapid.SampledFrom([]int{0, 3, 10_000, 100_000, 5_000_000, 20_000_000, 1 << 40}).Draw(t, "reach")
			due := now + ticks.Ticks(rapid.IntRange(0, far).Draw(t, "due"))
			created++
			q.Push(due, created, 0)
			model = append(model, pair{due, created})
			slices.SortStableFunc(model, func(a, b pair) int { return cmp.Compare(a.due, b.due) })
			if q.Len() != len(model) {
				t.Fatalf("%d timers, want %d", q.Len(), len(model))
			}
		}
		for len(model) > 0 {
			pop()
		}
		if _, ok := q.NextDue(); ok || q.Len() != 0 {
			t.Fatal("the queue is not empty")
		}
	})
}

// A number taken early goes before timers that were created later and are due together.
func TestQueueReservedOrder(t *testing.T) {
	var q Queue
	early := q.Order()
	q.Push(5, 1, 0)
	q.PushOrdered(5, early, 2, 0)
	if first := q.Pop(); first.Payload != 2 {
		t.Errorf("payload %d came first", first.Payload)
	}
}
