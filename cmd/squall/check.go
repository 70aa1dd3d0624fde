package main

import "errors"

// checkCommand reads scenarios without running them.
type checkCommand struct {
	Files    []string `arg:"" name:"file" help:"Scenarios; - is standard input."`
	MaxCalls int      `help:"Offered calls that a run may have. 0: 20 million." default:"0" placeholder:"N"`
}

func (r *checkCommand) Run(c *console) error {
	worst := holds
	for _, name := range r.Files {
		switch _, err := c.load(name, r.MaxCalls); {
		case errors.Is(err, invalid):
			worst = invalid
		case err != nil:
			return err
		}
	}
	return worst.err()
}
