package scenario

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"squall/engine/document"
	"squall/engine/measure"
	"squall/engine/ticks"
	"squall/engine/world"
)

var scopeTable = newTable("scope",
	"Which calls a rule claims; a key that is missing matches all.",
	text("to", "The dependency or service that is called; in a recording the host.", "grading.md 3", func(s *world.ChaosScope) *string { return &s.To }),
	text("from", "The service that calls.", "grading.md 3", func(s *world.ChaosScope) *string { return &s.From }),
	text("method", "The method, in any case.", "grading.md 3", func(s *world.ChaosScope) *string { return &s.Method }),
	text("path", "The path or route; a * at its end is any rest.", "grading.md 3", func(s *world.ChaosScope) *string { return &s.Path }),
).loosely()

// effect is one entry of effects while it is read: it must hold one of its kinds.
type effect struct {
	world.ChaosEffect
	kinds int
}

func (e *effect) is(kind world.EffectKind, text string) {
	e.kinds++
	e.Kind, e.Text = kind, text
}

// connections and bodies are the words of both keys, in the order of their kinds.
var (
	connections     = []string{"refuse", "reset", "stall", "drop"}
	connectionKinds = []world.EffectKind{world.EffectRefuse, world.EffectReset, world.EffectStall, world.EffectDrop}
	bodies          = []string{"corrupt", "truncate"}
	bodyKinds       = []world.EffectKind{world.EffectCorrupt, world.EffectTruncate}
)

var effectTable = newTable("effect",
	"One thing that a rule does to a call.",
	custom(Key{Name: "latency", Type: Type{Kind: TextType}, Doc: `A delay on top: "2s", a range "100ms-2s", or a multiple of the served latency "3x".`, Section: "grading.md 3"}, readLatency),
	custom(Key{Name: "status", Type: Type{Kind: IntegerType, Range: "[100,599]"}, Doc: "Answers with this status.", Section: "grading.md 3"},
		func(_ *reader, v document.Value, e *effect) {
			e.is(world.EffectStatus, "status "+v.Raw())
			if n, ok := v.Int(100, 599); ok {
				e.Status = int(n)
			}
		}),
	custom(Key{Name: "connection", Type: Type{Kind: WordsType, Words: connections}, Doc: "refuse fails at once, reset and drop after the served latency, stall holds the call up to maxLatency.", Section: "grading.md 3"},
		func(_ *reader, v document.Value, e *effect) {
			i, _ := v.Enum(connections...)
			e.is(connectionKinds[i], "connection "+connections[i])
		}),
	custom(Key{Name: "body", Type: Type{Kind: WordsType, Words: bodies}, Doc: "The answer arrives broken.", Section: "grading.md 3"},
		func(_ *reader, v document.Value, e *effect) {
			i, _ := v.Enum(bodies...)
			e.is(bodyKinds[i], "body "+bodies[i])
		}),
	custom(Key{Name: "noResponse", Type: Type{Kind: BoolType}, Doc: "The connection is closed without an answer; always true.", Section: "grading.md 3"},
		func(_ *reader, v document.Value, e *effect) {
			e.is(world.EffectNoResponse, "no-response")
			if b, ok := v.Bool(); ok && !b {
				v.Problem("must be true; leave the effect out instead")
			}
		}),
	custom(Key{Name: "percent", Type: Type{Kind: NumberType, Range: "[0,100]"}, Default: "100", Doc: "How likely the effect is, by itself, once the rule fires.", Section: "grading.md 3"},
		func(_ *reader, v document.Value, e *effect) {
			e.Percent, e.HasPercent = v.Float()
		}),
).loosely()

// readLatency reads "2s", "100ms-2s" or "3x".
func readLatency(_ *reader, v document.Value, e *effect) {
	e.is(world.EffectLatency, "latency")
	if v.Kind() == document.Number {
		v.Duration("ms")
		return
	}
	written, ok := v.Text()
	if !ok {
		return
	}
	e.Text = "latency " + written
	if factor, ok := strings.CutSuffix(written, "x"); ok {
		x, err := strconv.ParseFloat(factor, 64)
		if err != nil || !(x >= 1 && x <= math.MaxFloat64) || strings.Trim(factor, "0123456789.") != "" {
			v.Problem(v.Raw() + ` is no multiple of latency; write a number of at least 1 before the x, such as "3x"`)
			return
		}
		e.LatencyFactor = x
		return
	}
	low, high, isRange := strings.Cut(written, "-")
	if !isRange {
		high = low
	}
	var errLow, errHigh error
	e.LatencyLow, errLow = document.ParseDuration(low)
	e.LatencyHigh, errHigh = document.ParseDuration(high)
	if errLow != nil || errHigh != nil {
		v.Problem(v.Raw() + ` is no latency; write a duration "2s", a range "100ms-2s" or a multiple "3x"`)
		e.LatencyLow, e.LatencyHigh = 0, 0
	}
}

const maxLatencyMost, maxLatencyUsual = 60 * ticks.Second, 30 * ticks.Second

var ruleTable = newTable("rule",
	"A fault that is injected into calls while its window is open. The first rule that matches a call claims it.",
	text("id", "Names the rule in reports; no two rules have the same.", "grading.md 3", func(c *world.ChaosRule) *string { return &c.ID }).required(),
	text("name", "Shown instead of the id.", "grading.md 3", func(c *world.ChaosRule) *string { return &c.Name }),
	custom(Key{Name: "scope", Type: Type{Kind: ObjectType, Object: scopeTable.name, Or: []Type{{Kind: NullType}}}, Default: "{}", Doc: "Which calls it claims.", Section: "grading.md 3"},
		func(r *reader, v document.Value, c *world.ChaosRule) { scopeTable.read(r, v, &c.Scope) }),
	number("percent", "100", "[0,100]", "How many of 100 claimed calls it perturbs.", "grading.md 3", func(c *world.ChaosRule) *float64 { return &c.Percent }),
	span("startAfter", "0s", "s", "[0,)", "When the window opens, from when load starts.", "grading.md 3", func(c *world.ChaosRule) *ticks.Ticks { return &c.StartAfter }),
	span("duration", "", "s", "(0,)", "How long the window is open; missing: to the end.", "grading.md 3", func(c *world.ChaosRule) *ticks.Ticks { c.HasDuration = true; return &c.Duration }),
	flag("sticky", "false", "Rolls once for a caller instead of for every call.", "grading.md 3", func(c *world.ChaosRule) *bool { return &c.Sticky }),
	custom(Key{Name: "maxLatency", Type: Type{Kind: DurationType, Range: "(0,)"}, Default: `"30s"`, Doc: "The longest that the rule may hold a call; at most 60s count.", Section: "grading.md 3"},
		func(_ *reader, v document.Value, c *world.ChaosRule) {
			if d, ok := v.Duration("s"); ok {
				c.MaxLatency = min(d, maxLatencyMost)
			}
		}),
	custom(Key{Name: "effects", Type: Type{Kind: ListType, Of: &Type{Kind: ObjectType, Object: effectTable.name}}, Default: "[]", Doc: "What it does to a call.", Section: "grading.md 3"}, readEffects),
	custom(Key{Name: "matched", Type: Type{Kind: IntegerType, Range: "[0,)"}, Doc: "How many calls the rule matched; of recordings only, a run counts itself.", Section: "grading.md 3"},
		func(_ *reader, v document.Value, c *world.ChaosRule) {
			if n, ok := v.Int(0, IntegerMax); ok {
				c.Matched, c.HasMatched = int(n), true
			}
		}),
).loosely()

func readEffects(r *reader, v document.Value, c *world.ChaosRule) {
	n := 0
	for item := range v.List() {
		if n++; n > EffectsMax {
			tooMany(v, "effects", EffectsMax)
			return
		}
		var e effect
		effectTable.read(r, item, &e)
		if item.Kind() == document.Object && e.kinds != 1 {
			item.Problem(`must hold one of "latency", "status", "connection", "body" and "noResponse"`)
		}
		if e.HasPercent {
			e.Text = string(measure.AppendNumber([]byte(e.Text+" @"), e.Percent)) + "%"
		}
		c.Effects = append(c.Effects, e.ChaosEffect)
	}
}

var chaosTable = newTable("chaos",
	"Faults to inject; without rules a run is untouched.",
	list("rules", RulesMax, ruleTable, "The rules, the first that matches a call claims it.", "grading.md 3",
		func() world.ChaosRule { return world.ChaosRule{Percent: 100, MaxLatency: maxLatencyUsual} },
		func(c *world.Chaos, rule world.ChaosRule) {
			if rule.Name == "" {
				rule.Name = rule.ID
			}
			c.Rules = append(c.Rules, rule)
		}),
).loosely()

// ReadChaos reads the value of "chaos" (grading.md 3) of any document and reports what is wrong
// with it to that document. A value that is missing or null has no rules.
func ReadChaos(v document.Value) *world.Chaos {
	c := &world.Chaos{}
	if !v.Exists() || v.Kind() == document.Null {
		return c
	}
	r := &reader{doc: v.Document()}
	chaosTable.read(r, v, c)
	r.finishReading()
	r.check(v, c.Validate())
	return c
}

// gradingShape is the value of "grading" while it is checked; the grader reads it by itself.
type gradingShape struct {
	retries   int
	thousands float64
	window    ticks.Ticks
	ladder    [4]float64
}

var checks = []string{"error_passed_through", "unbounded_retries", "latency_amplification", "no_recovery"}

var boundsTable = newTable("bounds",
	"What counts as handling a fault well. A bound at or below zero takes its default.",
	integer("maxRetries", "3", "", "How many attempts beyond its usual ones a request may make.", "grading.md 6", func(g *gradingShape) *int { return &g.retries }),
	custom(Key{Name: "maxLatencyAmplification", Type: Type{Kind: NumberType}, Default: "2", Doc: "How many times the injected delay a request may slow down by; at most three decimals.", Section: "grading.md 7"},
		func(_ *reader, v document.Value, g *gradingShape) { readThousandths(v, &g.thousands) }),
	custom(Key{Name: "recoveryWindow", Type: Type{Kind: DurationType}, Default: `"30s"`, Doc: "How long an endpoint has to answer again once its rule stopped firing.", Section: "grading.md 6"},
		func(_ *reader, v document.Value, g *gradingShape) {
			// like every bound, a negative one takes the default
			if text := v.Raw(); len(text) > 2 && text[1] == '-' {
				if _, err := document.ParseDuration(text[2 : len(text)-1]); err == nil {
					return
				}
			}
			g.window, _ = v.Duration("s")
		}),
).loosely()

func rung(i int) row[[4]float64] {
	return custom(Key{Name: string(rune('A' + i)), Type: Type{Kind: NumberType, Range: "(0,100]"}, Required: true,
		Doc: "The percentage of handled faults that earns the letter; at most three decimals.", Section: "grading.md 7"},
		func(_ *reader, v document.Value, l *[4]float64) { readThousandths(v, &l[i]) })
}

var ladderTable = newTable("ladder", "The rungs of the letter, strictly descending.", rung(0), rung(1), rung(2), rung(3)).loosely()

// readThousandths reads a number of at most three decimals, so that it can be compared exactly.
func readThousandths(v document.Value, at *float64) {
	x, ok := v.Float()
	if !ok {
		return
	}
	// the nearest thousandth, read again, is the same double exactly when there are no more decimals
	if again, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 3, 64), 64); err != nil || again != x {
		v.Problem("is " + v.Raw() + "; it has at most three decimals")
		return
	}
	*at = x
}

var acceptTable = newTable("accept",
	"A finding that somebody decided to live with: it counts as handled.",
	text("service", "The service; missing: any.", "grading.md 7", func(a *accept) *string { return &a.service }),
	choice("check", "", checks, "The check that found it.", "grading.md 7", func(*accept, int) {}).required(),
	text("endpoint", `The inbound endpoint, such as "GET /cart/{id}".`, "grading.md 7", func(a *accept) *string { return &a.endpoint }).required(),
	text("rule", "The id of the chaos rule.", "grading.md 7", func(a *accept) *string { return &a.rule }).required(),
	custom(Key{Name: "reason", Type: Type{Kind: TextType}, Required: true, Doc: "Why; shown in reports.", Section: "grading.md 7"},
		func(_ *reader, v document.Value, _ *accept) {
			if reason, ok := v.Text(); ok && strings.TrimSpace(reason) == "" {
				v.Problem("must say why the finding is accepted")
			}
		}),
).loosely()

// accept is an entry of accept while it is checked.
type accept struct{ service, endpoint, rule string }

var roles = []string{"off", "advisory", "required"}

var gradingTable = newTable("grading",
	"How the run is graded.",
	choice("role", "off", roles, "off is shown on request, advisory is shown and fails nothing, required counts.", "grading.md 7", func(*gradingShape, int) {}),
	custom(Key{Name: "bounds", Type: Type{Kind: ObjectType, Object: boundsTable.name, Or: []Type{{Kind: NullType}}}, Default: "{}", Doc: boundsTable.doc, Section: "grading.md 7"},
		func(r *reader, v document.Value, g *gradingShape) { boundsTable.read(r, v, g) }),
	custom(Key{Name: "ladder", Type: Type{Kind: ObjectType, Object: ladderTable.name, Or: []Type{{Kind: NullType}}}, Default: `{"A":99,"B":95,"C":90,"D":80}`,
		Doc: "What earns which letter: all four rungs, strictly descending.", Section: "grading.md 7"}, readLadder),
	list("accept", DeclaredMax, acceptTable, "Findings that are accepted, each with its reason.", "grading.md 7",
		func() accept { return accept{} }, func(*gradingShape, accept) {}),
).loosely()

func readLadder(r *reader, v document.Value, g *gradingShape) {
	ladderTable.read(r, v, &g.ladder)
	complete := !slices.Contains(g.ladder[:], 0)
	for i, x := range g.ladder {
		switch {
		case !complete:
		case x <= 0 || x > 100:
			v.Problem("has a rung outside of 0 to 100; a rung is above 0 and at most 100")
			return
		case i > 0 && x >= g.ladder[i-1]:
			v.Problem("does not descend: each of A, B, C and D must be below the one before")
			return
		}
	}
}

// checkGrading says what is wrong with the value of "grading" (grading.md 2).
func checkGrading(r *reader, v document.Value) {
	if v.Exists() && v.Kind() != document.Null {
		gradingTable.read(r, v, &gradingShape{})
	}
}
