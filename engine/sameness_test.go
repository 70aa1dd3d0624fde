package engine_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// TestBandsAreLoneRuns: however many runs go on at once, each is the run of its seed alone.
func TestBandsAreLoneRuns(t *testing.T) {
	seeds := []int32{5, -3, 0, 1 << 30}
	for number := range 60 {
		topology := chosenBy(number).scenario()
		o := engine.Options{AttemptsMax: affordable}
		var want []string
		for _, seed := range seeds {
			if r, err := engine.Run(context.Background(), topology, seed, o); err == nil {
				want = append(want, jsonOf(r))
			}
		}
		if len(want) < len(seeds) {
			continue
		}
		for _, jobs := range []int{1, 3, 0} {
			var told []int
			band, err := engine.RunBand(context.Background(), topology, seeds, engine.BandOptions{Jobs: jobs, Run: o, Progress: func(done, total int) {
				told = append(told, done, total)
			}})
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range band.Reports {
				if band.Seeds[i] != seeds[i] || jsonOf(r) != want[i] {
					t.Fatalf("scenario %d, %d jobs: seed %d is another run in a band", number, jobs, seeds[i])
				}
			}
			if len(told) != 8 || told[0] != 1 || told[6] != 4 || told[7] != 4 {
				t.Errorf("progress was told %v", told)
			}
		}
	}
}

// TestTopologiesAreOnlyRead: one topology serves several runs at once, and a run leaves nothing in it.
func TestTopologiesAreOnlyRead(t *testing.T) {
	topology := chosenBy(11).scenario()
	var group sync.WaitGroup
	reports := make([]*measure.Report, 8)
	for i := range reports {
		group.Go(func() {
			reports[i], _ = engine.Run(context.Background(), topology, 7, engine.Options{AttemptsMax: affordable})
		})
	}
	group.Wait()
	for _, r := range reports {
		if r == nil || jsonOf(r) != jsonOf(reports[0]) {
			t.Fatal("runs of one topology disturb each other")
		}
	}
}

func TestCancelledRuns(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if r, err := engine.Run(ctx, page(), 42, engine.Options{}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v, %v", r, err)
	}
	ctx, stop = context.WithCancel(context.Background())
	last := 0.0
	o := engine.Options{Progress: func(done float64) {
		if done < last || done > 1 {
			t.Errorf("progress went from %v to %v", last, done)
		}
		if last = done; done > 0.3 {
			stop()
		}
	}}
	if r, err := engine.Run(ctx, page(), 42, o); r != nil || !errors.Is(err, context.Canceled) || last > 0.5 {
		t.Errorf("cancelled at %v: %v, %v", last, r, err)
	}
	ctx, stop = context.WithCancel(context.Background())
	b, err := engine.RunBand(ctx, page(), upTo(50), engine.BandOptions{Progress: func(done, _ int) { stop() }})
	if b != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a band that was cancelled: %v", err)
	}
}

// TestRunsAreBounded: a scenario may come from anywhere, and costs no more than it may.
func TestRunsAreBounded(t *testing.T) {
	if r, err := engine.Run(context.Background(), page(), 42, engine.Options{AttemptsMax: 1000}); r != nil || !errors.Is(err, engine.ErrTooManyAttempts) {
		t.Errorf("a thousand attempts: %v", err)
	}
	if _, err := engine.Run(context.Background(), page(), 42, engine.Options{AttemptsMax: 152210}); err != nil {
		t.Errorf("exactly as many attempts as are allowed: %v", err)
	}
	if b, err := engine.RunBand(context.Background(), page(), upTo(3), engine.BandOptions{Run: engine.Options{AttemptsMax: 1000}}); b != nil || !errors.Is(err, engine.ErrTooManyAttempts) {
		t.Errorf("a band: %v", err)
	}
	forever := engine.Healthy(ticks.Max/2, ticks.Max/2)
	run := engine.Simulate(policy.None()).Against(forever).Under(engine.Constant(1)).For(2 * second)
	if r, err := run.Run(1); r != nil || !errors.Is(err, engine.ErrTooLong) {
		t.Errorf("a call that takes for ever: %v", err)
	}
}
