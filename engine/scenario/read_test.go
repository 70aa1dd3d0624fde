package scenario

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// everything uses every key that can stand in one valid document of a graph.
const everything = `{ "squall": 1,
  "title": "Everything", "about": "*All* keys.",
  "duration": "10s", // load
  "seed": -3, "record": true,
  "budgets": { "pot": { "fraction": 0.2, "minimumPerSecond": 2 }, "plain": {} },
  "policies": {
    "careful": {
      "attempts": 4, "deadline": "10s", "attemptTimeout": "2s",
      "attemptCeiling": { "multiple": 2.5, "quantile": 0.9, "window": "4m", "minimumSamples": 10, "floor": "5ms" },
      "backoff": { "kind": "exponential", "transientBase": "50ms", "throttledBase": "500ms", "factor": 1.5, "maximumDelay": "none", "jitter": "equal",
                   "measured": { "multiple": 2, "quantile": 0.4, "window": "1m", "minimumSamples": 5, "spread": 3 } },
      "budget": { "shared": "pot" },
      "breaker": { "consecutiveFailures": 7, "failureRatio": 0.5, "failures": { "multiple": 4, "window": "6m", "minimumSamples": 50, "floor": 0.1 },
                   "minimumCalls": 10, "tripWindow": "20s", "slowCallThreshold": "1s", "slowCalls": { "multiple": 4, "quantile": 0.4, "window": "5m", "minimumSamples": 30 },
                   "slowCallRatio": 0.6, "breakDuration": "5s", "maximumBreakDuration": "1m", "breakJitter": "full",
                   "recovery": { "length": 0.5, "minimumLength": "2s", "maximumLength": "20s", "initialFraction": 0.1 },
                   "halfOpenProbes": 2, "probeSuccesses": 3, "adaptive": true },
      "hedge": { "quantile": 0.9, "maximumConcurrent": 3, "minimumSamples": 30, "minimumDelay": "5ms", "window": "20s", "suppressAt": 0.4,
                 "winRate": { "minimum": 0.3, "window": "2m", "minimumSamples": 20, "minimumAllowance": 0.1 } },
      "saturation": { "multiple": 4, "floor": "30ms", "minimumSamples": 30 },
      "useAmbientCriticality": true, "adaptive": true },
    "off": { "preset": "http", "name": null, "deadline": "none", "attemptTimeout": "none", "attemptCeiling": null, "backoff": "none", "budget": "none",
             "breaker": { "failureRatio": null, "failures": null, "slowCallThreshold": null, "slowCalls": null, "recovery": null }, "hedge": null, "saturation": null },
    "steady": { "preset": "instant", "backoff": { "kind": "constant", "delay": "20ms", "maximumDelay": "1s", "throttledBase": "200ms", "jitter": "none" }, "budget": { "fraction": 0.5 } },
  },
  "services": {
    "front": { "pool": { "healthy": "80us", "stalls": [ { "after": "1s", "delay": "400ms", "lasting": "2s" } ] }, "limiter": { "concurrency": 60, "queueLimit": 0 },
               "calls": [ { "to": "back", "policy": "careful", "limiter": { "adaptive": { "minimum": 2, "maximum": 50, "initial": 10, "multiple": 3, "decrease": 0.8 } } },
                          { "to": "cache", "policy": "off", "optional": true } ] },
    "back": { "pool": null, "limiter": null, "calls": [ { "to": "db", "policy": { "preset": "none" }, "limiter": null }, { "to": "cache" }, { "to": "store", "policy": "steady" }, { "to": "db 2", "policy": "steady" } ] },
  },
  "dependencies": {
    "db": { "p50": "10ms", "p99": "100ms", "failing": 0.01, "capacity": 40,
            "impairments": [ { "brownout": { "after": "2s", "slower": 3, "lasting": "2s" } }, { "outage": { "after": "5s", "lasting": "500ms" } } ] },
    "cache": { "p50": "1ms", "p99": "1ms" }, "store": { "p50": "1ms", "p99": "5ms" }, "db 2": { "p50": "1ms", "p99": "5ms" },
  },
  "load": [ { "at": "front", "perSecond": 50, "peers": 1, "mix": { "sheddable": 0.5, "sheddablePlus": 0.1, "criticalPlus": 0.1 } }, { "at": "back", "perSecond": 5 } ],
  "expect": [ "front -> back: p99 < 1s", "back: availability >= 99%", "back -> db 2: median(count(Attempt)) > 1" ],
  "variants": { "harder": { "load": { "at": "front", "perSecond": 100 } }, "no breaker": { "policies": { "careful": { "breaker": null } } } },
  "chaos": { "rules": [ { "id": "slow", "name": "slow db", "scope": { "to": "db", "from": "back", "method": "GET", "path": "/db*" }, "percent": 50, "startAfter": "1s", "duration": "2s",
                          "sticky": true, "maxLatency": "90s", "matched": null,
                          "effects": [ { "latency": "2s" }, { "latency": "3x", "percent": 50 }, { "latency": "100ms-2s" }, { "status": 503 }, { "connection": "stall" }, { "body": "corrupt" }, { "noResponse": true } ] },
                        { "id": "bare" } ] },
  "grading": { "role": "required", "bounds": { "maxRetries": 2, "maxLatencyAmplification": 2.5, "recoveryWindow": "10s" }, "ladder": { "A": 99.9, "B": 95, "C": 90, "D": 80 },
               "accept": [ { "service": "back", "check": "no_recovery", "endpoint": "GET /back", "rule": "slow", "reason": "known" } ] },
}`

// describe writes what a scenario means: addresses of buckets become numbers in the order in which
// they are met, so that sharing shows.
func describe(s *Scenario) string {
	t := s.Topology
	text := fmt.Sprintf("%q %q %d %v %v single %v, %s, record %v\n", s.Title, s.About, s.Seed, s.Seeds, s.Expect, t.Single, t.Duration, t.Record)
	buckets := map[*policy.BudgetSettings]int{}
	for _, c := range t.Calls {
		p := c.Policy
		text += fmt.Sprintf("%s -> %s optional %v limiter %s\n ", c.From, c.To, c.Optional, limiterText(c.Limiter))
		if b := p.Budget.Bucket; b != nil {
			if _, ok := buckets[b]; !ok {
				buckets[b] = len(buckets) + 1
			}
			text += fmt.Sprintf("bucket %d %+v ", buckets[b], *b)
		}
		if p.Breaker != nil {
			b := *p.Breaker
			text += "breaker "
			if b.Recovery != nil {
				text += fmt.Sprintf("recovery %+v ", *b.Recovery)
			}
			b.Recovery = nil
			text += fmt.Sprintf("%+v ", b)
		}
		if p.Hedge != nil {
			h := *p.Hedge
			if h.WinRate != nil {
				text += fmt.Sprintf("win rate %+v ", *h.WinRate)
			}
			h.WinRate = nil
			text += fmt.Sprintf("hedge %+v ", h)
		}
		if p.Saturation != nil {
			text += fmt.Sprintf("saturation %+v ", *p.Saturation)
		}
		if p.Backoff.Measured != nil {
			text += fmt.Sprintf("measured %+v ", *p.Backoff.Measured)
		}
		p.Budget.Bucket, p.Breaker, p.Hedge, p.Saturation, p.Backoff.Measured = nil, nil, nil, nil, nil
		text += fmt.Sprintf("%+v\n", p)
	}
	for _, l := range t.ServiceLimiters {
		text += fmt.Sprintf("limiter of %s %s\n", l.Service, limiterText(&l.Limiter))
	}
	text += fmt.Sprintf("leaves %+v\nloads %+v\npools %+v\n", t.Leaves, t.Loads, t.Pools)
	if t.Chaos != nil && len(t.Chaos.Rules) > 0 {
		text += fmt.Sprintf("chaos %+v\n", t.Chaos.Rules)
	}
	return text
}

func limiterText(l *world.Limiter) string {
	switch {
	case l == nil:
		return "none"
	case l.Adaptive != nil:
		return fmt.Sprintf("%+v", *l.Adaptive)
	}
	return fmt.Sprint(l.Concurrency)
}

func mustRead(t *testing.T, text string) *Scenario {
	t.Helper()
	s, problems := Read([]byte(text), Options{})
	if len(problems) > 0 {
		t.Fatalf("%s\n%v", text, problems)
	}
	return s
}

func TestEverything(t *testing.T) {
	s := mustRead(t, everything)
	d := describe(s)
	for _, want := range []string{
		`"Everything" "*All* keys." -3 [] `, `single false, 10s, record true`,
		`front -> back optional false limiter {Minimum:2 Maximum:50 Initial:10 Multiple:3 Decrease:0.8}`,
		`bucket 1 {Name:pot Fraction:0.2 MinimumPerSecond:2}`,
		`recovery {Length:0.5 MinimumLength:2s MaximumLength:20s InitialFraction:0.1}`,
		`{ConsecutiveFailures:7 FailureRatio:0.5 HasFailureRatio:true Failures:{Mention:2 Value:{Multiple:4 Window:6m MinimumSamples:50 Floor:0.1}} MinimumCalls:10 TripWindow:20s ` +
			`SlowCallThreshold:1s HasSlowCallThreshold:true SlowCalls:{Mention:2 Value:{Multiple:4 Quantile:0.4 Window:5m MinimumSamples:30}} SlowCallRatio:0.6 BreakDuration:5s ` +
			`MaximumBreakDuration:1m BreakJitter:0 Recovery:<nil> HalfOpenProbes:2 ProbeSuccesses:3 Adaptive:true}`,
		`win rate {Minimum:0.3 Window:2m MinimumSamples:20 MinimumAllowance:0.1}`,
		`hedge {Quantile:0.9 MaximumConcurrent:3 MinimumSamples:30 MinimumDelay:5ms Window:20s SuppressAt:0.4 WinRate:<nil>}`,
		`saturation {Multiple:4 Floor:30ms MinimumSamples:30}`,
		`measured {Multiple:2 Quantile:0.4 Window:1m MinimumSamples:5 Spread:3}`,
		`{Preset:0 Name:careful Attempts:4 Deadline:10s AttemptTimeout:2s AttemptCeiling:{Mention:2 Value:{Multiple:2.5 Quantile:0.9 Window:4m MinimumSamples:10 Floor:5ms}} ` +
			`Backoff:{Kind:exponential TransientBase:50ms ThrottledBase:500ms Factor:1.5 MaximumDelay:none Jitter:1 Measured:<nil>} Budget:{Kind:bucket Bucket:<nil>} ` +
			`Breaker:<nil> Hedge:<nil> Saturation:<nil> UseAmbientCriticality:true Adaptive:true}`,
		`front -> cache optional true limiter none`,
		`{Preset:1 Name: Attempts:3 Deadline:none AttemptTimeout:none AttemptCeiling:{Mention:1 `,
		`back -> store optional false limiter none
 bucket 2 {Name: Fraction:0.5 MinimumPerSecond:3} {Preset:3 Name:steady `,
		`Backoff:{Kind:constant TransientBase:20ms ThrottledBase:200ms Factor:2 MaximumDelay:1s Jitter:2 `,
		"back -> db 2 optional false limiter none\n bucket 2 ",
		`{Preset:0 Name: Attempts:3 Deadline:30s AttemptTimeout:10s AttemptCeiling:{Mention:0 `,
		`{Preset:2 Name: Attempts:1 Deadline:none `,
		`limiter of front 60`,
		`leaves [{Name:db Dependency:{P50:10ms P99:100ms Failing:0.01 Capacity:40 Impairments:[{Outage:false After:2s Slower:3 Lasting:2s} {Outage:true After:5s Slower:0 Lasting:500ms}]}} {Name:cache `,
		`loads [{At:front Load:{PerSecond:50 Peers:1 Sheddable:0.5 SheddablePlus:0.1 CriticalPlus:0.1}} {At:back Load:{PerSecond:5 Peers:1 `,
		`pools [{Service:front Pool:{Healthy:80us Stalls:[{After:1s Delay:400ms Lasting:2s}]}}]`,
		`{ID:slow Name:slow db Scope:{To:db From:back Method:GET Path:/db*} Percent:50 StartAfter:1s Duration:2s HasDuration:true Sticky:true MaxLatency:1m Effects:[`,
		`Text:latency 2s} `, `Percent:50 HasPercent:true Status:0 LatencyFactor:3 LatencyLow:0s LatencyHigh:0s Text:latency 3x @50%}`, `LatencyLow:100ms LatencyHigh:2s Text:latency 100ms-2s}`,
		`Status:503 `, `Text:connection stall}`, `Text:body corrupt}`, `Text:no-response}`,
		`{ID:bare Name:bare Scope:{To: From: Method: Path:} Percent:100 StartAfter:0s Duration:0s HasDuration:false Sticky:false MaxLatency:30s Effects:[] Matched:0 HasMatched:false}`,
	} {
		if !strings.Contains(d, want) {
			t.Errorf("there is no\n%s\nin\n%s", want, d)
		}
	}
	if got := s.Grading.Member("role").Raw(); got != `"required"` {
		t.Errorf("grading.role is %s", got)
	}
	again := mustRead(t, string(s.Canonical))
	if describe(again) != d {
		t.Error("the canonical form means something else")
	}
	// every key of every table is in it, so that nothing here is out of date
	for _, o := range Objects() {
		for _, k := range o.Keys {
			switch {
			case k.Refused, o.Name == "scenario" && (k.Name == "seeds" || k.Name == "policy" || k.Name == "dependency" || k.Name == "pool" || k.Name == "limiter"), o.Name == "adaptive" && k.Name == "queueLimit":
			case !regexp.MustCompile(`"` + k.Name + `"\s*:`).MatchString(everything):
				t.Errorf("%s.%s is not in the document that has everything", o.Name, k.Name)
			}
		}
	}
}

func TestShorthand(t *testing.T) {
	short := mustRead(t, `{"duration":"1m","budgets":{"pot":{}},"policy":{"preset":"http","budget":{"shared":"pot"}},"dependency":{"p50":"1ms","p99":"2ms"},
		"load":{"perSecond":5,"peers":3},"pool":{"healthy":"1ms"},"limiter":{"concurrency":7}}`)
	full := mustRead(t, `{"duration":"1m","budgets":{"pot":{}},"services":{"client":{"pool":{"healthy":"1ms"},"calls":[{"to":"dependency","limiter":{"concurrency":7},
		"policy":{"preset":"http","budget":{"shared":"pot"}}}]}},"dependencies":{"dependency":{"p50":"1ms","p99":"2ms"}},"load":{"perSecond":5,"peers":3}}`)
	if !short.Topology.Single || full.Topology.Single {
		t.Error("only the shorthand asks for the text of a single run")
	}
	full.Topology.Single = true
	if a, b := describe(short), describe(full); a != b {
		t.Errorf("the shorthand means\n%s\nand not\n%s", a, b)
	}
	least := mustRead(t, `{"duration":"1m","dependency":{"p50":"1ms","p99":"2ms"},"load":{"perSecond":5}}`)
	if p := least.Topology.Calls[0].Policy; p != policy.Default() {
		t.Errorf("a missing policy is %+v", p)
	}
	if least.Seed != 1 || least.Topology.Record || least.Topology.Duration != ticks.Minute {
		t.Errorf("defaults: %+v", least)
	}
}

// TestNames is scenario.md 3: the preset's name, else the key in policies, else none.
func TestNames(t *testing.T) {
	s := mustRead(t, `{"duration":"1s","policies":{"a":{},"b":{"preset":"http"},"c":{"name":"x"},"d":{"preset":"http","name":null},"e":{"name":null},"f":null},
		"services":{"s":{"calls":[{"to":"1","policy":"a"},{"to":"2","policy":"b"},{"to":"3","policy":"c"},{"to":"4","policy":"d"},{"to":"5","policy":"e"},{"to":"6","policy":"f"},
		{"to":"7","policy":{"preset":"http"}},{"to":"8","policy":{}},{"to":"9"}]}},
		"dependencies":{"1":{"p50":"1ms","p99":"1ms"},"2":{"p50":"1ms","p99":"1ms"},"3":{"p50":"1ms","p99":"1ms"},"4":{"p50":"1ms","p99":"1ms"},"5":{"p50":"1ms","p99":"1ms"},
		"6":{"p50":"1ms","p99":"1ms"},"7":{"p50":"1ms","p99":"1ms"},"8":{"p50":"1ms","p99":"1ms"},"9":{"p50":"1ms","p99":"1ms"}},"load":{"perSecond":1}}`)
	want := []string{"a", "http", "x", "", "", "f", "http", "", ""}
	for i, c := range s.Topology.Calls {
		if c.Policy.Name != want[i] {
			t.Errorf("the policy of the call to %s is named %q, want %q", c.To, c.Policy.Name, want[i])
		}
	}
}

func TestEntry(t *testing.T) {
	// front is the one service that makes calls and is called by nobody
	s := mustRead(t, `{"duration":"1s","services":{"back":{"calls":[{"to":"db"}]},"front":{"calls":[{"to":"back"}]}},"dependencies":{"db":{"p50":"1ms","p99":"1ms"}},"load":{"perSecond":1}}`)
	if got := s.Topology.Loads[0].At; got != "front" {
		t.Errorf("load arrives at %q", got)
	}
	if s.Topology.Calls[0].From != "back" {
		t.Error("calls are declared in the order of the services")
	}
}

func TestSeeds(t *testing.T) {
	const base = `"duration":"1s","dependency":{"p50":"1ms","p99":"2ms"},"load":{"perSecond":5}}`
	for text, want := range map[string]string{
		`"seed":-2147483648`:        "-2147483648 []",
		`"seeds":"3-6"`:             "1 [3 4 5 6]",
		`"seeds":"0-0"`:             "1 [0]",
		`"seeds":[9,-4,2147483647]`: "1 [9 -4 2147483647]",
	} {
		s := mustRead(t, "{"+text+","+base)
		if got := fmt.Sprint(s.Seed, s.Seeds); got != want {
			t.Errorf("%s gives %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"1-3": "[1 2 3]", " 1, 2,-5": "[1 2 -5]", "-5": "[-5]", "7": "[7]", "1-10000": ""} {
		got, err := ParseSeeds(text)
		if err != nil || want != "" && fmt.Sprint(got) != want {
			t.Errorf("ParseSeeds(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "a", "1-", "3-1", "1,1", "1-10001", "0-2147483647", "0-99999999999999999999", "1,", "2147483648", "1--3", "-3-5"} {
		if got, err := ParseSeeds(text); err == nil {
			t.Errorf("ParseSeeds(%q) = %v", text, got)
		}
	}
}
