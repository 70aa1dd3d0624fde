package main

// checkCommand reads scenarios without running them.
type checkCommand struct {
	Files    []string `arg:"" name:"file" help:"Scenarios; - is standard input."`
	MaxCalls int      `help:"Offered calls that a run may have. 0: 20 million." default:"0" placeholder:"N"`
}

func (r *checkCommand) Run(c *console) error {
	worst := holds
	for _, name := range r.Files {
		if _, ok := c.load(name, r.MaxCalls); !ok {
			worst = invalid
		}
	}
	return worst.err()
}
