package recording

import (
	"strconv"

	"squall/engine/document"
)

// AppendJSON appends the input document that the readers made (grading.md 10): one line and a line
// end. One recording stands as an object, several as a list.
func (m *Imported) AppendJSON(b []byte) []byte {
	b = AppendRecordings(append(b, `{"squall":1,"recording":`...), m.Recordings)
	b = m.AppendSummary(append(b, `,"imported":`...))
	return append(b, "}\n"...)
}

// AppendSummary appends the value of "imported": what was kept, and what was skipped and why.
func (m *Imported) AppendSummary(b []byte) []byte {
	b = document.AppendText(append(b, `{"format":`...), m.Format)
	b = key(b, "inbound").count(m.Inbound)
	b = key(b, "outbound").count(m.Outbound)
	b = append(b, `,"skipped":{"nonHttp":`...)
	b = strconv.AppendInt(b, int64(m.Skipped.NonHTTP), 10)
	b = key(b, "notACall").count(m.Skipped.NotACall)
	b = key(b, "duplicate").count(m.Skipped.Duplicate)
	b = key(b, "noTime").count(m.Skipped.NoTime)
	b = key(b, "otherService").count(m.Skipped.OtherService)
	b = key(append(b, '}'), "retimed").count(m.Retimed)
	return append(b, '}')
}

// AppendRecordings appends the value of "recording": an object, or a list of several.
func AppendRecordings(b []byte, recordings []Recording) []byte {
	if len(recordings) == 1 {
		return AppendRecording(b, &recordings[0])
	}
	b = append(b, '[')
	for i := range recordings {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendRecording(b, &recordings[i])
	}
	return append(b, ']')
}

// AppendRecording appends a recording in our own form: the keys of grading.md 2 in their order, null
// where nothing is known. "matched" is left out when no rule reports a count.
func AppendRecording(b []byte, r *Recording) []byte {
	b = document.AppendText(append(b, `{"service":`...), r.Service)
	b = key(b, "loadStartsNs").time(r.LoadStartsNs, true)
	b = key(b, "loadEndsNs").time(r.LoadEndsNs, r.HasLoadEnds)
	b = append(append(b, `,"mocked":`...), [...]string{Unsaid: "null", Yes: "true", No: "false"}[r.Mocked]...)
	if len(r.Matched) > 0 {
		b = append(b, `,"matched":{`...)
		for i, m := range r.Matched {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(document.AppendText(b, m.Rule), ':')
			b = strconv.AppendInt(b, int64(m.Count), 10)
		}
		b = append(b, '}')
	}
	b = append(b, `,"inbound":[`...)
	for i := range r.Inbound {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(r.Inbound[i].appendJSON(b, nil), '}')
	}
	b = append(b, `],"outbound":[`...)
	for i := range r.Outbound {
		if i > 0 {
			b = append(b, ',')
		}
		b = r.Outbound[i].appendJSON(b)
	}
	return append(b, "]}"...)
}

// appendJSON leaves the object open; host stands in front of the method of a call, nil for none.
func (c *Inbound) appendJSON(b []byte, host *string) []byte {
	b = document.AppendText(append(b, `{"id":`...), c.ID)
	b = key(b, "atNs").time(c.AtNs, true)
	b = key(b, "durationNs").time(c.DurationNs, c.HasDuration)
	protocol := c.Protocol
	if protocol == "" {
		protocol = "http"
	}
	b = key(b, "protocol").text(protocol)
	if host != nil {
		b = document.AppendText(key(b, "host"), *host)
	}
	b = document.AppendText(key(b, "method"), c.Method)
	if c.Path == "" && c.Route == "" {
		b = append(key(b, "path"), `""`...) // one of the two must be written
	} else {
		b = key(b, "path").text(c.Path)
	}
	b = key(b, "route").text(c.Route)
	b = key(b, "status").count(c.Status)
	return key(b, "traceId").text(c.TraceID)
}

func (c *Outbound) appendJSON(b []byte) []byte {
	b = c.Inbound.appendJSON(b, &c.Host)
	b = key(b, "parent").text(c.Parent)
	b = key(b, "resend").count(c.Resend)
	b = append(b, `,"chaos":`...)
	if c.Chaos == nil {
		return append(b, "null}"...)
	}
	b = append(b, `{"rule":`...)
	b = unfinished(b).text(c.Chaos.Rule)
	b = append(b, `,"effects":[`...)
	for i, word := range c.Chaos.Effects {
		if i > 0 {
			b = append(b, ',')
		}
		b = document.AppendText(b, word)
	}
	b = append(b, ']')
	b = key(b, "status").time(int64(c.Chaos.Status), c.Chaos.HasStatus)
	b = key(b, "delayNs").time(c.Chaos.DelayNs, c.Chaos.HasDelay)
	return append(b, "}}"...)
}

// unfinished is JSON that ends where a value must follow.
type unfinished []byte

// key appends a comma, a key and a colon.
func key(b []byte, name string) unfinished {
	return append(append(append(b, ',', '"'), name...), '"', ':')
}

func (b unfinished) count(n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// time appends a number, or null when it is not known.
func (b unfinished) time(n int64, known bool) []byte {
	if !known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n, 10)
}

// text appends a text, or null when it is empty.
func (b unfinished) text(s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return document.AppendText(b, s)
}
