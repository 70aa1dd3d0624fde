package main

import (
	"errors"
	"fmt"

	"squall/engine/measure"
	"squall/grading"
)

// runCommand runs scenarios and prints what was measured.
type runCommand struct {
	simulation  `embed:""`
	Files       []string `arg:"" name:"file" help:"Scenarios; - is standard input."`
	Format      string   `help:"text (the block), json (the report, a line a file) or timeline (the recorded events)." enum:"text,json,timeline" default:"text"`
	JSON        bool     `name:"json" help:"Short for --format json."`
	Record      bool     `help:"Keep the timeline, whatever the scenario says."`
	RecordCalls string   `help:"Write every request and attempt to FILE, as an input of squall grade. One scenario, one seed." placeholder:"FILE"`
	JUnit       string   `name:"junit" help:"Write the expectations to FILE as JUnit XML." placeholder:"FILE"`
}

func (r *runCommand) Run(c *console) error {
	if r.JSON {
		r.Format = "json"
	}
	if r.RecordCalls != "" && len(r.Files) > 1 {
		c.complain("squall: --record-calls takes one scenario, not %d", len(r.Files))
		return invalid
	}
	if !c.mayWrite("--junit", r.JUnit, isXML) || !c.mayWrite("--record-calls", r.RecordCalls, isNoScenario) {
		return invalid
	}
	worst := holds
	var suites junit
	for i, name := range r.Files {
		if len(r.Files) > 1 && r.Format != "json" {
			if i > 0 {
				fmt.Fprintln(c.out)
			}
			fmt.Fprintf(c.out, "%s:\n", shown(name))
		}
		verdict, judged, err := r.one(c, name)
		if err != nil {
			return err
		}
		worst = max(worst, verdict)
		suites.suite(shown(name), cases(verdict, judged))
	}
	if r.JUnit != "" {
		if err := suites.write(r.JUnit); err != nil {
			return err
		}
	}
	return worst.err()
}

// one runs one scenario. What is wrong with it is said here; an error ends everything.
func (r *runCommand) one(c *console, name string) (status, []measure.Expectation, error) {
	s, err := c.load(name, r.MaxCalls)
	switch {
	case errors.Is(err, invalid):
		return invalid, nil, nil
	case err != nil:
		return invalid, nil, err
	}
	seeds, band, err := r.seeds(s)
	if err != nil {
		return invalid, nil, err
	}
	switch {
	case band && r.Format == "timeline":
		c.complain("%s: a timeline is of one run; choose one with --seed", shown(name))
		return invalid, nil, nil
	case band && r.RecordCalls != "":
		c.complain("%s: --record-calls is of one run; choose one with --seed", shown(name))
		return invalid, nil, nil
	}
	t := s.Topology
	t.Record = t.Record || r.Record || r.Format == "timeline"
	t.RecordCalls = t.RecordCalls || r.RecordCalls != ""
	var judged []measure.Expectation
	if band {
		b, err := c.runBand(name, &t, seeds, r.Jobs)
		if err != nil {
			return c.refused(name, err)
		}
		judged = s.JudgeBand(b)
		for _, report := range b.Reports {
			report.Expect = s.Judge(report)
		}
		if err := print(c.out, r.Format, b.Text, b.AppendJSON); err != nil {
			return invalid, nil, err
		}
	} else {
		report, err := c.runOne(name, &t, seeds[0])
		if err != nil {
			return c.refused(name, err)
		}
		judged = s.Judge(report)
		report.Expect = judged
		if r.Format == "timeline" {
			err = writeTimeline(c.out, report)
		} else {
			err = print(c.out, r.Format, report.Text, report.AppendJSON)
		}
		if err != nil {
			return invalid, nil, err
		}
		if r.RecordCalls != "" {
			if err := writeFile(r.RecordCalls, grading.FromRun(report, &t, grading.ReadSettings(s.Grading)).AppendJSON(nil)); err != nil {
				return invalid, nil, err
			}
		}
	}
	return c.verdict(name, judged), judged, nil
}
