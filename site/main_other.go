//go:build !(js && wasm)

package main

import "fmt"

func main() { fmt.Println("this is the page: build it with GOOS=js GOARCH=wasm (see build.sh)") }
