package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compiled is the program of testdata as the compiler writes it.
func compiled(tb testing.TB) (path string, module []byte) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "program.wasm")
	build := exec.Command("go", "build", "-o", path, "./testdata/program")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	module, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return path, module
}

// In Node a program does the same before and after.
func TestProgramDoesTheSame(t *testing.T) {
	path, before := compiled(t)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	print := func() []byte {
		t.Helper()
		run := exec.Command(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec"), path)
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return out
	}
	want := print()
	if err := run([]string{path}); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := print(); !bytes.Equal(got, want) {
		t.Errorf("straightened:\n%s\nas compiled:\n%s", got, want)
	}
	if lines := bytes.Count(want, []byte("\n")); lines < 20 {
		t.Errorf("the program printed %d lines only:\n%s", lines, want)
	}
	if len(after) > len(before)*97/100 {
		t.Errorf("%d bytes became %d", len(before), len(after))
	}
	if b, a := dispatches(t, before), dispatches(t, after); a > b/8 {
		t.Errorf("%d of %d jumps still go through the table", a, b)
	}
}

// Straightening what is straight changes nothing.
func TestTwice(t *testing.T) {
	_, module := compiled(t)
	once, err := straighten(module)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := straighten(once)
	if err != nil {
		t.Fatal(err)
	}
	if b, a := dispatches(t, once), dispatches(t, twice); a != b {
		t.Errorf("%d jumps through the table became %d", b, a)
	}
	if len(twice) > len(once) {
		t.Errorf("%d bytes became %d", len(once), len(twice))
	}
}

// dispatches counts the jumps of a module that go through a table.
func dispatches(t *testing.T, module []byte) int {
	t.Helper()
	n := 0
	_, err := eachBody(module, func(body []byte) []byte {
		if _, code, err := split(body); err == nil {
			for i := 2; i < len(code); i++ {
				if code[i].op == opBr && code[i-1].op == opLocalSet && code[i-1].operand == 0 && code[i-2].op == opI32Const {
					n++
				}
			}
		}
		return body
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNotAModule(t *testing.T) {
	for name, in := range map[string]string{
		"nothing":         "",
		"text":            "hello, world",
		"a cut section":   "\x00asm\x01\x00\x00\x00\x0a\x05\x01",
		"a cut body":      "\x00asm\x01\x00\x00\x00\x0a\x02\x01\x7f",
		"a cut number":    "\x00asm\x01\x00\x00\x00\x0a\xff",
		"too many bodies": "\x00asm\x01\x00\x00\x00\x0a\x01\x05",
	} {
		if _, err := straighten([]byte(in)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := run(nil); err == nil {
		t.Error("no file: no error")
	}
	if err := run([]string{filepath.Join(t.TempDir(), "none.wasm")}); err == nil {
		t.Error("a file that is not there: no error")
	}
}

// Whatever a body holds, it is written without a panic.
func FuzzBody(f *testing.F) {
	f.Add([]byte{0, opEnd})
	_, module := compiled(f)
	n := 0
	if _, err := eachBody(module, func(body []byte) []byte {
		if n++; n%200 == 0 {
			f.Add(body)
		}
		return body
	}); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) { rewrite(body) })
}
