package engine_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/scenario"

	"github.com/rogpeppe/go-internal/txtar"
)

var rewrite = flag.Bool("rewrite", false, "write what the stories give into testdata/stories; read every line of the difference")

// TestStories runs the stories of testdata/stories. A story says in its first lines which rule it is
// about and why its lines follow from it; then come a scenario, what happened on each of its calls,
// a line an event, and the text of the report if it matters. A call that is left out is not
// compared.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { tell(t, file) })
	}
}

func tell(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	story := txtar.Parse(text)
	if len(bytes.TrimSpace(story.Comment)) == 0 || len(story.Files) < 2 || story.Files[0].Name != "scenario" {
		t.Fatal("a story is a comment, a scenario, and what happens")
	}
	s, problems := scenario.Read(story.Files[0].Data, scenario.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s.Topology.Record = true
	r, err := engine.Run(context.Background(), &s.Topology, s.Seed, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	happened := map[string]string{"text": r.Text()}
	for i := range r.Calls {
		c := &r.Calls[i]
		happened[c.From+" -> "+c.To] = c.Timeline()
	}
	for i := range story.Files[1:] {
		part := &story.Files[i+1]
		got, ok := happened[part.Name]
		if !ok {
			t.Fatalf("nothing is called %q", part.Name)
		}
		if *rewrite {
			part.Data = []byte(got)
		} else if string(part.Data) != got {
			t.Errorf("%s: got\n%swant\n%s", part.Name, got, part.Data)
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, txtar.Format(story), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
