// Package docs_test holds the documentation to what the program does. Every fenced block that
// shows something is run:
//
//	json scenario [FILE]   a scenario; it is run, and its expectations must hold
//	json invalid [FILE]    a scenario that must be refused
//	json policy            any key of a scenario by its name, put into a small scenario that is checked
//	json recording [FILE]  an input of squall grade, which must take it
//	json [FILE]            any other document that can be read
//	sh, console            commands behind "$ ", with exactly what they print; "..." is any lines
//	(nothing)              lines that begin with "squall " must end well
//	go                     lines that stand in example_test.go, which is compiled and run
//
// A block with a FILE is kept under that name for the commands of its page. A command that exits with another
// status than 0 says so: "$ squall check wrong.json  # status 2". UPDATE_DOCS=1 writes what commands print into the pages.
package docs_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"squall/engine/document"
)

// elsewhere are the pages whose examples are JavaScript or need a browser or a Worker, and are run
// by the tests of wasm, site and edge; and the scenario reference, made of a preface that is tested here.
var elsewhere = []string{"module.md", "embedding.md", "offline.md", "worker.md", "scenario.md"}

// pages are the documents that are tested here.
func pages(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("*.md")
	if err != nil || len(all) == 0 {
		t.Fatal("no pages", err)
	}
	all = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(elsewhere, name) })
	return append(all, "refgen/preface.md", "../README.md", "../CONTRIBUTING.md")
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// block is one fenced block of a page.
type block struct {
	page string
	line int // of its first line of text, from 1
	info []string
	text []string
}

func (b *block) lang() string {
	if len(b.info) == 0 {
		return ""
	}
	return b.info[0]
}

func (b *block) place() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

func blocks(t *testing.T, page string) []*block {
	t.Helper()
	var all []*block
	var open *block
	for i, line := range strings.Split(read(t, page), "\n") {
		switch {
		case open == nil && strings.HasPrefix(line, "```"):
			open = &block{page: page, line: i + 2, info: strings.Fields(line[3:])}
		case open != nil && line == "```":
			all = append(all, open)
			open = nil
		case open != nil:
			open.text = append(open.text, line)
		}
	}
	if open != nil {
		t.Errorf("%s: the block is not closed", open.place())
	}
	return all
}

// built is the command, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "squall-docs")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-pgo=off", "-o", filepath.Join(dir, "squall"), "../cmd/squall").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, err := built(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// shell runs lines in a directory in which the command and the examples are at hand.
type shell struct{ dir string }

func newShell(t *testing.T) shell {
	t.Helper()
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	s := shell{t.TempDir()}
	examples, err := filepath.Abs("../examples")
	if err == nil {
		err = os.Symlink(examples, filepath.Join(s.dir, "examples"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run gives everything that a line prints, and its exit status.
func (s shell) run(t *testing.T, line string) (string, int) {
	t.Helper()
	bin, _ := built()
	c := exec.Command("sh", "-c", line)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "COLUMNS=80")
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return string(out), 0
}

func (s shell) keep(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestExamples(t *testing.T) {
	for _, page := range pages(t) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			s := newShell(t)
			all := blocks(t, page)
			for _, b := range all {
				switch b.lang() {
				case "json":
					checkJSON(t, s, b)
				case "sh", "console":
					checkCommands(t, s, b)
				case "go":
					checkGo(t, b)
				case "":
					checkPlain(t, s, b)
				case "text", "yaml":
				default:
					t.Errorf("%s: a block of %q is not tested", b.place(), b.lang())
				}
			}
			if os.Getenv("UPDATE_DOCS") != "" {
				rewrite(t, page, all)
			}
		})
	}
}

// parts are the keys of a scenario that a page may show alone.
var parts = map[string]string{
	"policy":     `{}`,
	"dependency": `{"p50":"20ms","p99":"200ms"}`,
	"load":       `{"perSecond":10}`,
	"pool":       `null`,
	"limiter":    `null`,
	"budgets":    `{"shared":{}}`,
	"expect":     `[]`,
	"chaos":      `{}`,
	"grading":    `{}`,
}

func checkJSON(t *testing.T, s shell, b *block) {
	t.Helper()
	text := strings.Join(b.text, "\n")
	kind, name := "", "block.json"
	for _, word := range b.info[1:] {
		if strings.Contains(word, ".") {
			name = word
		} else {
			kind = word
		}
	}
	want, command := 0, "squall run "+name
	switch kind {
	case "scenario":
	case "invalid":
		want, command = 2, "squall check "+name
		if name == "block.json" {
			s.keep(t, "wrong.json", text)
		}
	case "recording":
		command = "squall grade " + name
	case "":
		if _, problems := document.Parse([]byte(text), document.Limits{}); len(problems) > 0 {
			t.Errorf("%s: %v", b.place(), problems)
		}
		s.keep(t, name, text)
		return
	default:
		if parts[kind] == "" {
			t.Errorf("%s: json %s is not known", b.place(), kind)
			return
		}
		whole := `{"duration":"10s"`
		for _, key := range []string{"policy", "dependency", "load", "pool", "limiter", "budgets", "expect", "chaos", "grading"} {
			value := parts[key]
			if key == kind {
				value = text
			}
			whole += ",\"" + key + "\":" + value
		}
		text, command = whole+"}", "squall check "+name
	}
	s.keep(t, name, text)
	if out, status := s.run(t, command); status != want {
		t.Errorf("%s: %s: status %d, want %d\n%s", b.place(), command, status, want, out)
	}
}

var (
	statusNote = regexp.MustCompile(`# status (\d+)$`)
	makeTarget = regexp.MustCompile(`^make ([a-z-]+)`)
	// unseen commands build or serve; that they exist is all that is checked.
	unseen = regexp.MustCompile(`^(go |make |npx |cd )`)
)

// checkCommands runs the lines behind "$ " and compares what they print.
func checkCommands(t *testing.T, s shell, b *block) {
	t.Helper()
	var text []string
	for i := 0; i < len(b.text); {
		line := b.text[i]
		if m := makeTarget.FindStringSubmatch(strings.TrimPrefix(line, "$ ")); m != nil && !strings.Contains(read(t, "../Makefile"), "\n"+m[1]+":") {
			t.Errorf("%s: no target for %q", b.place(), line)
		}
		command, isCommand := strings.CutPrefix(line, "$ ")
		text = append(text, line)
		i++
		if !isCommand || unseen.MatchString(command) {
			continue
		}
		end := i
		for end < len(b.text) && !strings.HasPrefix(b.text[end], "$ ") {
			end++
		}
		want := 0
		if m := statusNote.FindStringSubmatch(command); m != nil {
			want, _ = strconv.Atoi(m[1])
		}
		out, status := s.run(t, command)
		if status != want {
			t.Errorf("%s: %s: status %d, want %d\n%s", b.place(), command, status, want, out)
		}
		shown := b.text[i:end]
		var printed []string
		if out != "" {
			printed = strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		}
		if os.Getenv("UPDATE_DOCS") != "" && !slices.Contains(shown, "...") {
			shown = printed
		}
		if !alike(shown, printed) {
			t.Errorf("%s: %s printed\n%s\nnot\n%s", b.place(), command, out, strings.Join(shown, "\n"))
		}
		text = append(text, shown...)
		i = end
	}
	b.text = text
}

// checkPlain runs what a block of no language says to type.
func checkPlain(t *testing.T, s shell, b *block) {
	t.Helper()
	for _, line := range b.text {
		if !strings.HasPrefix(line, "squall ") {
			continue
		}
		if out, status := s.run(t, line); status != 0 {
			t.Errorf("%s: %s: status %d\n%s", b.place(), line, status, out)
		}
	}
}

// alike compares lines; "..." stands for any number of them.
func alike(shown, printed []string) bool {
	for i, line := range shown {
		if line == "..." {
			for j := i; j <= len(printed); j++ {
				if alike(shown[i+1:], printed[j:]) {
					return true
				}
			}
			return false
		}
		if i >= len(printed) || strings.TrimRight(line, " ") != strings.TrimRight(printed[i], " ") {
			return false
		}
	}
	return len(shown) == len(printed)
}

// checkGo looks the lines up in the file of examples.
func checkGo(t *testing.T, b *block) {
	t.Helper()
	plain := func(lines []string) string {
		var out strings.Builder
		for _, l := range lines {
			out.WriteString(strings.TrimSpace(l) + "\n")
		}
		return out.String()
	}
	if !strings.Contains(plain(strings.Split(read(t, "example_test.go"), "\n")), plain(b.text)) {
		t.Errorf("%s: these lines do not stand in docs/example_test.go", b.place())
	}
}

// rewrite puts the blocks back into their page.
func rewrite(t *testing.T, page string, all []*block) {
	t.Helper()
	var out bytes.Buffer
	inside := false
	for line := range strings.SplitAfterSeq(read(t, page), "\n") {
		if inside && line == "```\n" {
			for _, l := range all[0].text {
				out.WriteString(strings.TrimRight(l, " ") + "\n")
			}
			all, inside = all[1:], false
		} else if strings.HasPrefix(line, "```") {
			inside = true
			out.WriteString(line)
			continue
		}
		if !inside {
			out.WriteString(line)
		}
	}
	if err := os.WriteFile(page, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
