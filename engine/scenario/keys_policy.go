package scenario

import (
	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/ticks"
)

var jitters = []string{"full", "equal", "none"}

var ceilingTable = newTable("attemptCeiling",
	"A ceiling for one attempt at a multiple of measured latency. It can only lower attemptTimeout.",
	number("multiple", "3", "(1,)", "How many times the measured quantile an attempt may take.", "executor.md 2.5", func(c *policy.CeilingSettings) *float64 { return &c.Multiple }),
	number("quantile", "0.95", "[0.5,0.99]", "The quantile of successful attempts that is measured.", "executor.md 2.5", func(c *policy.CeilingSettings) *float64 { return &c.Quantile }),
	span("window", "5m", "s", "(0,)", "How far back measurements count.", "executor.md 2.5", func(c *policy.CeilingSettings) *ticks.Ticks { return &c.Window }),
	integer("minimumSamples", "20", "[1,)", "How many measurements it takes before the ceiling applies.", "executor.md 2.5", func(c *policy.CeilingSettings) *int { return &c.MinimumSamples }),
	span("floor", "50ms", "ms", "(0,)", "The lowest that the ceiling may go; below attemptTimeout.", "executor.md 2.5", func(c *policy.CeilingSettings) *ticks.Ticks { return &c.Floor }),
)

var measuredBaseTable = newTable("measuredBase",
	"A backoff base that follows measured normal latency.",
	number("multiple", "1", "(0,)", "How many times the measured quantile the base is.", "executor.md 2.4", func(m *policy.MeasuredBaseSettings) *float64 { return &m.Multiple }),
	number("quantile", "0.5", "(0,0.5]", "The quantile of successful attempts that is measured.", "executor.md 2.4", func(m *policy.MeasuredBaseSettings) *float64 { return &m.Quantile }),
	span("window", "5m", "s", "(0,)", "How far back measurements count.", "executor.md 2.4", func(m *policy.MeasuredBaseSettings) *ticks.Ticks { return &m.Window }),
	integer("minimumSamples", "20", "[1,)", "How many measurements it takes before the base follows them.", "executor.md 2.4", func(m *policy.MeasuredBaseSettings) *int { return &m.MinimumSamples }),
	number("spread", "10", "(1,)", "How far the base may move away from transientBase, as a factor in both directions.", "executor.md 2.4", func(m *policy.MeasuredBaseSettings) *float64 { return &m.Spread }),
)

// kindRow is the word that tells the curves apart; it was read before the table was chosen.
func kindRow(usual string) row[policy.BackoffSettings] {
	return custom(Key{Name: "kind", Type: Type{Kind: WordsType, Words: []string{usual}}, Default: quoted("exponential"),
		Doc: "How delays grow: exponential or constant.", Section: "executor.md 2.3"}, func(*reader, document.Value, *policy.BackoffSettings) {})
}

func jitterRow() row[policy.BackoffSettings] {
	return choice("jitter", "full", jitters, "How a delay is spread: full draws from 0 to the delay, equal from half of it, none takes it as it is.",
		"executor.md 2.3", func(b *policy.BackoffSettings, i int) { b.Jitter = policy.Jitter(i) })
}

func measuredRow() row[policy.BackoffSettings] {
	return part("measured", measuredBaseTable, "Lets the base follow measured latency; exponential curves only.", "executor.md 2.4",
		func() policy.MeasuredBaseSettings { return policy.MeasuredBase(1) },
		func(b *policy.BackoffSettings, m policy.MeasuredBaseSettings) { b.Measured = &m })
}

var exponentialTable = newTable("exponentialBackoff",
	"Delays that grow by a factor with every attempt.",
	kindRow("exponential"),
	span("transientBase", "100ms", "ms", "[0,)", "The first delay after a transient failure.", "executor.md 2.3", func(b *policy.BackoffSettings) *ticks.Ticks { return &b.TransientBase }),
	span("throttledBase", "1s", "ms", "[0,)", "The first delay after the callee, or a limiter, said that it is too much.", "executor.md 2.3", func(b *policy.BackoffSettings) *ticks.Ticks { return &b.ThrottledBase }),
	number("factor", "2", "(0,)", "How much longer each delay is than the one before.", "executor.md 2.3", func(b *policy.BackoffSettings) *float64 { return &b.Factor }),
	bound("maximumDelay", "30s", "[0,)", "The longest delay.", "executor.md 2.3", func(b *policy.BackoffSettings) *ticks.Ticks { return &b.MaximumDelay }),
	jitterRow(),
	measuredRow(),
)

var constantTable = newTable("constantBackoff",
	"The same delay before every attempt.",
	kindRow("constant"),
	custom(Key{Name: "delay", Type: Type{Kind: DurationType, Range: "[0,)"}, Required: true, Doc: "The delay, before jitter.", Section: "executor.md 2.3"},
		func(_ *reader, v document.Value, b *policy.BackoffSettings) {
			if d, ok := v.Duration("ms"); ok {
				*b = policy.ConstantBackoff(d)
			}
		}),
	span("throttledBase", "", "ms", "[0,)", "The delay after the callee, or a limiter, said that it is too much; delay when missing, and never above maximumDelay.", "executor.md 2.3", func(b *policy.BackoffSettings) *ticks.Ticks { return &b.ThrottledBase }),
	bound("maximumDelay", "", "[0,)", "The longest delay; delay when missing.", "executor.md 2.3", func(b *policy.BackoffSettings) *ticks.Ticks { return &b.MaximumDelay }),
	jitterRow(),
	measuredRow(),
)

var budgetTable = newTable("budget",
	"A bucket of retry tokens: successes pay in, retries take out.",
	number("fraction", "0.1", "(0,1]", "How much of a token every success pays in: the share of retries that it allows.", "executor.md 2.9", func(b *policy.BudgetSettings) *float64 { return &b.Fraction }),
	integer("minimumPerSecond", "3", "[0,)", "How many tokens flow in every second, whatever succeeds.", "executor.md 2.9", func(b *policy.BudgetSettings) *int { return &b.MinimumPerSecond }),
)

var sharedBudgetTable = newTable("sharedBudget",
	"A bucket of budgets that several policies share.",
	custom(Key{Name: "shared", Type: Type{Kind: TextType}, Required: true, Doc: "The bucket's name in budgets.", Section: "simulator.md 3"}, readShared),
)

var winRateTable = newTable("winRate",
	"Throttles hedges that do not win.",
	number("minimum", "0.2", "(0,1)", "The share of hedges that should win.", "executor.md 2.7", func(w *policy.WinRateSettings) *float64 { return &w.Minimum }),
	span("window", "1m", "s", "(0,)", "How far back wins count.", "executor.md 2.7", func(w *policy.WinRateSettings) *ticks.Ticks { return &w.Window }),
	integer("minimumSamples", "10", "[1,)", "How many hedges it takes before their wins count.", "executor.md 2.7", func(w *policy.WinRateSettings) *int { return &w.MinimumSamples }),
	number("minimumAllowance", "0.05", "[0,1)", "The share of hedges that is always allowed.", "executor.md 2.7", func(w *policy.WinRateSettings) *float64 { return &w.MinimumAllowance }),
)

var hedgeTable = newTable("hedge",
	"A second attempt beside a slow one: the first good answer wins.",
	number("quantile", "0.95", "[0.5,1)", "An attempt slower than this quantile of measured latency gets a second one beside it.", "executor.md 2.6", func(h *policy.HedgeSettings) *float64 { return &h.Quantile }),
	integer("maximumConcurrent", "2", "[2,)", "How many attempts may run beside each other, the first included.", "executor.md 2.6", func(h *policy.HedgeSettings) *int { return &h.MaximumConcurrent }),
	integer("minimumSamples", "20", "[1,)", "How many measurements it takes before hedges start.", "executor.md 2.6", func(h *policy.HedgeSettings) *int { return &h.MinimumSamples }),
	span("minimumDelay", "10ms", "ms", "[0,)", "The shortest wait before a hedge.", "executor.md 2.6", func(h *policy.HedgeSettings) *ticks.Ticks { return &h.MinimumDelay }),
	span("window", "30s", "s", "(0,)", "How far back measurements count.", "executor.md 2.6", func(h *policy.HedgeSettings) *ticks.Ticks { return &h.Window }),
	number("suppressAt", "0.5", "(0,1]", "No hedges once the error rate is at this share of the breaker's trip point.", "executor.md 2.6", func(h *policy.HedgeSettings) *float64 { return &h.SuppressAt }),
	part("winRate", winRateTable, "Throttles hedges by how often they win.", "executor.md 2.7",
		func() policy.WinRateSettings { return policy.WinRate(0.2) }, func(h *policy.HedgeSettings, w policy.WinRateSettings) { h.WinRate = &w }),
)

var saturationTable = newTable("saturation",
	"Tells a stalled pool of one's own process from a slow dependency, and keeps its delays out of what the policy measures.",
	number("multiple", "5", "(1,)", "How many times its normal delay the pool's queue must have.", "executor.md 2.8", func(s *policy.SaturationSettings) *float64 { return &s.Multiple }),
	span("floor", "20ms", "ms", "(0,)", "The shortest delay that counts as saturated.", "executor.md 2.8", func(s *policy.SaturationSettings) *ticks.Ticks { return &s.Floor }),
	integer("minimumSamples", "20", "[1,)", "How many readings, four a second, it takes before a normal delay is known.", "executor.md 2.8", func(s *policy.SaturationSettings) *int { return &s.MinimumSamples }),
)

var policyTable = newTable("policy",
	"How one call is made: attempts, bounds, backoff, budget, breaker, hedge.",
	choice("preset", "default", []string{"default", "http", "none", "instant"},
		"The starting values. default has every bound, backoff and a budget; http also names itself and judges HTTP answers; none makes one unbounded attempt; instant has no bounds, backoff or budget.",
		"executor.md 2.2", func(s *policy.Settings, i int) {
			*s = []func() policy.Settings{policy.Default, policy.HTTP, policy.None, policy.Instant}[i]()
		}),
	text("name", "Shown in timelines. Missing: the preset's name, else the key in policies; null: none.", "scenario.md 3", func(s *policy.Settings) *string { return &s.Name }).oneLine().
		orNull(func(s *policy.Settings) { s.Name = "" }).noDefault(),
	integer("attempts", "3", "[1,)", "How many attempts a call may make, the first included; hedged ones count.", "executor.md 2.1", func(s *policy.Settings) *int { return &s.Attempts }),
	bound("deadline", "30s", "(0,)", "The bound of the whole call, every attempt and pause included.", "executor.md 2.1", func(s *policy.Settings) *ticks.Ticks { return &s.Deadline }),
	bound("attemptTimeout", "10s", "(0,)", "The bound of one attempt.", "executor.md 2.1", func(s *policy.Settings) *ticks.Ticks { return &s.AttemptTimeout }),
	threeValued("attemptCeiling", "{}", ceilingTable,
		"A measured ceiling for an attempt. Missing: three times p95, if attemptTimeout is finite and above 50ms; null: off.", "executor.md 2.2",
		func() policy.CeilingSettings { return policy.Ceiling(3) },
		func(s *policy.Settings, c policy.CeilingSettings) { s.AttemptCeiling = policy.Give(c) },
		func(s *policy.Settings) { s.AttemptCeiling = policy.Disable[policy.CeilingSettings]() }),
	custom(Key{Name: "backoff", Type: Type{Kind: ObjectType, Object: exponentialTable.name,
		Or: []Type{{Kind: ObjectType, Object: constantTable.name}, {Kind: WordsType, Words: []string{"none"}}, {Kind: NullType}}}, Default: `{}`,
		Doc: "How long to wait before the next attempt. none is no wait at all; missing keys take the defaults of the kind.", Section: "executor.md 2.3"}, readBackoff),
	custom(Key{Name: "budget", Type: Type{Kind: ObjectType, Object: budgetTable.name,
		Or: []Type{{Kind: ObjectType, Object: sharedBudgetTable.name}, {Kind: WordsType, Words: []string{"automatic", "none"}}, {Kind: NullType}}}, Default: `"automatic"`,
		Doc: "What bounds retries: automatic is a bucket of each call's own, an object a bucket that all calls under this policy share, shared one of budgets.", Section: "executor.md 10.1"}, readBudgetChoice),
	part("breaker", breakerTable, "A circuit breaker, one for each call; {} has every default.", "breaker.md 1",
		policy.Breaker, func(s *policy.Settings, b policy.BreakerSettings) { s.Breaker = &b }),
	part("hedge", hedgeTable, "Sends a second attempt beside a slow one.", "executor.md 13",
		func() policy.HedgeSettings { return policy.Hedge(0.95) }, func(s *policy.Settings, h policy.HedgeSettings) { s.Hedge = &h }),
	part("saturation", saturationTable, "Notices that the caller's own pool is stalled.", "executor.md 16",
		func() policy.SaturationSettings { return policy.Saturation(5) }, func(s *policy.Settings, x policy.SaturationSettings) { s.Saturation = &x }),
	flag("useAmbientCriticality", "false", "Lets the level of a request hold back its retries and hedges.", "executor.md 15.1", func(s *policy.Settings) *bool { return &s.UseAmbientCriticality }),
	flag("adaptive", "true", "false takes away every default that is measured.", "executor.md 2.1", func(s *policy.Settings) *bool { return &s.Adaptive }),
)

// noDefault is for a row whose default depends on where it stands.
func (f row[T]) noDefault() row[T] {
	f.Default = ""
	return f
}

func readBackoff(r *reader, v document.Value, s *policy.Settings) {
	switch {
	case isWord(v, "none"):
		s.Backoff = policy.NoBackoff()
		return
	case v.Kind() == document.Text:
		v.Enum("none")
		return
	}
	kind, known := v.Member("kind").Enum("exponential", "constant")
	switch {
	case kind == 1:
		s.Backoff = policy.ConstantBackoff(0)
		constantTable.read(r, v, &s.Backoff)
	case known || !v.Member("kind").Exists():
		s.Backoff = policy.ExponentialBackoff()
		exponentialTable.read(r, v, &s.Backoff)
	}
}

func readBudgetChoice(r *reader, v document.Value, s *policy.Settings) {
	switch {
	case v.Kind() == document.Text:
		if i, ok := v.Enum("automatic", "none"); ok {
			s.Budget = policy.BudgetChoice{Kind: policy.BudgetKind(i)}
		}
	case v.Member("shared").Exists():
		sharedBudgetTable.read(r, v, s)
	default:
		b := policy.AutomaticBucket()
		budgetTable.read(r, v, &b)
		s.Budget = policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: &b}
	}
}

// readShared takes a bucket by its name; a name that nobody declared leaves the policy's budget.
func readShared(r *reader, v document.Value, s *policy.Settings) {
	name, ok := v.Text()
	if !ok {
		return
	}
	if b := r.budgets.find(name); b != nil {
		s.Budget = policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: *b}
		return
	}
	v.Problem(unknownName(name, "a bucket of budgets", r.budgets.names))
}
