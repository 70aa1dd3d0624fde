// A program with fused operations on purpose: .ci/fma --self-test must find each of them.
package main

import "os"

func main() {
	x, y, z := float64(len(os.Args)), float64(os.Getpid()), float64(os.Getppid())
	println(plain(x, y, z), assigned(x, y, z), inlined(x, y, z), rounded(x, y, z))
}

//go:noinline
func plain(x, y, z float64) float64 {
	return x*y + z // fused: plain
}

//go:noinline
func assigned(x, y, z float64) float64 {
	p := x * y
	return z + p // fused: assigned
}

func product(x, y float64) float64 { return x * y }

//go:noinline
func inlined(x, y, z float64) float64 {
	return product(x, y) + z // fused: inlined
}

//go:noinline
func rounded(x, y, z float64) float64 {
	return float64(x*y) + z // rounded
}
