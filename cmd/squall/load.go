package main

import (
	"fmt"
	"io"
	"os"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/scenario"
)

// simulation has the flags of every command that runs scenarios.
type simulation struct {
	Seed     *int32 `help:"Run this seed instead of the scenario's." xor:"seeds" placeholder:"N"`
	Seeds    string `help:"Run a band of seeds instead of the scenario's: 1-20, or 1,2,5." xor:"seeds" placeholder:"A-B"`
	Jobs     int    `help:"How many runs of a band may go on at once; the result is the same. 0: one a processor." default:"0"`
	MaxCalls int    `help:"Offered calls that a run may have. 0: 20 million." default:"0" placeholder:"N"`
}

// readFile reads a file, or standard input for "-".
func (c *console) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(c.in)
	}
	return os.ReadFile(name)
}

// shown is a file's name in messages.
func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// load reads a scenario; what is wrong with it was said when ok is false.
func (c *console) load(name string, maxCalls int) (s *scenario.Scenario, ok bool) {
	text, err := c.readFile(name)
	if err != nil {
		c.complain("squall: %v", err)
		return nil, false
	}
	return c.parse(shown(name), text, maxCalls)
}

// parse reads the text of a scenario and prints its problems as FILE:LINE:COLUMN: PATH: MESSAGE.
func (c *console) parse(name string, text []byte, maxCalls int) (s *scenario.Scenario, ok bool) {
	s, problems := scenario.Read(text, scenario.Options{MaxCalls: maxCalls})
	for _, p := range problems {
		c.complain("%s:%s", name, p)
	}
	return s, len(problems) == 0
}

// seeds are the seeds to run: those of the flags, else the scenario's. One seed that was not
// written as a band is a single run.
func (f *simulation) seeds(s *scenario.Scenario) (seeds []int32, band bool, err error) {
	switch {
	case f.Seed != nil:
		return []int32{*f.Seed}, false, nil
	case f.Seeds != "":
		seeds, err = parseSeeds(f.Seeds)
		return seeds, true, err
	case len(s.Seeds) > 0:
		return s.Seeds, true, nil
	}
	return []int32{s.Seed}, false, nil
}

// parseSeeds reads the value of --seeds.
func parseSeeds(text string) ([]int32, error) {
	seeds, err := scenario.ParseSeeds(text)
	if err != nil {
		return nil, fmt.Errorf("--seeds: %w", err)
	}
	return seeds, nil
}

// runBand runs a topology over seeds, with a bar on a terminal.
func (c *console) runBand(name string, t *engine.Topology, seeds []int32, jobs int) (*measure.Band, error) {
	bar := newProgress(c.err, shown(name))
	defer bar.finish()
	return engine.RunBand(c.ctx, t, seeds, engine.BandOptions{
		Jobs:     jobs,
		Progress: func(done, total int) { bar.done(float64(done) / float64(total)) },
	})
}

// runOne runs a topology with one seed, with a bar on a terminal.
func (c *console) runOne(name string, t *engine.Topology, seed int32) (*measure.Report, error) {
	bar := newProgress(c.err, shown(name))
	defer bar.finish()
	return engine.Run(c.ctx, t, seed, engine.Options{Progress: bar.done})
}

// writeFile writes a file that a flag named.
func writeFile(name string, text []byte) error { return os.WriteFile(name, text, 0o644) }
