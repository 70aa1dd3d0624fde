// Command refgen prints the scenario reference, docs/scenario.md, from the tables that read scenarios:
//
//	go run ./docs/refgen > docs/scenario.md
package main

import (
	"fmt"
	"os"
)

func main() {
	if _, err := os.Stdout.Write(reference()); err != nil {
		fmt.Fprintln(os.Stderr, "refgen:", err)
		os.Exit(1)
	}
}
