// Command tally reads the output of "go test -json", or the TAP of "node --test", and prints what a person wants to see of it:
// one line a package, and everything that a failing test printed. It also keeps the counts, so
// that a run in several steps (native, WebAssembly, browser) can end with one sum.
//
//	go test -json ./... | go run ./.ci/tally FILE   read, print, write the counts to FILE
//	node --test --test-reporter=tap ... | go run ./.ci/tally FILE
//	go run ./.ci/tally -sum FILE...                 print "N passed, N failed" over all files
//
// It exits with 1 when anything failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] == "-sum" && len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: tally FILE | tally -sum FILE...")
		os.Exit(2)
	}
	var total counts
	var err error
	if os.Args[1] == "-sum" {
		for _, name := range os.Args[2:] {
			var c counts
			if c, err = readCounts(name); err != nil {
				break
			}
			total.add(c)
		}
	} else if total, err = tally(os.Stdin, os.Stdout); err == nil {
		err = writeCounts(os.Args[1], total)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	fmt.Println(total)
	if total.Failed > 0 {
		os.Exit(1)
	}
}

// counts is how many tests ended how; a test with parts counts itself and each part.
type counts struct{ Passed, Failed, Skipped int }

func (c *counts) add(d counts) {
	c.Passed += d.Passed
	c.Failed += d.Failed
	c.Skipped += d.Skipped
}

// addTAP adds a line of the summary that ends TAP: "# pass 12".
func (c *counts) addTAP(line string) {
	fields := strings.Fields(line)
	if len(fields) != 3 || fields[0] != "#" {
		return
	}
	n, err := strconv.Atoi(fields[2])
	if err != nil || n < 0 {
		return
	}
	switch fields[1] {
	case "pass":
		c.Passed += n
	case "fail", "cancelled":
		c.Failed += n
	case "skipped", "todo":
		c.Skipped += n
	}
}

func (c counts) String() string {
	s := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Skipped > 0 {
		s += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	return s
}

// event is one line of "go test -json" (go doc test2json).
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// tally reads events to the end of r and writes the report to w.
func tally(r io.Reader, w io.Writer) (counts, error) {
	var total counts
	printed := map[string]string{} // by package and test, until it is known how the test ended
	failed := map[string]int{}     // by package
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(w, lines.Text()) // the go command itself speaks plain text
			total.addTAP(lines.Text())
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "build-output":
			io.WriteString(w, e.Output)
		case "output":
			printed[key] += e.Output
		case "pass", "skip", "fail":
			if e.Action == "fail" {
				io.WriteString(w, printed[key])
			}
			delete(printed, key)
			if e.Test == "" {
				fmt.Fprintf(w, "%-5s %s (%.1f s)\n", e.Action, e.Package, e.Elapsed)
				if e.Action == "fail" && failed[e.Package] == 0 {
					total.Failed++ // did not compile, or died outside any test
				}
				continue
			}
			switch e.Action {
			case "pass":
				total.Passed++
			case "skip":
				total.Skipped++
			case "fail":
				total.Failed++
				failed[e.Package]++
			}
		}
	}
	return total, lines.Err()
}

func readCounts(name string) (counts, error) {
	var c counts
	text, err := os.ReadFile(name)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

func writeCounts(name string, c counts) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}
