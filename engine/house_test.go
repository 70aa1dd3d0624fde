//go:build !js

package engine_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// deterministic are the packages whose results must be the same bits on every machine.
var deterministic = []string{"squall/engine/...", "squall/grading/..."}

// imports says which packages of the house a package may use. Imports run downward only: what is
// not in the list of a package sits beside it or on top of it.
var imports = map[string][]string{
	"engine/problem":            {"engine/ticks"},
	"engine/jsontext":           {},
	"engine/ticks":              {},
	"engine/policy":             {"engine/problem", "engine/jsontext", "engine/ticks"},
	"engine/virtual":            {"engine/problem", "engine/ticks"},
	"engine/world":              {"engine/problem", "engine/ticks", "engine/policy", "engine/virtual"},
	"engine/measure":            {"engine/problem", "engine/jsontext", "engine/ticks", "engine/policy", "engine/virtual", "engine/world"},
	"engine":                    {"engine/problem", "engine/ticks", "engine/policy", "engine/virtual", "engine/world", "engine/measure"},
	"engine/document":           {"engine/problem", "engine/ticks"},
	"engine/scenario":           {"engine", "engine/problem", "engine/ticks", "engine/policy", "engine/world", "engine/measure", "engine/document"},
	"engine/scenario/schemagen": {"engine/scenario"},
	"grading/recording":         {"engine/problem", "engine/ticks", "engine/document"},
	"grading":                   {"grading/recording", "engine", "engine/problem", "engine/ticks", "engine/policy", "engine/world", "engine/measure", "engine/document", "engine/scenario"},
}

// outside are the modules that deterministic code may use: readers and writers of JSON text.
var outside = []string{"github.com/tidwall/gjson", "github.com/tidwall/sjson", "github.com/tidwall/jsonc"}

// forbidden are packages of the library that depend on the machine, the moment or chance.
var forbidden = []string{"crypto/rand", "hash/maphash", "log", "log/slog", "math/cmplx", "math/rand", "math/rand/v2", "net", "net/http",
	"os", "os/exec", "os/signal", "syscall", "syscall/js", "testing", "unsafe"}

// exact are the functions of math that give the same bits everywhere: they are exact or correctly
// rounded. Exp, Log, Pow and their kin have assembly on some machines and fuse on others.
var exact = []string{"Abs", "Ceil", "Copysign", "Float64bits", "Float64frombits", "Floor", "Inf", "IsInf", "IsNaN", "Ldexp", "NaN", "Signbit", "Sqrt", "Trunc"}

// timeless are the functions of time that do not read the clock or the machine's time zone.
var timeless = []string{"Date", "ParseDuration", "Parse", "Unix", "UnixMicro", "UnixMilli", "FixedZone"}

// exceptions are places that break a rule and may, each with its reason. The key is the file and the rule.
var exceptions = map[string]string{
	"engine/band.go: goroutine":                   "the runs of a band are independent, and their reports land in seed order",
	"engine/ticks/float.go: float to integer":     "FromFloat is the guarded conversion that everybody else uses",
	"engine/world/gate.go: float to integer":      "the limit stays between a minimum and a maximum that are integers",
	"engine/measure/latency.go: float to integer": "the rank was compared with the length of the list just before",
	"engine/scenario/schemagen: os":               "a command that prints the schema; nothing deterministic imports it",
}

func load(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedExportFile,
		Dir:  "..",
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Errorf("%s: %s", p.PkgPath, e.Msg)
		}
	}
	return loaded
}

// TestHouse holds the deterministic packages to the rules of CONTRIBUTING.md.
func TestHouse(t *testing.T) {
	used := map[string]bool{}
	for _, p := range load(t, deterministic...) {
		for _, b := range breaches(p) {
			if key := b.key(); exceptions[key] != "" {
				used[key] = true
				continue
			}
			t.Error(b)
		}
	}
	for key := range exceptions {
		if !used[key] && !strings.Contains(key, "schemagen") {
			t.Errorf("the exception %q is not needed any more", key)
		}
	}
}

// TestHouseFindsBreaches proves on planted code that each rule can fail.
func TestHouseFindsBreaches(t *testing.T) {
	var got []string
	for _, p := range load(t, "./engine/testdata/breaches") {
		for _, b := range breaches(p) {
			got = append(got, fmt.Sprintf("%d %s", b.at.Line, b.rule))
		}
	}
	want := plantedBreaches(t)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// plantedBreaches reads "// breach: RULE" at the ends of the planted lines.
func plantedBreaches(t *testing.T) []string {
	t.Helper()
	var want []string
	for _, p := range load(t, "./engine/testdata/breaches") {
		for _, f := range p.Syntax {
			for _, group := range f.Comments {
				for _, c := range group.List {
					if rule, ok := strings.CutPrefix(c.Text, "// breach: "); ok {
						want = append(want, fmt.Sprintf("%d %s", p.Fset.Position(c.Pos()).Line, rule))
					}
				}
			}
		}
	}
	if len(want) == 0 {
		t.Fatal("no planted breach was read")
	}
	return want
}

// breach is one place that breaks one rule.
type breach struct {
	at   token.Position
	rule string
}

func (b breach) String() string {
	return fmt.Sprintf("%s:%d: %s (CONTRIBUTING.md, deterministic packages)", b.file(), b.at.Line, b.rule)
}

func (b breach) file() string {
	dir, _ := filepath.Abs("..")
	if rel, err := filepath.Rel(dir, b.at.Filename); err == nil {
		return rel
	}
	return b.at.Filename
}

func (b breach) key() string {
	if strings.Contains(b.file(), "/schemagen/") {
		return "engine/scenario/schemagen: " + b.rule
	}
	return b.file() + ": " + b.rule
}

// breaches are the places where a package breaks a rule, in the order of its text.
func breaches(p *packages.Package) []breach {
	var found []breach
	add := func(n ast.Node, rule string) { found = append(found, breach{p.Fset.Position(n.Pos()), rule}) }
	for _, file := range p.Syntax {
		for _, spec := range file.Imports {
			if rule := importRule(p.PkgPath, strings.Trim(spec.Path.Value, `"`)); rule != "" {
				add(spec, rule)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				add(n, "goroutine")
			case *ast.SelectStmt:
				if len(n.Body.List) > 1 && !hasDefault(n) {
					add(n, "select")
				}
			case *ast.RangeStmt:
				if _, ok := p.TypesInfo.TypeOf(n.X).Underlying().(*types.Map); ok && n.Key != nil {
					add(n, "map order")
				}
			case *ast.CallExpr:
				if len(n.Args) == 1 && floatToInteger(p.TypesInfo, n) {
					add(n, "float to integer")
				}
			case *ast.SelectorExpr:
				if rule := functionRule(p.PkgPath, p.TypesInfo.Uses[n.Sel]); rule != "" {
					add(n, rule)
				}
			}
			return true
		})
	}
	return found
}

// importRule names the rule that an import breaks, or nothing.
func importRule(from, to string) string {
	if slices.Contains(forbidden, to) {
		return to
	}
	if own, ok := strings.CutPrefix(to, "squall/"); ok {
		from = strings.TrimPrefix(from, "squall/")
		if allowed, known := imports[from]; !known || !slices.Contains(allowed, own) {
			return "imports " + own
		}
		return ""
	}
	if first, _, _ := strings.Cut(to, "/"); strings.Contains(first, ".") && !slices.Contains(outside, to) {
		return "imports " + to
	}
	return ""
}

// functionRule names the rule that the use of a function breaks, or nothing.
func functionRule(from string, used types.Object) string {
	f, ok := used.(*types.Func)
	if !ok || f.Pkg() == nil {
		return ""
	}
	if f.FullName() == "(*sync.WaitGroup).Go" {
		return "goroutine"
	}
	if f.Signature().Recv() != nil {
		return ""
	}
	switch name := f.Pkg().Path() + "." + f.Name(); {
	case f.Pkg().Path() == "math" && !slices.Contains(exact, f.Name()),
		f.Pkg().Path() == "time" && !slices.Contains(timeless, f.Name()):
		return name
	case strings.HasPrefix(from, "squall/grading") && (name == "squall/engine.Run" || name == "squall/engine.RunBand"):
		return name // a grade reads reports, it never makes one
	}
	return ""
}

func hasDefault(s *ast.SelectStmt) bool {
	return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil })
}

// floatToInteger tells a conversion whose result differs between machines outside the range.
func floatToInteger(info *types.Info, call *ast.CallExpr) bool {
	target, ok := info.Types[call.Fun]
	if !ok || !target.IsType() || info.Types[call.Args[0]].Value != nil {
		return false
	}
	from, ok1 := info.TypeOf(call.Args[0]).Underlying().(*types.Basic)
	to, ok2 := target.Type.Underlying().(*types.Basic)
	return ok1 && ok2 && from.Info()&types.IsFloat != 0 && to.Info()&types.IsInteger != 0
}
