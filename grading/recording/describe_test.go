package recording

import (
	"fmt"
	"strings"
	"testing"
)

// describe writes what a test wants to see of an import, a line a call.
func describe(m *Imported) string {
	var b strings.Builder
	for i := range m.Recordings {
		r := &m.Recordings[i]
		fmt.Fprintf(&b, "%s until %d%s\n", r.Service, r.LoadEndsNs, [...]string{Unsaid: " ?", Yes: " mocked", No: ""}[r.Mocked])
		for j := range r.Inbound {
			fmt.Fprintf(&b, "in %s\n", describeCall(&r.Inbound[j]))
		}
		for j := range r.Outbound {
			o := &r.Outbound[j]
			fmt.Fprintf(&b, "out %s to %s", describeCall(&o.Inbound), o.Host)
			if o.Parent != "" {
				fmt.Fprintf(&b, " of %s", o.Parent)
			}
			if o.Resend != 0 {
				fmt.Fprintf(&b, " resend %d", o.Resend)
			}
			if o.Chaos != nil {
				fmt.Fprintf(&b, " chaos %s", o.Chaos.Rule)
			}
			b.WriteByte('\n')
		}
	}
	s := m.Skipped
	for _, n := range []struct {
		name  string
		count int
	}{{"nonHttp", s.NonHTTP}, {"notACall", s.NotACall}, {"duplicate", s.Duplicate}, {"noTime", s.NoTime}, {"otherService", s.OtherService}, {"retimed", m.Retimed}} {
		if n.count != 0 {
			fmt.Fprintf(&b, "%d %s\n", n.count, n.name)
		}
	}
	return b.String()
}

func describeCall(c *Inbound) string {
	duration := "?"
	if c.HasDuration {
		duration = fmt.Sprint(c.DurationNs)
	}
	s := fmt.Sprintf("%s %d+%s %s %s", c.ID, c.AtNs, duration, c.Method, c.Path)
	if c.Route != "" {
		s += " (" + c.Route + ")"
	}
	s += fmt.Sprintf(" %d", c.Status)
	if c.TraceID != "" && !strings.HasPrefix(c.ID, c.TraceID+"/") {
		s += " trace " + c.TraceID
	}
	return s
}

// readOne reads one file, whose format must be known by its content.
func readOne(t *testing.T, format, data string) string {
	t.Helper()
	r := ReaderOf([]byte(data))
	if r == nil || r.Name != format {
		t.Fatalf("not known as %s: %s", format, data)
	}
	m, err := r.Read([]File{{Name: "f", Data: []byte(data)}}, "")
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return describe(m)
}

// lines joins lines as describe writes them.
func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }
