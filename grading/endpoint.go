package grading

import (
	"strings"
	"unicode/utf8"

	"squall/grading/recording"
)

// endpointOf is the method and the route of a call (grading.md 2): the route as it stands, else the
// path with everything in it that looks like an id replaced.
func endpointOf(call *recording.Inbound) string {
	route := call.Route
	if route == "" {
		route = pattern(call.Path)
	}
	return strings.ToUpper(call.Method) + " " + route
}

// pattern drops query and fragment of a path and writes {id} for every segment that is one.
func pattern(path string) string {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	if path == "" {
		return "/"
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if isID(s) {
			segments[i] = "{id}"
		}
	}
	return strings.Join(segments, "/")
}

// isID covers integers, hexadecimal of 8 or more digits, UUIDs, and anything of 20 or more
// characters with a digit in it. The last covers ULIDs: their first character is a digit.
func isID(segment string) bool {
	digits, hex := 0, 0
	for i := range len(segment) {
		switch c := segment[i]; {
		case isDigit(c):
			digits++
			hex++
		case isHexLetter(c):
			hex++
		}
	}
	switch n := len(segment); {
	case n == 0:
		return false
	case digits == n, hex == n && n >= 8, isUUID(segment):
		return true
	default:
		return digits > 0 && utf8.RuneCountInString(segment) >= 20
	}
}

// isUUID says whether the text has the 8-4-4-4-12 form.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !isDigit(s[i]) && !isHexLetter(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isHexLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'f' }

// names gives every distinct text a small number, in the order of first use.
type names struct {
	numbers map[string]int
	texts   []string
}

func (n *names) number(text string) int {
	if i, known := n.numbers[text]; known {
		return i
	}
	if n.numbers == nil {
		n.numbers = make(map[string]int)
	}
	i := len(n.texts)
	n.numbers[text] = i
	n.texts = append(n.texts, text)
	return i
}

// isHTTP says whether the protocol of a call is one that chaos and grading look at.
func isHTTP(protocol string) bool {
	return protocol == "" || protocol == "http" || protocol == "https"
}
