package main

import (
	"errors"
	"fmt"

	"squall/engine/policy"
	"squall/engine/scenario"
)

// explainCommand says what policies can do at their worst, without running anything.
type explainCommand struct {
	Files    []string `arg:"" name:"file" help:"Scenarios; - is standard input."`
	MaxCalls int      `help:"Offered calls that a run may have. 0: 20 million." default:"0" placeholder:"N"`
	Call     string   `help:"Only this call, written as FROM->TO." placeholder:"FROM->TO"`
	Format   string   `help:"text, or json (a line a call)." enum:"text,json" default:"text"`
	JSON     bool     `name:"json" help:"Short for --format json."`
}

func (r *explainCommand) Run(c *console) error {
	if r.JSON {
		r.Format = "json"
	}
	worst := holds
	told := 0
	for _, name := range r.Files {
		s, err := c.load(name, r.MaxCalls)
		switch {
		case errors.Is(err, invalid):
			worst = invalid
			continue
		case err != nil:
			return err
		}
		only := scenario.CallNamed(&s.Topology, r.Call)
		for i := range s.Topology.Calls {
			call := &s.Topology.Calls[i]
			if r.Call != "" && call != only {
				continue
			}
			explanation := policy.Explain(&call.Policy, policy.Readings{})
			if r.Format == "text" && !(s.Topology.Single && len(r.Files) == 1) {
				if told > 0 {
					fmt.Fprintln(c.out)
				}
				fmt.Fprintf(c.out, "%s -> %s (%s)\n", call.From, call.To, shown(name))
			}
			if err := print(c.out, r.Format, explanation.String, explanation.AppendJSON); err != nil {
				return err
			}
			told++
		}
	}
	if told == 0 && worst == holds {
		c.complain("squall: no scenario declares the call %q", r.Call)
		return invalid
	}
	return worst.err()
}
