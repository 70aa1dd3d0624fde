package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scenarios are the golden scenarios and the examples.
func scenarios(t testing.TB) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	for _, pattern := range []string{"../testdata/golden/*.json", "../../examples/*.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, ".expected.json") {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			found[filepath.Base(f)] = text
		}
	}
	return found
}

func TestGoldenScenariosAreRead(t *testing.T) {
	for name, text := range scenarios(t) {
		s, problems := Read(text, Options{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		again, problems := Read(s.Canonical, Options{})
		if len(problems) > 0 {
			t.Errorf("%s: canonical: %v", name, problems)
			continue
		}
		if string(again.Canonical) != string(s.Canonical) {
			t.Errorf("%s: the canonical form of the canonical form differs", name)
		}
	}
}
