package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	for _, s := range []Shared{
		{Text: `{ "duration": "5m" } // "quoted" é 😀` + "\n\t\x01", Engine: "0.1.0", Digest: "sha256:00", Call: "a -> b"},
		{},
		{Text: strings.Repeat(`{ "load": 17 }`, 32<<10/14)},
	} {
		fragment := Encode(s)
		if strings.ContainsAny(fragment, "#?&=/+ %") {
			t.Errorf("needs escaping: %.40s", fragment)
		}
		got, err := Decode("#" + fragment)
		if err != nil || got != s {
			t.Errorf("got %.60v, %v", got, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	pack := func(plain string) string {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, 9)
		w.Write([]byte(plain))
		w.Close()
		return base64.RawURLEncoding.EncodeToString(b.Bytes())
	}
	good := Encode(Shared{Text: "{}"})
	for _, c := range []struct {
		name, fragment string
		want           error
	}{
		{"nothing", "", ErrNone},
		{"an anchor", "#examples", ErrNone},
		{"a newer link", "#s2.abc", ErrNewer},
		{"a cut link", good[:len(good)-4], ErrBroken},
		{"no base64", "s1.***", ErrBroken},
		{"no deflate", "s1.AAAA", ErrBroken},
		{"no JSON", "s1." + pack("hello"), ErrBroken},
		{"no text", "s1." + pack(`{"text":1}`), ErrBroken},
		{"a bomb", "s1." + pack(`{"text":"`+strings.Repeat("a", TextMax)+`"}`), ErrLarge},
	} {
		if _, err := Decode(c.fragment); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

func TestOutcome(t *testing.T) {
	s := Shared{Engine: "1", Digest: "sha256:a"}
	for _, c := range []struct {
		engine, digest, want string
		same                 bool
	}{
		{"1", "sha256:a", "Reproduced, identical", true},
		{"2", "sha256:a", "Reproduced, identical", true},
		{"2", "sha256:b", "made by engine 1, this one is 2", false},
		{"1", "sha256:b", "although the engine is the same", false},
	} {
		got, same := s.Outcome(c.engine, c.digest)
		if same != c.same || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q %v", c, got, same)
		}
	}
	if got, _ := (Shared{}).Outcome("1", "sha256:a"); got != "" {
		t.Errorf("without a digest: %q", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(Shared{Text: "{}"}))
	f.Fuzz(func(t *testing.T, fragment string) {
		s, err := Decode(fragment)
		if err != nil {
			return
		}
		if again, err := Decode(Encode(s)); err != nil || again != s {
			t.Fatalf("%v, %v", again, err)
		}
	})
}
