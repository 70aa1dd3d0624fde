package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"squall/grading"
	"squall/grading/recording"
)

// gradeCommand grades recordings, or what a scenario with injected faults does.
type gradeCommand struct {
	Files    []string `arg:"" name:"file" help:"Recordings of one format (found by content) and at most one document with chaos and grading, or one scenario; - is standard input. A HAR file may be given as in:FILE or out:FILE."`
	Format   string   `help:"text, json, markdown, junit or sarif." enum:"text,json,markdown,junit,sarif" default:"text"`
	JSON     bool     `name:"json" help:"Short for --format json."`
	As       string   `help:"recording prints the input document instead of its grade." enum:",recording" default:"" placeholder:"recording"`
	Service  string   `help:"Only this service; names the service of recordings that do not." placeholder:"NAME"`
	Gate     string   `help:"The letter that the overall grade must reach." enum:",A,B,C,D,F" default:"" placeholder:"LETTER"`
	Baseline string   `help:"An earlier grade as JSON; a worse letter of any service is status 3." placeholder:"FILE"`
	Accept   []string `help:"A list of accepted findings, beside those of the document." placeholder:"FILE" sep:"none"`
	Seed     *int32   `help:"The seed of a scenario's run, instead of its own." placeholder:"N"`
	MaxCalls int      `help:"Offered calls that a scenario's run may have. 0: 20 million." default:"0" placeholder:"N"`
}

// graded is what the files of one call came to.
type graded struct {
	input *grading.Input
	// recording writes the input document.
	recording func([]byte) []byte
}

func (r *gradeCommand) Run(c *console) error {
	if r.JSON {
		r.Format = "json"
	}
	var outcome grading.Outcome
	g, err := r.open(c)
	if err == nil && r.As == "recording" {
		_, err = c.out.Write(g.recording(nil))
		return err
	}
	var baseline *grading.Baseline
	if err == nil {
		baseline, err = r.baseline(c)
	}
	if err == nil {
		err = r.accept(c, g.input)
	}
	if err != nil {
		var said status
		if errors.Is(err, context.Canceled) || errors.As(err, &said) {
			return err
		}
		c.complain("%v", err)
		outcome.Usage, outcome.Unreadable = isUsage(err), !isUsage(err)
		return status(grading.Status(outcome)).err()
	}
	outcome.Report = grading.Grade(g.input)
	outcome.Gate, _ = grading.ParseLetter(r.Gate)
	outcome.Baseline = baseline
	if err := r.print(c.out, outcome.Report, baseline); err != nil {
		return err
	}
	return status(grading.Status(outcome)).err()
}

func (r *gradeCommand) print(w io.Writer, report *grading.Report, baseline *grading.Baseline) error {
	var out []byte
	switch r.Format {
	case "json":
		out = report.AppendJSON(nil)
	case "markdown":
		out = []byte(report.Markdown(baseline))
	case "junit":
		out = []byte(report.JUnit())
	case "sarif":
		_, file := direction(r.Files[0])
		out = report.SARIF(file)
	default:
		out = []byte(report.Text(baseline))
	}
	_, err := w.Write(out)
	return err
}

// open reads the files: recordings, or one scenario that is run.
func (r *gradeCommand) open(c *console) (*graded, error) {
	var files []recording.File
	for _, name := range r.Files {
		way, name := direction(name)
		text, err := c.readFile(name, recordingMost)
		if err != nil {
			return nil, err
		}
		files = append(files, recording.File{Name: shown(name), Data: text, Direction: way})
	}
	for _, f := range files {
		if !grading.IsScenario(f.Data) {
			continue
		}
		if len(files) > 1 {
			return nil, usageError{f.Name + " is a scenario, which is graded on its own"}
		}
		return r.simulate(c, f)
	}
	opened, err := grading.Open(files, r.Service)
	if err != nil {
		return nil, err
	}
	return &graded{opened.Input, opened.AppendJSON}, nil
}

// simulate runs a scenario and takes its calls for the recording.
func (r *gradeCommand) simulate(c *console, f recording.File) (*graded, error) {
	s, ok := c.parse(f.Name, f.Data, r.MaxCalls)
	if !ok {
		return nil, status(grading.StatusUnreadable)
	}
	seed := s.Seed
	switch {
	case r.Seed != nil:
		seed = *r.Seed
	case len(s.Seeds) > 0:
		return nil, usageError{f.Name + ": a grade is of one run; choose one with --seed"}
	}
	t := s.Topology
	t.RecordCalls = true
	report, err := c.runOne(f.Name, &t, seed)
	if err != nil {
		return nil, err
	}
	in := grading.FromRun(report, &t, grading.ReadSettings(s.Grading))
	if r.Service != "" {
		err = in.Pick(r.Service)
	}
	return &graded{in, in.AppendJSON}, err
}

// baseline reads the earlier grade, if one was named.
func (r *gradeCommand) baseline(c *console) (*grading.Baseline, error) {
	if r.Baseline == "" {
		return nil, nil
	}
	text, err := c.readFile(r.Baseline, recordingMost)
	if err != nil {
		return nil, err
	}
	b, problems := grading.ReadBaseline(text)
	if b == nil {
		return nil, &grading.DocumentError{File: shown(r.Baseline), Problems: problems}
	}
	return b, nil
}

// accept adds the acceptances of files to those of the input.
func (r *gradeCommand) accept(c *console, in *grading.Input) error {
	for _, name := range r.Accept {
		text, err := c.readFile(name, recordingMost)
		if err != nil {
			return err
		}
		more, problems := grading.ReadAcceptances(text)
		if len(problems) > 0 {
			return &grading.DocumentError{File: shown(name), Problems: problems}
		}
		in.Settings.Accept = append(in.Settings.Accept, more...)
	}
	return nil
}

// direction splits in:FILE and out:FILE.
func direction(name string) (recording.Direction, string) {
	if file, ok := strings.CutPrefix(name, "in:"); ok {
		return recording.DirectionIn, file
	}
	if file, ok := strings.CutPrefix(name, "out:"); ok {
		return recording.DirectionOut, file
	}
	return recording.DirectionUnsaid, name
}

// usageError is something wrong with the command line.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

// isUsage tells a wrong command line from a file that cannot be read.
func isUsage(err error) bool {
	var usage usageError
	return errors.As(err, &usage) || errors.Is(err, grading.ErrTwoRecordings) || errors.Is(err, grading.ErrTwoConfigs) ||
		errors.Is(err, grading.ErrMixedFormats) || errors.Is(err, grading.ErrUnknownService)
}
