// Package realtime runs the call machine of package policy on the real clock: the policy that was
// simulated is the one that guards a real call. It is to package engine what a stopwatch is to an
// hourglass: the same steps, other timers.
package realtime

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/virtual"
)

// ErrSaturation says that a policy looks at the pool of its process, which has no probe here.
var ErrSaturation = errors.New("a policy with saturation needs a probe of the process's pool, which real time does not have")

// Driver runs calls under one policy. They share its windows, its retry budget and its breaker, as
// the calls of one client to one dependency should: make a Driver for each dependency. It may be used
// by several goroutines at once.
type Driver struct {
	mutex   sync.Mutex
	live    *policy.Live
	started time.Time
	calls   int
}

// New is a Driver whose policy has measured nothing yet. The seed decides the jitter. The error says
// everything that is wrong with the settings.
func New(s policy.Settings, seed int32) (*Driver, error) {
	if err := s.Validate().Err(); err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	if s.Saturation != nil {
		return nil, ErrSaturation
	}
	var shared *policy.Bucket
	if s.Budget.Kind == policy.BucketBudget {
		if s.Budget.Bucket == nil {
			return nil, errors.New("the policy: budget names no bucket")
		}
		bucket := policy.NewBucket(*s.Budget.Bucket, 0)
		shared = &bucket
	}
	jitter := virtual.NewJitter(seed)
	return &Driver{live: policy.NewLive(&s, shared, 0, jitter.Next), started: time.Now()}, nil
}

// Listen sets who hears every event of every call, one at a time and with the Driver's lock held:
// it must return soon and not use the Driver. Set it before the first call.
func (d *Driver) Listen(hear func(policy.Event)) { d.live.Listen = hear }

// Readings are what the policy has measured so far.
func (d *Driver) Readings() policy.Readings {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.live.Readings(d.now())
}

// now is the time since the Driver was made.
func (d *Driver) now() ticks.Ticks { return ticks.Ticks(time.Since(d.started) / 100) }

// wait is a span as the library counts it. Nobody waits 292 years.
func wait(t ticks.Ticks) time.Duration { return time.Duration(t.Nanoseconds()) }

// Result is how a call ended.
type Result struct {
	Stop policy.Stop
	// Surfaced is what the caller sees, NoFailure for a success (executor.md 18.3).
	Surfaced policy.Failure
	// Attempts is how many were started.
	Attempts int
}

// OK tells that the call succeeded.
func (r Result) OK() bool { return r.Stop == policy.StopSucceeded }
