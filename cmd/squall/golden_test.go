package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"squall/engine/document"
)

// goldens are the pairs NAME.json, NAME.expected.json of a folder.
func goldens(t *testing.T, dir string) []string {
	t.Helper()
	expected, err := filepath.Glob(filepath.Join(dir, "*.expected.json"))
	if err != nil || len(expected) == 0 {
		t.Fatalf("no expected results in %s (%v)", dir, err)
	}
	for i := range expected {
		expected[i] = strings.TrimSuffix(expected[i], ".expected.json")
	}
	return expected
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestGoldenText runs every published scenario as the command does and compares the text block.
func TestGoldenText(t *testing.T) {
	for _, name := range goldens(t, "../../engine/testdata/golden") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			var want strings.Builder
			for _, line := range gjson.GetBytes(read(t, name+".expected.json"), "text").Array() {
				want.WriteString(line.Str + "\n")
			}
			var out, complaints bytes.Buffer
			err := (&runCommand{Files: []string{name + ".json"}, Format: "text"}).Run(&console{ctx: context.Background(), out: &out, err: &complaints})
			if err != nil {
				t.Fatal(err, complaints.String())
			}
			if out.String() != want.String() {
				t.Errorf("got\n%swant\n%s", out.String(), want.String())
			}
		})
	}
}

// TestGoldenGrades grades every published recording as the command does and compares the bytes.
func TestGoldenGrades(t *testing.T) {
	for _, name := range goldens(t, "../../grading/testdata/golden") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			expected, problems := document.Parse(read(t, name+".expected.json"), document.Limits{})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			var out, complaints bytes.Buffer
			err := (&gradeCommand{Files: []string{name + ".json"}, Format: "json"}).Run(&console{ctx: context.Background(), out: &out, err: &complaints})
			if err != nil && complaints.Len() > 0 {
				t.Fatal(err, complaints.String())
			}
			if want := string(expected.Canonical()) + "\n"; out.String() != want {
				t.Errorf("got\n%swant\n%s", out.String(), want)
			}
		})
	}
}

// TestGoldenFormats reads every published foreign recording as the command does, and grades it.
func TestGoldenFormats(t *testing.T) {
	cases, err := filepath.Glob("../../grading/recording/testdata/formats/*/case.json")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no published recordings (%v)", err)
	}
	for _, name := range cases {
		dir := filepath.Dir(name)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			c := gjson.ParseBytes(read(t, name))
			var files []string
			for _, f := range append(c.Get("files").Array(), c.Get("config")) {
				if f.Type != gjson.String {
					continue
				}
				file := f.Str
				way := ""
				if i := strings.IndexByte(file, ':'); i > 0 {
					way, file = file[:i+1], file[i+1:]
				}
				files = append(files, way+filepath.Join(dir, file))
			}
			for _, step := range []struct {
				as, expected string
			}{{"recording", "recording.json"}, {"", "expected.json"}} {
				expected, problems := document.Parse(read(t, filepath.Join(dir, step.expected)), document.Limits{})
				if len(problems) > 0 {
					t.Fatal(problems)
				}
				var out, complaints bytes.Buffer
				err := (&gradeCommand{Files: files, Format: "json", As: step.as, Service: c.Get("service").Str}).
					Run(&console{ctx: context.Background(), out: &out, err: &complaints})
				if err != nil && complaints.Len() > 0 {
					t.Fatal(err, complaints.String())
				}
				if want := string(expected.Canonical()) + "\n"; out.String() != want {
					t.Errorf("%s: got\n%swant\n%s", step.expected, out.String(), want)
				}
			}
		})
	}
}
