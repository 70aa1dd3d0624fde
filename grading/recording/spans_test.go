package recording

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// zspan is a Zipkin span in few letters: "KIND service id parent start duration". A kind in lower
// case is a call without a word of HTTP; a dash is a part that is missing.
func zspan(spec string) string {
	f := strings.Fields(spec)
	var b strings.Builder
	fmt.Fprintf(&b, `{"traceId":"1","id":%q`, f[2])
	if f[0] != "-" {
		fmt.Fprintf(&b, `,"kind":%q`, strings.ToUpper(f[0]))
	}
	if f[1] != "-" {
		fmt.Fprintf(&b, `,"localEndpoint":{"serviceName":%q}`, f[1])
	}
	for i, key := range []string{"parentId", "timestamp", "duration"} {
		if v := f[3+i]; v == "-" {
			continue
		} else if key == "parentId" {
			fmt.Fprintf(&b, `,%q:%q`, key, v)
		} else {
			fmt.Fprintf(&b, `,%q:%s`, key, v)
		}
	}
	if f[0] == strings.ToUpper(f[0]) {
		b.WriteString(`,"tags":{"http.path":"/"}`)
	}
	b.WriteByte('}')
	return b.String()
}

func zspans(specs ...string) string {
	for i := range specs {
		specs[i] = zspan(specs[i])
	}
	return "[" + strings.Join(specs, ",") + "]"
}

// short writes ids without the trace and without leading zeros.
func short(s string) string {
	s = strings.ReplaceAll(s, "0000000000000001/", "")
	for strings.Contains(s, " 0000") {
		s = strings.ReplaceAll(s, " 0000", " ")
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		if trimmed := strings.TrimLeft(w, "0"); len(w) > 1 && w[0] == '0' && trimmed != "" && trimmed[0] != '+' && trimmed[0] != '\n' {
			words[i] = trimmed
		}
	}
	return strings.Join(words, " ")
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		name  string
		spans []string
		want  string
	}{
		{"the parent is the server span above", []string{"SERVER a 1 - 5 9", "CLIENT a 2 1 6 1"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "out 2 1000+1000 HTTP / 200 to unknown of 1")},
		{"through spans of any kind and service, without HTTP too", []string{
			"SERVER a 1 - 5 9", "- a 2 1 - -", "CLIENT b 3 2 6 1", "producer b 4 3 - -", "server a 5 4 6 1", "SERVER b 6 5 6 1", "CLIENT a 7 6 7 1"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "out 7 2000+1000 HTTP / 200 to unknown of 1",
			"b until 9000 mocked", "in 6 1000+1000 HTTP / 200", "out 3 1000+1000 HTTP / 200 to unknown",
			"1 nonHttp", "2 notACall")},
		{"the nearest one", []string{"SERVER a 1 - 5 9", "SERVER a 2 1 6 5", "CLIENT a 3 2 7 1"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "in 2 1000+5000 HTTP / 200", "out 3 2000+1000 HTTP / 200 to unknown of 2")},
		{"not one without a start, for it is not kept", []string{"SERVER a 1 - 5 9", "SERVER a 2 1 - 5", "CLIENT a 3 2 7 1"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "out 3 2000+1000 HTTP / 200 to unknown of 1", "1 noTime")},
		{"none when the parent is not recorded", []string{"SERVER a 1 - 5 9", "CLIENT a 3 2 7 1"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "out 3 2000+1000 HTTP / 200 to unknown")},
		{"parents in a circle", []string{"- a 1 3 - -", "- a 2 1 - -", "- a 3 2 - -", "CLIENT a 4 3 7 1", "CLIENT a 5 5 7 1"}, lines(
			"a until 1000 mocked", "out 4 0+1000 HTTP / 200 to unknown", "out 5 0+1000 HTTP / 200 to unknown", "3 notACall")},
		{"a server span in a circle", []string{"SERVER a 1 3 7 1", "- a 2 1 - -", "- a 3 2 - -", "CLIENT a 4 3 7 1", "CLIENT a 5 1 7 1"}, lines(
			"a until 1000 mocked", "in 1 0+1000 HTTP / 200", "out 4 0+1000 HTTP / 200 to unknown of 1", "out 5 0+1000 HTTP / 200 to unknown of 1", "2 notACall")},
		{"two halves of one id", []string{"SERVER a 1 - 5 9", "CLIENT a 2 1 6 3", "SERVER b 2 1 7 1", "CLIENT b 3 2 7 1", "CLIENT a 4 2 7 1"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "out 2 1000+3000 HTTP / 200 to b of 1", "out 4 2000+1000 HTTP / 200 to unknown of 1",
			"b until 9000 mocked", "in 2 2000+1000 HTTP / 200", "out 3 2000+1000 HTTP / 200 to unknown of 2")},
		{"a service that calls itself", []string{"SERVER a 1 - 5 9", "CLIENT a 2 1 6 3", "SERVER a 2 1 7 1", "CLIENT a 3 2 7 1"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "in 2 2000+1000 HTTP / 200",
			"out 2 1000+3000 HTTP / 200 to a of 1", "out 3 2000+1000 HTTP / 200 to unknown of 2")},
		{"the server half alone knows the parent", []string{"SERVER b 1 - 5 9", "CLIENT a 2 - 6 3", "server b 2 1 7 1", "CLIENT b 3 2 7 1"}, lines(
			"a until 9000 mocked", "out 2 1000+3000 HTTP / 200 to b",
			"b until 9000 mocked", "in 1 0+9000 HTTP / 200", "out 3 2000+1000 HTTP / 200 to unknown of 1", "1 nonHttp")},
		{"the host of the server span below", []string{"CLIENT a 1 - 5 9", "SERVER Stock 2 1 6 1", "SERVER other 3 1 6 1"}, lines(
			"a until 9000 mocked", "out 1 0+9000 HTTP / 200 to stock", "2 otherService")},
		{"the host of the half that shares the id goes first", []string{"CLIENT a 1 - 5 9", "SERVER below 2 1 6 1", "SERVER half 1 - 6 1"}, lines(
			"a until 9000 mocked", "out 1 0+9000 HTTP / 200 to half", "2 otherService")},
		{"the same again", []string{"SERVER a 1 - 5 9", "SERVER a 1 - 5 9", "CLIENT a 1 - 5 9", "SERVER b 1 - 5 9", "SERVER a 1 - - 9", "server a 1 - 5 9"}, lines(
			"a until 9000 mocked", "in 1 0+9000 HTTP / 200", "out 1 0+9000 HTTP / 200 to a", "3 duplicate", "1 otherService")},
		{"a span without HTTP that comes twice", []string{"client a 1 - 5 9", "client a 1 - 5 9"}, lines("a until 0 mocked", "1 nonHttp", "1 duplicate")},
		{"what is skipped counts under the first reason", []string{"- a 1 - - -", "- a 1 - - -", "client a 2 - - 9", "client a 3 - 5 9"}, lines(
			"a until 0 mocked", "1 nonHttp", "2 notACall", "1 noTime")},
		{"no duration is no answer", []string{"CLIENT a 1 - 5 -", "SERVER a 2 - 7 2"}, lines(
			"a until 4000 mocked", "in 2 2000+2000 HTTP / 200", "out 1 0+? HTTP / 0 to unknown")},
		{"nobody is known to have ended", []string{"SERVER a 1 - 5 -"}, lines("a until 0", "in 1 0+? HTTP / 0")},
		{"an end before the start", []string{"SERVER a 1 - 5 -3"}, lines("a until 0", "in 1 0+0 HTTP / 200")},
		{"a part of a microsecond", []string{"SERVER a 1 - 5 1.0005"}, lines("a until 1001", "in 1 0+1001 HTTP / 200")},
		{"order by time, ties as in the file", []string{"SERVER a 3 - 7 1", "SERVER a 2 - 5 1", "SERVER a 1 - 7 1", "SERVER a 4 - 6 1"}, lines(
			"a until 3000", "in 2 0+1000 HTTP / 200", "in 4 1000+1000 HTTP / 200", "in 3 2000+1000 HTTP / 200", "in 1 2000+1000 HTTP / 200")},
		{"services that sent calls, by name", []string{"CLIENT b 1 - 5 9", "CLIENT A 2 - 1 1", "SERVER c 3 - 0.5 1"}, lines(
			"A until 13000 mocked", "out 2 0+1000 HTTP / 200 to unknown", "b until 13000 mocked", "out 1 4000+9000 HTTP / 200 to unknown", "1 otherService")},
		{"else services that answered", []string{"SERVER b 1 - 5 9", "client c 2 - 5 9", "SERVER a 3 - 5 9"}, lines(
			"a until 9000", "in 3 0+9000 HTTP / 200", "b until 9000", "in 1 0+9000 HTTP / 200", "1 nonHttp")},
		{"else the first that was met", []string{"- b 1 - 5 9", "- a 2 - 5 9"}, lines("b until 0", "2 notACall")},
		{"a service without a name", []string{"SERVER - 1 - 5 9"}, lines("unknown until 9000", "in 1 0+9000 HTTP / 200")},
		{"no span at all", nil, lines("recorded until 0")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := short(readOne(t, "zipkin", zspans(c.spans...))); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestPickService(t *testing.T) {
	data := []byte(zspans("SERVER a 1 - 5 9", "CLIENT a 2 1 6 1", "SERVER b 2 1 6 1", "- c 3 1 6 1"))
	for _, c := range []struct{ service, want string }{
		{"b", lines("b until 1000", "in 2 0+1000 HTTP / 200", "1 notACall", "2 otherService")},
		{"c", lines("c until 0", "1 notACall", "3 otherService")},
	} {
		m, err := readZipkin([]File{{Data: data}}, c.service)
		if err != nil {
			t.Fatal(err)
		}
		if got := short(describe(m)); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.service, got, c.want)
		}
	}
	_, err := readZipkin([]File{{Data: data}}, "d")
	if !errors.Is(err, ErrNoService) || err.Error() != `no such service in the recording: "d" is none of "a", "b", "c"` {
		t.Errorf("got %v", err)
	}
}

// TestLongChain would take hours if every call walked up on its own.
func TestLongChain(t *testing.T) {
	const spans = 60_000
	for name, top := range map[string]string{"a server on top": "SERVER a 1 - 1 9", "a circle": fmt.Sprintf("- a 1 %x 1 9", spans)} {
		t.Run(name, func(t *testing.T) {
			specs := []string{top}
			for i := 2; i <= spans; i++ {
				kind := "-"
				if i%2 == 0 {
					kind = "CLIENT"
				}
				specs = append(specs, fmt.Sprintf("%s a %x %x 5 1", kind, i, i-1))
			}
			m, err := readZipkin([]File{{Data: []byte(zspans(specs...))}}, "")
			if err != nil {
				t.Fatal(err)
			}
			calls := m.Recordings[0].Outbound
			for i := range calls {
				if found := calls[i].Parent != ""; found != (top[0] == 'S') {
					t.Fatalf("call %d has the parent %q", i, calls[i].Parent)
				}
			}
		})
	}
}

// TestLastInstant is about times at the end of 64 bits.
func TestLastInstant(t *testing.T) {
	got := short(readOne(t, "zipkin", zspans("SERVER a 1 - 1 9223372036854775", "SERVER a 2 - 9223372036854775 9223372036854775", "SERVER a 3 - 9223372036854776 1")))
	want := lines("a until 9223372036854774807", "in 1 0+9223372036854774807 HTTP / 200", "in 2 9223372036854774000+807 HTTP / 200", "1 noTime")
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
