package recording

import (
	"strings"
	"testing"
)

func TestRRPair(t *testing.T) {
	const base = `"ts":"2031-02-03T10:00:00Z","duration":2,"l7protocol":"http",`
	in := func(more string) string { return `{"direction":"IN",` + base + more + `}` }
	out := func(more string) string { return `{"direction":"OUT",` + base + more + `}` }
	for _, c := range []struct{ name, data, want string }{
		{"an object", in(`"command":"get","location":"/x?y"`), lines("recorded until 2000000", "in 1 0+2000000 GET /x 0")},
		{"a list", `[` + in(`"uuid":"a"`) + `,` + in(`"uuid":"b"`) + `]`, lines("recorded until 2000000", "in a 0+2000000 HTTP / 0", "in b 0+2000000 HTTP / 0")},
		{"lines", in(`"uuid":"a"`) + "\r\n\r\n" + in(`"uuid":"b"`) + "\n", lines("recorded until 2000000", "in a 0+2000000 HTTP / 0", "in b 0+2000000 HTTP / 0")},
		{"directions", `[` + in(``+`"uuid":"a"`) + `,{"direction":"out","uuid":"a",` + base + `"x":1},{"direction":"SIDEWAYS","uuid":"a",` + base + `"x":1},{` + base + `"x":1}]`, lines(
			"recorded until 2000000 mocked", "in a 0+2000000 HTTP / 0", "out a 0+2000000 HTTP / 0 to unknown", "2 notACall")},
		{"the same again in its direction", `[` + in(`"uuid":"AAAAAAAAQACAAAAAAAAACw=="`) + `,` + in(`"uuid":"00000000-0000-4000-8000-00000000000b"`) + `,` + out(`"uuid":"AAAAAAAAQACAAAAAAAAACw=="`) + `]`, lines(
			"recorded until 2000000 mocked", "in 00000000-0000-4000-8000-00000000000b 0+2000000 HTTP / 0", "out 00000000-0000-4000-8000-00000000000b 0+2000000 HTTP / 0 to unknown", "1 duplicate")},
		{"numbers count all pairs", `[{"direction":"?"},` + in(`"uuid":""`) + `]`, lines("recorded until 2000000", "in 2 0+2000000 HTTP / 0", "1 notACall")},
		{"what is skipped counts under the first reason", `[{"direction":"IN","ts":"soon","l7protocol":"kafka","uuid":"a"},{"direction":"IN","ts":"soon","l7protocol":"kafka","uuid":"a"}]`, lines("recorded until 0", "1 duplicate", "1 noTime")},
		{"protocols", `[
			{"direction":"IN","ts":"2031-02-03T10:00:00Z","http":{}},
			{"direction":"IN","ts":"2031-02-03T10:00:00Z","l7protocol":"","http":{}},
			{"direction":"IN","ts":"2031-02-03T10:00:00Z","l7protocol":"HTTPS"},
			{"direction":"IN","ts":"2031-02-03T10:00:00Z"},
			{"direction":"OUT","ts":"2031-02-03T10:00:00Z","http":null},
			{"direction":"IN","ts":"2031-02-03T10:00:00Z","l7protocol":"grpc","http":{}}]`, lines(
			"recorded until 0 mocked", "in 1 0+0 HTTP / 0", "in 2 0+0 HTTP / 0", "in 3 0+0 HTTP / 0", "3 nonHttp")},
		{"paths", `[` + in(`"location":"/3","http":{"req":{"uri":"/1?a","url":"/2"}}`) + `,` + in(`"location":"/3","http":{"req":{"uri":"","url":"/2#a"}}`) + `,` + in(`"location":"3"`) + `]`, lines(
			"recorded until 2000000", "in 1 0+2000000 HTTP /1 0", "in 2 0+2000000 HTTP /2 0", "in 3 0+2000000 HTTP /3 0")},
		{"hosts", `[
			` + out(`"network_address":"d","http":{"req":{"uri":"http://A:81/x","host":"b","headers":{"Host":["c"]}}}`) + `,
			` + out(`"network_address":"d","http":{"req":{"uri":"/x","host":"B:80","headers":{"Host":["c"]}}}`) + `,
			` + out(`"network_address":"d","http":{"req":{"uri":"/x","headers":{"host":"C:82"}}}`) + `,
			` + out(`"network_address":"d:83","location":"http://e/x","http":{"req":{"uri":"/x"}}`) + `,
			` + out(`"location":"http://e/x","http":{"req":{"uri":"/y"}}`) + `]`, lines(
			"recorded until 2000000 mocked", "out 1 0+2000000 HTTP /x 0 to a:81", "out 2 0+2000000 HTTP /x 0 to b", "out 3 0+2000000 HTTP /x 0 to c:82",
			"out 4 0+2000000 HTTP /x 0 to d:83", "out 5 0+2000000 HTTP /y 0 to e")},
		{"statuses", `[` + in(`"status":"201","http":{"res":{"statusCode":"202"}}`) + `,` + in(`"status":"201","http":{"res":{}}`) + `,` + in(`"status":"201","http":{"res":null}`) + `,` + in(`"status":201`) + `,` + in(`"status":"None","http":{"res":{}}`) + `]`, lines(
			"recorded until 2000000", "in 1 0+2000000 HTTP / 202", "in 2 0+2000000 HTTP / 201", "in 3 0+2000000 HTTP / 0", "in 4 0+2000000 HTTP / 0", "in 5 0+2000000 HTTP / 0")},
		{"methods", `[` + in(`"command":"put","http":{"req":{"method":"post"}}`) + `,` + in(`"command":"put"`) + `]`, lines(
			"recorded until 2000000", "in 1 0+2000000 POST / 0", "in 2 0+2000000 PUT / 0")},
		{"traces", `[` + in(`"http":{"req":{"headers":{"traceparent":["00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"],"B3":["1111111111111111-00f067aa0ba902b7"]}}}`) + `,` +
			in(`"http":{"req":{"headers":{"traceparent":["00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01","x"],"B3":"1111111111111111-00f067aa0ba902b7"}}}`) + `,` + in(`"http":{"req":{"headers":null}}`) + `]`, lines(
			"recorded until 2000000", "in 1 0+2000000 HTTP / 0 trace 0af7651916cd43dd8448eb211c80319c", "in 2 0+2000000 HTTP / 0 trace 1111111111111111", "in 3 0+2000000 HTTP / 0")},
		{"markers", `[` + out(`"tags":{"x-speedscale-chaos":"rule=a"},"http":{"res":{"statusCode":200,"headers":{"X-Speedscale-Chaos":["rule=b"]}}}`) + `,` +
			out(`"tags":{"X-Speedscale-Chaos":"none"},"http":{"res":{"statusCode":200,"headers":{"X-Speedscale-Chaos":["rule=b"]}}}`) + `,` +
			out(`"tags":null,"http":{"res":{"statusCode":200,"headers":{"x-speedscale-CHAOS":"effect=stall;rule=b"}}}`) + `]`, lines(
			"recorded until 2000000 mocked", "out 1 0+2000000 HTTP / 200 to unknown chaos a", "out 2 0+2000000 HTTP / 200 to unknown", "out 3 0+2000000 HTTP / 0 to unknown chaos b")},
		{"the first service", `[` + in(`"service":"undefined","resource":"undefined"`) + `,` + in(`"service":"","resource":"r"`) + `,` + in(`"service":"s"`) + `]`, lines(
			"r until 2000000", "in 1 0+2000000 HTTP / 0", "in 2 0+2000000 HTTP / 0", "in 3 0+2000000 HTTP / 0")},
		{"service goes before resource", in(`"resource":"r","service":"s"`), lines("s until 2000000", "in 1 0+2000000 HTTP / 0")},
		{"no duration", `{"direction":"IN","ts":"2031-02-03T10:00:00Z","l7protocol":"http"}`, lines("recorded until 0", "in 1 0+0 HTTP / 0")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readOne(t, "rrpair", c.data); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestRetimed(t *testing.T) {
	for _, c := range []struct {
		name, direction, protocol, netinfo string
		want                               bool
	}{
		{"a fresh connection", "OUT", "http", `{"startTime":"2031-02-03T09:59:59.9979Z","downstream":{"established":"2031-02-03T09:59:59.997900Z"}}`, true},
		{"in another zone", "OUT", "http", `{"startTime":"2031-02-03T09:59:59.9979Z","downstream":{"established":"2031-02-03T10:59:59.9979+01:00"}}`, true},
		{"at most a millisecond off", "OUT", "http", `{"startTime":"2031-02-03T09:59:59.998Z","downstream":{"established":"2031-02-03T09:59:59.998Z"}}`, false},
		{"a connection that was used before", "OUT", "http", `{"startTime":"2031-02-03T09:59:59.5Z","downstream":{"established":"2031-02-03T09:59:59.4Z"}}`, false},
		{"after the call", "OUT", "http", `{"startTime":"2031-02-03T10:00:01Z","downstream":{"established":"2031-02-03T10:00:01Z"}}`, false},
		{"a request", "IN", "http", `{"startTime":"2031-02-03T09:59:59Z","downstream":{"established":"2031-02-03T09:59:59Z"}}`, false},
		{"no HTTP", "OUT", "redis", `{"startTime":"2031-02-03T09:59:59Z","downstream":{"established":"2031-02-03T09:59:59Z"}}`, false},
		{"no times", "OUT", "http", `{"startTime":"","downstream":{"established":""}}`, false},
		{"nothing", "OUT", "http", `null`, false},
	} {
		got := readOne(t, "rrpair", `{"direction":"`+c.direction+`","ts":"2031-02-03T10:00:00Z","duration":1,"l7protocol":"`+c.protocol+`","netinfo":`+c.netinfo+`}`)
		if strings.Contains(got, "1 retimed") != c.want || c.want != strings.Contains(got, "0+2100000 ") {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}

// section writes a section of one block.
func section(name string, block ...string) string {
	return "### " + name + " ###\n```\n" + strings.Join(block, "\n") + "\n```\n\n"
}

func TestRRPairMarkdown(t *testing.T) {
	internal := func(more string) string {
		return section("INTERNAL - DO NOT MODIFY", `json: {"direction":"OUT","ts":"2031-02-03T10:00:00Z","duration":2,"l7protocol":"http","uuid":"a","tags":{"X-Speedscale-Chaos":"rule=base"},"http":{"req":{"method":"PUT","uri":"/base","host":"base"},"res":{"statusCode":200}}`+more+`}`)
	}
	for _, c := range []struct{ name, data, want string }{
		{"the base alone", internal(``), lines("recorded until 2000000 mocked", "out a 0+2000000 PUT /base 200 to base chaos base")},
		{"everything wins over the base", section("REQUEST", "POST http://shop.test:8080/x?y HTTP/1.1", "X-B3-TraceId: 1111111111111111") + section("RESPONSE", "HTTP/1.1 503 Busy") +
			section("METADATA", "direction: OUT", "uuid: b", "ts: 2031-02-03T10:00:01Z", "duration: 1.5s", "tags: X-Speedscale-Chaos=effect=latency;rule=meta, source=x", "service: s") + internal(``), lines(
			"s until 1500000000 mocked", "out b 0+1500000000 POST /x 503 trace 1111111111111111 to shop.test:8080 chaos meta")},
		{"what says nothing does not", section("REQUEST", "", "Accept: */*") + section("RESPONSE", "") + section("METADATA", "direction:", "uuid: ", "duration: long", "tags: source=x", "nonsense") + internal(``), lines(
			"recorded until 2000000 mocked", "out a 0+2000000 PUT /base 200 to base chaos base")},
		{"no base", section("REQUEST", "GET /x HTTP/2", "Host: h:1") + section("METADATA", "direction: OUT", "ts: 2031-02-03T10:00:01Z"), lines(
			"recorded until 0 mocked", "out 1 0+0 GET /x 0 to h:1")},
		{"the response of a call that no base knows", section("REQUEST", "GET /x HTTP/1.1") + section("RESPONSE", "HTTP/2 404", "X-Speedscale-Chaos: rule=head") + section("METADATA", "direction: OUT", "ts: 2031-02-03T10:00:01Z"), lines(
			"recorded until 0 mocked", "out 1 0+0 GET /x 404 to unknown chaos head")},
		{"only the first block counts", "### REQUEST ###\n\ntext\n```http\nGET /x HTTP/1.1\n```\n```\nGET /body HTTP/1.1\n```\n" + section("METADATA", "direction: IN", "ts: 2031-02-03T10:00:01Z"), lines(
			"recorded until 0", "in 1 0+0 GET /x 0")},
		{"sections inside blocks are text", "### REQUEST ###\n````\nGET /x HTTP/1.1\n\n```\n### RESPONSE ###\n````\n" + section("METADATA", "direction: IN", "ts: 2031-02-03T10:00:01Z"), lines(
			"recorded until 0", "in 1 0+0 GET /x 0")},
		{"a headers' values part at comma and space", section("REQUEST", "GET /x HTTP/1.1", "traceparent: 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01, 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
			"b3: 2222222222222222-00f067aa0ba902b7") + section("METADATA", "direction: IN", "ts: 2031-02-03T10:00:01Z"), lines(
			"recorded until 0", "in 1 0+0 GET /x 0 trace 2222222222222222")},
		{"escapes in values", section("REQUEST", "GET /x HTTP/1.1") + section("METADATA", "direction: OUT", "ts: 2031-02-03T10:00:01Z", `tags: a=b\, X-Speedscale-Chaos=rule=no, X-Speedscale-Chaos=rule=one\, two\\`), lines(
			"recorded until 0 mocked", `out 1 0+0 GET /x 0 to unknown chaos one, two\`)},
		{"a header wins over its namesake in the base alone", section("REQUEST", "GET /x HTTP/1.1", "X-B3-TraceId: 3333333333333333") +
			section("INTERNAL", `json: {"direction":"OUT","ts":"2031-02-03T10:00:00Z","http":{"req":{"headers":{"Host":"h","x-b3-traceid":"4444444444444444"}}}}`), lines(
			"recorded until 0 mocked", "out 1 0+0 GET /x 0 trace 3333333333333333 to h")},
		{"two pairs in a file", internal(``) + strings.ReplaceAll(internal(``), `"uuid":"a"`, `"uuid":"b"`), lines(
			"recorded until 2000000 mocked", "out a 0+2000000 PUT /base 200 to base chaos base", "out b 0+2000000 PUT /base 200 to base chaos base")},
		{"lines of another system", strings.ReplaceAll(section("REQUEST", "GET /x HTTP/1.1", "Host: h")+section("METADATA", "direction: OUT", "ts: 2031-02-03T10:00:01Z", "duration: 3ms"), "\n", "\r\n"), lines(
			"recorded until 3000000 mocked", "out 1 0+3000000 GET /x 0 to h")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readOne(t, "rrpair", c.data); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}
