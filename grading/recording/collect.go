package recording

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"squall/engine/problem"
)

// ErrNoService says that the files name no service of the name that was asked for.
var ErrNoService = errors.New("no such service in the recording")

// noServiceName is the service of files that name none.
const noServiceName = "recorded"

// collector gathers the calls of every service. Their times are nanoseconds since 1970 until
// imported makes recordings of them.
type collector struct {
	index    map[string]int32
	services []collected // in the order in which they were met
	skipped  Skipped
	retimed  int
}

// collected is what is known of one service.
type collected struct {
	name     string
	inbound  []Inbound
	outbound []Outbound
	// sent says that it sent a call, of HTTP or not.
	sent bool
}

// service is the number of a service; the first time that it is named makes it one that was met.
func (c *collector) service(name []byte) int32 {
	if n, ok := c.index[string(name)]; ok {
		return n
	}
	if c.index == nil {
		c.index = make(map[string]int32)
	}
	n := int32(len(c.services))
	own := string(name)
	c.index[own] = n
	c.services = append(c.services, collected{name: own})
	return n
}

// imported chooses the services and makes a recording of each (grading.md 10, services).
func (c *collector) imported(format, pick string) (*Imported, error) {
	chosen, err := c.choose(pick)
	if err != nil {
		return nil, err
	}
	result := &Imported{Format: format, Skipped: c.skipped, Retimed: c.retimed}
	start, end := int64(math.MaxInt64), int64(0)
	isChosen := make([]bool, len(c.services))
	for _, i := range chosen {
		isChosen[i] = true
		s := &c.services[i]
		for j := range s.inbound {
			start, end = reach(&s.inbound[j], start, end)
		}
		for j := range s.outbound {
			start, end = reach(&s.outbound[j].Inbound, start, end)
		}
	}
	for i := range c.services {
		if s := &c.services[i]; !isChosen[i] {
			result.Skipped.OtherService += len(s.inbound) + len(s.outbound)
		}
	}
	for _, i := range chosen {
		s := &c.services[i]
		for j := range s.inbound {
			s.inbound[j].AtNs -= start
		}
		for j := range s.outbound {
			s.outbound[j].AtNs -= start
		}
		sortByTime(s.inbound, func(call *Inbound) int64 { return call.AtNs })
		sortByTime(s.outbound, func(call *Outbound) int64 { return call.AtNs })
		r := Recording{Service: s.name, HasLoadEnds: true, LoadEndsNs: max(end-start, 0), Mocked: No, Inbound: s.inbound, Outbound: s.outbound}
		if s.sent {
			r.Mocked = Yes
		}
		result.Inbound += len(r.Inbound)
		result.Outbound += len(r.Outbound)
		result.Recordings = append(result.Recordings, r)
	}
	return result, nil
}

// choose picks the services to grade: the named one; else all that sent a call; else all that
// answered one; else the first that was met, without calls.
func (c *collector) choose(pick string) ([]int, error) {
	if pick != "" {
		if i, ok := c.index[pick]; ok {
			return []int{int(i)}, nil
		}
		return nil, problem.Errorf("%w: %q is none of %s", ErrNoService, pick, c.names())
	}
	var chosen []int
	for _, has := range []func(*collected) bool{
		func(s *collected) bool { return len(s.outbound) > 0 },
		func(s *collected) bool { return len(s.inbound) > 0 },
	} {
		for i := range c.services {
			if has(&c.services[i]) {
				chosen = append(chosen, i)
			}
		}
		if chosen != nil {
			slices.SortFunc(chosen, func(a, b int) int { return cmp.Compare(c.services[a].name, c.services[b].name) })
			return chosen, nil
		}
	}
	if len(c.services) == 0 {
		c.service([]byte(noServiceName))
	}
	return []int{0}, nil
}

// names lists the services for a message.
func (c *collector) names() string {
	const shown = 20
	var names []string
	for i := range c.services {
		if i == shown {
			names = append(names, "...")
			break
		}
		names = append(names, problem.Sprintf("%q", c.services[i].name))
	}
	if names == nil {
		return "none, for the files name no service"
	}
	return strings.Join(names, ", ")
}

// reach widens a span of time by a call. The duration of a call that would end beyond the last
// instant of 64 bits is cut there.
func reach(c *Inbound, start, end int64) (int64, int64) {
	start = min(start, c.AtNs)
	if c.HasDuration {
		c.DurationNs = min(c.DurationNs, math.MaxInt64-c.AtNs)
		end = max(end, c.AtNs+c.DurationNs)
	}
	return start, end
}

// sortByTime sorts calls by time and keeps the order of the files among equal ones. Calls are big
// and nearly always in order, so it looks first and then moves each of them once.
func sortByTime[C any](calls []C, at func(*C) int64) {
	sorted := true
	for i := 1; i < len(calls) && sorted; i++ {
		sorted = at(&calls[i-1]) <= at(&calls[i])
	}
	if sorted {
		return
	}
	order := make([]int32, len(calls))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(at(&calls[a]), at(&calls[b])) })
	for i := range order {
		held := calls[i]
		to := int32(i)
		for from := order[to]; from != int32(i); from = order[to] {
			calls[to] = calls[from]
			order[to] = to
			to = from
		}
		calls[to] = held
		order[to] = to
	}
}

// texts keeps one copy of each text that comes again and again.
type texts map[string]string

// textsMax bounds how many texts are kept: paths with ids in them never come again.
const textsMax = 4096

func (t texts) of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := t[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(t) < textsMax {
		t[s] = s
	}
	return s
}
