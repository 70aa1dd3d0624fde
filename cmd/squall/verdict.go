package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"squall/engine/measure"
)

// verdict says which expectations fail and what that means for the exit status.
func (c *console) verdict(name string, judged []measure.Expectation) status {
	worst := holds
	for _, e := range judged {
		if !e.Holds {
			c.complain("%s: expectation fails: %s", shown(name), sentence(e))
			worst = fails
		}
	}
	return worst
}

// refused is what a run's error means: it was cancelled, which ends everything, or the scenario
// asks for more than a run may do.
func (c *console) refused(name string, err error) (status, []measure.Expectation, error) {
	if errors.Is(err, context.Canceled) {
		return invalid, nil, err
	}
	c.complain("%s: %v", shown(name), err)
	return invalid, nil, nil
}

// sentence is an expectation and what was measured instead.
func sentence(e measure.Expectation) string { return e.Text + " (" + e.Measured() + ")" }

// cases are the expectations of one file for JUnit. A file that could not be run is one error.
func cases(verdict status, judged []measure.Expectation) []junitCase {
	if verdict == invalid {
		return []junitCase{{Name: "is valid", Error: &junitMessage{"the scenario is invalid; the problems are on standard error"}}}
	}
	var all []junitCase
	for _, e := range judged {
		one := junitCase{Name: e.Text}
		if !e.Holds {
			one.Failure = &junitMessage{sentence(e)}
		}
		all = append(all, one)
	}
	return all
}

// print writes a result as text or as a line of JSON.
func print(w io.Writer, format string, text func() string, json func([]byte) []byte) error {
	var err error
	if format == "json" {
		_, err = w.Write(append(json(nil), '\n'))
	} else {
		_, err = io.WriteString(w, text())
	}
	return err
}

// writeTimeline writes the events of each call under its name; a single call needs none.
func writeTimeline(w io.Writer, r *measure.Report) error {
	for i := range r.Calls {
		call := &r.Calls[i]
		if len(r.Calls) > 1 {
			if _, err := fmt.Fprintf(w, "%s -> %s\n", call.From, call.To); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(w, call.Timeline()); err != nil {
			return err
		}
	}
	return nil
}
