package measure

import (
	library "crypto/sha256"
	"testing"

	"pgregory.net/rapid"
)

func TestSHA256(t *testing.T) {
	message := make([]byte, 300)
	for i := range message {
		message[i] = byte(i)
		if got, want := sha256(message[:i]), library.Sum256(message[:i]); got != want {
			t.Errorf("%d bytes: %x, want %x", i, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.SliceOfN(rapid.Byte(), 0, 5000).Draw(t, "message")
		if got, want := sha256(message), library.Sum256(message); got != want {
			t.Errorf("%x, want %x", got, want)
		}
	})
}

func BenchmarkSHA256(b *testing.B) {
	message := make([]byte, 60<<10)
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		sha256(message)
	}
}
