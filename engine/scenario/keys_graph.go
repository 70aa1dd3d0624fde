package scenario

import (
	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// call is one call of a service while it is read.
type call struct {
	value    document.Value
	to       string
	toValue  document.Value
	policy   policySource
	limiter  *world.Limiter
	optional bool
}

// policySource is a policy and where it is written: at the call, or in policies.
type policySource struct {
	settings policy.Settings
	at       document.Value
	written  bool
}

var callTable = newTable("call",
	"One call: to whom, and under which policy.",
	custom(Key{Name: "to", Type: Type{Kind: TextType}, Required: true, Doc: "The service or dependency that is called.", Section: "scenario.md 4"},
		func(_ *reader, v document.Value, c *call) {
			c.to, _ = v.Text()
			c.toValue = v
		}),
	custom(Key{Name: "policy", Type: Type{Kind: ObjectType, Object: policyTable.name, Or: []Type{{Kind: TextType}, {Kind: NullType}}}, Default: "{}",
		Doc: "A policy of policies by its name, or one written in place.", Section: "scenario.md 3"},
		func(r *reader, v document.Value, c *call) { c.policy = r.policyOf(v) }),
	custom(Key{Name: "limiter", Type: limiterType, Default: "null", Doc: "Guards this call alone.", Section: "simulator.md 8"},
		func(r *reader, v document.Value, c *call) { c.limiter = readLimiter(r, v) }),
	flag("optional", "false", "A failure of this call does not fail the request, which succeeds degraded.", "scenario.md 4", func(c *call) *bool { return &c.optional }),
)

var (
	limiterType = Type{Kind: ObjectType, Object: limiterTable.name, Or: []Type{{Kind: NullType}}}
	poolType    = Type{Kind: ObjectType, Object: poolTable.name, Or: []Type{{Kind: NullType}}}
)

// service is one service while it is read.
type service struct {
	value        document.Value
	pool         world.Pool
	hasPool      bool
	poolValue    document.Value
	limiter      *world.Limiter
	limiterValue document.Value
	calls        []call
}

var serviceTable = newTable("service",
	"A process that makes calls, one after another in the order written.",
	custom(Key{Name: "pool", Type: poolType, Default: "null", Doc: "Its thread pool.", Section: "simulator.md 7.1"},
		func(r *reader, v document.Value, s *service) {
			s.pool, s.hasPool = readPool(r, v)
			s.poolValue = v
		}),
	custom(Key{Name: "limiter", Type: limiterType, Default: "null", Doc: "One limiter for all of its calls.", Section: "simulator.md 8"},
		func(r *reader, v document.Value, s *service) {
			s.limiter = readLimiter(r, v)
			s.limiterValue = v
		}),
	custom(Key{Name: "calls", Type: Type{Kind: ListType, Of: &Type{Kind: ObjectType, Object: callTable.name}}, Required: true,
		Doc: "Whom it calls for every request.", Section: "simulator.md 14"}, readCalls),
)

func readCalls(r *reader, v document.Value, s *service) {
	for item := range v.List() {
		if r.calls++; r.calls > DeclaredMax {
			tooMany(v, "calls of all services", DeclaredMax)
			return
		}
		c := call{value: item, policy: policySource{settings: policy.Default(), at: item}}
		callTable.read(r, item, &c)
		s.calls = append(s.calls, c)
	}
	if v.Kind() == document.List && len(s.calls) == 0 {
		v.Problem("is empty; a service that calls nobody is a dependency: declare it in dependencies")
	}
}

// draft is a scenario while it is read.
type draft struct {
	Scenario
	duration     ticks.Ticks
	record       bool
	services     names[service]
	dependencies names[world.Dependency]
	loads        []entry
	loadValues   []document.Value
	chaos        document.Value
	single       single
	expect       []expectation
	patches      []patch
}

// single is the shorthand (scenario.md 2).
type single struct {
	policy     document.Value
	dependency document.Value
	pool       document.Value
	limiter    document.Value
}

// expectation is a line of expect and where it stands.
type expectation struct {
	Expectation
	at document.Value
}

func mapOf(name string) Type { return Type{Kind: MapType, Of: &Type{Kind: ObjectType, Object: name}} }

var scenarioTable = newTable("scenario",
	"A run: who calls whom under which policies, what arrives, and what goes wrong.",
	custom(Key{Name: "squall", Type: Type{Kind: IntegerType, Range: "[1,1]"}, Default: "1", Doc: "The version of this format.", Section: "scenario.md 2"}, readVersion),
	text("title", "Shown above the run.", "scenario.md 2", func(d *draft) *string { return &d.Title }),
	text("about", "Shown above the run; Markdown.", "scenario.md 2", func(d *draft) *string { return &d.About }),
	span("duration", "", "s", "(0,)", "How long load is offered.", "scenario.md 2", func(d *draft) *ticks.Ticks { return &d.duration }).required(),
	custom(Key{Name: "seed", Type: Type{Kind: IntegerType, Range: "[-2147483648,2147483647]"}, Default: "1", Doc: "The random numbers of one run.", Section: "simulator.md 2"}, readSeed),
	custom(Key{Name: "seeds", Type: Type{Kind: ListType, Of: &Type{Kind: IntegerType, Range: "[-2147483648,2147483647]"}, Or: []Type{{Kind: TextType}}},
		Doc: `One run for each of these seeds, as a list or a range "1-20"; instead of seed.`, Section: "simulator.md 13"}, readSeedList),
	flag("record", "false", "Keeps the timeline of every event.", "simulator.md 11", func(d *draft) *bool { return &d.record }),
	custom(Key{Name: "budgets", Type: mapOf(budgetTable.name), Default: "{}", Doc: "Buckets that several policies share, by name.", Section: "simulator.md 3"},
		func(r *reader, v document.Value, _ *draft) { r.readBudgets(v) }),
	custom(Key{Name: "policies", Type: mapOf(policyTable.name), Default: "{}", Doc: "Policies by name.", Section: "scenario.md 3"},
		func(r *reader, v document.Value, _ *draft) { r.readPolicies(v) }),
	custom(Key{Name: "services", Type: mapOf(serviceTable.name), Doc: "The processes that make calls, by name, in the order that matters.", Section: "scenario.md 4"},
		func(r *reader, v document.Value, d *draft) { r.readServices(v, d) }),
	custom(Key{Name: "dependencies", Type: mapOf(dependencyTable.name), Doc: "What is at the bottom, by name.", Section: "scenario.md 5"},
		func(r *reader, v document.Value, d *draft) { r.readDependencies(v, d) }),
	custom(Key{Name: "policy", Type: Type{Kind: ObjectType, Object: policyTable.name, Or: []Type{{Kind: NullType}}}, Default: "{}", Doc: "Short for a graph of one call: its policy.", Section: "scenario.md 2"},
		func(_ *reader, v document.Value, d *draft) { d.single.policy = v }),
	custom(Key{Name: "dependency", Type: Type{Kind: ObjectType, Object: dependencyTable.name}, Doc: "Short for a graph of one call: its dependency.", Section: "scenario.md 2"},
		func(_ *reader, v document.Value, d *draft) { d.single.dependency = v }),
	custom(Key{Name: "load", Type: Type{Kind: ObjectType, Object: loadTable.name, Or: []Type{{Kind: ListType, Of: &Type{Kind: ObjectType, Object: loadTable.name}}}}, Required: true,
		Doc: "What arrives, and where.", Section: "scenario.md 6"}, func(r *reader, v document.Value, d *draft) { r.readLoads(v, d) }),
	custom(Key{Name: "pool", Type: poolType, Default: "null", Doc: "Short for a graph of one call: the caller's pool.", Section: "scenario.md 2"},
		func(_ *reader, v document.Value, d *draft) { d.single.pool = v }),
	custom(Key{Name: "limiter", Type: limiterType, Default: "null", Doc: "Short for a graph of one call: its limiter.", Section: "scenario.md 2"},
		func(_ *reader, v document.Value, d *draft) { d.single.limiter = v }),
	custom(Key{Name: "expect", Type: Type{Kind: ListType, Of: &Type{Kind: TextType}}, Default: "[]", Doc: `What must hold, such as "p99 < 1s" or "a -> b: loadMultiplier <= 1.2".`, Section: "scenario.md 7"}, readExpect),
	custom(Key{Name: "variants", Type: Type{Kind: MapType, Of: &Type{Kind: AnyType}}, Doc: "Changes to compare with, by name: JSON merge patches on this document.", Section: "scenario.md 8"}, readPatches),
	custom(Key{Name: "chaos", Type: Type{Kind: ObjectType, Object: chaosTable.name, Or: []Type{{Kind: NullType}}}, Default: "{}", Doc: "Faults to inject.", Section: "grading.md 3"},
		func(r *reader, v document.Value, d *draft) {
			d.Topology.Chaos = &world.Chaos{}
			d.chaos = v
			chaosTable.read(r, v, d.Topology.Chaos)
		}),
	custom(Key{Name: "grading", Type: Type{Kind: ObjectType, Object: gradingTable.name, Or: []Type{{Kind: NullType}}}, Default: "{}", Doc: "How the run is graded.", Section: "grading.md 2"},
		func(r *reader, v document.Value, d *draft) {
			d.Grading = v
			checkGrading(r, v)
		}),
)

// Objects documents every sort of object of a scenario, the scenario itself first: what the schema
// and the reference are made of.
func Objects() []Object {
	return []Object{
		scenarioTable.object(), policyTable.object(), ceilingTable.object(), exponentialTable.object(), constantTable.object(), measuredBaseTable.object(),
		budgetTable.object(), sharedBudgetTable.object(), breakerTable.object(), failuresTable.object(), slowCallsTable.object(), recoveryTable.object(),
		hedgeTable.object(), winRateTable.object(), saturationTable.object(), serviceTable.object(), callTable.object(), poolTable.object(), stallTable.object(),
		limiterTable.object(), adaptiveTable.object(), dependencyTable.object(), impairmentTable.object(), brownoutTable.object(), outageTable.object(),
		loadTable.object(), mixTable.object(), chaosTable.object(), ruleTable.object(), scopeTable.object(), effectTable.object(),
		gradingTable.object(), boundsTable.object(), ladderTable.object(), acceptTable.object(),
	}
}
