package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/scenario"
)

// TestGolden runs every golden scenario and compares its values, its text and the hash of its facts
// exactly. It reads files by relative names only, so it runs as WebAssembly too.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.expected.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 48 {
		t.Fatalf("%d golden scenarios, want at least 48", len(files))
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".expected.json")
		t.Run(filepath.Base(base), func(t *testing.T) { compareGolden(t, base) })
	}
}

func compareGolden(t *testing.T, base string) {
	want, err := os.ReadFile(base + ".expected.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(base + ".json")
	if err != nil {
		t.Fatal(err)
	}
	report, text := runScenario(t, document)
	var expected, got map[string]any
	for _, decode := range []struct {
		from []byte
		to   *map[string]any
	}{{want, &expected}, {report, &got}} {
		if err := json.Unmarshal(decode.from, decode.to); err != nil {
			t.Fatal(err)
		}
	}
	var lines []any
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, line)
	}
	got["text"], got["facts"] = lines, factsHash(report)
	differences := differ(nil, "", expected, got)
	for _, d := range differences[:min(len(differences), 20)] {
		t.Error(d)
	}
}

// runScenario runs a document with the seeds that it names.
func runScenario(t *testing.T, document []byte) (report []byte, text string) {
	t.Helper()
	s, problems := scenario.Read(document, scenario.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if len(s.Seeds) > 0 {
		band, err := engine.RunBand(context.Background(), &s.Topology, s.Seeds, engine.BandOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return band.AppendJSON(nil), band.Text()
	}
	r, err := engine.Run(context.Background(), &s.Topology, s.Seed, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.AppendJSON(nil), r.Text()
}

// differ lists what an expected value holds and a value does not; keys that are not expected do
// not count.
func differ(found []string, path string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return append(found, path+" is no object")
		}
		keys := make([]string, 0, len(want))
		for key := range want {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			if _, ok := got[key]; !ok {
				found = append(found, path+"."+key+" is missing")
				continue
			}
			found = differ(found, path+"."+key, want[key], got[key])
		}
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return append(found, fmt.Sprintf("%s: got %v, want %v", path, got, want))
		}
		for i := range want {
			found = differ(found, fmt.Sprintf("%s[%d]", path, i), want[i], got[i])
		}
	default:
		if want != got {
			found = append(found, fmt.Sprintf("%s: got %v, want %v", path, got, want))
		}
	}
	return found
}

// TestDiffer proves that the comparison sees what it is for.
func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		want, got string
		differs   int
	}{
		{`{"a":1,"b":[1,2.5]}`, `{"b":[1,2.5],"a":1.0,"c":0}`, 0},
		{`{"a":0.9025999999999999}`, `{"a":0.9026}`, 1},
		{`{"a":1}`, `{}`, 1},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, 2},
		{`{"a":[1]}`, `{"a":[1,2]}`, 1},
		{`{"a":null}`, `{"a":0}`, 1},
		{`{"a":{}}`, `{"a":1}`, 1},
	} {
		var want, got any
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.got), &got); err != nil {
			t.Fatal(err)
		}
		if d := differ(nil, "", want, got); len(d) != c.differs {
			t.Errorf("%s beside %s: %q", c.got, c.want, d)
		}
	}
}
