package recording

import (
	"strings"
	"testing"
)

func harFile(entries string) string { return `{"log":{"entries":[` + entries + `]}}` }

func TestHAR(t *testing.T) {
	const at = `"startedDateTime":"2031-02-03T10:00:00Z",`
	const request = `"request":{"method":"get","url":"https://Shop.test:8443/search?q=a"},`
	for _, c := range []struct{ name, data, want string }{
		{"an entry", harFile(`{` + at + request + `"time":1.5,"response":{"status":200}}`), lines("recorded until 1500000", "in 1 0+1500000 GET /search 200")},
		{"a direction and a service", harFile(`{` + at + request + `"time":1.5,"response":{"status":200},"_direction":"Out","_service":"a"},{` + at + request + `"_direction":"in","_service":"b"}`), lines(
			"a until 1500000 mocked", "out 1 0+1500000 GET /search 200 to shop.test:8443", "1 otherService")},
		{"no answer", harFile(`{` + at + request + `"time":1,"response":{"status":0}},{` + at + request + `"time":1,"response":{"status":-1}},{` + at + request + `"time":1}`), lines(
			"recorded until 1000000", "in 1 0+1000000 GET /search 0", "in 2 0+1000000 GET /search 0", "in 3 0+1000000 GET /search 0")},
		{"times", harFile(`{` + at + request + `"time":-5},{` + at + request + `"time":null},{` + at + request + `"time":"2.5"},{` + at + request + `"time":0.0000005}`), lines(
			"recorded until 2500000", "in 1 0+0 GET /search 0", "in 2 0+0 GET /search 0", "in 3 0+2500000 GET /search 0", "in 4 0+1 GET /search 0")},
		{"what is skipped", harFile(`{"startedDateTime":"soon","request":{"url":"ws://a/"}},{"startedDateTime":1927929600},{},{` + at + `"request":{"url":"WSS://a/"}},{` + at + `"request":{"url":"data:x"}}`), lines(
			"recorded until 0", "2 nonHttp", "3 noTime")},
		{"only calls that were no HTTP", harFile(`{` + at + `"request":{"url":"ws://a/"},"_direction":"out","_service":"x"}`), lines("x until 0 mocked", "1 nonHttp")},
		{"no entries", harFile(``), lines("recorded until 0")},
		{"numbers count what is skipped", harFile(`{},{`+at+request+`"time":1}`) + harFile(`{},{`+at+request+`"time":1}`), lines(
			"recorded until 1000000", "in 2 0+1000000 GET /search 0", "in 4 0+1000000 GET /search 0", "2 noTime")},
		{"trace ids", harFile(`{` + at + `"request":{"url":"/","headers":[{"name":"X-B3-TraceId","value":"7777777777777777"}]},"_traceId":"any text"},
			{` + at + `"request":{"url":"/","headers":[{"name":"X-B3-TraceId","value":"7777777777777777"}]},"_traceId":""},
			{` + at + `"request":{"url":"/","headers":[{"name":"x-b3-traceid","value":"777777777777777A"}]}}`), lines(
			"recorded until 0", "in 1 0+0 HTTP / 0 trace any text", "in 2 0+0 HTTP / 0 trace 7777777777777777", "in 3 0+0 HTTP / 0 trace 777777777777777a")},
		{"markers", harFile(`
			{` + at + request + `"time":1,"_direction":"out","_chaos":"rule=a","response":{"status":200,"headers":[{"name":"X-Speedscale-Chaos","value":"rule=b"}]}},
			{` + at + request + `"time":1,"_direction":"out","_chaos":"none","response":{"status":200,"headers":[{"name":"X-Speedscale-Chaos","value":"rule=b"}]}},
			{` + at + request + `"time":1,"_direction":"out","_chaos":null,"response":{"status":200,"headers":[{"name":"x-speedscale-chaos","value":"effect=reset;rule=b"}]}},
			{` + at + request + `"time":1,"_direction":"out","response":{"status":200}}`), lines(
			"recorded until 1000000 mocked", "out 1 0+1000000 GET /search 200 to shop.test:8443 chaos a", "out 2 0+1000000 GET /search 200 to shop.test:8443",
			"out 3 0+1000000 GET /search 0 to shop.test:8443 chaos b", "out 4 0+1000000 GET /search 200 to shop.test:8443")},
		{"a path without a host", harFile(`{` + at + `"_direction":"out","request":{"url":"/x","headers":[{"name":"Host","value":"Stock:9000"}]}},{` + at + `"_direction":"out","request":{}}`), lines(
			"recorded until 0 mocked", "out 1 0+0 HTTP /x 0 to stock:9000", "out 2 0+0 HTTP / 0 to unknown")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readOne(t, "har", c.data); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestHARDirectionsOfFiles(t *testing.T) {
	entry := harFile(`{"startedDateTime":"2031-02-03T10:00:00Z","request":{"url":"http://h/"}},{"startedDateTime":"2031-02-03T10:00:00Z","request":{"url":"http://h/"},"_direction":"in"}`)
	m, err := readHAR([]File{{Data: []byte(entry)}, {Data: []byte(entry), Direction: DirectionOut}, {Data: []byte(entry), Direction: DirectionIn}}, "named")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(describe(m)) {
		got = append(got, strings.Join(strings.Fields(line)[:2], " "))
	}
	if s := strings.Join(got, ", "); s != "named until, in 1, in 2, in 4, in 5, in 6, out 3" {
		t.Error(s)
	}
}
