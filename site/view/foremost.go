package view

// Foremost is the call that a person wants to read about first: the one that lost the most, counted in
// calls that failed and in attempts beyond one a call. In a graph that is where a storm is worst, which is
// rarely the call that was declared first. Where nothing was lost it is the first; nil when there is none.
func (r *Run) Foremost() *Subject {
	var best *Subject
	most := int64(-1)
	for i := range r.Calls {
		m := &r.Calls[i].Measured
		if lost := m.Failed + max(m.Reached-m.Calls, 0); lost > most {
			best, most = &r.Calls[i], lost
		}
	}
	return best
}
