package document

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a text in double quotes and stops behind it.
func (s *scanner) quoted() *mistake {
	begin := s.at
	for s.at++; s.at < len(s.text); {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return nil
		case c == '\\':
			if m := s.escape(); m != nil {
				return m
			}
		case c == '\n' || c == '\r':
			return s.fail(begin, `the text that begins here is not closed on its line: expected " (a line break inside is written \n)`)
		case c < ' ':
			return s.fail(s.at, "a control character inside text is written \\u"+hex4(rune(c)))
		case c < utf8.RuneSelf:
			s.at++
		default:
			r, n := utf8.DecodeRune(s.text[s.at:])
			if r == utf8.RuneError && n <= 1 {
				return s.fail(s.at, "a byte that is no UTF-8")
			}
			s.at += n
		}
	}
	return s.fail(begin, `the text that begins here is not closed: expected "`)
}

func hex4(r rune) string {
	h := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", max(4-len(h), 0)) + h
}

// escape reads what follows a backslash. Halves of a character (lone surrogates) are refused,
// because no UTF-8 text can hold them.
func (s *scanner) escape() *mistake {
	begin := s.at
	if begin+1 >= len(s.text) {
		return s.fail(begin, `the text ends inside an escape: expected "`)
	}
	if c := s.text[begin+1]; c != 'u' {
		if strings.IndexByte(`"\/bfnrt`, c) < 0 {
			return s.fail(begin, `unknown escape: expected one of \" \\ \/ \b \f \n \r \t \uXXXX`)
		}
		s.at += 2
		return nil
	}
	r, ok := s.unit(begin)
	if !ok {
		return s.fail(begin, `expected four hexadecimal digits after \u`)
	}
	s.at += 6
	if !utf16.IsSurrogate(r) {
		return nil
	}
	if low, ok := s.unit(s.at); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
		s.at += 6
		return nil
	}
	return s.fail(begin, `\u`+hex4(r)+` is half of a character: expected a pair such as \ud83d\ude00`)
}

// unit is the code unit that \uXXXX at an offset names.
func (s *scanner) unit(at int) (rune, bool) {
	if at+6 > len(s.text) || s.text[at] != '\\' || s.text[at+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range s.text[at+2 : at+6] {
		r <<= 4
		switch {
		case c >= '0' && c <= '9':
			r |= rune(c - '0')
		case c >= 'a' && c <= 'f':
			r |= rune(c - 'a' + 10)
		case c >= 'A' && c <= 'F':
			r |= rune(c - 'A' + 10)
		default:
			return 0, false
		}
	}
	return r, true
}

// number reads a number of JSON: no plus, no leading zero, digits on both sides of a point.
func (s *scanner) number() *mistake {
	begin := s.at
	digits := func() int {
		from := s.at
		for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
			s.at++
		}
		return s.at - from
	}
	next := func(c byte) bool {
		if s.at < len(s.text) && s.text[s.at] == c {
			s.at++
			return true
		}
		return false
	}
	next('-')
	first := s.at
	whole := digits()
	good := whole > 0
	if good && next('.') {
		good = digits() > 0
	}
	if good && (next('e') || next('E')) {
		if !next('+') {
			next('-')
		}
		good = digits() > 0
	}
	if good && whole > 1 && s.text[first] == '0' {
		return s.wrongWord(begin, " is no number: leading zeros are not written")
	}
	if !good || s.at < len(s.text) && isWord(s.text[s.at]) {
		return s.wrongWord(begin, " is no number as JSON writes it; text stands in double quotes")
	}
	return nil
}

// literal reads true, false or null.
func (s *scanner) literal() *mistake {
	begin := s.at
	switch w := s.word(); w {
	case "true", "false", "null":
		s.at += len(w)
		return nil
	case "":
		return s.expected("a value")
	case "True", "TRUE", "False", "FALSE":
		return s.wrongWord(begin, " is written true or false in JSON")
	case "None", "nil", "undefined", "Null", "NULL":
		return s.wrongWord(begin, " is written null in JSON")
	case "NaN", "Infinity", "+Infinity", "inf", "nan":
		return s.wrongWord(begin, " is no number of JSON; only finite numbers can be written")
	default:
		return s.wrongWord(begin, " is no value: expected a text in double quotes, a number, true, false, null, a list or an object")
	}
}

// wrongWord names the word at begin and what is wrong with it.
func (s *scanner) wrongWord(begin int, message string) *mistake {
	s.at = begin
	w := s.word()
	return &mistake{begin, max(len(w), 1), w + message}
}
