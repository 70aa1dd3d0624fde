package main

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is a bar on the terminal for work that takes longer than a second. Where there is no
// terminal it does nothing. It may be told by several goroutines at once.
type progress struct {
	mutex   sync.Mutex
	bar     *progressbar.ProgressBar
	started time.Time
}

const progressSteps = 1000

// newProgress makes a bar that speaks to w, if w is a terminal.
func newProgress(w io.Writer, what string) *progress {
	p := &progress{started: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(progressSteps,
			progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond))
		p.bar.StartWithoutRender() // its times count from here, not from when it is first seen
	}
	return p
}

// done tells which part of the work is over, from 0 to 1.
func (p *progress) done(part float64) {
	if p.bar == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if time.Since(p.started) > time.Second {
		p.bar.Set(int(part * progressSteps))
	}
}

// finish takes the bar away.
func (p *progress) finish() {
	if p.bar != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.bar.Clear()
	}
}
