package recording_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"squall/grading"
	"squall/grading/recording"
)

// formatCase is a case.json: the arguments of a call, in order.
type formatCase struct {
	Format, Service string
	Files           []string
}

func readFile(t testing.TB, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func formatFiles(t testing.TB, dir string) (c formatCase, files []recording.File) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, dir, "case.json"), &c); err != nil {
		t.Fatal(err)
	}
	for _, name := range c.Files {
		var f recording.File
		if rest, ok := strings.CutPrefix(name, "in:"); ok {
			f.Direction, name = recording.DirectionIn, rest
		} else if rest, ok := strings.CutPrefix(name, "out:"); ok {
			f.Direction, name = recording.DirectionOut, rest
		}
		f.Name, f.Data = name, readFile(t, dir, name)
		files = append(files, f)
	}
	return c, files
}

// oneLine is a golden file as the product prints it.
func oneLine(t testing.TB, path ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, readFile(t, path...)); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// TestFormats compares what each reader makes of a whole recording, and its grade, byte by byte.
func TestFormats(t *testing.T) {
	dirs, _ := filepath.Glob("testdata/formats/*/case.json")
	if len(dirs) != 6 {
		t.Fatalf("%d cases, want 6", len(dirs))
	}
	for _, path := range dirs {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			c, files := formatFiles(t, dir)
			for _, f := range files {
				if r := recording.ReaderOf(f.Data); r == nil || r.Name != c.Format {
					t.Fatalf("%s was not known as %s", f.Name, c.Format)
				}
			}
			imported, err := recording.ReaderOf(files[0].Data).Read(files, c.Service)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := imported.AppendJSON(nil), oneLine(t, dir, "recording.json"); !bytes.Equal(got, want) {
				t.Errorf("recording: got\n%s\nwant\n%s", got, want)
			}
			report := grading.Grade(&grading.Input{Recordings: imported.Recordings})
			if got, want := report.AppendJSON(nil), oneLine(t, dir, "expected.json"); !bytes.Equal(got, want) {
				t.Errorf("grade: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
