package policy

import "squall/engine/ticks"

const (
	// retreat is what an allowance is multiplied by when too few hedges win (executor.md 2.7).
	retreat = 0.5
	// returnStep is what it gets back in an epoch in which enough of them do.
	returnStep = 0.25
)

// WinWindow lets through the share of hedges that their recent wins justify (executor.md 12). The
// share, the allowance, is decided at most once in each quarter of the window.
type WinWindow struct {
	settings WinRateSettings
	clock    epochs

	started, won [rings]int
	stamps       [rings]int64

	allowance, credit float64
	decided           bool
	decidedEpoch      int64
}

// NewWinWindow is an empty window that admits everything, counting its epochs from anchor.
func NewWinWindow(s WinRateSettings, anchor ticks.Ticks) WinWindow {
	return WinWindow{
		settings:  s,
		clock:     newEpochs(s.Window, rings, anchor),
		stamps:    [rings]int64{neverStamped, neverStamped, neverStamped, neverStamped},
		allowance: 1,
	}
}

// Admits says whether a hedge may start now, and pays for it out of the allowance. It does not
// count the hedge: only Started does.
func (w *WinWindow) Admits(now ticks.Ticks) bool {
	w.decide(w.clock.at(now))
	w.credit += w.allowance
	if w.credit < 1 {
		return false
	}
	w.credit--
	return true
}

// Started counts a hedge that really started.
func (w *WinWindow) Started(now ticks.Ticks) { w.started[w.ring(now)]++ }

// Won counts a hedge whose answer was used.
func (w *WinWindow) Won(now ticks.Ticks) { w.won[w.ring(now)]++ }

// Allowance is the share of hedges let through since the last decision, in [0, 1].
func (w *WinWindow) Allowance() float64 { return w.allowance }

// ring is the ring of now, cleared if it holds an older stretch.
func (w *WinWindow) ring(now ticks.Ticks) int {
	epoch := w.clock.at(now)
	ring := int(epoch & (rings - 1))
	if w.stamps[ring] != epoch {
		w.stamps[ring], w.started[ring], w.won[ring] = epoch, 0, 0
	}
	return ring
}

func (w *WinWindow) decide(epoch int64) {
	passed := int64(1)
	if w.decided {
		if epoch == w.decidedEpoch {
			return
		}
		passed = epoch - w.decidedEpoch
	}
	w.decided, w.decidedEpoch = true, epoch

	started, won := 0, 0
	for ring, stamp := range w.stamps {
		if age := epoch - stamp; age >= 0 && age < rings {
			started += w.started[ring]
			won += w.won[ring]
		}
	}
	switch {
	case started < w.settings.MinimumSamples:
		w.relax(passed) // nothing to go by: come back a step for every epoch that went by
	case float64(won) < float64(w.settings.Minimum*float64(started)):
		w.allowance = max(w.settings.MinimumAllowance, w.allowance*retreat)
	default:
		w.relax(1)
	}
}

func (w *WinWindow) relax(steps int64) {
	a := w.allowance + float64(returnStep*float64(steps))
	if !(a < 1) { // NaN included
		a = 1
	}
	w.allowance = a
}
