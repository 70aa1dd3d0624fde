package scenario

import (
	"strconv"
	"strings"

	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/ticks"
)

// checkTopology validates the topology and puts each problem where its value is written.
func (r *reader) checkTopology(root document.Value, d *draft) {
	calls := flatten(d)
	for _, c := range calls {
		if s := d.services.find(c.to); s != nil && len(s.calls) == 0 {
			r.said[c.toValue.Path()] = true // was said where the service is declared
		}
	}
	if len(calls) == 0 && !d.Topology.Single {
		for _, v := range d.loadValues {
			r.said[problem.Join(v.Path(), "at")] = true // no load can arrive anywhere
		}
	}
	for _, p := range d.Topology.Validate() {
		at, path := place(root, d, calls, p.Path)
		r.check(at, problem.List{{Path: path, Message: p.Message}})
	}
}

// declared is a call and the service that makes it.
type declared struct {
	*call
	service *service
}

// flatten has the declared calls in the order of the topology's.
func flatten(d *draft) []declared {
	var calls []declared
	for i := range d.services.values {
		s := &d.services.values[i]
		for k := range s.calls {
			calls = append(calls, declared{&s.calls[k], s})
		}
	}
	return calls
}

// place finds what a path of a topology is about in the document: a value and a path below it.
func place(root document.Value, d *draft, calls []declared, path string) (at document.Value, below string) {
	list, index, below := split(path)
	if index < 0 {
		switch list {
		case "calls":
			return root, "services"
		case "loads":
			return root, "load"
		case "chaos":
			return d.chaos, below
		}
		return root, path
	}
	if d.Topology.Single && list != "loads" {
		switch list {
		case "calls":
			return root, below // "policy..." and "limiter..." are keys of the shorthand
		case "leaves":
			return root, problem.Join("dependency", below)
		}
		return root, problem.Join("pool", below)
	}
	switch list {
	case "calls":
		c := calls[index]
		if below == "from" {
			return c.service.value, ""
		}
		if rest, ok := strings.CutPrefix(below, "policy"); ok && c.policy.written {
			return c.policy.at, strings.TrimPrefix(rest, ".")
		}
		return c.value, below
	case "leaves":
		return d.dependencies.at[index], strings.TrimPrefix(below, "name")
	case "loads":
		return d.loadValues[index], below
	}
	name := ""
	if list == "pools" {
		name = d.Topology.Pools[index].Service
	} else {
		name = d.Topology.ServiceLimiters[index].Service
	}
	s := d.services.find(name)
	if below == "service" {
		below = ""
	}
	if list == "pools" {
		return s.poolValue, below
	}
	return s.limiterValue, below
}

// split cuts "calls[3].policy.x" into its list, index and rest; the index is -1 when there is none.
func split(path string) (list string, index int, below string) {
	first, rest, _ := strings.Cut(path, ".")
	list, number, ok := strings.Cut(first, "[")
	if !ok {
		return first, -1, rest
	}
	index, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
	if err != nil {
		return first, -1, rest
	}
	return list, index, rest
}

// checkLimits refuses what would run too long or report too much.
func (r *reader) checkLimits(root document.Value, d *draft) {
	t := &d.Topology
	seconds := float64(t.Duration) / float64(ticks.Second)
	if seconds > SecondsMax {
		r.check(root, problem.List{{Path: "duration", Message: "is " + t.Duration.String() + "; a run lasts at most " +
			(SecondsMax * ticks.Second).String()}})
		return
	}
	most := float64(r.options.MaxCalls)
	what := ""
	if t.Record {
		most, what = float64(most*RecordedShare), " while it keeps a timeline (record)"
	}
	offered := 0.0
	for i := range t.Loads {
		offered += float64(float64(t.Loads[i].Load.PerSecond) * seconds)
	}
	if offered > most {
		r.check(root, problem.List{{Path: "load", Message: "offers " + whole(offered) + " calls in " + t.Duration.String() + "; a run may have at most " +
			whole(most) + what + ": shorten duration or lower perSecond"}})
	}
	if parts := float64(len(t.Calls) + len(d.services.names) + len(t.Leaves)); float64(seconds*parts) > CellsMax {
		r.check(root, problem.List{{Path: "duration", Message: "is " + t.Duration.String() + ", too long to report every second of " + whole(parts) +
			" calls, services and dependencies; at most " + whole(CellsMax/parts) + " seconds fit"}})
	}
}

// whole writes a count without decimals.
func whole(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

// levelNames are the levels as a scenario writes them, in their order.
var levelNames = [policy.Levels]string{"sheddable", "sheddablePlus", "critical", "criticalPlus"}
