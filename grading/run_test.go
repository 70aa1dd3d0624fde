package grading

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/scenario"
	"squall/engine/ticks"
	"squall/engine/world"
)

// TestFromRun makes a recording by hand and looks at every part of what it becomes.
func TestFromRun(t *testing.T) {
	topology := &engine.Topology{Chaos: &world.Chaos{Rules: []world.ChaosRule{{ID: "x", Percent: 100, MaxLatency: 30 * ticks.Second, Effects: []world.ChaosEffect{
		{Kind: world.EffectLatency, LatencyFactor: 2.5}, {Kind: world.EffectNoResponse}, {Kind: world.EffectStatus, Status: 503}}}}}}
	report := &measure.Report{Duration: 9 * ticks.Second, Recording: &measure.Recording{Services: []measure.ServiceRecording{
		{Service: "idle", Inbound: []measure.InboundCall{{At: 1, Duration: 2, Status: 200}}},
		{Service: "1234", Matched: []int{4},
			Inbound: []measure.InboundCall{{At: 10, Duration: 20, Status: 200}, {At: 30, Duration: 5, Status: 504}},
			Outbound: []measure.OutboundCall{
				{At: 11, Duration: 3, To: "dep", Status: 200, Parent: 0, Rule: -1},
				{At: 31, Duration: 4, To: "dep", Status: 503, Parent: 1, Rule: 0, Effects: []int{2, 0}, ChaosStatus: 503, Delay: 7},
			}},
	}}}
	in := FromRun(report, topology, Settings{})
	want := `{"squall":1,"recording":{"service":"1234","loadStartsNs":0,"loadEndsNs":9000000000,"mocked":true,"matched":{"x":4},"inbound":[` +
		`{"id":"r1","atNs":1000,"durationNs":2000,"protocol":"http","method":"GET","path":null,"route":"/1234","status":200,"traceId":null},` +
		`{"id":"r2","atNs":3000,"durationNs":500,"protocol":"http","method":"GET","path":null,"route":"/1234","status":504,"traceId":null}],"outbound":[` +
		`{"id":"c1","atNs":1100,"durationNs":300,"protocol":"http","host":"dep","method":"GET","path":null,"route":"/dep","status":200,"traceId":null,"parent":"r1","resend":0,"chaos":null},` +
		`{"id":"c2","atNs":3100,"durationNs":400,"protocol":"http","host":"dep","method":"GET","path":null,"route":"/dep","status":503,"traceId":null,"parent":"r2","resend":0,` +
		`"chaos":{"rule":"x","effects":["status","latency"],"status":503,"delayNs":700}}]},` +
		`"chaos":{"rules":[{"id":"x","scope":{},"percent":100,"startAfter":"0s","sticky":false,"maxLatency":"30s","effects":[{"latency":"2.5x"},{"noResponse":true},{"status":503}]}]},` +
		`"grading":{"role":"off","bounds":{"maxRetries":3,"maxLatencyAmplification":2,"recoveryWindow":"30s"},"ladder":{"A":99,"B":95,"C":90,"D":80},"accept":[]}}` + "\n"
	if got := in.AppendJSON(nil); string(got) != want {
		t.Errorf("\n got %s\nwant %s", firstDifference(got, []byte(want)), firstDifference([]byte(want), got))
	}
	r := Grade(in).Services[0]
	if r.Faults.Span != 1 || len(r.Findings) != 1 || r.Findings[0].Endpoint != "GET /1234" || r.Findings[0].Dependency != "dep GET /dep" || r.Rules[0].Rule.Matched != 4 {
		t.Errorf("%+v", r)
	}
	if in := FromRun(&measure.Report{}, &engine.Topology{}, Settings{}); len(in.Recordings) > 0 || len(in.Rules) > 0 {
		t.Errorf("%+v", in)
	}
}

// TestEffectsAreWrittenBack writes every effect as a document, with and without the text it had.
func TestEffectsAreWrittenBack(t *testing.T) {
	for _, text := range []string{`{"latency":"1500ms"}`, `{"latency":"100ms-2s"}`, `{"latency":"3x"}`, `{"status":503}`, `{"connection":"refuse"}`,
		`{"connection":"reset"}`, `{"connection":"stall"}`, `{"connection":"drop"}`, `{"body":"corrupt"}`, `{"body":"truncate"}`,
		`{"noResponse":true}`, `{"status":500,"percent":12.5}`, `{"latency":"2s","percent":50}`} {
		in, problems := ReadInput([]byte(`{"recording":{"service":"s"},"chaos":{"rules":[{"id":"x","effects":[` + text + `]}]}}`))
		if in == nil {
			t.Fatal(problems)
		}
		e := in.Rules[0].Effects[0]
		if got := string(appendEffect(nil, &e)); got != text {
			t.Errorf("%s became %s", text, got)
		}
		e.Text = ""
		again, problems := ReadInput([]byte(`{"recording":{"service":"s"},"chaos":{"rules":[{"id":"x","effects":[` + string(appendEffect(nil, &e)) + `]}]}}`))
		if again == nil {
			t.Fatal(problems)
		}
		made := again.Rules[0].Effects[0]
		if made.Text = ""; made != e {
			t.Errorf("%+v became %+v", e, made)
		}
	}
}

// TestScenarios runs and grades scenarios of one failure mode each. The same run gives the same bytes,
// and so does the recording that it is written as.
func TestScenarios(t *testing.T) {
	for _, c := range []struct {
		name   string
		letter Letter
		check  Check
		clean  bool
	}{
		{"passes-faults-through", F, ErrorPassedThrough, false},
		{"retries-without-bound", F, UnboundedRetries, false},
		{"waits-three-times", F, LatencyAmplification, false},
		{"never-recovers", F, NoRecovery, false},
		{"does-everything-right", A, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := scenario.Read(readFile(t, "testdata/scenarios", c.name+".json"), scenario.Options{})
			if s == nil {
				t.Fatal(problems)
			}
			topology := s.Topology
			topology.RecordCalls = true
			report, err := engine.Run(context.Background(), &topology, s.Seed, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			in := FromRun(report, &topology, ReadSettings(s.Grading))
			graded := Grade(in)
			r := &graded.Services[0]
			found := false
			for _, f := range r.Findings {
				found = found || f.Check == c.check
			}
			if len(graded.Services) != 1 || graded.Overall != c.letter || found == c.clean || c.clean && len(r.Findings) > 0 {
				t.Errorf("%s, %s", graded.Overall, r.checks())
			}
			if r.Faults.Span != r.Faults.Injected || r.Rules[0].Rule.Matched != r.Faults.Injected {
				t.Errorf("%+v, %+v", r.Faults, r.Rules[0])
			}
			again, problems := ReadInput(in.AppendJSON(nil))
			if again == nil {
				t.Fatal(problems)
			}
			if x, y := graded.AppendJSON(nil), Grade(again).AppendJSON(nil); !bytes.Equal(x, y) || !json.Valid(x) {
				t.Errorf("\n%s\n%s", firstDifference(x, y), firstDifference(y, x))
			}
		})
	}
}
