package virtual

import "math/bits"

const golden = 0x9E3779B97F4A7C15

// Dice is the stream of arrivals, levels, latencies and failures (simulator.md 2).
type Dice struct{ state uint64 }

// NewDice seeds a stream; the seed is sign-extended.
func NewDice(seed int32) Dice { return Dice{state: uint64(int64(seed))} }

// Next is the next draw, at least 0 and below 1.
func (d *Dice) Next() float64 {
	d.state += golden
	x := d.state
	x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9
	x = (x ^ (x >> 27)) * 0x94D049BB133111EB
	x ^= x >> 31
	return float64(float64(x>>11) * (1.0 / (1 << 53)))
}

// Jitter is the stream of backoff jitter and of break jitter (simulator.md 2).
type Jitter struct{ s0, s1, s2, s3 uint32 }

// NewJitter seeds a stream with the seed's 32 bits.
func NewJitter(seed int32) Jitter {
	x := uint64(uint32(seed)) ^ golden
	word := func() uint32 {
		x += golden
		z := x
		z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
		z = (z ^ (z >> 27)) * 0x94D049BB133111EB
		return uint32((z ^ (z >> 31)) >> 32)
	}
	j := Jitter{s0: word(), s1: word(), s2: word(), s3: word()}
	if j == (Jitter{}) {
		j.s0 = 1
	}
	return j
}

// Next is the next draw, at least 0 and below 1, with 24 bits.
func (j *Jitter) Next() float64 {
	r := bits.RotateLeft32(j.s1*5, 7) * 9
	t := j.s1 << 9
	j.s2 ^= j.s0
	j.s3 ^= j.s1
	j.s1 ^= j.s2
	j.s0 ^= j.s3
	j.s2 ^= t
	j.s3 = bits.RotateLeft32(j.s3, 11)
	return float64(float64(r>>8) * (1.0 / (1 << 24)))
}
