package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

// TestInterrupted ends each command that runs something before it begins.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	files := []string{"../../examples/brownout.json"}
	silent := []string{"-"} // a standard input that never ends
	seed := int32(1)
	in, never := io.Pipe()
	defer never.Close()
	tests := []struct {
		name    string
		command interface{ Run(*console) error }
	}{
		{"run", &runCommand{Files: files, Format: "text"}},
		{"run a band", &runCommand{Files: files, Format: "text", simulation: simulation{Seeds: "1-20"}}},
		{"compare", &compareCommand{Files: append(files, files...), Format: "text"}},
		{"explain", &explainCommand{Files: silent, Format: "text"}},
		{"check", &checkCommand{Files: silent}},
		{"run what says nothing", &runCommand{Files: silent, Format: "text"}},
		{"compare what says nothing", &compareCommand{Files: silent, Format: "text"}},
		{"band of what says nothing", &bandCommand{File: "-", Format: "text"}},
		{"grade what says nothing", &gradeCommand{Files: silent, Format: "text"}},
		{"grade", &gradeCommand{Files: files, Format: "text", Seed: &seed}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, complaints bytes.Buffer
			err := tt.command.Run(&console{ctx: ctx, in: in, out: &out, err: &complaints})
			if !errors.Is(err, context.Canceled) || code(err) != 130 {
				t.Errorf("got %v, status %d; want it to be interrupted, 130", err, code(err))
			}
			if out.Len() > 0 || complaints.Len() > 0 {
				t.Errorf("printed %q and %q", out.String(), complaints.String())
			}
		})
	}
}
