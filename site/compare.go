package main

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"squall/site/edit"
	"squall/site/view"
)

// Compare runs the scenario, its variants and other texts over the same seeds and says in which
// measures they separate.
type Compare struct{ App *App }

type compareState struct {
	Running  bool
	Status   string
	Caption  string
	Table    []view.BandRow
	Findings []string
	Others   []otherText

	pool        pool
	seeds       int
	done, total int
	drawn       float64 // when progress was shown last
	text        string  // what was compared
	of          string  // whom the table is about
	over        string  // which seeds, in words
	sides       []side
}

// otherText is another document that the scenario is compared with.
type otherText struct{ Name, Text string }

// side is one column of a comparison, with the report of each seed.
type side struct {
	name    string
	text    string
	variant string
	reports []gjson.Result
}

// othersMax is how many other texts are kept beside the scenario.
const othersMax = 8

// progressEvery is how often, in milliseconds, the page is drawn while runs come in.
const progressEvery = 100

func (c *Compare) counts() []string { return []string{"5", "10", "20", "50", "100"} }

func (s *compareState) seedsText() string {
	if s.seeds == 0 {
		return "20"
	}
	return strconv.Itoa(s.seeds)
}

func (s *compareState) totalText() string { return strconv.Itoa(s.total) }
func (s *compareState) doneText() string  { return strconv.Itoa(s.done) }

func (a *App) setSeeds(value string) {
	if n, err := strconv.Atoi(value); err == nil {
		a.Compare.seeds = n
	}
}

// variantIdea is a variant that the page offers for a scenario without any.
type variantIdea struct{ Name, Raw string }

func (c *Compare) suggestions() []variantIdea {
	if c.App.Run == nil || c.App.Run.World.Graph {
		return nil
	}
	var fresh []variantIdea
	for _, idea := range []variantIdea{
		{"no retries", `{ "policy": { "attempts": 1 } }`},
		{"no budget", `{ "policy": { "budget": "none" } }`},
		{"no measured ceiling", `{ "policy": { "attemptCeiling": null } }`},
		{"with a breaker", `{ "policy": { "breaker": {} } }`},
	} {
		if !slices.Contains(c.App.Run.World.Variants, idea.Name) {
			fresh = append(fresh, idea)
		}
	}
	return fresh
}

func (a *App) addVariant(v variantIdea) {
	a.apply(edit.Set(a.Text, edit.Key("variants", v.Name), v.Raw))
}

// pin keeps the text as it is now, to compare what it becomes with it.
func (a *App) pin() { a.addOther("as it was", a.Text) }

// addDraft compares with a draft.
func (a *App) addDraft(id string) {
	for _, d := range a.Drafts.List {
		if d.ID == id {
			if text := a.b.load("squall.draft." + id); text != "" {
				a.addOther(d.Title, text)
				return
			}
		}
	}
	if id != "" {
		a.say("This draft is gone.")
	}
}

// addWritten compares with the text that was pasted beside the comparison.
func (a *App) addWritten() {
	text := a.b.fieldText("c-text")
	if text == "" {
		a.say("Paste a scenario first.")
		return
	}
	a.addOther(titleOf(text), text)
}

// addOther adds a text under a name that no other side has.
func (a *App) addOther(name, text string) {
	c := &a.Compare
	if len(c.Others) == othersMax {
		a.say("There is room for " + strconv.Itoa(othersMax) + " other texts; remove one first.")
		return
	}
	taken := map[string]bool{"base": true}
	if a.Run != nil {
		for _, v := range a.Run.World.Variants {
			taken[v] = true
		}
	}
	for _, o := range c.Others {
		taken[o.Name] = true
	}
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = name + " " + strconv.Itoa(n)
	}
	c.Others = append(c.Others, otherText{unique, text})
	a.say("Added: " + unique + ".")
}

func (a *App) removeOther(name string) {
	for i, o := range a.Compare.Others {
		if o.Name == name {
			a.Compare.Others = append(a.Compare.Others[:i:i], a.Compare.Others[i+1:]...)
			return
		}
	}
}

// seedsOf are the seeds of a comparison: those of the scenario's band, else as many as were asked
// for from its own seed on.
func (a *App) seedsOf() []int64 {
	if len(a.Run.World.Seeds) > 1 {
		return a.Run.World.Seeds
	}
	n, err := strconv.Atoi(a.Compare.seedsText())
	if err != nil {
		n = 20
	}
	seeds := make([]int64, n)
	for i := range seeds {
		seeds[i] = int64(int32(a.Run.Seed + int64(i)))
	}
	return seeds
}

// compareNow runs everything on as many workers as there are cores.
func (a *App) compareNow() {
	c := &a.Compare
	if a.subject() == nil {
		return
	}
	if len(a.Problems) > 0 {
		c.Status = "The text has problems; there is nothing to compare until it has none."
		return
	}
	c.sides = []side{{name: "base", text: a.Text}}
	for _, v := range a.Run.World.Variants {
		c.sides = append(c.sides, side{name: v, text: a.Text, variant: v})
	}
	for _, o := range c.Others {
		c.sides = append(c.sides, side{name: o.Name, text: o.Text})
	}
	seeds := a.seedsOf()
	var tasks []string
	for i := range c.sides {
		s := &c.sides[i]
		s.reports = make([]gjson.Result, len(seeds))
		for _, seed := range seeds {
			fields := `"op":"scalars","text":` + quote(s.text) + `,"seed":` + strconv.FormatInt(seed, 10)
			if s.variant != "" {
				fields += `,"variant":` + quote(s.variant)
			}
			tasks = append(tasks, fields)
		}
	}
	c.Running, c.done, c.total, c.Table, c.Findings, c.of = true, 0, len(tasks), nil, nil, ""
	c.text = a.Text
	c.over = "over " + strconv.Itoa(len(seeds)) + " seeds from " + strconv.FormatInt(seeds[0], 10)
	c.Status = "0 of " + c.totalText() + " runs"
	c.pool.b = a.b
	started := a.b.now()
	c.drawn = started
	c.pool.run(tasks, func(i int, reply gjson.Result) {
		s := &c.sides[i/len(seeds)]
		c.done++
		if !reply.Get("ok").Bool() {
			c.pool.cancel()
			c.Running, c.Status = false, "“"+s.name+"” could not be run: "+whyNot(reply)
			return
		}
		s.reports[i%len(seeds)] = reply.Get("report")
		if now := a.b.now(); now-c.drawn >= progressEvery {
			c.drawn = now
			c.Status = c.doneText() + " of " + c.totalText() + " runs"
		} else if c.done < c.total {
			a.b.still()
		}
	}, func() {
		c.Running = false
		c.Status = c.totalText() + " runs in " + view.Duration(int64((a.b.now()-started)*1e6)) + "."
		a.followCompare()
	}, func(why string) { c.Running, c.Status = false, why })
}

// whyNot is why a request was not answered.
func whyNot(reply gjson.Result) string {
	if p := reply.Get("problems.0"); p.Exists() {
		return p.Get("message").Str + " (line " + p.Get("line").String() + ")"
	}
	return reply.Get("error").String()
}

// followCompare makes the table be about what the result is about.
func (a *App) followCompare() {
	c := &a.Compare
	s := a.subject()
	if s == nil || c.Running || len(c.sides) == 0 || c.done < c.total || c.of == s.Name {
		return
	}
	samples := make([]view.Sample, len(c.sides))
	for i, side := range c.sides {
		samples[i] = view.Sample{Name: side.name, Runs: make([]*view.Measured, len(side.reports))}
		for k, report := range side.reports {
			samples[i].Runs[k] = view.MeasuredOf(report, s)
		}
	}
	c.of, c.Table = s.Name, view.CompareBands(samples)
	c.Findings = view.Findings(c.Table)
	c.Caption = s.Name + " " + c.over
}

func (a *App) stopCompare() {
	c := &a.Compare
	c.pool.cancel()
	c.Running, c.sides, c.Status = false, nil, "Stopped after "+c.doneText()+" of "+c.totalText()+" runs."
}

// stale tells that the table is about an earlier text.
func (c *Compare) stale() bool {
	s := &c.App.Compare
	return len(s.Table) > 0 && s.text != c.App.Text
}

// alone tells that there is nothing to compare the scenario with.
func (c *Compare) alone() bool {
	return c.App.Run != nil && len(c.App.Run.World.Variants) == 0 && len(c.App.Compare.Others) == 0
}

// seedsFixed tells that the scenario says itself which seeds it is run with.
func (c *Compare) seedsFixed() bool { return c.App.Run != nil && len(c.App.Run.World.Seeds) > 1 }

// asked is what will be compared, in words.
func (c *Compare) asked() string {
	if c.App.Run == nil {
		return ""
	}
	n := 1 + len(c.App.Run.World.Variants) + len(c.App.Compare.Others)
	seeds := len(c.App.seedsOf())
	return strconv.Itoa(n) + " × " + strconv.Itoa(seeds) + " = " + strconv.Itoa(n*seeds) + " runs"
}

func (c *Compare) tableClass() string {
	if c.stale() {
		return "compared stale-all"
	}
	return "compared"
}
