package grading

import (
	"strings"
	"testing"

	"squall/engine/ticks"
)

// readWith reads an input whose "grading" is as given.
func readWith(grading string) (*Input, string) {
	in, problems := ReadInput([]byte(`{"recording":{"service":"svc"},"grading":` + grading + `}`))
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	return in, strings.Join(lines, "\n")
}

func TestSettings(t *testing.T) {
	usual := Settings{Bounds: DefaultBounds, Ladder: DefaultLadder}
	with := func(change func(*Settings)) Settings {
		s := usual
		change(&s)
		return s
	}
	for _, c := range []struct {
		text string
		want Settings
	}{
		{`{}`, usual},
		{`null`, usual},
		{`{"role":null,"bounds":null,"ladder":null,"accept":null}`, usual},
		{`{"role":"required"}`, with(func(s *Settings) { s.Role = RoleRequired })},
		{`{"bounds":{"maxRetries":0,"maxLatencyAmplification":-1,"recoveryWindow":"-3s"}}`, usual},
		{`{"bounds":{"maxRetries":-9,"maxLatencyAmplification":0.0,"recoveryWindow":"0"}}`, usual},
		{`{"bounds":{"maxRetries":1,"maxLatencyAmplification":1.125,"recoveryWindow":"1500ms"}}`, with(func(s *Settings) {
			s.Bounds = Bounds{1, 1125, 1500 * ticks.Millisecond}
		})},
		{`{"bounds":{"maxLatencyAmplification":0.001}}`, with(func(s *Settings) { s.Bounds.MaxLatencyAmplification = 1 })},
		{`{"ladder":{"A":100,"B":66.67,"C":0.002,"D":0.001}}`, with(func(s *Settings) { s.Ladder = Ladder{100_000, 66_670, 2, 1} })},
	} {
		in, wrong := readWith(c.text)
		if in == nil {
			t.Errorf("%s: %s", c.text, wrong)
			continue
		}
		got := in.Settings
		if got.Role != c.want.Role || got.Bounds != c.want.Bounds || got.Ladder != c.want.Ladder || len(got.Accept) > 0 {
			t.Errorf("%s: %+v", c.text, got)
		}
	}
	in, wrong := readWith(`{"accept":[{"check":"unbounded_retries","endpoint":"GET /e","rule":"x","reason":"known"},
		{"service":null,"check":"no_recovery","endpoint":"","rule":"","reason":"r"}]}`)
	if in == nil {
		t.Fatal(wrong)
	}
	if want := (Acceptance{"", UnboundedRetries, "GET /e", "x", "known"}); len(in.Settings.Accept) != 2 || in.Settings.Accept[0] != want {
		t.Errorf("%+v", in.Settings.Accept)
	}
}

func TestSettingsProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"role":"needed"}`, `grading.role: must be "off", "advisory" or "required"`},
		{`{"bounds":{"maxRetries":1.5}}`, "grading.bounds.maxRetries: must be a whole number"},
		{`{"bounds":{"maxLatencyAmplification":2.0005}}`, "grading.bounds.maxLatencyAmplification: must have at most three decimals"},
		{`{"bounds":{"maxLatencyAmplification":1e30}}`, "grading.bounds.maxLatencyAmplification: must be at most 1000000000"},
		{`{"bounds":{"recoveryWindow":30}}`, `grading.bounds.recoveryWindow: a duration is text with a unit; did you mean "30s"?`},
		{`{"bounds":{"recoveryWindow":"-x"}}`, "grading.bounds.recoveryWindow:"},
		{`{"bounds":{"window":"30s"}}`, `grading.bounds.window: "window" is not a key here`},
		{`{"ladder":{"A":99,"B":95,"C":90}}`, `grading.ladder.D: "D" is missing`},
		{`{"ladder":{"A":99,"B":95,"C":90,"D":null}}`, "grading.ladder.D: must be a number, not null"},
		{`{"ladder":{"A":99,"B":99,"C":90,"D":80}}`, "grading.ladder: must descend strictly"},
		{`{"ladder":{"A":100.001,"B":95,"C":90,"D":80}}`, "grading.ladder: must descend strictly"},
		{`{"ladder":{"A":99,"B":95,"C":90,"D":0}}`, "grading.ladder: must descend strictly"},
		{`{"ladder":{"A":99,"B":95,"C":90,"D":80.0001}}`, "grading.ladder.D: must have at most three decimals"},
		{`{"accept":[{"check":"retries","endpoint":"e","rule":"r","reason":"x"}]}`, "grading.accept[0].check: must be"},
		{`{"accept":[{"check":"no_recovery","endpoint":"e","rule":"r","reason":" "}]}`, "grading.accept[0].reason: must say why"},
		{`{"accept":[{"check":"no_recovery","rule":"r","reason":"x"}]}`, `grading.accept[0].endpoint: "endpoint" is missing`},
		{`{"accept":[{"check":"no_recovery","endpoint":"e","rule":"r"}]}`, `grading.accept[0].reason: "reason" is missing`},
	} {
		if in, wrong := readWith(c.text); in != nil || !strings.Contains(wrong, c.want) || strings.Contains(wrong, "\n") {
			t.Errorf("%s:\n got %s\nwant %s", c.text, wrong, c.want)
		}
	}
}

func TestInputProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"squall":2,"recording":{"service":"s"}}`, "1:11: squall: was written for a newer version"},
		{`{"chaos":{}}`, `recording: "recording" is missing`},
		{`{"recording":{"service":"s"},"grade":{}}`, `grade: "grade" is not a key here`},
		{`{"recording":{"service":"s"},"chaos":{"rules":[{"id":"a"},{"id":"a"}]}}`, "chaos.rules[1].id"},
		{`{"recording":{"service":"s"}`, "1:"},
		{``, "1:1:"},
		{`[]`, "1:1: must be an object"},
	} {
		in, problems := ReadInput([]byte(c.text))
		if in != nil || len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, problems, c.want)
		}
	}
	if in, problems := ReadInput([]byte(`{"squall":1,"recording":{"service":"s"},"imported":{"anything":[1]},}`)); in == nil {
		t.Error(problems)
	}
	if in, problems := ReadConfig([]byte(`{"recording":{"service":"s"}}`)); in != nil || len(problems) != 1 {
		t.Error(problems)
	}
	if in, problems := ReadConfig([]byte(`{"grading":{"role":"advisory"}}`)); in == nil || in.Settings.Role != RoleAdvisory {
		t.Error(problems)
	}
}
