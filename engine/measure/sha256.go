package measure

import "math/bits"

// sha256 is SHA-256 of a message, as FIPS 180-4 section 6.2 has it. The library's own comes with
// the self-tests and the random source of a certified module, which weigh more in a WebAssembly
// module than the whole simulator.
func sha256(message []byte) [32]byte {
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	whole := len(message) &^ 63
	for i := 0; i < whole; i += 64 {
		sha256Block(&h, (*[64]byte)(message[i:]))
	}
	var tail [128]byte
	n := copy(tail[:], message[whole:])
	tail[n] = 0x80
	size := 64
	if n >= 56 {
		size = 128
	}
	for i := range 8 {
		tail[size-1-i] = byte(uint64(len(message)) << 3 >> (8 * i))
	}
	for i := 0; i < size; i += 64 {
		sha256Block(&h, (*[64]byte)(tail[i:]))
	}
	var sum [32]byte
	for i, word := range h {
		sum[4*i], sum[4*i+1], sum[4*i+2], sum[4*i+3] = byte(word>>24), byte(word>>16), byte(word>>8), byte(word)
	}
	return sum
}

// sha256Rounds are the first 32 bits of the fractions of the cube roots of the first 64 primes.
var sha256Rounds = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

func sha256Block(hash *[8]uint32, block *[64]byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = uint32(block[4*i])<<24 | uint32(block[4*i+1])<<16 | uint32(block[4*i+2])<<8 | uint32(block[4*i+3])
	}
	for i := 16; i < 64; i++ {
		x, y := w[i-15], w[i-2]
		low := bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3
		high := bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10
		w[i] = w[i-16] + low + w[i-7] + high
	}
	a, b, c, d, e, f, g, h := hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]
	for i := range 64 {
		t := h + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) + sha256Rounds[i] + w[i]
		u := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t+u, a, b, c, d+t, e, f, g
	}
	hash[0] += a
	hash[1] += b
	hash[2] += c
	hash[3] += d
	hash[4] += e
	hash[5] += f
	hash[6] += g
	hash[7] += h
}
