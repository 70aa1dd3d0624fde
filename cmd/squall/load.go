package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/scenario"
	"squall/grading"
)

// simulation has the flags of every command that runs scenarios.
type simulation struct {
	Seed     *int32 `help:"Run this seed instead of the scenario's." xor:"seeds" placeholder:"N"`
	Seeds    string `help:"Run a band of seeds instead of the scenario's: 1-20, or 1,2,5." xor:"seeds" placeholder:"A-B"`
	Jobs     int    `help:"How many runs of a band may go on at once; the result is the same. 0: one a processor." default:"0"`
	MaxCalls int    `help:"Offered calls that a run may have. 0: 20 million." default:"0" placeholder:"N"`
}

// How much of a file is read: a scenario is refused far below scenarioMost, which leaves room to say
// how long it is, and recordings are read by a reader that counts in 32 bits.
const (
	scenarioMost  = 64 << 20
	recordingMost = 1 << 30
)

// readFile reads a file, or standard input for "-". A pipe may stay silent and a device never end, so
// an interrupt ends the wait and what has more bytes than most is refused.
func (c *console) readFile(name string, most int64) ([]byte, error) {
	type content struct {
		text []byte
		err  error
	}
	read := make(chan content, 1)
	go func() {
		text, err := c.readAll(name, most)
		read <- content{text, err}
	}()
	select {
	case r := <-read:
		return r.text, r.err
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
}

func (c *console) readAll(name string, most int64) ([]byte, error) {
	in := c.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s: has more than %d MiB, the most that is read", shown(name), most>>20)
	}
	return text, err
}

// shown is a file's name in messages.
func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// load reads a scenario. The error is the status invalid when what is wrong was said, and anything
// else, an interrupt, ends the command.
func (c *console) load(name string, maxCalls int) (*scenario.Scenario, error) {
	text, err := c.readFile(name, scenarioMost)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		c.complain("squall: %v", err)
		return nil, invalid
	}
	s, ok := c.parse(shown(name), text, maxCalls)
	if !ok {
		return nil, invalid
	}
	return s, nil
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

// mayWrite tells whether what a flag named may be written. A shell that puts many files behind a flag
// names a scenario as the place for a result; a file that holds something else is left alone, and
// that is said before anything runs.
func (c *console) mayWrite(flag, name string, fits func(text []byte) bool) bool {
	info, err := os.Stat(name)
	if name == "" || err != nil || !info.Mode().IsRegular() {
		return true
	}
	text, err := os.ReadFile(name)
	if err != nil || len(text) == 0 || fits(text) {
		return true
	}
	c.complain("squall: %s: %s holds something else already and is not overwritten", flag, name)
	return false
}

// isXML tells what an earlier report of expectations looks like.
func isXML(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) }

// isNoScenario tells everything that a recording may replace.
func isNoScenario(text []byte) bool { return !grading.IsScenario(text) }

// writeFile writes a file that a flag named.
func writeFile(name string, text []byte) error { return os.WriteFile(name, text, 0o644) }
