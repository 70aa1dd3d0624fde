package grading

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readFile(t testing.TB, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// gradeText grades a document and gives the report's bytes.
func gradeText(t testing.TB, text []byte) []byte {
	t.Helper()
	in, problems := ReadInput(text)
	for _, p := range problems {
		t.Error(p)
	}
	if in == nil {
		t.FailNow()
	}
	return Grade(in).AppendJSON(nil)
}

// TestGolden grades every recording of testdata/golden, byte by byte.
func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/*.expected.json")
	if len(files) != 15 {
		t.Fatalf("%d golden cases", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".expected.json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			var want bytes.Buffer
			if err := json.Compact(&want, readFile(t, file)); err != nil {
				t.Fatal(err)
			}
			want.WriteByte('\n')
			got := gradeText(t, readFile(t, name+".json"))
			if !bytes.Equal(got, want.Bytes()) {
				t.Errorf("\n got %s\nwant %s", firstDifference(got, want.Bytes()), firstDifference(want.Bytes(), got))
			}
		})
	}
}

// firstDifference is a from a little before where it differs from b.
func firstDifference(a, b []byte) []byte {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[max(i-60, 0):min(i+120, len(a))]
}
