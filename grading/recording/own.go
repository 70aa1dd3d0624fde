package recording

import (
	"math"

	"squall/engine/document"
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
	ids := make(map[string]struct{})
	for item := range given(o.Get("inbound")).List() {
		call := item.Object("id", "atNs", "durationNs", "protocol", "method", "path", "route", "status", "traceId")
		r.Inbound = append(r.Inbound, decodeCall(item, call, ids))
	}
	clear(ids)
	perturbed := false
	for item := range given(o.Get("outbound")).List() {
		c := decodeOutbound(item, ids)
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

func decodeOutbound(v document.Value, ids map[string]struct{}) Outbound {
	o := v.Object("id", "atNs", "durationNs", "protocol", "host", "method", "path", "route", "status", "traceId", "parent", "resend", "chaos")
	c := Outbound{Inbound: decodeCall(v, o, ids)}
	c.Host, _ = o.Need("host").Text()
	c.Parent, _ = given(o.Get("parent")).Text()
	resend, _ := given(o.Get("resend")).Int(0, maxCount)
	c.Resend = int(resend)
	if mark := given(o.Get("chaos")); mark.Exists() {
		c.Chaos = decodeChaos(mark)
	}
	return c
}

// decodeCall reads what both directions have in common, and checks that the id is new.
func decodeCall(v document.Value, o document.Members, ids map[string]struct{}) Inbound {
	var c Inbound
	id := o.Need("id")
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
	c.AtNs, _ = o.Need("atNs").Int(0, math.MaxInt64)
	duration := given(o.Get("durationNs"))
	c.DurationNs, c.HasDuration = duration.Int(0, math.MaxInt64)
	c.Protocol, _ = given(o.Get("protocol")).Text()
	if c.Protocol == "" {
		c.Protocol = "http"
	}
	c.Method, _ = o.Need("method").Text()
	path, route := given(o.Get("path")), given(o.Get("route"))
	c.Path, _ = path.Text()
	c.Route, _ = route.Text()
	if o.Exists() && !path.Exists() && c.Route == "" {
		v.Problem(`needs a "path" or a "route"`)
	}
	status, _ := given(o.Get("status")).Int(0, statusMax)
	c.Status = int(status)
	if c.Status != 0 && !duration.Exists() {
		v.Problem(`needs "durationNs", for it was answered`)
	}
	c.TraceID, _ = given(o.Get("traceId")).Text()
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
