package ticks

import "strconv"

// String writes a span in the form that scenarios read (scenario.md 1): whole hours and minutes,
// then seconds, or below a second one of ms, us and ns; what is zero is left out. It is exact.
// Examples: "1h30m", "1m30s", "1.5s", "250ms", "100ns". Zero is "0s" and Infinite is "none".
func (t Ticks) String() string {
	if t == Infinite {
		return "none"
	}
	u := uint64(t)
	var b []byte
	if t < 0 {
		u = -u // also right for the most negative number, whose absolute value is no int64
		b = append(b, '-')
	}
	switch {
	case u == 0:
		return "0s"
	case u < uint64(Microsecond):
		return string(append(strconv.AppendUint(b, u*100, 10), "ns"...))
	case u < uint64(Millisecond):
		return string(append(appendUnits(b, u, uint64(Microsecond)), "us"...))
	case u < uint64(Second):
		return string(append(appendUnits(b, u, uint64(Millisecond)), "ms"...))
	}
	if h := u / uint64(Hour); h > 0 {
		b = append(strconv.AppendUint(b, h, 10), 'h')
	}
	if m := u % uint64(Hour) / uint64(Minute); m > 0 {
		b = append(strconv.AppendUint(b, m, 10), 'm')
	}
	if s := u % uint64(Minute); s > 0 {
		b = append(appendUnits(b, s, uint64(Second)), 's')
	}
	return string(b)
}

// appendUnits writes n/unit with as many decimals as it needs; unit is a power of ten.
func appendUnits(b []byte, n, unit uint64) []byte {
	b = strconv.AppendUint(b, n/unit, 10)
	rest := n % unit
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for rest > 0 {
		unit /= 10
		b = append(b, '0'+byte(rest/unit))
		rest %= unit
	}
	return b
}
