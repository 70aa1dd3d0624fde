package policy

import "squall/engine/ticks"

// EffectiveCeiling resolves the measured attempt ceiling that a call runs under (executor.md 2.2);
// ok is false when there is none. A ceiling that was written is taken as written, under an infinite
// AttemptTimeout too; one that was switched off is none. One that was not mentioned is three times
// the 95th percentile, unless the policy is not adaptive or its timeout leaves nothing to lower: the
// timeout is infinite or not above the default floor.
func (s *Settings) EffectiveCeiling() (ceiling CeilingSettings, ok bool) {
	switch s.AttemptCeiling.Mention {
	case Given:
		return s.AttemptCeiling.Value, true
	case Off:
		return CeilingSettings{}, false
	}
	c := Ceiling(3)
	if !s.Adaptive || s.AttemptTimeout == ticks.Infinite || c.Floor >= s.AttemptTimeout {
		return CeilingSettings{}, false
	}
	return c, true
}
