package recording_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"squall/grading/recording"
)

// large is a recording of requests that sent one call each, in each format.
var large = []struct {
	name  string
	begin string
	// pair writes the request i and its call.
	pair func(b *bytes.Buffer, i int)
	end  string
}{
	{"otlp", `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeSpans":[{"spans":[`, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `{"traceId":"%032x","spanId":"%016x","parentSpanId":"","name":"GET /cart","kind":2,"startTimeUnixNano":"%d","endTimeUnixNano":"%d","attributes":[{"key":"http.request.method","value":{"stringValue":"GET"}},{"key":"url.path","value":{"stringValue":"/cart/%d"}},{"key":"http.response.status_code","value":{"intValue":"200"}}],"status":{}},`,
			i+1, 2*i+1, 1927929600000000000+int64(i)*1e6, 1927929600500000000+int64(i)*1e6, i)
		fmt.Fprintf(b, `{"traceId":"%032x","spanId":"%016x","parentSpanId":"%016x","name":"GET","kind":3,"startTimeUnixNano":"%d","endTimeUnixNano":"%d","attributes":[{"key":"http.request.method","value":{"stringValue":"GET"}},{"key":"url.full","value":{"stringValue":"http://stock.test:8080/items/%d?x=1"}},{"key":"http.response.status_code","value":{"intValue":"200"}},{"key":"http.response.header.x-speedscale-chaos","value":{"arrayValue":{"values":[{"stringValue":"none"}]}}}],"status":{}}`,
			i+1, 2*i+2, 2*i+1, 1927929600100000000+int64(i)*1e6, 1927929600200000000+int64(i)*1e6, i)
	}, `]}]}]}`},
	{"jaeger", `{"data":[{"traceID":"1","processes":{"p1":{"serviceName":"shop"}},"spans":[`, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `{"traceID":"%032x","spanID":"%016x","operationName":"GET /cart","references":[],"startTime":%d,"duration":500000,"tags":[{"key":"span.kind","type":"string","value":"server"},{"key":"http.method","type":"string","value":"GET"},{"key":"http.target","type":"string","value":"/cart/%d"},{"key":"http.status_code","type":"int64","value":200}],"processID":"p1"},`,
			i+1, 2*i+1, 1927929600000000+i*1000, i)
		fmt.Fprintf(b, `{"traceID":"%032x","spanID":"%016x","operationName":"GET","references":[{"refType":"CHILD_OF","traceID":"%032x","spanID":"%016x"}],"startTime":%d,"duration":100000,"tags":[{"key":"span.kind","type":"string","value":"client"},{"key":"http.url","type":"string","value":"http://stock.test:8080/items/%d"},{"key":"http.status_code","type":"int64","value":200}],"processID":"p1"}`,
			i+1, 2*i+2, i+1, 2*i+1, 1927929600100000+i*1000, i)
	}, `]}]}`},
	{"zipkin", `[`, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `{"traceId":"%016x","id":"%016x","kind":"SERVER","name":"get /cart","timestamp":%d,"duration":500000,"localEndpoint":{"serviceName":"shop","ipv4":"192.0.2.10"},"tags":{"http.path":"/cart/%d","http.status_code":"200"}},`,
			i+1, 2*i+1, 1927929600000000+i*1000, i)
		fmt.Fprintf(b, `{"traceId":"%016x","id":"%016x","parentId":"%016x","kind":"CLIENT","name":"get","timestamp":%d,"duration":100000,"localEndpoint":{"serviceName":"shop","ipv4":"192.0.2.10"},"remoteEndpoint":{"serviceName":"stock"},"tags":{"http.path":"/items/%d","http.status_code":"200"}}`,
			i+1, 2*i+2, 2*i+1, 1927929600100000+i*1000, i)
	}, `]`},
	{"har", `{"log":{"version":"1.2","entries":[`, func(b *bytes.Buffer, i int) {
		at := fmt.Sprintf("2031-02-03T10:%02d:%02d.%03d", i/60000%60, i/1000%60, i%1000)
		fmt.Fprintf(b, `{"_direction":"in","startedDateTime":"%sZ","time":500.25,"request":{"method":"GET","url":"https://shop.test/cart/%d","headers":[{"name":"traceparent","value":"00-%032x-00000000000000aa-01"}]},"response":{"status":200,"headers":[],"content":{"size":0}}},`, at, i, i+1)
		fmt.Fprintf(b, `{"_direction":"out","startedDateTime":"%sZ","time":100.5,"request":{"method":"GET","url":"http://stock.test:8080/items/%d","headers":[{"name":"traceparent","value":"00-%032x-00000000000000bb-01"}]},"response":{"status":200,"headers":[{"name":"X-Speedscale-Chaos","value":"none"}],"content":{"size":0}}}`, at, i, i+1)
	}, `]}}`},
	{"rrpair", `[`, func(b *bytes.Buffer, i int) {
		at := fmt.Sprintf("2031-02-03T10:%02d:%02d.%03d", i/60000%60, i/1000%60, i%1000)
		fmt.Fprintf(b, `{"msgType":"rrpair","ts":"%sZ","l7protocol":"http","duration":500,"tags":{"source":"recorder"},"uuid":"00000000-0000-4000-8000-%012x","direction":"IN","service":"shop","command":"GET","location":"/cart/%d","status":"200","http":{"req":{"uri":"/cart/%d","method":"GET","host":"shop.test","headers":{"Traceparent":["00-%032x-00000000000000aa-01"]}},"res":{"statusCode":200}}},`, at, 2*i+1, i, i, i+1)
		fmt.Fprintf(b, `{"msgType":"rrpair","ts":"%sZ","l7protocol":"http","duration":100,"tags":{"X-Speedscale-Chaos":"none"},"uuid":"00000000-0000-4000-8000-%012x","direction":"OUT","service":"shop","command":"GET","location":"/items/%d","status":"200","http":{"req":{"uri":"/items/%d","method":"GET","host":"stock.test:8080","headers":{"Traceparent":["00-%032x-00000000000000bb-01"]}},"res":{"statusCode":200}}}`, at, 2*i+2, i, i, i+1)
	}, `]`},
}

func largeFile(i, requests int) []byte {
	var b bytes.Buffer
	b.WriteString(large[i].begin)
	for n := range requests {
		if n > 0 {
			b.WriteByte(',')
		}
		large[i].pair(&b, n)
	}
	b.WriteString(large[i].end)
	return bytes.Clone(b.Bytes())
}

// TestManyCalls proves that nothing is lost or mixed up in a recording of many calls.
func TestManyCalls(t *testing.T) {
	const requests = 2000
	for i, format := range large {
		t.Run(format.name, func(t *testing.T) {
			data := largeFile(i, requests)
			reader := recording.ReaderOf(data)
			if reader == nil || reader.Name != format.name {
				t.Fatal("the format was not known")
			}
			imported, err := reader.Read([]recording.File{{Name: "large", Data: data}}, "")
			if err != nil {
				t.Fatal(err)
			}
			if imported.Inbound != requests || imported.Outbound != requests || imported.Skipped != (recording.Skipped{}) {
				t.Fatalf("%d requests and %d calls, skipped %+v", imported.Inbound, imported.Outbound, imported.Skipped)
			}
			r := &imported.Recordings[0]
			for n := range r.Outbound {
				in, out := &r.Inbound[n], &r.Outbound[n]
				if in.Path != fmt.Sprintf("/cart/%d", n) || out.Path != fmt.Sprintf("/items/%d", n) || out.TraceID != in.TraceID {
					t.Fatalf("%d: %+v beside %+v", n, in, out)
				}
				if out.Parent != in.ID && format.name != "har" && format.name != "rrpair" {
					t.Fatalf("%d: parent %q, want %q", n, out.Parent, in.ID)
				}
			}
		})
	}
}

// BenchmarkRead reads the most calls that a grade keeps, and says how much memory beside the file
// lives at its end.
func BenchmarkRead(b *testing.B) {
	for i, format := range large {
		b.Run(format.name, func(b *testing.B) {
			files := []recording.File{{Name: "large", Data: largeFile(i, 200_000)}}
			b.SetBytes(int64(len(files[0].Data)))
			b.ReportAllocs()
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var imported *recording.Imported
			for b.Loop() {
				var err error
				if imported, err = recording.ReaderOf(files[0].Data).Read(files, ""); err != nil {
					b.Fatal(err)
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "live-MiB")
			b.ReportMetric(float64(len(files[0].Data))/(1<<20), "file-MiB")
			runtime.KeepAlive(imported)
		})
	}
}
