package main

import (
	"strconv"

	"github.com/tidwall/gjson"

	"squall/site/edit"
	"squall/site/view"
)

// Compare runs the scenario and its variants over the same seeds and says which measures separate.
type Compare struct{ App *App }

type compareState struct {
	Running bool
	Status  string
	Caption string
	Table   []view.BandRow

	pool        pool
	seeds       int
	done, total int
	runs        []view.Sample // one for each variant, the base first
}

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
	return []variantIdea{
		{"no retries", `{ "policy": { "attempts": 1 } }`},
		{"no budget", `{ "policy": { "budget": "none" } }`},
		{"no measured ceiling", `{ "policy": { "attemptCeiling": null } }`},
		{"with a breaker", `{ "policy": { "breaker": {} } }`},
	}
}

func (a *App) addVariant(v variantIdea) {
	a.apply(edit.Set(a.Text, edit.Key("variants", v.Name), v.Raw))
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
	s := a.subject()
	if s == nil {
		return
	}
	if len(a.Problems) > 0 {
		c.Status = "The text has problems; there is nothing to compare until it has none."
		return
	}
	names := append([]string{"base"}, a.Run.World.Variants...)
	seeds := a.seedsOf()
	var tasks []string
	for i, name := range names {
		for _, seed := range seeds {
			fields := `"op":"scalars","text":` + quote(a.Text) + `,"seed":` + strconv.FormatInt(seed, 10)
			if i > 0 {
				fields += `,"variant":` + quote(name)
			}
			tasks = append(tasks, fields)
		}
	}
	c.Running, c.done, c.total, c.Table = true, 0, len(tasks), nil
	c.runs = make([]view.Sample, len(names))
	for i, name := range names {
		c.runs[i] = view.Sample{Name: name, Runs: make([]*view.Measured, len(seeds))}
	}
	subject := *s
	c.Status = ""
	c.Caption = subject.Name + " over " + strconv.Itoa(len(seeds)) + " seeds from " + strconv.FormatInt(seeds[0], 10)
	c.pool.b = a.b
	started := a.b.now()
	c.pool.run(tasks, func(i int, reply gjson.Result) {
		c.done++
		c.Status = strconv.Itoa(c.done) + " of " + strconv.Itoa(c.total) + " runs"
		if reply.Get("ok").Bool() {
			c.runs[i/len(seeds)].Runs[i%len(seeds)] = view.MeasuredOf(reply.Get("report"), &subject)
		} else {
			c.pool.cancel()
			c.Running, c.Status = false, "One of the runs failed: "+reply.Get("error").String()
		}
	}, func() {
		c.Running = false
		c.Status = strconv.Itoa(c.total) + " runs in " + view.Duration(int64((a.b.now()-started)*1e6))
		c.Table = view.CompareBands(c.runs)
	}, func(why string) { c.Running, c.Status = false, why })
}

func (a *App) stopCompare() {
	a.Compare.pool.cancel()
	a.Compare.Running, a.Compare.Status = false, "Stopped after "+strconv.Itoa(a.Compare.done)+" of "+strconv.Itoa(a.Compare.total)+" runs."
}
