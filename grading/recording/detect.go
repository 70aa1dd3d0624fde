package recording

import "bytes"

// The formats are told by a key that only they have; none of them shares one with our own form.
// Detection stops there, so that it costs little even for a file whose rest is broken.

func detectOTLP(data []byte) bool   { return detect(data) == "otlp" }
func detectJaeger(data []byte) bool { return detect(data) == "jaeger" }
func detectZipkin(data []byte) bool { return detect(data) == "zipkin" }
func detectHAR(data []byte) bool    { return detect(data) == "har" }
func detectRRPair(data []byte) bool { return detect(data) == "rrpair" }

// detect is the name of the format of a file, or nothing.
func detect(data []byte) string {
	s := scanner{data: bytes.TrimPrefix(data, []byte("\uFEFF"))}
	if isMarkdown(s.data) {
		return "rrpair"
	}
	if s.peek() == list {
		return detectList(&s)
	}
	if s.peek() != object {
		return ""
	}
	for key := range s.object {
		switch string(key) {
		case "squall", "recording", "scenario":
			return ""
		case "resourceSpans":
			return "otlp"
		case "log":
			if s.peek() == object {
				return "har"
			}
		case "data":
			if s.peek() == list {
				return "jaeger"
			}
		case "msgType", "l7protocol", "direction", "netinfo":
			return "rrpair"
		}
	}
	return ""
}

// detectList knows a list by its first element; an empty one holds no spans.
func detectList(s *scanner) string {
	for range s.list {
		switch s.peek() {
		case list:
			return "zipkin"
		case object:
			for key := range s.object {
				switch string(key) {
				case "traceId", "localEndpoint", "remoteEndpoint", "parentId":
					return "zipkin"
				case "msgType", "l7protocol", "direction", "netinfo":
					return "rrpair"
				}
			}
		}
		return ""
	}
	if s.err != nil {
		return ""
	}
	return "zipkin"
}
