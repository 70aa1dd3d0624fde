package recording

import (
	"math"
	"slices"

	"squall/engine/document"
	"squall/engine/problem"
)

// maxCount bounds counts in a recording, far from where sums of them could overflow.
const maxCount = 1 << 40

// Decode reads the value of "recording": an object, or a list of them, one a service (grading.md
// 2). What is wrong is reported to the document that the value belongs to.
func Decode(v document.Value) []Recording {
	if v.Kind() != document.List {
		return []Recording{decodeOne(v)}
	}
	var all []Recording
	services := make(map[string]struct{})
	for item := range v.Items() {
		r := decodeOne(item)
		if _, again := services[r.Service]; again {
			item.Problem("is the second recording of service " + shown(r.Service) + "; there is one a service")
		}
		services[r.Service] = struct{}{}
		all = append(all, r)
	}
	if len(all) == 0 {
		v.Problem("must hold at least one recording")
	}
	return all
}

func decodeOne(v document.Value) Recording {
	o := v.Object("service", "loadStartsNs", "loadEndsNs", "mocked", "matched", "inbound", "outbound")
	var r Recording
	r.Service, _ = o.Need("service").Text()
	r.LoadStartsNs, _ = given(o.Get("loadStartsNs")).Int(0, math.MaxInt64)
	r.LoadEndsNs, r.HasLoadEnds = given(o.Get("loadEndsNs")).Int(0, math.MaxInt64)
	for rule, count := range given(o.Get("matched")).Map() {
		if n, ok := given(count).Int(0, maxCount); ok {
			r.Matched = append(r.Matched, Match{rule, int(n)})
		}
	}
	inbound, outbound := given(o.Get("inbound")), given(o.Get("outbound"))
	r.Inbound = make([]Inbound, 0, callsIn(inbound))
	ids := make(map[string]struct{}, callsIn(inbound))
	var f callFields
	for item := range inbound.List() {
		f.read(item, inboundKeys)
		r.Inbound = append(r.Inbound, f.call(ids))
	}
	clear(ids)
	r.Outbound = make([]Outbound, 0, callsIn(outbound))
	perturbed := false
	for item := range outbound.List() {
		f.read(item, outboundKeys)
		c := f.outbound(ids)
		perturbed = perturbed || c.Chaos != nil && isHTTP(c.Protocol)
		r.Outbound = append(r.Outbound, c)
	}
	mocked := given(o.Get("mocked"))
	if yes, said := mocked.Bool(); said && yes {
		r.Mocked = Yes
	} else if said {
		r.Mocked = No
		if perturbed {
			mocked.Problem("is false, but a call of this recording was perturbed; chaos acts on mocks")
		}
	}
	return r
}

// callsIn guesses from its length how many calls a list holds, to make room for them at once.
func callsIn(list document.Value) int { return (list.End() - list.Offset()) / 180 }

// The keys of a call: those of both directions stand first.
var (
	inboundKeys  = []string{"id", "atNs", "durationNs", "protocol", "method", "path", "route", "status", "traceId"}
	outboundKeys = append(slices.Clip(inboundKeys), "host", "parent", "resend", "chaos")
)

const (
	fieldID = iota
	fieldAt
	fieldDuration
	fieldProtocol
	fieldMethod
	fieldPath
	fieldRoute
	fieldStatus
	fieldTraceID
	fieldHost
	fieldParent
	fieldResend
	fieldChaos
	fieldCount
)

// callFields are the values of one call. There may be 400,000 calls, so they are read into the same
// place one after another.
type callFields struct {
	of     document.Value
	values [fieldCount]document.Value
}

func (f *callFields) read(v document.Value, known []string) {
	f.of = v
	f.values = [fieldCount]document.Value{}
	regular := v.Kind() == document.Object
	for key, value := range v.Members() {
		i := slices.Index(known, key)
		if i < 0 || f.values[i].Exists() {
			regular = false
			continue
		}
		f.values[i] = value
	}
	if !regular {
		v.Object(known...) // says what is wrong
	}
}

// get is a value that may be missing or null.
func (f *callFields) get(field int) document.Value { return given(f.values[field]) }

// need is a value that must be there. Nothing is said of what is no object at all.
func (f *callFields) need(field int) document.Value {
	v := f.values[field]
	if !v.Exists() && f.of.Kind() == document.Object {
		f.of.Report(problem.List{{Path: outboundKeys[field], Message: shown(outboundKeys[field]) + " is missing"}})
	}
	return v
}

func (f *callFields) outbound(ids map[string]struct{}) Outbound {
	c := Outbound{Inbound: f.call(ids)}
	c.Host, _ = f.need(fieldHost).Text()
	c.Parent, _ = f.get(fieldParent).Text()
	resend, _ := f.get(fieldResend).Int(0, maxCount)
	c.Resend = int(resend)
	if mark := f.get(fieldChaos); mark.Exists() {
		c.Chaos = decodeChaos(mark)
	}
	return c
}

// call reads what both directions have in common, and checks that the id is new.
func (f *callFields) call(ids map[string]struct{}) Inbound {
	var c Inbound
	id := f.need(fieldID)
	if text, ok := id.Text(); ok {
		if _, again := ids[text]; again {
			id.Problem("is the id of an earlier call of this list too; ids are unique")
		}
		if text == "" {
			id.Problem("must not be empty")
		}
		ids[text] = struct{}{}
		c.ID = text
	}
	c.AtNs, _ = f.need(fieldAt).Int(0, math.MaxInt64)
	duration := f.get(fieldDuration)
	c.DurationNs, c.HasDuration = duration.Int(0, math.MaxInt64)
	c.Protocol, _ = f.get(fieldProtocol).Text()
	if c.Protocol == "" {
		c.Protocol = "http"
	}
	c.Method, _ = f.need(fieldMethod).Text()
	path, route := f.get(fieldPath), f.get(fieldRoute)
	c.Path, _ = path.Text()
	c.Route, _ = route.Text()
	if f.of.Kind() == document.Object && !path.Exists() && c.Route == "" {
		f.of.Problem(`needs a "path" or a "route"`)
	}
	status, _ := f.get(fieldStatus).Int(0, statusMax)
	c.Status = int(status)
	if c.Status != 0 && !duration.Exists() {
		f.of.Problem(`needs "durationNs", for it was answered`)
	}
	c.TraceID, _ = f.get(fieldTraceID).Text()
	return c
}

func decodeChaos(v document.Value) *Chaos {
	o := v.Object("rule", "effects", "status", "delayNs")
	c := &Chaos{}
	c.Rule, _ = given(o.Get("rule")).Text()
	for item := range given(o.Get("effects")).List() {
		if word, ok := item.Text(); ok {
			c.Effects = append(c.Effects, word)
		}
	}
	status, said := given(o.Get("status")).Int(0, statusMax)
	c.Status, c.HasStatus = int(status), said
	c.DelayNs, c.HasDelay = given(o.Get("delayNs")).Int(0, math.MaxInt64)
	return c
}

// given is a value that may as well be null.
func given(v document.Value) document.Value {
	if v.Kind() == document.Null {
		return document.Value{}
	}
	return v
}

// isHTTP says whether chaos and grading look at calls of a protocol.
func isHTTP(protocol string) bool {
	return protocol == "" || protocol == "http" || protocol == "https"
}

func shown(text string) string { return string(document.AppendText(nil, text)) }
