// Package breaches breaks every rule of the deterministic packages on purpose: TestHouseFindsBreaches
// must find each line that says so, and no other.
package breaches

import (
	"math"
	_ "math/rand" // breach: math/rand
	_ "os"        // breach: os
	"sync"
	"time"

	_ "squall/engine/ticks" // breach: imports engine/ticks

	_ "golang.org/x/mod/semver" // breach: imports golang.org/x/mod/semver
)

func planted(m map[string]int, x float64, c, d chan int) (sum int) {
	for k := range m { // breach: map order
		sum += len(k)
	}
	for range m {
		sum++
	}
	go planted(nil, 0, nil, nil) // breach: goroutine
	var group sync.WaitGroup
	group.Go(func() {}) // breach: goroutine
	select {            // breach: select
	case <-c:
	case <-d:
	}
	select {
	case <-c:
	default:
	}
	sum += int(x)             // breach: float to integer
	x = math.Exp(math.Abs(x)) // breach: math.Exp
	const whole = 3.0
	sum += int(whole)
	_ = time.Now() // breach: time.Now
	_ = time.Second
	return sum + int(float64(sum)*0.5) // breach: float to integer
}

var _ = planted
