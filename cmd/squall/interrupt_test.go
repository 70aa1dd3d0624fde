package main

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// TestInterrupted ends each command that runs something before it begins.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	files := []string{"../../examples/brownout.json"}
	seed := int32(1)
	tests := []struct {
		name    string
		command interface{ Run(*console) error }
	}{
		{"run", &runCommand{Files: files, Format: "text"}},
		{"run a band", &runCommand{Files: files, Format: "text", simulation: simulation{Seeds: "1-20"}}},
		{"compare", &compareCommand{Files: append(files, files...), Format: "text"}},
		{"grade", &gradeCommand{Files: files, Format: "text", Seed: &seed}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, complaints bytes.Buffer
			err := tt.command.Run(&console{ctx: ctx, out: &out, err: &complaints})
			if !errors.Is(err, context.Canceled) || code(err) != 130 {
				t.Errorf("got %v, status %d; want it to be interrupted, 130", err, code(err))
			}
			if out.Len() > 0 || complaints.Len() > 0 {
				t.Errorf("printed %q and %q", out.String(), complaints.String())
			}
		})
	}
}
