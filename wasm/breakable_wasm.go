//go:build breakable

package main

import (
	"os"
	"strings"
)

// A build with the tag "breakable" can be broken by its tests, to see that squall.js survives.
func init() {
	beforeAnswer = func(request string) {
		switch {
		case strings.Contains(request, `"op":"break panic"`):
			panic("broken on purpose")
		case strings.Contains(request, `"op":"break exit"`):
			os.Exit(3)
		case strings.Contains(request, `"op":"break stack"`):
			depth = deeper(1)
		}
	}
}

var depth int

// deeper goes down until there is no stack left.
func deeper(n int) int {
	if n < 0 {
		return 0
	}
	return deeper(n+1) + 1
}
