package policy_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// rewrite writes what happens into the stories instead of comparing it. Read the difference: the
// specification is right, not the machine.
var rewrite = flag.Bool("rewrite", false, "write what happens into testdata/call")

// TestCallStories tells the stories of testdata/call: rule after rule, what was asked, and what the
// call machine did. A story is a line "story IDS: sentence" and steps of commands, "----" and what
// they did, up to an empty line; "#" begins a remark. IDS are checks of executor.md 23 or, with a
// letter B before them, of breaker.md 14. Settings lines are in call_words_test.go. The commands:
//
//	call [LEVEL:] SCRIPT      one call from its beginning to its end, and all that it leaves behind
//	begin NAME [LEVEL:] SCRIPT  one call up to its first wait; further calls go on beside it
//	+5s                       let time pass
//	warm N SCRIPT             N calls, one after the other, about which nothing is told
//	many N [LEVEL:] SCRIPT    the same, with a count of what they raised
//	copy                      another copy of the policy, with the same bucket
//	draws X...                the next draws of the jitter stream; then 0.5
//	spend N                   take tokens from the bucket
//	queue DELAY NORMAL        what the caller's pool reads from now on; queue gone ends it
//	record N KIND TIME        show the breaker N attempts
//	isolate, reset            by hand
//	show WHAT...              readings: ceiling base threshold normal breaker hint tokens refill
//
// What is told begins with the time since the command began. Lines with an arrow are what the
// machine asks of its driver, the others its events.
func TestCallStories(t *testing.T) {
	files, err := filepath.Glob("testdata/call/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			told := tellAll(t, string(text))
			if *rewrite && told != string(text) {
				if err := os.WriteFile(file, []byte(told), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// tellAll runs the stories of a file and returns the file as it should be.
func tellAll(t *testing.T, text string) string {
	var out []string
	var s *teller
	var commands []string
	title := "before the first story"
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out = append(out, line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "story "):
			title, s, commands = line, newTeller(t), nil
		case line != "----":
			commands = append(commands, line)
		case s == nil:
			t.Fatal("commands before the first story")
		default:
			want := i + 1
			for i+1 < len(lines) && lines[i+1] != "" {
				i++
			}
			got := s.tell(title, commands)
			if expected := lines[want : i+1]; !*rewrite && !slices.Equal(got, expected) {
				t.Errorf("line %d, %s:\ngot\n%s\nwant\n%s", want, title, strings.Join(got, "\n"), strings.Join(expected, "\n"))
			}
			out, commands = append(out, got...), nil
		}
	}
	if commands != nil {
		t.Errorf("%s: commands without ----", title)
	}
	return strings.Join(out, "\n")
}

// teller is one story: a driver and the policy that its calls run under.
type teller struct {
	t        *testing.T
	d        *driver
	settings policy.Settings
	shared   *policy.Bucket
	live     *policy.Live // nil until the settings are complete
	title    string
	origin   ticks.Ticks // when the command began
	out      []string
}

func newTeller(t *testing.T) *teller {
	s := &teller{t: t}
	s.d = newDriver(func(format string, args ...any) { t.Errorf(s.title+": "+format, args...) })
	return s
}

// tell does commands and returns what they did.
func (s *teller) tell(title string, commands []string) []string {
	s.title, s.out = title, nil
	for _, c := range commands {
		if err := s.do(c); err != nil {
			s.t.Fatalf("%s: %s: %v", title, c, err)
		}
	}
	return s.out
}

func (s *teller) do(command string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	words := strings.Fields(command)
	verb, words := words[0], words[1:]
	if s.live == nil {
		if ok, err := set(&s.settings, verb, words); ok {
			return err
		}
		if problems := s.settings.Validate(); problems != nil {
			return fmt.Errorf("%v", problems)
		}
		if b := s.settings.Budget.Bucket; b != nil {
			bucket := policy.NewBucket(*b, s.d.now)
			s.shared = &bucket
		}
		s.live = s.d.live(&s.settings, s.shared)
	}
	s.origin = s.d.now
	if rest, ok := strings.CutPrefix(verb, "+"); ok {
		s.listen(true)
		s.d.run(s.d.now + duration(rest))
		return nil
	}
	return s.act(verb, words, strings.TrimSpace(strings.TrimPrefix(command, verb)))
}

func (s *teller) act(verb string, words []string, rest string) error {
	switch verb {
	case "call":
		s.listen(true)
		return s.call("", rest)
	case "begin":
		s.listen(true)
		name, rest, _ := strings.Cut(rest, " ")
		return s.begin(name, rest)
	case "warm":
		s.listen(false)
		return s.repeat(rest)
	case "many":
		s.listen(false)
		before, calls := s.live.Counts, len(s.d.calls)
		if err := s.repeat(rest); err != nil {
			return err
		}
		s.count(before, calls)
	case "copy":
		s.live = s.d.live(&s.settings, s.shared)
	case "draws":
		s.d.draws = nil
		for _, w := range words {
			s.d.draws = append(s.d.draws, decimal(w))
		}
	case "spend":
		granted := 0
		for range number(words[0]) {
			if s.shared.TrySpend(s.d.now, false) {
				granted++
			}
		}
		s.out = append(s.out, fmt.Sprintf("%d granted", granted))
	case "queue":
		s.live.Queue = policy.QueueReading{}
		if words[0] != "gone" {
			s.live.Queue = policy.QueueReading{Delay: duration(words[0]), Normal: duration(words[1]), Known: true}
		}
	case "record":
		kind := map[string]policy.Kind{"Ok": policy.Ok, "Transient": policy.Transient}[words[1]]
		for range number(words[0]) {
			s.live.Circuit.TryEnter(s.d.now)
			s.live.Circuit.Record(s.d.now, kind, duration(words[2]), s.d.draw)
		}
	case "isolate":
		s.live.Circuit.Isolate(s.d.now)
	case "reset":
		s.live.Circuit.Reset()
	case "show":
		for _, w := range words {
			s.out = append(s.out, w+" "+s.reading(w))
		}
	default:
		return fmt.Errorf("no such command")
	}
	return nil
}

// listen says whether the story hears what happens.
func (s *teller) listen(on bool) {
	s.d.note = nil
	if on {
		s.d.note = func(c *call, line string) {
			if c != nil && c.name != "" {
				line = c.name + ": " + line
			}
			s.out = append(s.out, fmt.Sprintf("%10s  %s", s.d.now-s.origin, line))
		}
	}
}

func (s *teller) begin(name, text string) error {
	level := policy.Critical
	if before, after, ok := strings.Cut(text, ": "); ok {
		if level, ok = policy.ParseLevel(before); !ok {
			return fmt.Errorf("no level %q", before)
		}
		text = after
	}
	does, err := script(text)
	if err != nil {
		return err
	}
	c := s.d.begin(s.live, name, level, does)
	c.name = name
	return nil
}

func (s *teller) call(name, text string) error {
	if err := s.begin(name, text); err != nil {
		return err
	}
	s.d.run(ticks.Max)
	for _, c := range s.d.calls {
		if !c.done {
			return fmt.Errorf("call %s never ends", c.name)
		}
	}
	return nil
}

func (s *teller) repeat(text string) error {
	n, text, _ := strings.Cut(text, " ")
	for range number(n) {
		if err := s.call("", text); err != nil {
			return err
		}
	}
	return nil
}

// count tells how the calls from a number on ended, and the events raised since before.
func (s *teller) count(before [policy.EventKinds]int, first int) {
	var ends [policy.Stops]int
	for _, c := range s.d.calls[first:] {
		ends[c.Stop]++
	}
	var words []string
	for why, n := range ends {
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, stopNames[why]))
		}
	}
	s.out = append(s.out, "calls: "+strings.Join(words, ", "))
	words = nil
	for k, n := range s.live.Counts {
		if n -= before[k]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, policy.EventKind(k)))
		}
	}
	s.out = append(s.out, "events: "+strings.Join(words, ", "))
}

func (s *teller) reading(what string) string {
	span := func(d ticks.Ticks, ok bool) string {
		if !ok {
			return "none"
		}
		return d.String()
	}
	now, c := s.d.now, &s.live.Circuit
	switch what {
	case "breaker":
		return c.State(now).String()
	case "probes":
		return fmt.Sprint(c.Probes())
	case "hint":
		return span(c.RetryAfter(now))
	case "normal":
		return span(c.NormalLatency(now))
	case "tokens":
		if n, ok := s.live.BudgetLevel(now); ok {
			return fmt.Sprint(n)
		}
		return "none"
	case "refill":
		b := *s.shared
		return span(b.Hint(now))
	}
	r := s.live.Readings(now)
	switch what {
	case "ceiling":
		return span(r.Ceiling.Value, r.Ceiling.Known)
	case "base":
		return span(r.Base.Value, r.Base.Known)
	case "threshold":
		return span(r.HedgeThreshold.Value, r.HedgeThreshold.Known)
	}
	panic("no reading " + what)
}
