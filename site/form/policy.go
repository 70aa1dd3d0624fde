package form

import (
	"squall/engine/document"
	"squall/site/edit"
)

// policy is a policy at a path. What it shows for a key that is not written is the preset's.
func (b *builder) policy(path, title string) {
	bounded := true
	switch b.word(edit.Key(path, "preset")) {
	case "none", "instant":
		bounded = false
	}
	usual := func(of string) string {
		if bounded {
			return of
		}
		return "none"
	}
	s := b.section(Section{ID: path, Title: title})
	preset := b.word(edit.Key(path, "preset"))
	if preset == "" {
		preset = "default"
	}
	b.pick(s, edit.Key(path, "preset"), "Preset", preset, "the settings it starts from",
		Option{"default", `"default"`}, Option{"http", `"http"`}, Option{"none", `"none"`}, Option{"instant", `"instant"`})
	attempts := "3"
	if preset == "none" {
		attempts = "1"
	}
	b.add(s, edit.Key(path, "attempts"), Count, "Attempts", attempts, "how many attempts a call may make, the first included", few)
	b.add(s, edit.Key(path, "deadline"), Bound, "Deadline", usual("30s"), "bounds the whole call", bounds)
	b.add(s, edit.Key(path, "attemptTimeout"), Bound, "Attempt timeout", usual("10s"), "bounds one attempt", bounds)
	b.flag(s, edit.Key(path, "useAmbientCriticality"), "Follow importance", false, "the level of a call decides about its retries and hedges")
	b.flag(s, edit.Key(path, "adaptive"), "Adaptive", bounded || preset == "instant", "derived defaults may follow what was measured")

	b.ceiling(edit.Key(path, "attemptCeiling"))
	b.backoff(edit.Key(path, "backoff"), usual)
	b.budget(edit.Key(path, "budget"), bounded)
	b.breaker(edit.Key(path, "breaker"))
	b.hedge(edit.Key(path, "hedge"))
	if s, on := b.feature(edit.Key(path, "saturation"), "Pool saturation", "do not blame the dependency for the caller’s own queue", "{}", "", 1); on {
		in := edit.Key(path, "saturation")
		b.add(s, in+".multiple", Factor, "Multiple", "5", "of the usual queue delay", multiple)
		b.add(s, in+".floor", Duration, "Floor", "20ms", "a queue below this never counts", wait)
		b.add(s, in+".minimumSamples", Count, "Minimum samples", "20", "", many)
	}
}

// threeValued is the choice of a setting that can be derived, off, or written.
func (b *builder) threeValued(s *Section, path, help string) bool {
	which := "derived"
	switch raw := b.raw(path); {
	case raw == "null":
		which = "off"
	case raw != "":
		which = "own"
	}
	b.pick(s, path, "Use", which, help, Option{"derived", ""}, Option{"off", "null"}, Option{"own", "{}"})
	return which == "own"
}

func (b *builder) ceiling(path string) {
	s := b.section(Section{ID: path, Title: "Measured attempt ceiling", Level: 1})
	if b.threeValued(s, path, "an attempt may take a multiple of what was measured; derived means the preset’s") {
		b.add(s, path+".multiple", Factor, "Multiple", "3", "of the measured quantile", multiple)
		b.add(s, path+".quantile", Factor, "Quantile", "0.95", "", tail)
		b.add(s, path+".window", Duration, "Window", "5m", "how far back is measured", window)
		b.add(s, path+".minimumSamples", Count, "Minimum samples", "20", "", many)
		b.add(s, path+".floor", Duration, "Floor", "50ms", "never lower than this", wait)
	}
}

func (b *builder) backoff(path string, usual func(string) string) {
	s := b.section(Section{ID: path, Title: "Backoff", Level: 1})
	which := "exponential"
	v, written := b.value(path)
	switch {
	case written && v.Kind() == document.Text && b.word(path) == "none", !written && usual("") == "none":
		which = "none"
	case b.word(path+".kind") == "constant":
		which = "constant"
	}
	b.pick(s, path, "Curve", which, "what is waited between attempts", Option{"none", `"none"`},
		Option{"exponential", `{ "kind": "exponential" }`}, Option{"constant", `{ "kind": "constant", "delay": "100ms" }`})
	jitter := func() {
		word := b.word(path + ".jitter")
		if word == "" {
			word = "full"
		}
		b.pick(s, path+".jitter", "Jitter", word, "how much of the delay is drawn at random", Option{"full", `"full"`}, Option{"equal", `"equal"`}, Option{"none", `"none"`})
	}
	switch which {
	case "exponential":
		b.add(s, path+".transientBase", Duration, "Base", "100ms", "before the second attempt, doubled for each one after", wait)
		b.add(s, path+".throttledBase", Duration, "Base when throttled", "1s", "after the callee said that it is too much", wait)
		b.add(s, path+".factor", Factor, "Factor", "2", "", multiple)
		b.add(s, path+".maximumDelay", Bound, "Maximum", "30s", "", bounds)
		jitter()
	case "constant":
		b.add(s, path+".delay", Duration, "Delay", "", "", wait)
		b.add(s, path+".throttledBase", Duration, "When throttled", b.word(path+".delay"), "", wait)
		b.add(s, path+".maximumDelay", Bound, "Maximum", b.word(path+".delay"), "", bounds)
		jitter()
	}
	if which == "exponential" {
		in := path + ".measured"
		if s, on := b.feature(in, "Base from measured latency", "the base follows the measured median", "{}", "", 2); on {
			b.add(s, in+".multiple", Factor, "Multiple", "1", "", multiple)
			b.add(s, in+".quantile", Factor, "Quantile", "0.5", "", half)
			b.add(s, in+".window", Duration, "Window", "5m", "", window)
			b.add(s, in+".minimumSamples", Count, "Minimum samples", "20", "", many)
			b.add(s, in+".spread", Factor, "Spread", "10", "", multiple)
		}
	}
}

func (b *builder) budget(path string, bounded bool) {
	s := b.section(Section{ID: path, Title: "Retry budget", Level: 1})
	which := "automatic"
	v, written := b.value(path)
	switch {
	case b.word(path) == "none", !written && !bounded:
		which = "none"
	case written && v.Kind() == document.Object && b.has(path+".shared"):
		which = "shared"
	case written && v.Kind() == document.Object:
		which = "own"
	}
	options := []Option{{"automatic", `"automatic"`}, {"none", `"none"`}, {"own", `{ "fraction": 0.1, "minimumPerSecond": 3 }`}}
	shared := b.names("budgets")
	if len(shared) > 0 {
		options = append(options, Option{"shared", `{ "shared": ` + quoted(shared[0]) + ` }`})
	}
	b.pick(s, path, "Budget", which, "what pays for retries", options...)
	switch which {
	case "own":
		b.bucket(s, path)
	case "shared":
		b.pick(s, path+".shared", "Shared bucket", b.word(path+".shared"), "", references(shared)...)
	}
}

// bucket are the fields of a bucket at a path.
func (b *builder) bucket(s *Section, path string) {
	b.add(s, edit.Key(path, "fraction"), Share, "Fraction", "10%", "of successes that come back as tokens", part)
	b.add(s, edit.Key(path, "minimumPerSecond"), Count, "Floor a second", "3", "tokens that come back whatever happens", &Slider{Low: 0, High: 50})
}

func (b *builder) breaker(path string) {
	s, on := b.feature(path, "Circuit breaker", "refuses calls while the dependency does not answer", "{}", "", 1)
	if !on {
		return
	}
	b.add(s, path+".consecutiveFailures", Count, "Consecutive failures", "5", "opens after this many in a row", many)
	b.add(s, path+".failureRatio", Factor, "Failure ratio", "off", "opens above this share of failures", part)
	b.add(s, path+".minimumCalls", Count, "Minimum calls", "20", "no ratio counts before", many)
	b.add(s, path+".tripWindow", Duration, "Trip window", "30s", "", window)
	b.add(s, path+".slowCallThreshold", Duration, "Slow call", "", "a call that takes longer is slow", latency)
	b.add(s, path+".slowCallRatio", Factor, "Slow ratio", "0.5", "opens above this share of slow calls", part)
	b.add(s, path+".breakDuration", Duration, "Break", "15s", "how long it stays open", window)
	b.add(s, path+".maximumBreakDuration", Duration, "Longest break", "2m", "", window)
	jitter := b.word(path + ".breakJitter")
	if jitter == "" {
		jitter = "equal"
	}
	b.pick(s, path+".breakJitter", "Break jitter", jitter, "", Option{"equal", `"equal"`}, Option{"full", `"full"`}, Option{"none", `"none"`})
	b.add(s, path+".halfOpenProbes", Count, "Probes at once", "1", "half-open", few)
	b.add(s, path+".probeSuccesses", Count, "Probe successes", "2", "that close it", few)
	b.flag(s, path+".adaptive", "Adaptive", true, "")
	in := path + ".failures"
	s = b.section(Section{ID: in, Title: "Trip on the measured error rate", Level: 2})
	if b.threeValued(s, in, "opens at a multiple of what is normal") {
		b.add(s, in+".multiple", Factor, "Multiple", "5", "", multiple)
		b.add(s, in+".floor", Share, "Floor", "5%", "", part)
		b.add(s, in+".window", Duration, "Window", "5m", "", window)
		b.add(s, in+".minimumSamples", Count, "Minimum samples", "100", "", many)
	}
	in = path + ".slowCalls"
	s = b.section(Section{ID: in, Title: "Slow calls by measured latency", Level: 2})
	if b.threeValued(s, in, "a call is slow at a multiple of what is normal") {
		b.add(s, in+".multiple", Factor, "Multiple", "3", "", multiple)
		b.add(s, in+".quantile", Factor, "Quantile", "0.5", "", half)
		b.add(s, in+".window", Duration, "Window", "5m", "", window)
		b.add(s, in+".minimumSamples", Count, "Minimum samples", "20", "", many)
	}
	in = path + ".recovery"
	if s, on := b.feature(in, "Recovery ramp", "hands traffic back bit by bit", "{}", "", 2); on {
		b.add(s, in+".length", Factor, "Length", "0.25", "of the break that was served", part)
		b.add(s, in+".minimumLength", Duration, "At least", "1s", "", window)
		b.add(s, in+".maximumLength", Duration, "At most", "30s", "", window)
		b.add(s, in+".initialFraction", Share, "Begins with", "5%", "", part)
	}
}

func (b *builder) hedge(path string) {
	s, on := b.feature(path, "Hedge", "a second attempt beside one that takes long", "{}", "", 1)
	if !on {
		return
	}
	b.add(s, path+".quantile", Factor, "Quantile", "0.95", "of the measured latency at which it is sent", tail)
	b.add(s, path+".maximumConcurrent", Count, "At once", "2", "attempts beside each other", &Slider{Low: 2, High: 10})
	b.add(s, path+".minimumDelay", Duration, "Not before", "10ms", "", wait)
	b.add(s, path+".minimumSamples", Count, "Minimum samples", "20", "", many)
	b.add(s, path+".window", Duration, "Window", "30s", "", window)
	b.add(s, path+".suppressAt", Factor, "Suppress at", "0.5", "of the retry budget", part)
	in := path + ".winRate"
	if s, on := b.feature(in, "Throttle hedges that do not win", "", "{}", "", 2); on {
		b.add(s, in+".minimum", Share, "Minimum", "20%", "", part)
		b.add(s, in+".window", Duration, "Window", "1m", "", window)
		b.add(s, in+".minimumSamples", Count, "Minimum samples", "10", "", many)
		b.add(s, in+".minimumAllowance", Share, "Always allowed", "5%", "", part)
	}
}
