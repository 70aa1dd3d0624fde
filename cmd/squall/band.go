package main

import (
	"slices"
	"strings"

	"squall/edge/client"
	"squall/engine/measure"
	"squall/engine/scenario"
)

// bandCommand runs one scenario over a band of seeds, on this machine or on Workers.
type bandCommand struct {
	File     string   `arg:"" name:"file" help:"A scenario; - is standard input."`
	Seeds    string   `help:"The seeds instead of the scenario's: 1-20, or 1,2,5." placeholder:"A-B"`
	On       []string `help:"Run on Workers that answer there instead of on this machine; the result is the same." placeholder:"URL,..."`
	Requests int      `help:"How many requests go to each URL at once." default:"4" placeholder:"N"`
	Check    int      `help:"How many of the seeds are also run here, to compare digests with what the Workers say." default:"1" placeholder:"N"`
	Jobs     int      `help:"How many runs may go on at once on this machine. 0: one a processor." default:"0" placeholder:"N"`
	MaxCalls int      `help:"Offered calls that a run may have. 0: 20 million." default:"0" placeholder:"N"`
	Format   string   `help:"text (the block) or json (the band)." enum:"text,json" default:"text"`
	JSON     bool     `name:"json" help:"Short for --format json."`
}

func (r *bandCommand) Run(c *console) error {
	if r.JSON {
		r.Format = "json"
	}
	text, err := c.readFile(r.File, scenarioMost)
	if err != nil {
		return err
	}
	s, ok := c.parse(shown(r.File), text, r.MaxCalls)
	if !ok {
		return invalid
	}
	seeds, err := r.seeds(s)
	if err != nil {
		return err
	}
	var band *measure.Band
	if len(r.On) > 0 {
		band, err = r.spread(c, text, s, seeds)
	} else {
		band, err = c.runBand(r.File, &s.Topology, seeds, r.Jobs)
	}
	if err != nil {
		_, _, err = c.refused(r.File, err)
		if err == nil {
			err = invalid
		}
		return err
	}
	judged := s.JudgeBand(band)
	for _, report := range band.Reports {
		report.Expect = s.Judge(report)
	}
	if err := print(c.out, r.Format, band.Text, band.AppendJSON); err != nil {
		return err
	}
	return c.verdict(r.File, judged).err()
}

// seeds are those of the flag, else the scenario's, else 1 to 20.
func (r *bandCommand) seeds(s *scenario.Scenario) ([]int32, error) {
	switch {
	case r.Seeds != "":
		return parseSeeds(r.Seeds)
	case len(s.Seeds) > 0:
		return s.Seeds, nil
	}
	return scenario.ParseSeeds("1-20")
}

// spread runs the band on Workers.
func (r *bandCommand) spread(c *console, text []byte, s *scenario.Scenario, seeds []int32) (*measure.Band, error) {
	bar := newProgress(c.err, shown(r.File))
	defer bar.finish()
	return client.Band(c.ctx, text, s, seeds, client.Options{
		URLs:     slices.DeleteFunc(r.On, func(u string) bool { return strings.TrimSpace(u) == "" }),
		Jobs:     r.Requests,
		Check:    min(max(r.Check, 0), len(seeds)),
		Progress: func(done, total int) { bar.done(float64(done) / float64(total)) },
		Left:     func(err error) { c.complain("squall: left out: %v", err) },
	})
}
