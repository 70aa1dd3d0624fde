package recording

import (
	"bytes"
	"math"
	"time"
)

const nsPerSecond = 1_000_000_000

// instant reads an ISO 8601 date and time ("2031-02-03T11:00:02.5+01:00") as nanoseconds since
// 1970, to the nearest one, halves up. A time without a zone is UTC, for the machine's own zone
// must not matter. It is false for other text and for years outside 1970 to 2261, which only
// clocks that were never set write.
func instant(s []byte) (int64, bool) {
	s = bytes.TrimSpace(s)
	p := fields{rest: s}
	year := p.number(4)
	p.one("-")
	month := p.number(2)
	p.one("-")
	day := p.number(2)
	p.one("Tt ")
	hour := p.number(2)
	p.one(":")
	minute := p.number(2)
	p.one(":")
	second := p.number(2)
	fraction := p.fraction()
	offset := p.zone()
	if p.bad || len(p.rest) > 0 || year < 1970 || year > 2261 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) ||
		hour > 23 || minute > 59 || second > 60 { // 60 is a leap second
		return 0, false
	}
	seconds := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Unix() - int64(offset)
	if seconds < 0 || seconds > math.MaxInt64/nsPerSecond-2 {
		return 0, false
	}
	return seconds*nsPerSecond + fraction, true
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// fields cuts a text of fixed layout; bad stays true once something did not fit.
type fields struct {
	rest []byte
	bad  bool
}

func (f *fields) number(width int) (n int) {
	if len(f.rest) < width {
		f.bad = true
		return 0
	}
	for _, c := range f.rest[:width] {
		if !isDigit(c) {
			f.bad = true
			return 0
		}
		n = n*10 + int(c-'0')
	}
	f.rest = f.rest[width:]
	return n
}

// one takes a character that is one of some.
func (f *fields) one(of string) byte {
	if len(f.rest) == 0 || bytes.IndexByte([]byte(of), f.rest[0]) < 0 {
		f.bad = true
		return 0
	}
	c := f.rest[0]
	f.rest = f.rest[1:]
	return c
}

// fraction takes the nanoseconds behind the seconds, if any.
func (f *fields) fraction() int64 {
	if len(f.rest) == 0 || f.rest[0] != '.' && f.rest[0] != ',' {
		return 0
	}
	part, rest := leadingDigits(f.rest[1:])
	n, ok := decimal(append([]byte("."), part...), 9)
	f.bad = f.bad || !ok
	f.rest = rest
	return n
}

// zone takes what stands behind the time, as seconds east of UTC.
func (f *fields) zone() int {
	if f.bad || len(f.rest) == 0 {
		return 0
	}
	sign := f.one("Zz+-")
	if sign != '+' && sign != '-' {
		return 0
	}
	hours, minutes := f.number(2), 0
	if len(f.rest) > 0 {
		if f.rest[0] == ':' {
			f.rest = f.rest[1:]
		}
		minutes = f.number(2)
	}
	if hours > 23 || minutes > 59 {
		f.bad = true
	}
	seconds := hours*3600 + minutes*60
	if sign == '-' {
		return -seconds
	}
	return seconds
}
