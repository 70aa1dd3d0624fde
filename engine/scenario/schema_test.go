package scenario

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"squall/engine/document"
)

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	c := once()
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.schema
}

func valid(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	doc, problems := document.Parse(text, document.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc.Canonical()))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

var once = sync.OnceValue(func() (c struct {
	schema *jsonschema.Schema
	err    error
}) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		c.err = err
		return c
	}
	compiler := jsonschema.NewCompiler()
	if c.err = compiler.AddResource("scenario.json", parsed); c.err == nil {
		c.schema, c.err = compiler.Compile("scenario.json")
	}
	return c
})

// schemaAccepts holds the schema to its promise: what Read accepts is valid under it.
func schemaAccepts(t *testing.T, canonical []byte) {
	t.Helper()
	if err := valid(t, compiled(t), canonical); err != nil {
		t.Errorf("%s is read, but %v", canonical, err)
	}
}

func TestSchemaAcceptsScenarios(t *testing.T) {
	schema := compiled(t)
	for name, text := range scenarios(t) {
		if err := valid(t, schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := valid(t, schema, []byte(everything)); err != nil {
		t.Errorf("everything: %v", err)
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := compiled(t)
	for _, c := range []struct{ old, new string }{
		{`"attempts": 4`, `"attempts": 0`},
		{`"attempts": 4`, `"attemps": 4`},
		{`"deadline": "10s"`, `"deadline": 10`},
		{`"deadline": "10s"`, `"deadline": "10"`},
		{`"jitter": "equal"`, `"jitter": "even"`},
		{`"queueLimit": 0`, `"queueLimit": 5`},
		{`"queueLimit": 0`, `"perSecond": 5`},
		{`"sheddable": 0.5`, `"critical": 0.5`},
		{`"duration": "10s", // load`, ``},
		{`"seed": -3`, `"seed": 3000000000`},
	} {
		if !strings.Contains(everything, c.old) {
			t.Errorf("the document has no %s", c.old)
		}
		text := strings.Replace(everything, c.old, c.new, 1)
		if valid(t, schema, []byte(text)) == nil {
			t.Errorf("%s instead of %s is accepted", c.new, c.old)
		}
	}
}

func TestCommittedSchemaIsFresh(t *testing.T) {
	var want bytes.Buffer
	if err := json.Indent(&want, Schema(), "", " "); err != nil {
		t.Fatal(err)
	}
	want.WriteByte('\n')
	const file = "../../site/static/scenario.schema.json"
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is stale (%v): go run ./engine/scenario/schemagen > site/static/scenario.schema.json", file, err)
	}
}

// TestTablesAreComplete holds the documentation to its promises: every object and key is described,
// every object that is named exists, every default is JSON of the key's type.
func TestTablesAreComplete(t *testing.T) {
	objects := Objects()
	var names []string
	for _, o := range objects {
		if o.Doc == "" || slices.Contains(names, o.Name) {
			t.Errorf("%q has no documentation, or is there twice", o.Name)
		}
		names = append(names, o.Name)
	}
	var check func(where string, ty Type)
	check = func(where string, ty Type) {
		if ty.Kind == ObjectType && !slices.Contains(names, ty.Object) {
			t.Errorf("%s is an unknown object %q", where, ty.Object)
		}
		if (ty.Kind == ListType || ty.Kind == MapType) != (ty.Of != nil) {
			t.Errorf("%s: what is in it?", where)
		}
		if ty.Of != nil {
			check(where, *ty.Of)
		}
		for _, or := range ty.Or {
			check(where, or)
		}
	}
	for _, o := range objects {
		for _, k := range o.Keys {
			where := o.Name + "." + k.Name
			if !strings.HasSuffix(k.Doc, ".") || k.Section == "" {
				t.Errorf("%s is described by %q, section %q", where, k.Doc, k.Section)
			}
			check(where, k.Type)
			if k.Default != "" && !json.Valid([]byte(k.Default)) {
				t.Errorf("%s has the default %s", where, k.Default)
			}
			if k.Default != "" && k.Required {
				t.Errorf("%s is required and has a default", where)
			}
			single := Object{Name: o.Name, Doc: o.Doc, Keys: []Key{k}}
			w := &schemaWriter{}
			w.open('{')
			w.object(single)
			w.close('}')
			if !json.Valid(w.b) {
				t.Errorf("%s: %s", where, w.b)
			}
		}
	}
}

// TestDefaultsAreTheReaders reads each default of the tables where it is the default, and wants
// nothing to change.
func TestDefaultsAreTheReaders(t *testing.T) {
	const base = `{"duration":"1m","policies":{"p":{"breaker":{"recovery":{},"failures":{},"slowCalls":{}},"hedge":{"winRate":{}},"saturation":{},"attemptCeiling":{},
		"backoff":{"measured":{}},"budget":{}}},"services":{"s":{"calls":[{"to":"d","policy":"p"}],"limiter":{"adaptive":{}},"pool":{"healthy":"1ms"}}},
		"dependencies":{"d":{"p50":"1ms","p99":"2ms"}},"load":{"perSecond":1,"mix":{}},"chaos":{"rules":[{"id":"x"}]},"grading":{"bounds":{}}}`
	places := map[string]string{
		"scenario": "", "policy": "policies.p", "attemptCeiling": "policies.p.attemptCeiling", "exponentialBackoff": "policies.p.backoff",
		"measuredBase": "policies.p.backoff.measured", "budget": "policies.p.budget", "breaker": "policies.p.breaker", "failures": "policies.p.breaker.failures",
		"slowCalls": "policies.p.breaker.slowCalls", "recovery": "policies.p.breaker.recovery", "hedge": "policies.p.hedge", "winRate": "policies.p.hedge.winRate",
		"saturation": "policies.p.saturation", "call": "services.s.calls[0]", "pool": "services.s.pool", "adaptive": "services.s.limiter.adaptive",
		"dependency": "dependencies.d", "load": "load", "mix": "load.mix", "chaos": "chaos", "rule": "chaos.rules[0]", "grading": "grading", "bounds": "grading.bounds",
	}
	want, problems := Read([]byte(base), Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	doc, _ := document.Parse([]byte(base), document.Limits{})
	tried := 0
	for _, o := range Objects() {
		place, ok := places[o.Name]
		if !ok {
			continue
		}
		for _, k := range o.Keys {
			at := doc.Root().Find(place)
			if k.Default == "" || k.Refused || at.Member(k.Name).Exists() || o.Name == "scenario" && (k.Name == "policy" || k.Name == "pool" || k.Name == "limiter") {
				continue
			}
			// {} stands for derived defaults, which are another state than "written"
			if k.Default == "{}" || k.Default == "[]" {
				continue
			}
			text := base[:at.Offset()+1] + string(document.AppendText(nil, k.Name)) + ":" + k.Default
			if rest := base[at.Offset()+1:]; rest[0] != '}' {
				text += "," + rest
			} else {
				text += rest
			}
			got, problems := Read([]byte(text), Options{})
			if len(problems) > 0 {
				t.Errorf("%s.%s: %v", o.Name, k.Name, problems)
				continue
			}
			if a, b := describe(got), describe(want); a != b {
				t.Errorf("%s.%s: writing the default %s changes\n%s\nto\n%s", o.Name, k.Name, k.Default, b, a)
			}
			tried++
		}
	}
	if tried < 60 {
		t.Errorf("only %d defaults were tried", tried)
	}
}
