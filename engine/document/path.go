package document

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Path is where the value stands: "services.checkout.calls[1].policy", empty for the root. A key
// that is no plain word stands in brackets and quotes: `services["a b"].calls[0]`.
func (v Value) Path() string {
	if v.up == nil {
		return ""
	}
	return v.up.Path() + v.step()
}

// step is the value's own part of its path, with the dot before it.
func (v Value) step() string {
	if v.keyOffset < 0 {
		return "[" + strconv.Itoa(int(v.index)) + "]"
	}
	return stepOf(v.up, v.key)
}

func stepOf(up *Value, key string) string {
	if !plainWord(key) {
		return "[" + string(AppendText(nil, key)) + "]"
	}
	if up.up == nil {
		return key
	}
	return "." + key
}

// plainWord tells the keys that a path shows as they are.
func plainWord(key string) bool {
	for i := range len(key) {
		c := key[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return key != ""
}

// Find follows a path as Path writes it, relative to the value. It gives the deepest value of the
// document on the way: a default that nobody wrote is found at the object that leaves it out.
func (v Value) Find(path string) Value {
	for path != "" {
		var key string
		index := -1
		switch {
		case strings.HasPrefix(path, `["`):
			quoted := gjson.Parse(path[1:])
			rest, ok := strings.CutPrefix(path[1+len(quoted.Raw):], "]")
			if !ok {
				return v
			}
			key, path = quoted.Str, rest
		case path[0] == '[':
			digits, rest, ok := strings.Cut(path[1:], "]")
			n, err := strconv.Atoi(digits)
			if !ok || err != nil {
				return v
			}
			index, path = n, rest
		default:
			path = strings.TrimPrefix(path, ".")
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			key, path = path[:end], path[end:]
			if key == "" {
				return v
			}
		}
		next, ok := v.child(key, index)
		if !ok {
			return v
		}
		v = next
	}
	return v
}

// child is the member of a key, or the item of an index that is not negative.
func (v Value) child(key string, index int) (Value, bool) {
	if index >= 0 {
		for item := range v.Items() {
			if int(item.index) == index {
				return item, true
			}
		}
		return Value{}, false
	}
	for k, member := range v.Members() {
		if k == key {
			return member, true
		}
	}
	return Value{}, false
}

// Nearest is the known word that differs least from what was written, or nothing when none is
// close enough to be what was meant.
func Nearest(written string, known []string) string {
	if len(written) > 40 {
		return ""
	}
	best, least := "", len(written)/3+2
	for _, k := range known {
		if d := distance(strings.ToLower(written), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their neighbour.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
