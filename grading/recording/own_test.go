package recording_test

import (
	"strings"
	"testing"

	"squall/engine/document"
	"squall/grading"
	"squall/grading/recording"
)

// decode reads the value of "recording" and gives what was wrong, a line a problem.
func decode(t testing.TB, text string) ([]recording.Recording, string) {
	t.Helper()
	doc, problems := document.Parse([]byte(text), document.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	all := recording.Decode(doc.Root())
	var lines []string
	for _, p := range doc.Problems() {
		lines = append(lines, p.String())
	}
	return all, strings.Join(lines, "\n")
}

const whole = `{"service":"svc","loadStartsNs":5,"loadEndsNs":60,"mocked":true,"matched":{"x":3,"y":0},` +
	`"inbound":[{"id":"r","atNs":1,"durationNs":2,"protocol":"https","method":"GET","path":"/a","route":"/{a}","status":200,"traceId":"t"}],` +
	`"outbound":[{"id":"c","atNs":1,"durationNs":null,"protocol":"http","host":"h","method":"GET","path":"/b","route":null,"status":0,"traceId":null,` +
	`"parent":"r","resend":2,"chaos":{"rule":"x","effects":["status","odd"],"status":503,"delayNs":0}},` +
	`{"id":"d","atNs":1,"durationNs":4,"protocol":"http","host":"h","method":"GET","path":"/b","route":null,"status":404,"traceId":null,` +
	`"parent":null,"resend":0,"chaos":null}]}`

func TestOwnRoundTrip(t *testing.T) {
	all, wrong := decode(t, whole)
	if wrong != "" {
		t.Fatal(wrong)
	}
	if got := string(recording.AppendRecordings(nil, all)); got != whole {
		t.Errorf("\n got %s\nwant %s", got, whole)
	}
	out := all[0].Outbound[0]
	if out.HasDuration || !out.Chaos.HasDelay || !out.Chaos.HasStatus || out.Resend != 2 || all[0].Mocked != recording.Yes {
		t.Errorf("%+v", all[0])
	}
}

// TestOwnDefaults leaves out, or writes null for, everything that may be.
func TestOwnDefaults(t *testing.T) {
	for _, text := range []string{
		`{"service":"svc","inbound":[{"id":"r","atNs":1,"method":"GET","path":""}],"outbound":[{"id":"r","atNs":1,"method":"GET","route":"/x","host":"h","chaos":{}}]}`,
		`[{"service":"svc","loadStartsNs":null,"loadEndsNs":null,"mocked":null,"matched":null,
		"inbound":[{"id":"r","atNs":1,"durationNs":null,"protocol":null,"method":"GET","path":"","route":null,"status":null,"traceId":null}],
		"outbound":[{"id":"r","atNs":1,"method":"GET","route":"/x","host":"h","parent":null,"resend":null,
			"chaos":{"rule":null,"effects":null,"status":null,"delayNs":null}}]}]`,
		`{"service":"svc","matched":{"x":null},"inbound":[{"id":"r","atNs":1,"method":"GET","path":""}],"outbound":[{"id":"r","atNs":1,"method":"GET","route":"/x","host":"h","chaos":{"effects":[]}}]}`,
	} {
		all, wrong := decode(t, text)
		if wrong != "" || len(all) != 1 {
			t.Fatalf("%s: %s", text, wrong)
		}
		r := all[0]
		if r.HasLoadEnds || r.Mocked != recording.Unsaid || len(r.Matched) > 0 || r.Inbound[0].HasDuration || r.Inbound[0].Protocol != "http" {
			t.Errorf("%+v", r)
		}
		if c := r.Outbound[0].Chaos; c == nil || c.HasDelay || c.HasStatus || c.Rule != "" || len(c.Effects) > 0 {
			t.Errorf("%+v", c)
		}
	}
}

// TestOwnProblems changes one thing of a recording; each is said with its place.
func TestOwnProblems(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"service":"svc",`, ``, `1:1: service: "service" is missing`},
		{`"service":"svc"`, `"service":null`, `1:12: service: must be text`},
		{`"loadStartsNs":5`, `"loadStartsNs":-5`, `loadStartsNs: must be at least 0, not -5`},
		{`"loadStartsNs":5`, `"loadStartsNs":5.5`, `loadStartsNs: must be a whole number`},
		{`"loadStartsNs":5`, `"loadStart":5`, `loadStart: "loadStart" is not a key here; did you mean "loadStartsNs"?`},
		{`"mocked":true`, `"mocked":false`, `mocked: is false, but a call of this recording was perturbed`},
		{`"x":3`, `"x":-1`, `matched.x: must be`},
		{`"y":0`, `"x":0`, `"x" is written twice`},
		{`"id":"r","atNs"`, `"atNs"`, `inbound[0].id: "id" is missing`},
		{`"id":"r","atNs"`, `"id":"","atNs"`, `inbound[0].id: must not be empty`},
		{`"id":"d"`, `"id":"c"`, `outbound[1].id: is the id of an earlier call`},
		{`"atNs":1`, `"atNs":null`, `inbound[0].atNs: must be a whole number, not null`},
		{`"atNs":1,`, ``, `inbound[0].atNs: "atNs" is missing`},
		{`"durationNs":2`, `"durationNs":null`, `inbound[0]: needs "durationNs", for it was answered`},
		{`"durationNs":2`, `"durationNs":"2ms"`, `inbound[0].durationNs: must be a whole number, not "2ms"`},
		{`"method":"GET","path":"/a"`, `"path":"/a"`, `inbound[0].method: "method" is missing`},
		{`"path":"/a","route":"/{a}"`, `"path":null,"route":null`, `inbound[0]: needs a "path" or a "route"`},
		{`"status":200`, `"status":2000`, `inbound[0].status: must be a whole number from 0 to 999, not 2000`},
		{`"traceId":"t"`, `"traceId":7`, `inbound[0].traceId: must be text`},
		{`"traceId":"t"`, `"traceId":"t","host":"h"`, `inbound[0].host: "host" is not a key here`},
		{`"traceId":"t"`, `"traceId":"t","id":"r"`, `inbound[0].id: "id" is written twice`},
		{`"host":"h",`, ``, `outbound[0].host: "host" is missing`},
		{`"resend":2`, `"resend":-1`, `outbound[0].resend: must be`},
		{`"chaos":{"rule":"x"`, `"chaos":{"rules":"x"`, `outbound[0].chaos.rules: "rules" is not a key here; did you mean "rule"?`},
		{`["status","odd"]`, `["status",7]`, `outbound[0].chaos.effects[1]: must be text`},
		{`["status","odd"]`, `"status"`, `outbound[0].chaos.effects: must be a list`},
		{`"delayNs":0`, `"delayNs":-1`, `outbound[0].chaos.delayNs: must be at least 0, not -1`},
	} {
		text := strings.Replace(whole, c.from, c.to, 1)
		if text == whole {
			t.Fatalf("%s is not there", c.from)
		}
		if _, wrong := decode(t, text); !strings.Contains(wrong, c.want) || strings.Count(wrong, "\n") > 0 {
			t.Errorf("%s for %s:\n got %s\nwant %s", c.to, c.from, wrong, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{`[]`, "1:1: must hold at least one recording"},
		{`7`, "1:1: must be an object, not 7"},
		{`[` + whole + `,` + whole + `]`, `[1]: is the second recording of service "svc"; there is one a service`},
		{`{"service":"svc","inbound":[7]}`, "inbound[0]: must be an object, not 7"},
	} {
		if _, wrong := decode(t, c.text); !strings.Contains(wrong, c.want) || strings.Count(wrong, "\n") > 0 {
			t.Errorf("%s:\n got %s\nwant %s", c.text, wrong, c.want)
		}
	}
}

// FuzzOwn reads anything; whatever is accepted grades, and reads the same after it was written.
func FuzzOwn(f *testing.F) {
	f.Add([]byte(`{"recording":` + whole + `,"chaos":{"rules":[{"id":"x","duration":"1s","effects":[{"latency":"2x"}]}]}}`))
	f.Add([]byte(`{"recording":[{"service":"a"},{"service":"b","mocked":false}],"grading":{"role":"required"}}`))
	f.Add([]byte(`{"recording":{"service":"a","outbound":[{"id":"c","atNs":9223372036854775807,"method":"","route":"/","host":"","chaos":{"effects":["latency"]}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		in, problems := grading.ReadInput(text)
		if in == nil {
			if len(problems) == 0 {
				t.Fatal("refused without a reason")
			}
			return
		}
		want := string(grading.Grade(in).AppendJSON(nil))
		written := in.AppendJSON(nil)
		again, problems := grading.ReadInput(written)
		if again == nil {
			t.Fatal(problems, string(written))
		}
		if got := string(grading.Grade(again).AppendJSON(nil)); got != want {
			t.Fatalf("\n got %s\nwant %s", got, want)
		}
	})
}
