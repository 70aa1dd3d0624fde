package engine

import "squall/engine/problem"

func (t *Topology) Validate() problem.List { return nil }
