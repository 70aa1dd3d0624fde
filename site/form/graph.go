package form

import (
	"strconv"
	"strings"

	"squall/engine/document"
	"squall/site/edit"
)

// entities are the parts of a graph in the order of the document.
func (b *builder) entities() []Entity {
	list := []Entity{{"run", "Run", "run and load"}}
	for _, group := range []struct{ key, title string }{
		{"services", "Services"}, {"dependencies", "Dependencies"}, {"policies", "Policies"}, {"budgets", "Budgets"},
	} {
		for _, name := range b.names(group.key) {
			list = append(list, Entity{edit.Key(group.key, name), group.title, name})
		}
	}
	return list
}

// entityAdds are buttons for entities with names that are free.
func (b *builder) entityAdds() []Add {
	adds := []Add{}
	for _, add := range []struct{ label, key, name, raw string }{
		{"service", "services", "service", `{ "calls": [] }`},
		{"dependency", "dependencies", "dependency", `{ "p50": "20ms", "p99": "200ms" }`},
		{"policy", "policies", "policy", `{ "preset": "http" }`},
		{"budget", "budgets", "budget", `{ "fraction": 0.1, "minimumPerSecond": 3 }`},
	} {
		name := add.name
		for n := 2; b.has(edit.Key(add.key, name)); n++ {
			name = add.name + "-" + strconv.Itoa(n)
		}
		adds = append(adds, Add{add.label, edit.Key(add.key, name), add.raw})
	}
	return adds
}

// entity makes the sections of one entity.
func (b *builder) entity(id string, all []Entity) {
	e := all[0]
	for _, known := range all {
		if known.ID == id {
			e = known
		}
	}
	switch {
	case e.ID == "run":
		b.run()
		b.loads()
	case strings.HasPrefix(e.ID, "services"):
		b.service(e)
	case strings.HasPrefix(e.ID, "dependencies"):
		b.dependency(e.ID, e.Name)
		b.removable(e)
	case strings.HasPrefix(e.ID, "policies"):
		b.policy(e.ID, e.Name)
		b.removable(e)
	default:
		s := b.section(Section{ID: e.ID, Title: e.Name, Remove: e.ID})
		b.bucket(s, e.ID)
	}
}

func (b *builder) removable(e Entity) {
	for i := range b.sections {
		if b.sections[i].ID == e.ID {
			b.sections[i].Remove = e.ID
		}
	}
}

func (b *builder) loads() {
	v, ok := b.value("load")
	if !ok || v.Kind() != document.List {
		b.load("load", "Load", "")
		return
	}
	i := 0
	for range v.Items() {
		at := "load[" + strconv.Itoa(i) + "]"
		i++
		b.load(at, "Load "+strconv.Itoa(i), at)
	}
	b.sections[len(b.sections)-1].Adds = append(b.sections[len(b.sections)-1].Adds, Add{"load", "load", `{ "perSecond": 100 }`})
}

func (b *builder) service(e Entity) {
	s := b.section(Section{ID: e.ID, Title: e.Name, Remove: e.ID})
	callees := append(b.names("dependencies"), b.names("services")...)
	to := ""
	for _, name := range callees {
		if name != e.Name {
			to = name
			break
		}
	}
	list := edit.Key(e.ID, "calls")
	s.Adds = append(s.Adds, Add{"call", list, `{ "to": ` + quoted(to) + ` }`})
	v, _ := b.value(list)
	i := 0
	for range v.Items() {
		at := list + "[" + strconv.Itoa(i) + "]"
		i++
		b.call(at, e.Name, callees)
	}
	b.pool(edit.Key(e.ID, "pool"))
	b.limiter(edit.Key(e.ID, "limiter"), 0)
}

func (b *builder) call(at, from string, callees []string) {
	to := b.word(at + ".to")
	s := b.section(Section{ID: at, Title: "Calls " + to, Remove: at})
	targets := make([]string, 0, len(callees))
	for _, name := range callees {
		if name != from {
			targets = append(targets, name)
		}
	}
	b.pick(s, at+".to", "Callee", to, "", references(targets)...)
	policy, written := b.value(at + ".policy")
	which := "inline"
	switch {
	case !written:
		which = "default"
	case policy.Kind() == document.Text:
		which = b.word(at + ".policy")
	}
	options := append([]Option{{"default", ""}, {"inline", "{}"}}, references(b.names("policies"))...)
	b.pick(s, at+".policy", "Policy", which, "a named policy, or one written here", options...)
	b.flag(s, at+".optional", "Optional", false, "its failure does not fail the request")
	if which == "inline" {
		b.policy(at+".policy", "Policy of this call")
		for k := range b.sections {
			if b.sections[k].ID == at+".policy" {
				b.sections[k].Level = 1
			}
		}
	}
	b.limiter(at+".limiter", 1)
}
