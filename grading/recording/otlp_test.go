package recording

import (
	"fmt"
	"testing"
)

func otlpFile(resources string) string { return `{"resourceSpans":[` + resources + `]}` }

// TestOTLP is about what only OTLP has; the table of attributes has its own test.
func TestOTLP(t *testing.T) {
	const http = `"attributes":[{"key":"url.path","value":{"stringValue":"/"}}]`
	named := func(spans string) string {
		return otlpFile(`{"resource":{"attributes":[{"key":"other","value":{"stringValue":"x"}},{"key":"service.name","value":{"stringValue":"a"}}]},"scopeSpans":[{"spans":[` + spans + `]}]}`)
	}
	one := func(fields string) string { return named(`{"traceId":"1","spanId":"2",` + fields + `,` + http + `}`) }
	const id = "0000000000000001/0000000000000002"
	for _, c := range []struct{ name, data, want string }{
		{"hex of either case", named(`{"traceId":"0AF7651916CD43DD8448EB211C80319C","spanId":"00F067AA0BA902B7","kind":2,"startTimeUnixNano":"5","endTimeUnixNano":"9",` + http + `}`), lines(
			"a until 4", "in 0af7651916cd43dd8448eb211c80319c/00f067aa0ba902b7 0+4 HTTP / 200")},
		{"base64", named(`{"traceId":"CvdlGRbNQ92ESOshHIAxnA==","spanId":"AAAAAAAAAAQ=","kind":2,"startTimeUnixNano":5,"endTimeUnixNano":9,` + http + `},
			{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"0000000000000005","parentSpanId":"AAAAAAAAAAQ=","kind":3,"startTimeUnixNano":6,"endTimeUnixNano":7,` + http + `}`), lines(
			"a until 4 mocked", "in 0af7651916cd43dd8448eb211c80319c/0000000000000004 0+4 HTTP / 200",
			"out 0af7651916cd43dd8448eb211c80319c/0000000000000005 1+1 HTTP / 200 to unknown of 0af7651916cd43dd8448eb211c80319c/0000000000000004")},
		{"a kind as number", one(`"kind":3,"startTimeUnixNano":5,"endTimeUnixNano":9`), lines("a until 4 mocked", "out "+id+" 0+4 HTTP / 200 to unknown")},
		{"a kind as name", one(`"kind":"SPAN_KIND_CLIENT","startTimeUnixNano":5,"endTimeUnixNano":9`), lines("a until 4 mocked", "out "+id+" 0+4 HTTP / 200 to unknown")},
		{"a server as name", one(`"kind":"SPAN_KIND_SERVER","startTimeUnixNano":5,"endTimeUnixNano":9`), lines("a until 4", "in "+id+" 0+4 HTTP / 200")},
		{"other kinds", one(`"kind":"SPAN_KIND_PRODUCER","startTimeUnixNano":5,"endTimeUnixNano":9`), lines("a until 0", "1 notACall")},
		{"no kind", one(`"startTimeUnixNano":5,"endTimeUnixNano":9`), lines("a until 0", "1 notACall")},
		{"no start", one(`"kind":2,"startTimeUnixNano":"0","endTimeUnixNano":9`), lines("a until 0", "1 noTime")},
		{"a start that is no number", one(`"kind":2,"startTimeUnixNano":"soon","endTimeUnixNano":9`), lines("a until 0", "1 noTime")},
		{"no end", one(`"kind":2,"startTimeUnixNano":"5","endTimeUnixNano":"0"`), lines("a until 0", "in "+id+" 0+? HTTP / 0")},
		{"an end before the start", one(`"kind":2,"startTimeUnixNano":"5","endTimeUnixNano":"4"`), lines("a until 0", "in "+id+" 0+0 HTTP / 200")},
		{"a service that is named behind its spans, in two resources", otlpFile(`
			{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"1","kind":2,"startTimeUnixNano":5,"endTimeUnixNano":9,` + http + `}]}],"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"late"}}]}},
			{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"late"}}]},"scopeSpans":[{"spans":[{"traceId":"1","spanId":"2","parentSpanId":"1","kind":3,"startTimeUnixNano":5,"endTimeUnixNano":9,` + http + `}]}]}`), lines(
			"late until 4 mocked", "in 0000000000000001/0000000000000001 0+4 HTTP / 200", "out "+id+" 0+4 HTTP / 200 to unknown of 0000000000000001/0000000000000001")},
		{"a service without a name", otlpFile(`{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"2","kind":2,"startTimeUnixNano":5,"endTimeUnixNano":9,` + http + `}]}]}`), lines(
			"unknown until 4", "in "+id+" 0+4 HTTP / 200")},
		{"a resource without spans", named(``), lines("a until 0")},
		{"no resource", otlpFile(``), lines("recorded until 0")},
		{"attributes of every kind", named(`{"traceId":"1","spanId":"2","kind":2,"startTimeUnixNano":5,"endTimeUnixNano":9,"attributes":[
			{"key":"http.method","value":null},{"key":"http.request.method","value":{}},
			{"key":"url.path","value":{"kvlistValue":{"values":[]}}},{"key":"http.target","value":{"arrayValue":{"values":[{"stringValue":""},{"stringValue":"/first"},{"stringValue":"/second"}]}}},
			{"key":"http.status_code","value":{"intValue":"502"}},{"key":"http.route","value":{"stringValue":"/r"}},{"value":{"stringValue":"/r"}}]}`), lines(
			"a until 4", "in "+id+" 0+4 HTTP /first (/r) 502")},
		{"several values in one file", one(`"kind":2,"startTimeUnixNano":5,"endTimeUnixNano":9`) + "\n" + one(`"kind":3,"startTimeUnixNano":6,"endTimeUnixNano":9`), lines(
			"a until 4 mocked", "in "+id+" 0+4 HTTP / 200", "out "+id+" 1+3 HTTP / 200 to a")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readOne(t, "otlp", c.data); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestJaeger is about what only Jaeger has.
func TestJaeger(t *testing.T) {
	span := func(id, kind, more string) string {
		return fmt.Sprintf(`{"traceID":"A","spanID":%q,"operationName":"GET /x","startTime":5,"duration":9,"processID":"p1"%s,"tags":[{"key":"span.kind","type":"string","value":%q},{"key":"http.target","type":"string","value":"/"}]}`, id, more, kind)
	}
	file := func(spans string) string {
		return `{"data":[{"traceID":"A","spans":[` + spans + `],"processes":{"p1":{"serviceName":"a"},"p2":{"serviceName":""}}}]}`
	}
	parent := func(more string) string {
		return file(span("1", "server", "") + "," + span("2", "server", "") + "," + span("3", "client", more))
	}
	ref := func(kind, trace, span string) string {
		return fmt.Sprintf(`{"refType":%q,"traceID":%q,"spanID":%q}`, kind, trace, span)
	}
	calls := func(parent string) string {
		call := "out 000000000000000a/0000000000000003 0+9000 GET / 200 to unknown"
		if parent != "" {
			call += " of 000000000000000a/000000000000000" + parent
		}
		return lines("a until 9000 mocked", "in 000000000000000a/0000000000000001 0+9000 GET / 200", "in 000000000000000a/0000000000000002 0+9000 GET / 200", call)
	}
	for _, c := range []struct{ name, data, want string }{
		{"a reference", parent(`,"references":[` + ref("CHILD_OF", "a", "2") + `]`), calls("2")},
		{"the first of two", parent(`,"references":[` + ref("CHILD_OF", "000000000000000a", "1") + "," + ref("CHILD_OF", "a", "2") + `]`), calls("1")},
		{"a child of another trace", parent(`,"references":[` + ref("CHILD_OF", "b", "1") + "," + ref("CHILD_OF", "a", "2") + `]`), calls("2")},
		{"CHILD_OF goes before FOLLOWS_FROM", parent(`,"references":[` + ref("FOLLOWS_FROM", "a", "1") + "," + ref("CHILD_OF", "a", "2") + `]`), calls("2")},
		{"FOLLOWS_FROM", parent(`,"references":[` + ref("CHILD_OF", "b", "2") + "," + ref("FOLLOWS_FROM", "a", "1") + "," + ref("FOLLOWS_FROM", "a", "2") + `],"parentSpanID":"2"`), calls("1")},
		{"FOLLOWS_FROM another trace", parent(`,"references":[` + ref("FOLLOWS_FROM", "b", "1") + `],"parentSpanID":"2"`), calls("2")},
		{"parentSpanID", parent(`,"references":null,"parentSpanID":"2"`), calls("2")},
		{"none", parent(``), calls("")},
		{"kinds in any case", file(span("1", "SERVER", "")), lines("a until 9000", "in 000000000000000a/0000000000000001 0+9000 GET / 200")},
		{"other kinds", file(span("1", "consumer", "")), lines("a until 0", "1 notACall")},
		{"an unknown process", `{"data":[{"spans":[` + span("1", "server", "") + `]}]}`, lines("unknown until 9000", "in 000000000000000a/0000000000000001 0+9000 GET / 200")},
		{"traces with processes of the same name", `{"data":[
			{"processes":{"p1":{"serviceName":"a"}},"spans":[` + span("1", "server", "") + `]},
			{"spans":[` + span("2", "server", "") + `],"processes":{"p1":{"serviceName":"b"}}}]}`, lines(
			"a until 9000", "in 000000000000000a/0000000000000001 0+9000 GET / 200", "b until 9000", "in 000000000000000a/0000000000000002 0+9000 GET / 200")},
		{"no traces", `{"data":[]}`, lines("recorded until 0")},
		{"no list of traces", `{"total":0,"data":[null]}`, lines("recorded until 0")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readOne(t, "jaeger", c.data); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestZipkin is about what only Zipkin has.
func TestZipkin(t *testing.T) {
	const id = "0000000000000001/0000000000000002"
	span := func(more string) string {
		return `{"traceId":"1","id":"2","kind":"CLIENT","timestamp":5,"duration":9,"localEndpoint":{"serviceName":"a"},"tags":{"http.path":"/"}` + more + `}`
	}
	call := func(host string) string {
		return lines("a until 9000 mocked", "out "+id+" 0+9000 HTTP / 200 to "+host)
	}
	for _, c := range []struct{ name, data, want string }{
		{"lists of lists", `[[` + span("") + `],[]]`, call("unknown")},
		{"lists and spans side by side", `[[],` + span("") + `]`, call("unknown")},
		{"the remote name", `[` + span(`,"remoteEndpoint":{"serviceName":"Stock","ipv4":"192.0.2.1","port":9000}`) + `]`, call("stock")},
		{"the remote address", `[` + span(`,"remoteEndpoint":{"ipv4":"192.0.2.1","ipv6":"2001:db8::1","port":9000}`) + `]`, call("192.0.2.1:9000")},
		{"the remote address, without a port", `[` + span(`,"remoteEndpoint":{"serviceName":"","ipv4":"192.0.2.1"}`) + `]`, call("192.0.2.1")},
		{"the remote address of IPv6", `[` + span(`,"remoteEndpoint":{"ipv6":"2001:db8::1","port":9000}`) + `]`, call("[2001:db8::1]:9000")},
		{"a long trace id", `[{"traceId":"ABCDE00000000000000001","id":"f","kind":"SERVER","timestamp":5,"duration":1,"tags":{"http.path":"/"}}]`, lines(
			"unknown until 1000", "in 0000000000abcde00000000000000001/000000000000000f 0+1000 HTTP / 200")},
		{"trace ids of both lengths are two", `[` + span("") + `,{"traceId":"00000000000000000000000000000001","id":"2","kind":"CLIENT","timestamp":5,"duration":9,"localEndpoint":{"serviceName":"a"},"tags":{"http.path":"/"}}]`, lines(
			"a until 9000 mocked", "out "+id+" 0+9000 HTTP / 200 to unknown", "out 0000000000000000"+id+" 0+9000 HTTP / 200 to unknown")},
		{"kinds are in upper case", `[{"traceId":"1","id":"1","kind":"server","timestamp":5,"tags":{"http.path":"/"}}]`, lines("unknown until 0", "1 notACall")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readOne(t, "zipkin", c.data); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}
