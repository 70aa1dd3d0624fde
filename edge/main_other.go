//go:build !(js && wasm)

package main

import "fmt"

func main() {
	fmt.Println("this is a Cloudflare Worker: make edge-dev runs it on this machine")
}
