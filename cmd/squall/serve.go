package main

import "squall/site/serve"

// serveCommand serves the playground on a loopback address.
type serveCommand struct {
	Address string `help:"Where to listen; port 0 picks a free one." default:"127.0.0.1:0" placeholder:"HOST:PORT"`
	Dir     string `help:"The built playground." default:"dist" type:"path"`
}

func (r *serveCommand) Run(c *console) error { return serve.Run(c.ctx, r.Address, r.Dir, c.out) }
