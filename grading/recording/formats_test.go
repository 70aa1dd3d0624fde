package recording

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func formatFiles(t testing.TB, dir string) (c formatCase, files []File) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, dir, "case.json"), &c); err != nil {
		t.Fatal(err)
	}
	for _, name := range c.Files {
		var f File
		if rest, ok := strings.CutPrefix(name, "in:"); ok {
			f.Direction, name = DirectionIn, rest
		} else if rest, ok := strings.CutPrefix(name, "out:"); ok {
			f.Direction, name = DirectionOut, rest
		}
		f.Name, f.Data = name, readFile(t, dir, name)
		files = append(files, f)
	}
	return c, files
}

// TestFormats compares what each reader makes of a whole recording, byte by byte.
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
				if r := ReaderOf(f.Data); r == nil || r.Name != c.Format {
					t.Fatalf("%s was not known as %s", f.Name, c.Format)
				}
			}
			imported, err := ReaderOf(files[0].Data).Read(files, c.Service)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := json.Compact(&want, readFile(t, dir, "recording.json")); err != nil {
				t.Fatal(err)
			}
			want.WriteByte('\n')
			if got := imported.AppendJSON(nil); !bytes.Equal(got, want.Bytes()) {
				t.Errorf("got\n%s\nwant\n%s", got, want.Bytes())
			}
		})
	}
}
