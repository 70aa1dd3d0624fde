package scenario

import (
	"strings"
	"testing"

	"squall/engine/document"
)

func complaints(text string, o Options) string {
	_, problems := Read([]byte(text), o)
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// single makes a valid shorthand with some keys put before the others.
func shorthand(keys string) string {
	for _, k := range []struct{ name, text string }{
		{`"duration"`, `"duration":"1m"`}, {`"dependency"`, `"dependency":{"p50":"1ms","p99":"2ms"}`}, {`"load"`, `"load":{"perSecond":5}`}} {
		if !strings.HasPrefix(keys, k.name) && !strings.Contains(keys, ","+k.name) {
			if keys != "" {
				keys += ","
			}
			keys += k.text
		}
	}
	return "{" + keys + "}"
}

// graph makes a valid graph with some of its parts replaced.
func graph(services, dependencies, rest string) string {
	if services == "" {
		services = `{"s":{"calls":[{"to":"d"}]}}`
	}
	if dependencies == "" {
		dependencies = `{"d":{"p50":"1ms","p99":"2ms"}}`
	}
	if !strings.Contains(rest, `"load"`) {
		rest += `,"load":{"perSecond":5}`
	}
	return `{"services":` + services + `,"dependencies":` + dependencies + `,"duration":"1m"` + rest + `}`
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		// the document
		{"syntax", `{"duration": 1m}`, `1:14: 1m is no number as JSON writes it; text stands in double quotes`},
		{"no object", `[]`, `1:1: must be an object, not a list`},
		{"nothing", `{}`, "1:1: duration: \"duration\" is missing\n1:1: load: \"load\" is missing\n1:1: services: \"services\" is missing\n1:1: dependencies: \"dependencies\" is missing"},
		{"version", shorthand(`"squall":2`), `1:11: squall: is a number other than 1: the document is written for a newer version; this one reads format 1`},
		{"version text", shorthand(`"squall":"1"`), `1:11: squall: is text other than 1: the document is written for a newer version; this one reads format 1`},
		{"unknown", shorthand(`"polcy":{}`), `1:2: polcy: "polcy" is not a key here; did you mean "policy"?`},
		{"twice", shorthand(`"seed":1,"seed":2`), `1:11: seed: "seed" is written twice; the first stands at 1:2`},
		{"title", shorthand(`"title":null`), `1:10: title: must be text in double quotes, not null`},
		{"record", shorthand(`"record":1`), `1:11: record: must be true or false, not 1`},
		{"duration", shorthand(`"duration":300`), `1:13: duration: a duration is text with a unit; did you mean "300s"?`},
		{"duration 0", shorthand(`"duration":"0"`), `1:13: duration: is 0s: the run has no duration; it must be positive`},
		{"fine", shorthand(`"duration":"1m50ns"`), `1:13: duration: "1m50ns" is finer than 100ns, the smallest step of time`},
		{"seed", shorthand(`"seed":2147483648`), `1:9: seed: must be a whole number from -2147483648 to 2147483647, not 2147483648`},
		{"seed 1.5", shorthand(`"seed":1.5`), `1:9: seed: must be a whole number, not 1.5`},
		{"seed and seeds", shorthand(`"seed":1,"seeds":[1]`), `1:2: seed: cannot stand beside seeds: one is a single run, the other a band`},
		{"seeds", shorthand(`"seeds":[1,2,1]`), `1:15: seeds[2]: is 1 again; a band does not run the same seed twice`},
		{"no seeds", shorthand(`"seeds":[]`), `1:10: seeds: is empty; a band runs at least one seed`},
		{"seeds back", shorthand(`"seeds":"20-1"`), `1:10: seeds: "20-1" runs backwards; there must be at least one seed`},
		{"seeds number", shorthand(`"seeds":5`), `1:10: seeds: must be a list of whole numbers or a range "1-20", not a number`},
		{"seeds text", shorthand(`"seeds":"1,2"`), `1:10: seeds: is "1,2"; a range of seeds is written "1-20", anything else as a list`},
		{"seeds below 0", shorthand(`"seeds":"-2-5"`), `1:10: seeds: is "-2-5"; a range of seeds is written "1-20", anything else as a list`},
		{"seeds many", shorthand(`"seeds":"1-20000"`), `1:10: seeds: "1-20000" has 20000 seeds; a band has at most 10000`},
		// the shorthand
		{"both", `{"services":{"s":{"calls":[{"to":"d"}]}},"dependencies":{"d":{"p50":"1ms","p99":"2ms"}},"policy":{},"duration":"1m","load":{"perSecond":1}}`,
			`1:89: policy: is short for a graph of one call and cannot stand beside services or dependencies`},
		{"policies", shorthand(`"policies":{}`), `1:2: policies: has no calls to be named by: a scenario of one call writes its policy under the key policy`},
		{"no dependency", `{"policy":{},"duration":"1m","load":{"perSecond":1}}`, `1:1: dependency: "dependency" is missing`},
		{"named policy", shorthand(`"policy":"a"`), `1:11: policy: is a name, but there are no policies to name: write the policy in place`},
		{"at", shorthand(`"load":{"at":"client","perSecond":1}`), `1:10: load.at: has nothing to name: in a scenario of one call, load arrives at its caller`},
		{"p50", shorthand(`"dependency":{"p99":"1s"}`), `1:15: dependency.p50: "p50" is missing`},
		{"dependency list", shorthand(`"dependency":[]`), `1:15: dependency: must be an object, not a list`},
		// policies
		{"preset", shorthand(`"policy":{"preset":"htp"}`), `1:21: policy.preset: must be "default", "http", "none" or "instant", not "htp"; did you mean "http"?`},
		{"attempts", shorthand(`"policy":{"attempts":0}`), `1:23: policy.attempts: is 0; it must be at least 1`},
		{"attempts many", shorthand(`"policy":{"attempts":3000000000}`), `1:23: policy.attempts: must be a whole number from -2147483648 to 2147483647, not 3000000000`},
		{"negative", shorthand(`"policy":{"attemptTimeout":"-1ms"}`), `1:29: policy.attemptTimeout: "-1ms" is negative; a duration is at least 0`},
		{"floor", shorthand(`"policy":{"attemptTimeout":"20ms","attemptCeiling":{}}`),
			`1:53: policy.attemptCeiling.floor: is 50ms, which leaves the ceiling nothing to lower; it must be below attemptTimeout, which is 20ms`},
		{"backoff word", shorthand(`"policy":{"backoff":"nothing"}`), `1:22: policy.backoff: must be "none", not "nothing"`},
		{"backoff kind", shorthand(`"policy":{"backoff":{"kind":"linear"}}`), `1:30: policy.backoff.kind: must be "exponential" or "constant", not "linear"`},
		{"backoff constant", shorthand(`"policy":{"backoff":{"kind":"constant"}}`), `1:22: policy.backoff.delay: "delay" is missing`},
		{"backoff of the other kind", shorthand(`"policy":{"backoff":{"kind":"constant","delay":"1ms","factor":2}}`),
			`1:55: policy.backoff.factor: "factor" is not a key here; the keys are kind, delay, throttledBase, maximumDelay, jitter, measured`},
		{"measured constant", shorthand(`"policy":{"backoff":{"kind":"constant","delay":"1ms","measured":{}}}`),
			`1:66: policy.backoff.measured: is given on a curve of kind constant; only an exponential curve can grow from measured latency`},
		{"budget", shorthand(`"policy":{"budget":"auto"}`), `1:21: policy.budget: must be "automatic" or "none", not "auto"`},
		{"budget fraction", shorthand(`"policy":{"budget":{"fraction":0,"minimumPerSecond":-1}}`),
			"1:33: policy.budget.fraction: is 0; it must be above 0 and at most 1\n1:54: policy.budget.minimumPerSecond: is -1; it must be 0 or more"},
		{"shared", shorthand(`"budgets":{"pot":{}},"policy":{"budget":{"shared":"pots"}}`), `1:52: policy.budget.shared: is "pots", which is not the name of a bucket of budgets; did you mean "pot"?`},
		{"budgets", shorthand(`"budgets":{"pot":{"fraction":2}}`), `1:31: budgets.pot.fraction: is 2; it must be above 0 and at most 1`},
		{"breaker", shorthand(`"policy":{"breaker":{"breakDuration":"5m"}}`), `1:22: policy.breaker.maximumBreakDuration: is 2m; it must be at least breakDuration, which is 5m`},
		{"hedge", shorthand(`"policy":{"hedge":{"quantile":1}}`), `1:32: policy.hedge.quantile: is 1; it must be at least 0.5 and below 1`},
		{"shared policy once", graph(`{"s":{"calls":[{"to":"a","policy":"p"},{"to":"b","policy":"p"}]}}`, `{"a":{"p50":"1ms","p99":"1ms"},"b":{"p50":"1ms","p99":"1ms"}}`, `,"policies":{"p":{"attempts":0}}`),
			`1:200: policies.p.attempts: is 0; it must be at least 1`},
		{"unused policy", graph("", "", `,"policies":{"p":{"attempts":0}}`), `1:133: policies.p.attempts: is 0; it must be at least 1`},
		{"unknown policy", graph(`{"s":{"calls":[{"to":"d","policy":"q"}]}}`, "", `,"policies":{"p":{}}`), `1:47: services.s.calls[0].policy: is "q", which is not the name of a policy of policies; did you mean "p"?`},
		{"inline policy", graph(`{"s":{"calls":[{"to":"d","policy":{"attempts":0}}]}}`, "", ""), `1:59: services.s.calls[0].policy.attempts: is 0; it must be at least 1`},
		// the world
		{"failing", shorthand(`"dependency":{"p50":"1ms","p99":"1ms","failing":1.5,"capacity":-1}`),
			"1:50: dependency.failing: is 1.5; it must be between 0 and 1\n1:65: dependency.capacity: is -1; it must be at least 1, or 0 for no bound"},
		{"impairment", shorthand(`"dependency":{"p50":"1ms","p99":"1ms","impairments":[{},{"outage":{"after":"1s","lasting":"0"}}]}`),
			"1:55: dependency.impairments[0]: must hold either \"brownout\" or \"outage\"\n1:92: dependency.impairments[1].outage.lasting: is 0s; it must be positive"},
		{"pool", shorthand(`"pool":{"healthy":"0","stalls":[{"after":"1s","lasting":"1s"}]}`), "1:20: pool.healthy: is 0s; it must be positive\n1:34: pool.stalls[0].delay: \"delay\" is missing"},
		{"limiter", shorthand(`"limiter":{}`), `1:12: limiter: must hold either "concurrency" or "adaptive"`},
		{"limiter 0", shorthand(`"limiter":{"concurrency":0}`), `1:27: limiter.concurrency: is 0; it must be at least 1`},
		{"limiter both", shorthand(`"limiter":{"concurrency":1,"adaptive":{}}`), `1:12: limiter: must hold either "concurrency" or "adaptive"`},
		{"L9", shorthand(`"limiter":{"perSecond":100}`), `1:13: limiter.perSecond: refills against the wall clock, which a virtual run does not have; use concurrency or adaptive`},
		{"L9 window", shorthand(`"limiter":{"perWindow":{"permits":1}}`), `1:13: limiter.perWindow: refills against the wall clock, which a virtual run does not have; use concurrency or adaptive`},
		{"L10", shorthand(`"limiter":{"concurrency":5,"queueLimit":50}`), `1:42: limiter.queueLimit: is 50; attempts that wait for a permit are not modelled; write queueLimit 0, or leave it out`},
		{"A10", shorthand(`"limiter":{"adaptive":{"minimum":0,"maximum":5,"initial":50,"multiple":1,"decrease":1}}`),
			"1:35: limiter.adaptive.minimum: is 0; it must be at least 1\n1:59: limiter.adaptive.initial: is 50; it must lie between minimum 0 and maximum 5\n" +
				"1:73: limiter.adaptive.multiple: is 1; it must be above 1\n1:86: limiter.adaptive.decrease: is 1; it must be above 0 and below 1"},
		{"load", shorthand(`"load":{"perSecond":0,"peers":0}`), "1:22: load.perSecond: is 0; it must be at least 1\n1:32: load.peers: is 0; it must be at least 1"},
		{"load missing", shorthand(`"load":{}`), `1:9: load.perSecond: "perSecond" is missing`},
		{"no loads", shorthand(`"load":[]`), `1:9: load: is empty: the graph has no load; say how many requests a second arrive at which service`},
		{"critical", shorthand(`"load":{"perSecond":1,"mix":{"critical":0.5}}`), `1:31: load.mix.critical: is not written: critical is the remainder of the other shares`},
		{"mix", shorthand(`"load":{"perSecond":1,"mix":{"sheddable":0.8,"criticalPlus":0.4}}`), `1:30: load.mix: gives out 1.200 of the load; the shares may add up to 1, and Critical takes the remainder`},
		// the graph, simulator.md 14.2
		{"1", graph(`{}`, "", ""), `1:13: services: is empty: the graph has no calls; let a service call a dependency`},
		{"no calls", graph(`{"s":{"calls":[{"to":"t"}]},"t":{"calls":[]}}`, "", ""), `1:54: services.t.calls: is empty; a service that calls nobody is a dependency: declare it in dependencies`},
		{"calls null", graph(`{"s":{"calls":[{"to":"t"}]},"t":{"calls":null}}`, "", ""), `1:54: services.t.calls: must be a list, not null`},
		{"load null", shorthand(`"load":null`), `1:9: load: must be an object, not null`},
		{"dependency null", shorthand(`"dependency":null`), `1:15: dependency: must be an object, not null`},
		{"null beside a graph", graph("", "", `,"policy":null,"pool":null,"limiter":null,"dependency":null`), ``},
		{"calls missing", graph(`{"s":{}}`, "", `,"load":{"at":"s","perSecond":1}`), "1:13: services: is empty: the graph has no calls; let a service call a dependency\n" +
			"1:18: services.s.calls: \"calls\" is missing"},
		{"at missing", graph(`{"s":{"calls":[{"to":"d"}]},"t":{"calls":[{"to":"d"}]}}`, "", ""),
			`1:139: load.at: is missing, and there is not exactly one service that makes calls and is called by nobody; name the service that the load arrives at`},
		{"5 19", graph(`{"s":{"calls":[{"to":"s"},{"to":"d"}]}}`, "", `,"load":{"at":"s","perSecond":1}`),
			"1:34: services.s.calls[0].to: is \"s\", so that \"s\" calls itself and would never finish\n1:34: services.s.calls[0].to: is \"s\", and so these calls form a cycle: s -> s"},
		{"6", graph(`{"s":{"calls":[{"to":"d"},{"to":"d"}]}}`, "", ""), `1:45: services.s.calls[1].to: is "d", which "s" calls more than once: there is one call with one policy between two names`},
		{"7", graph(`{"s":{"calls":[{"to":"d"}]},"d":{"calls":[{"to":"e"}]}}`, `{"d":{"p50":"1ms","p99":"1ms"},"e":{"p50":"1ms","p99":"1ms"}}`, ""),
			`1:45: services.d: is "d", which is declared as a leaf and also makes calls; a leaf only answers`},
		{"8", graph(`{"s":{"calls":[{"to":"dd"}]}}`, "", ""), `1:34: services.s.calls[0].to: is "dd", which is called but never declared; did you mean "d"?`},
		{"8 no hint", graph(`{"s":{"calls":[{"to":"elsewhere"}]}}`, "", ""), `1:34: services.s.calls[0].to: is "elsewhere", which is called but never declared; declare it in services or in dependencies`},
		{"9", graph("", "", `,"load":{"at":"d","perSecond":1}`), `1:118: load.at: is "d", which makes no calls; load arrives at a service`},
		{"9 unknown", graph("", "", `,"load":{"at":"t","perSecond":1}`), `1:118: load.at: is "t", which is not the name of a service; did you mean "s"?`},
		{"10", graph(`{"s":{"calls":[{"to":"d"},{"to":"e"}]}}`, `{"d":{"p50":"1ms","p99":"1ms"},"e":{"p50":"1ms","p99":"1ms"}}`, `,"load":{"perSecond":1,"peers":5}`),
			`1:176: load.peers: is 5 in a graph of 2 calls. Peers approximate processes that have no policies of their own: declare the other callers as services, or leave peers out`},
		{"14", graph(`{"s":{"calls":[{"to":"d"}]},"t":{"limiter":{"concurrency":1},"calls":[]}}`, "", ""),
			"1:56: services.t.limiter: is \"t\", which makes no calls\n1:82: services.t.calls: is empty; a service that calls nobody is a dependency: declare it in dependencies"},
		{"17", graph(`{"s":{"calls":[{"to":"d"}]},"t":{"pool":{"healthy":"1s"},"calls":[]}}`, "", ""),
			"1:53: services.t.pool: is \"t\", which makes no calls\n1:78: services.t.calls: is empty; a service that calls nobody is a dependency: declare it in dependencies"},
		{"19", graph(`{"s":{"calls":[{"to":"t"}]},"t":{"calls":[{"to":"s"}]}}`, "", `,"load":{"at":"s","perSecond":1}`),
			`1:61: services.t.calls[0].to: is "s", and so these calls form a cycle: s -> t -> s`},
		{"names in quotes", graph(`{"a b":{"calls":[{"to":"x.y"}]}}`, "", ""), `1:36: services["a b"].calls[0].to: is "x.y", which is called but never declared; declare it in services or in dependencies`},
		{"empty name", graph("", `{"":{"p50":"1ms","p99":"1ms"},"d":{"p50":"1ms","p99":"1ms"}}`, ""), `1:58: dependencies[""]: is an empty name; a name has at least one letter`},
		{"guards of a call", graph(`{"s":{"calls":[{"to":"d","limiter":{"concurrency":0},"optional":1}],"pool":{"healthy":"0"},"limiter":{"concurrency":0}}}`, "", ""),
			"1:63: services.s.calls[0].limiter.concurrency: is 0; it must be at least 1\n1:77: services.s.calls[0].optional: must be true or false, not 1\n" +
				"1:99: services.s.pool.healthy: is 0s; it must be positive\n1:129: services.s.limiter.concurrency: is 0; it must be at least 1"},
		{"control in a name", graph(`{"s\n":{"calls":[{"to":"d","policy":{"name":"\u001b[2J"}}]}}`, "", ""),
			"1:14: services[\"s\\n\"]: holds a control character, such as a line break; names are printed as they are, in lines of their own\n" +
				"1:57: services[\"s\\n\"].calls[0].policy.name: holds a control character, such as a line break; names are printed as they are, in lines of their own"},
		// limits
		{"faster than time", shorthand(`"duration":"1ms","load":{"perSecond":10000001}`), `1:39: load.perSecond: is 10000001; at most 10000000 may arrive in a second, one in each 100ns, the smallest step of time`},
		{"calls", shorthand(`"duration":"5h","load":{"perSecond":2000}`), `1:25: load: offers 36000000 calls in 5h; a run may have at most 20000000: shorten duration or lower perSecond`},
		{"recorded", shorthand(`"duration":"5h","record":true,"load":{"perSecond":200}`), `1:39: load: offers 3600000 calls in 5h; a run may have at most 2000000 while it keeps a timeline (record): shorten duration or lower perSecond`},
		{"long", shorthand(`"duration":"300h"`), `1:13: duration: is 300h; a run lasts at most 277h46m40s`},
		// expectations
		{"expect", shorthand(`"expect":["p99 < 1s",3,"p99"]`), "1:23: expect[1]: must be text in double quotes, not 3\n" +
			`1:25: expect[2]: there is no comparison; write a measure, one of < <= > >= == and a value, such as "p99 < 1s"`},
		{"expect subject", shorthand(`"expect":["x: p99 < 1s"]`), `1:12: expect[0]: "x" is no call and no service of the graph`},
		{"expect whose", graph(`{"s":{"calls":[{"to":"d"},{"to":"e"}]}}`, `{"d":{"p50":"1ms","p99":"1ms"},"e":{"p50":"1ms","p99":"1ms"}}`, `,"expect":["p99 < 1s"]`),
			`1:156: expect[0]: the graph has 2 calls; say which one is meant, such as "s -> d: p99 < 1s"`},
		// variants
		{"variant", shorthand(`"variants":{"a":3,"b":{"seed":3},"c":{"policy":{"attempts":0}},"d":{"load":null},"e":{"polcy":1},"f":{"load":{"x":1,"x":2}}}`),
			"1:18: variants.a: must be a patch, an object with the keys to change, not a number\n" +
				"1:25: variants.b.seed: cannot be changed by a variant: the base and its variants run on the same seeds\n" +
				"1:61: variants.c.policy.attempts: is 0; it must be at least 1\n" +
				"1:77: variants.d.load: \"load\" is missing\n" +
				"1:96: variants.e.polcy: \"polcy\" is not a key here; did you mean \"policy\"?\n" +
				"1:116: variants.f.load.x: \"x\" is not a key here; the keys are at, perSecond, peers, mix\n" +
				"1:118: variants.f.load.x: \"x\" is written twice; the first stands at 1:112"},
		{"variant far away", shorthand(`"policy":{"hedge":{}},"variants":{"once":{"policy":{"attempts":1}}}`),
			`1:53: variants.once.policy.hedge: is given but could never start: attempts bounds hedged legs too and is 1; it must be at least 2`},
		{"variants of a wrong base", shorthand(`"seed":"x","variants":{"a":{"load":{"perSecond":2}}}`), `1:9: seed: must be a whole number, not "x"`},
		// chaos and grading
		{"chaos", shorthand(`"chaos":{"rules":[{"percent":200},{"id":"a","maxLatency":"0"},{"id":"a"}]}`),
			"1:20: chaos.rules[0].id: \"id\" is missing\n1:31: chaos.rules[0].percent: is 200; it must be between 0 and 100\n" +
				"1:59: chaos.rules[1].maxLatency: is 0s; it must be positive and at most 1m\n1:70: chaos.rules[2].id: is \"a\", which rule 2 has already; the id of a rule is its own"},
		{"effects", shorthand(`"chaos":{"rules":[{"id":"a","effects":[{},{"status":700},{"latency":"x"},{"latency":"0.5x"},{"latency":5},{"latency":"2s-1s"},{"noResponse":false},{"status":500,"body":"corrupt"},{"connection":"cut"}]}]}`),
			"1:41: chaos.rules[0].effects[0]: must hold one of \"latency\", \"status\", \"connection\", \"body\" and \"noResponse\"\n" +
				"1:54: chaos.rules[0].effects[1].status: must be a whole number from 100 to 599, not 700\n" +
				"1:70: chaos.rules[0].effects[2].latency: \"x\" is no multiple of latency; write a number of at least 1 before the x, such as \"3x\"\n" +
				"1:86: chaos.rules[0].effects[3].latency: \"0.5x\" is no multiple of latency; write a number of at least 1 before the x, such as \"3x\"\n" +
				"1:105: chaos.rules[0].effects[4].latency: a duration is text with a unit; did you mean \"5ms\"?\n" +
				"1:119: chaos.rules[0].effects[5].latency: is 2s-1s; a range begins at its shorter end\n" +
				"1:142: chaos.rules[0].effects[6].noResponse: must be true; leave the effect out instead\n" +
				"1:149: chaos.rules[0].effects[7]: must hold one of \"latency\", \"status\", \"connection\", \"body\" and \"noResponse\"\n" +
				"1:195: chaos.rules[0].effects[8].connection: must be \"refuse\", \"reset\", \"stall\" or \"drop\", not \"cut\""},
		{"grading", shorthand(`"grading":{"role":"must","bounds":{"maxLatencyAmplification":1.2345,"recoveryWindow":"-5s"},"ladder":{"A":90,"B":95,"C":80,"D":70},"accept":[{"check":"x","endpoint":"e","rule":"r","reason":" "}]}`),
			"1:20: grading.role: must be \"off\", \"advisory\" or \"required\", not \"must\"\n" +
				"1:63: grading.bounds.maxLatencyAmplification: is 1.2345; it has at most three decimals\n" +
				"1:103: grading.ladder: does not descend: each of A, B, C and D must be below the one before\n" +
				"1:152: grading.accept[0].check: must be \"error_passed_through\", \"unbounded_retries\", \"latency_amplification\" or \"no_recovery\", not \"x\"\n" +
				"1:191: grading.accept[0].reason: must say why the finding is accepted"},
	} {
		if got := complaints(c.text, Options{}); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.text, strings.ReplaceAll(got, "\n", "\n     "), strings.ReplaceAll(c.want, "\n", "\n     "))
		}
		_, problems := Read([]byte(c.text), Options{})
		checkPlaces(t, []byte(c.text), problems)
	}
}

// checkPlaces holds each problem to the value or key that its path names.
func checkPlaces(t *testing.T, text []byte, problems []document.Problem) {
	t.Helper()
	doc, syntax := document.Parse(text, document.Limits{})
	for _, p := range problems {
		before := string(text[:p.Offset])
		line, column := strings.Count(before, "\n")+1, p.Offset-strings.LastIndexByte(before, '\n')
		if p.Line != line || p.Column != column || p.Offset+p.Length > len(text) || p.Message == "" {
			t.Errorf("%+v is not at %d:%d", p, line, column)
		}
		if len(syntax) > 0 || strings.Contains(p.Message, "is written twice") || strings.Contains(p.Message, "is not a key here") {
			continue
		}
		if found := doc.Root().Find(p.Path); p.Offset != found.Offset() && p.Offset != found.KeyOffset() {
			t.Errorf("%s is said at %d, but stands at %d (key %d)", p, p.Offset, found.Offset(), found.KeyOffset())
		}
	}
}

// Everything of a document is said at once, in the order of the text.
func TestAllAtOnce(t *testing.T) {
	text := "{\n  \"duration\": 5,\n  \"sed\": 3, // wrong\n  \"policy\": { \"attempts\": 0, \"hedge\": { \"window\": \"0\" } },\n" +
		"  \"dependency\": { \"p50\": \"10ms\", \"p99\": \"1ms\" },\n  \"load\": { \"perSecond\": -1 },\n  \"expect\": [ \"p98 < 1s\" ]\n}"
	want := strings.Join([]string{
		`2:15: duration: a duration is text with a unit; did you mean "5s"?`,
		`3:3: sed: "sed" is not a key here; did you mean "seed"?`,
		`4:27: policy.attempts: is 0; it must be at least 1`,
		`4:39: policy.hedge: is given but could never start: attempts bounds hedged legs too and is 0; it must be at least 2`,
		`4:51: policy.hedge.window: is 0s; it must be positive`,
		`5:41: dependency.p99: is 1ms; it must be at least p50, which is 10ms`,
		`6:26: load.perSecond: is -1; it must be at least 1`,
		`7:15: expect[0]: "p98" is no measure; the measures are loadMultiplier, amplification, availability, p50, p90, p95, p99, p99.9, max, calls, succeeded, failed, reached, refusedByLimiter, ` +
			`breakerOpens, timeToRecover, availability(LEVEL) and count(EVENT); did you mean p90?`,
	}, "\n")
	if got := complaints(text, Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMaxCalls(t *testing.T) {
	text := shorthand(`"duration":"5h","load":{"perSecond":2000}`)
	if got := complaints(text, Options{MaxCalls: 36_000_000}); got != "" {
		t.Error(got)
	}
	if got := complaints(text, Options{MaxCalls: 35_999_999}); !strings.Contains(got, "at most 35999999") {
		t.Error(got)
	}
}

// Whatever a document multiplies is bounded.
func TestTooMany(t *testing.T) {
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	numbered := func(n int, value string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"n` + strings.Repeat("x", i%10) + string(rune('a'+i/10%26)) + string(rune('a'+i/260)) + `":` + value)
		}
		return "{" + b.String() + "}"
	}
	for what, text := range map[string]string{
		"policies":              graph("", "", `,"policies":`+numbered(201, `{}`)),
		"budgets":               graph("", "", `,"budgets":`+numbered(201, `{}`)),
		"services":              graph(numbered(201, `{"calls":[{"to":"d"}]}`), "", `,"load":{"at":"na","perSecond":1}`),
		"dependencies":          graph(`{"s":{"calls":[{"to":"naa"}]}}`, numbered(201, `{"p50":"1ms","p99":"1ms"}`), ""),
		"calls of all services": graph(`{"s":{"calls":[`+many(201, `{"to":"d"}`)+`]}}`, "", ""),
		"loads":                 graph("", "", `,"load":[`+many(51, `{"perSecond":1}`)+`]`),
		"impairments":           shorthand(`"dependency":{"p50":"1ms","p99":"1ms","impairments":[` + many(101, `{"outage":{"after":"1s","lasting":"1s"}}`) + `]}`),
		"stalls":                shorthand(`"pool":{"healthy":"1ms","stalls":[` + many(101, `{"after":"1s","delay":"1s","lasting":"1s"}`) + `]}`),
		"rules":                 shorthand(`"chaos":{"rules":[` + many(201, `{"id":"a"}`) + `]}`),
		"effects":               shorthand(`"chaos":{"rules":[{"id":"a","effects":[` + many(21, `{"status":500}`) + `]}]}`),
		"expectations":          shorthand(`"expect":[` + many(201, `"p99 < 1s"`) + `]`),
		"variants":              shorthand(`"variants":` + numbered(51, `{}`)),
		"seeds":                 shorthand(`"seeds":[` + many(10_001, `1`) + `]`),
	} {
		found := false
		_, problems := Read([]byte(text), Options{Limits: document.Limits{Problems: 20_000}})
		for _, p := range problems {
			found = found || strings.HasPrefix(p.Message, "has more "+what+" than the ")
		}
		if !found {
			t.Errorf("too many %s are accepted: %v", what, problems[:min(len(problems), 3)])
		}
	}
}

// TestRangesAreTheValidations holds the intervals of the tables to what the checks refuse: at both
// ends and beyond them.
func TestRangesAreTheValidations(t *testing.T) {
	places := map[string]struct{ before, after string }{
		"policy":             {shorthandWith(`"policy":{`), `}}`},
		"attemptCeiling":     {shorthandWith(`"policy":{"attemptCeiling":{`), `}}}`},
		"exponentialBackoff": {shorthandWith(`"policy":{"backoff":{`), `}}}`},
		"measuredBase":       {shorthandWith(`"policy":{"backoff":{"measured":{`), `}}}}`},
		"budget":             {shorthandWith(`"policy":{"budget":{`), `}}}`},
		"breaker":            {shorthandWith(`"policy":{"breaker":{`), `}}}`},
		"failures":           {shorthandWith(`"policy":{"breaker":{"failures":{`), `}}}}`},
		"slowCalls":          {shorthandWith(`"policy":{"breaker":{"slowCalls":{`), `}}}}`},
		"recovery":           {shorthandWith(`"policy":{"breaker":{"recovery":{`), `}}}}`},
		"hedge":              {shorthandWith(`"policy":{"hedge":{`), `}}}`},
		"winRate":            {shorthandWith(`"policy":{"hedge":{"winRate":{`), `}}}}`},
		"saturation":         {shorthandWith(`"policy":{"saturation":{`), `}}}`},
		"adaptive":           {shorthandWith(`"limiter":{"adaptive":{`), `}}}`},
		"mix":                {`{"duration":"1m","dependency":{"p50":"1ms","p99":"1ms"},"load":{"perSecond":1,"mix":{`, `}}}`},
	}
	tried := 0
	for _, o := range Objects() {
		place, ok := places[o.Name]
		if !ok {
			continue
		}
		for _, k := range o.Keys {
			if k.Type.Range == "" || k.Name == "queueLimit" {
				continue
			}
			low, high := ends(k.Type.Range)
			for _, end := range []struct {
				at       string
				included bool
			}{{low, k.Type.Range[0] == '['}, {high, strings.HasSuffix(k.Type.Range, "]")}} {
				if end.at == "" {
					continue
				}
				value := end.at
				if k.Type.Kind == DurationType {
					value = `"` + value + `s"`
				}
				refused := false
				_, problems := Read([]byte(place.before+`"`+k.Name+`":`+value+place.after), Options{})
				for _, p := range problems {
					// other rules may speak about the value in relation to others
					refused = refused || strings.HasSuffix(p.Path, "."+k.Name) && !strings.Contains(p.Message, "which is") &&
						!strings.Contains(p.Message, "could never open") && !strings.Contains(p.Message, "lie between minimum")
				}
				if refused == end.included {
					t.Errorf("%s.%s: %s is at the end of %s, and refused: %v %v", o.Name, k.Name, end.at, k.Type.Range, refused, problems)
				}
				tried++
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d ends were tried", tried)
	}
}

func shorthandWith(rest string) string {
	return `{"duration":"1m","dependency":{"p50":"1ms","p99":"2ms"},"load":{"perSecond":5},` + rest
}
