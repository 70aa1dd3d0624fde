package engine

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"squall/engine/measure"
	"squall/engine/problem"
)

// BandOptions are what a band may be given besides its seeds.
type BandOptions struct {
	// Jobs is how many runs may go on at once; 0 is as many as there are processors. Whatever it
	// is, each report equals that of the lone run.
	Jobs int
	// Progress, if not nil, is told how many runs are done; calls do not overlap.
	Progress func(done, total int)
	Run      Options
}

// CheckSeeds says what is wrong with the seeds of a band (simulator.md 13).
func CheckSeeds(seeds []int32) problem.List {
	var l problem.List
	if len(seeds) == 0 {
		l.Add("", "a band needs at least one seed")
	}
	seen := make(map[int32]bool, len(seeds))
	for i, s := range seeds {
		if seen[s] {
			l.Add("["+strconv.Itoa(i)+"]", "the same seed twice: "+strconv.Itoa(int(s))+" counts once only, so leave out the second")
		}
		seen[s] = true
	}
	return l
}

// RunBand runs a valid topology once for each seed, several at once where there are processors
// for it, and puts the reports in the order of the seeds. The first error ends it.
func RunBand(ctx context.Context, t *Topology, seeds []int32, o BandOptions) (*measure.Band, error) {
	if err := CheckSeeds(seeds).Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	reports := make([]*measure.Report, len(seeds))
	var (
		next  atomic.Int64
		mutex sync.Mutex
		done  int
		group sync.WaitGroup
	)
	for range min(jobs, len(seeds)) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(seeds) || ctx.Err() != nil {
					return
				}
				report, err := Run(ctx, t, seeds[i], o.Run)
				if err != nil {
					cancel(err)
					return
				}
				mutex.Lock()
				reports[i] = report
				done++
				if o.Progress != nil {
					o.Progress(done, len(seeds))
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return measure.NewBand(reports), nil
}
