// This program goes through every kind of jump that the compiler makes and prints what it found on
// its way. It is run as the compiler wrote it and straightened, and must print the same.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
)

func main() {
	nested()
	leaves()
	labels()
	switches()
	deferred()
	panics()
	goroutines()
	iterators()
	numbers()
	strs()
	memory()
	deep(100_000)
}

// nested has loops in loops, with conditions in front, behind and in between.
func nested() {
	sum := uint32(1)
	for i := range 50 {
		for k := i; k > 0; k /= 2 {
			if k%3 == 0 {
				continue
			}
			for sum%7 != uint32(k%7) {
				sum = sum*1664525 + 1013904223
			}
		}
		if sum&1023 == 77 {
			break
		}
	}
	for i := 0; ; i++ {
		if sum ^= sum >> 3; sum%11 == 0 || i > 1000 {
			fmt.Println("nested", sum, i)
			return
		}
		sum += uint32(i)
	}
}

// leaves has loops that call nothing, sorted by hand and by the library.
func leaves() {
	a := make([]int, 300)
	for i := range a {
		a[i] = (i*7919 + 13) % 1009
	}
	b := slices.Clone(a)
	for i := 1; i < len(a); i++ {
		v := a[i]
		k := i
		for k > 0 && a[k-1] > v {
			a[k] = a[k-1]
			k--
		}
		a[k] = v
	}
	sort.Ints(b)
	low, high := 0, len(a)
	for low < high {
		if mid := int(uint(low+high) >> 1); a[mid] < 500 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	fmt.Println("leaves", slices.Equal(a, b), low, a[low], a[0], a[len(a)-1])
}

func labels() {
	n := 0
outer:
	for i := range 20 {
		for k := range 20 {
			switch {
			case k > i:
				continue outer
			case i*k > 150:
				break outer
			case (i+k)%5 == 0:
				goto next
			}
			n += i * k
		next:
			n++
		}
	}
	fmt.Println("labels", n)
}

func switches() {
	words := strings.Fields("a bb ccc dddd eeeee ffffff a ccc zz")
	n := 0
	for i, w := range words {
		switch w {
		case "a":
			n += 1
			fallthrough
		case "bb", "zz":
			n += 10
		case "ccc":
			n += 100
		case "dddd", "ffffff":
			n += 1000
		default:
			n += 10000
		}
		var x any = i
		if i%2 == 0 {
			x = w
		}
		switch v := x.(type) {
		case int:
			n += v
		case string:
			n -= len(v)
		}
		switch {
		case i < 3:
		case i < 6:
			n *= 2
		default:
			n++
		}
		switch i {
		case 0, 1, 2, 3, 4, 5, 6, 7:
			n += [...]int{3, 1, 4, 1, 5, 9, 2, 6}[i]
		}
	}
	fmt.Println("switches", n)
}

func deferred() {
	f := func(n int) (out int, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("recovered: %v", r)
			}
		}()
		for i := range 3 {
			defer func() { out = out*10 + i }()
		}
		if n > 1 {
			panic(errors.New("deliberate"))
		}
		return n, nil
	}
	for n := range 3 {
		out, err := f(n)
		fmt.Println("deferred", out, err)
	}
}

// panics has the checks that the compiler makes: each comes from the middle of a block.
func panics() {
	type node struct{ next *node }
	try := func(name string, f func()) {
		defer func() { fmt.Println("panics", name, recover()) }()
		f()
	}
	var none *node
	var m map[string]int
	a, zero, seven := make([]int, 3), len(os.Args)-len(os.Args), 7+len(os.Args)
	try("nil", func() { none = none.next })
	try("index", func() { a[seven]++ })
	try("slice", func() { a = a[2 : 1+zero] })
	try("divide", func() { a[0] = seven / zero })
	try("map", func() { m["x"] = 1 })
	try("assert", func() { _ = any(seven).(string) })
	try("closed", func() { c := make(chan int); close(c); close(c) })
	try("nothing", func() {})
}

// goroutines are switched in the middle of functions, which then go on from the table.
func goroutines() {
	work, results := make(chan int), make(chan int, 4)
	var group sync.WaitGroup
	for w := range 3 {
		group.Go(func() {
			for n := range work {
				sum := 0
				for i := range n {
					if sum += i * w; i%17 == 0 {
						runtime.Gosched()
					}
				}
				results <- n
			}
		})
	}
	go func() {
		for n := range 100 {
			work <- n
		}
		close(work)
		group.Wait()
		close(results)
	}()
	total, quit := 0, make(chan bool)
	go func() {
		defer close(quit)
		for {
			select {
			case n, ok := <-results:
				if !ok {
					return
				}
				total += n
			}
		}
	}()
	<-quit
	fmt.Println("goroutines", total)
}

func iterators() {
	count := func(yield func(int, string) bool) {
		for i := 0; i < 10; i++ {
			if !yield(i, strings.Repeat("x", i)) {
				return
			}
		}
	}
	n := 0
	for i, s := range count {
		if i == 7 {
			break
		}
		if i%2 == 0 {
			continue
		}
		n += len(s) * i
	}
	m := map[int]string{}
	for i := range 1000 {
		m[i*i%613] += "v"
		delete(m, i%41)
	}
	keys := slices.Sorted(maps.Keys(m))
	fmt.Println("iterators", n, len(m), keys[:5], len(m[keys[7]]))
}

func numbers() {
	var f, small float64 = 1, 5e-324
	var i8 int8 = 1
	var u64 uint64 = 1
	for k := range 64 {
		f = f*1.5 - float64(k)/3
		i8 = i8*3 + int8(k)
		u64 = u64<<1 ^ u64>>61 ^ uint64(int64(f))
		if f > 1e9 || f != f {
			f = -small
		}
	}
	fmt.Println("numbers", f, i8, u64, uint32(u64)>>7, int32(u64)%1000, min(f, 2, -1), max(i8, 5), -7/2, -7%3, f < 0 == (i8 < 3))
}

func strs() {
	var b strings.Builder
	for i, r := range "häßlich \u65e5\u672c \xff!" {
		fmt.Fprintf(&b, "%d:%c ", i, r)
	}
	s := b.String()
	fmt.Println("strs", s, strings.Map(func(r rune) rune {
		if r == ':' {
			return -1
		}
		return r + 1
	}, s), s < "5", s+"" == s, strings.Count(s, " "))
}

// memory makes garbage until it was collected several times.
func memory() {
	type tree struct {
		left, right *tree
		n           [3]int
	}
	var grow func(depth int) *tree
	grow = func(depth int) *tree {
		if depth == 0 {
			return nil
		}
		return &tree{grow(depth - 1), grow(depth - 1), [3]int{depth, depth * 2, 3}}
	}
	var sum func(t *tree) int
	sum = func(t *tree) int {
		if t == nil {
			return 1
		}
		return t.n[0] + t.n[1]*t.n[2] + sum(t.left) - sum(t.right)/2
	}
	n := 0
	for i := range 60 {
		n += sum(grow(i%13 + 1))
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	fmt.Println("memory", n, s.NumGC > 1)
}

// deep grows the stack, which moves.
func deep(n int) {
	var down func(k int, p *int) int
	down = func(k int, p *int) int {
		here := k
		if k == 0 {
			return *p
		}
		*p++
		return down(k-1, &here) + *p&1
	}
	top := 1
	fmt.Println("deep", down(n, &top), top)
}
