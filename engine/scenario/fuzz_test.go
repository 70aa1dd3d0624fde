package scenario

import (
	"strings"
	"testing"
)

// Hostile documents cost what their length says.
func TestHostile(t *testing.T) {
	const mebibyte = 1 << 20
	for name, text := range map[string]string{
		"brackets":         strings.Repeat("[", mebibyte),
		"nested variants":  `{"variants":` + strings.Repeat(`{"a":`, 60) + `1` + strings.Repeat(`}`, 61),
		"one key":          "{" + strings.Repeat(`"policy":{},`, mebibyte/12-1) + "}",
		"unknown keys":     "{" + strings.Repeat(`"policies ":{},`, mebibyte/15-1) + "}",
		"expectations":     `{"expect":[` + strings.Repeat(`"p99 < 1",`, mebibyte/10-3) + `]}`,
		"names":            `{"services":{` + strings.Repeat(`"s":{},`, mebibyte/7-3) + `}}`,
		"large numbers":    shorthand(`"load":{"perSecond":1e999,"peers":` + strings.Repeat("9", mebibyte/2) + `}`),
		"calls":            `{"services":{"s":{"calls":[` + strings.Repeat(`{"to":"s"},`, mebibyte/11-10) + `]}}}`,
		"variants of much": `{"about":"` + strings.Repeat("x", mebibyte/2) + `","variants":{` + strings.Repeat(`"a":{},`, 50) + `}}`,
	} {
		_, problems := Read([]byte(text), Options{})
		if len(problems) == 0 || len(problems) > 201 {
			t.Errorf("%s: %d problems", name, len(problems))
		}
		for _, p := range problems {
			if len(p.Message) > 1000 {
				t.Errorf("%s: a message of %d bytes", name, len(p.Message))
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range scenarios(f) {
		f.Add(text)
	}
	f.Add([]byte(everything))
	f.Add([]byte(shorthand(`"variants":{"a":{"policy":{"attempts":0}}},"seeds":"1-3","chaos":{"rules":[{"id":"a","effects":[{"latency":"1ms-2s"}]}]}`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, problems := Read(text, Options{})
		if len(problems) > 0 {
			if s != nil {
				t.Fatal("a scenario with problems")
			}
			if len(problems) <= 200 {
				checkPlaces(t, text, problems)
			}
			return
		}
		if list := s.Topology.Validate(); len(list) > 0 {
			t.Fatalf("read as valid, but %v", list)
		}
		again, problems := Read(s.Canonical, Options{})
		if len(problems) > 0 {
			t.Fatalf("the canonical form %s: %v", s.Canonical, problems)
		}
		if a, b := describe(s), describe(again); a != b || string(again.Canonical) != string(s.Canonical) {
			t.Fatalf("the canonical form of\n%s\nmeans\n%s", a, b)
		}
		schemaAccepts(t, s.Canonical)
	})
}
