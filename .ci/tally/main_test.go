package main

import (
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	tests := []struct {
		name, in, out string
		want          counts
	}{
		{"nothing", "", "", counts{}},
		{"a pass is one line, its chatter is dropped",
			`{"Action":"output","Package":"p","Test":"TestA","Output":"chatter\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.1}
{"Action":"pass","Package":"p","Elapsed":0.2}`,
			"pass  p (0.2 s)\n", counts{Passed: 1}},
		{"a failure shows what it printed",
			`{"Action":"output","Package":"p","Test":"TestA","Output":"why\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Elapsed":0.2}`,
			"why\nfail  p (0.2 s)\n", counts{Failed: 1}},
		{"a package that does not compile is one failure",
			`{"Action":"build-output","ImportPath":"p","Output":"x.go:1: oops\n"}
{"Action":"fail","Package":"p"}`,
			"x.go:1: oops\nfail  p (0.0 s)\n", counts{Failed: 1}},
		{"a package without tests is no test", `{"Action":"skip","Package":"p"}`, "skip  p (0.0 s)\n", counts{}},
		{"a skipped test is counted", `{"Action":"skip","Package":"p","Test":"TestA"}`, "", counts{Skipped: 1}},
		{"the summary of node --test", "# tests 4\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 1\n# duration_ms 12.5",
			"# tests 4\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 1\n# duration_ms 12.5\n", counts{Passed: 2, Failed: 1, Skipped: 1}},
		{"plain text goes through", "go: no such thing", "go: no such thing\n", counts{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			got, err := tally(strings.NewReader(tt.in), &out)
			if err != nil || got != tt.want || out.String() != tt.out {
				t.Errorf("got %v, %v and %q, want %v and %q", got, err, out.String(), tt.want, tt.out)
			}
		})
	}
}

func TestCountsRoundTrip(t *testing.T) {
	name := t.TempDir() + "/new/counts"
	want := counts{Passed: 3, Failed: 1, Skipped: 2}
	if err := writeCounts(name, want); err != nil {
		t.Fatal(err)
	}
	if got, err := readCounts(name); err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got := want.String(); got != "3 passed, 1 failed, 2 skipped" {
		t.Error(got)
	}
}
