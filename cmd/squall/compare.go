package main

import (
	"errors"

	"squall/engine/measure"
	"squall/engine/scenario"
)

// compareCommand runs scenarios on the same seeds and sets them side by side.
type compareCommand struct {
	Seeds    string   `help:"The seeds that all of them run, 1-20 or 1,2,5. Without it the first scenario's band, or 1-20." placeholder:"A-B"`
	Jobs     int      `help:"How many runs may go on at once; the result is the same. 0: one a processor." default:"0"`
	MaxCalls int      `help:"Offered calls that a run may have. 0: 20 million." default:"0" placeholder:"N"`
	Files    []string `arg:"" name:"file" help:"Two scenarios or more, or one that has variants."`
	Format   string   `help:"text (a table) or json." enum:"text,json" default:"text"`
	JSON     bool     `name:"json" help:"Short for --format json."`
	JUnit    string   `name:"junit" help:"Write the expectations of each to FILE as JUnit XML." placeholder:"FILE"`
}

// contender is one column of the table.
type contender struct {
	name     string
	scenario *scenario.Scenario
}

func (r *compareCommand) Run(c *console) error {
	if r.JSON {
		r.Format = "json"
	}
	if !c.mayWrite("--junit", r.JUnit, isXML) {
		return invalid
	}
	contenders, err := r.contenders(c)
	if err != nil {
		return err
	}
	if len(contenders) < 2 {
		c.complain("%s: there is nothing to compare with: give a second scenario, or \"variants\" in this one", shown(r.Files[0]))
		return invalid
	}
	seeds, err := r.seeds(contenders[0].scenario)
	if err != nil {
		return err
	}
	var (
		comparison measure.Comparison
		suites     junit
		worst      = holds
	)
	for _, one := range contenders {
		band, err := c.runBand(one.name, &one.scenario.Topology, seeds, r.Jobs)
		if err != nil {
			verdict, _, err := c.refused(one.name, err)
			if err == nil {
				err = verdict
			}
			return err
		}
		comparison.Names = append(comparison.Names, one.name)
		comparison.Bands = append(comparison.Bands, band)
		judged := one.scenario.JudgeBand(band)
		worst = max(worst, c.verdict(one.name, judged))
		suites.suite(one.name, cases(holds, judged))
	}
	if err := print(c.out, r.Format, comparison.Text, comparison.AppendJSON); err != nil {
		return err
	}
	if r.JUnit != "" {
		if err := suites.write(r.JUnit); err != nil {
			return err
		}
	}
	return worst.err()
}

// contenders reads the files and, of a single file, its variants.
func (r *compareCommand) contenders(c *console) (all []contender, err error) {
	for _, name := range r.Files {
		s, wrong := c.load(name, r.MaxCalls)
		switch {
		case errors.Is(wrong, invalid):
			err = wrong
			continue
		case wrong != nil:
			return nil, wrong
		}
		all = append(all, contender{shown(name), s})
	}
	if err == nil && len(all) == 1 {
		all[0].name = "base"
		for _, v := range all[0].scenario.Variants() {
			if v.Name == "base" {
				all[0].name = shown(r.Files[0])
			}
			all = append(all, contender{v.Name, v.Scenario})
		}
	}
	return all, err
}

// seeds are the same for every contender; a single seed tells nothing from chance.
func (r *compareCommand) seeds(first *scenario.Scenario) ([]int32, error) {
	if r.Seeds == "" && len(first.Seeds) > 0 {
		return first.Seeds, nil
	}
	text := r.Seeds
	if text == "" {
		text = "1-20"
	}
	return parseSeeds(text)
}
