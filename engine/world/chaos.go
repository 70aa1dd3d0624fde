package world

import (
	"math"
	"strconv"
	"strings"

	"squall/engine/ticks"
)

// Injector rolls the rules of a Chaos in a run (grading.md 3). Its rolls are hashes of what a call
// is, never draws from a stream: a rule moves nothing that it does not touch.
type Injector struct {
	rules []ChaosRule
	seed  string
	text  []byte

	// Matched and Fired count per rule.
	Matched, Fired []int
}

// Site is one declared call as the rules see it: which rules can claim its attempts.
type Site struct {
	From, To string
	rules    []int
	// Matched counts per rule, in the order of the rules, the attempts of this site it claimed.
	Matched []int
}

// Fault is what one attempt suffers.
type Fault struct {
	// Rule is the index of the rule.
	Rule int
	// Effects are the indexes of the effects that fired.
	Effects []int
	// Status is the injected answer, 0 for none; Failure says that the attempt ends in an I/O failure.
	Status  int
	Failure bool
	// Skip says that the served latency does not count: the attempt lasts Delay.
	Skip bool
	// Reaches is false when a service behind the call never sees the request.
	Reaches bool

	factor float64 // a multiple of the served latency to add
	delay  ticks.Ticks
	limit  ticks.Ticks
}

// NewInjector is the live form of valid rules for one run.
func NewInjector(c *Chaos, seed int32) *Injector {
	return &Injector{
		rules: c.Rules, seed: strconv.Itoa(int(seed)),
		Matched: make([]int, len(c.Rules)), Fired: make([]int, len(c.Rules)),
	}
}

// Site prepares one declared call. In a run it is a GET of the callee's name (grading.md 4).
func (j *Injector) Site(from, to string) Site {
	s := Site{From: from, To: to, Matched: make([]int, len(j.rules))}
	for i := range j.rules {
		if j.rules[i].Scope.Covers(from, to, "GET", "/"+to) {
			s.rules = append(s.rules, i)
		}
	}
	return s
}

// Covers says whether a scope matches a call: missing keys match all, methods regardless of case,
// a last * in a path any rest.
func (s *ChaosScope) Covers(from, to, method, path string) bool {
	return (s.From == "" || s.From == from) && (s.To == "" || s.To == to) &&
		(s.Method == "" || strings.EqualFold(s.Method, method)) && (s.Path == "" || pathCovers(s.Path, path))
}

func pathCovers(pattern, path string) bool {
	if rest, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(path, rest)
	}
	return pattern == path
}

// Roll decides what an attempt suffers: call counts the caller's calls to the callee before this
// one, attempt from 1. It answers nil for an attempt that is left alone.
func (j *Injector) Roll(s *Site, now ticks.Ticks, call, attempt int) *Fault {
	for _, i := range s.rules {
		r := &j.rules[i]
		if now < r.StartAfter || r.HasDuration && now >= ticks.Add(r.StartAfter, r.Duration) {
			continue
		}
		// The first open rule in scope claims the attempt, whatever its roll says.
		j.Matched[i]++
		s.Matched[i]++
		if !j.fires(r, s, call, attempt, "-", r.Percent) {
			return nil
		}
		f := j.strike(i, s, call, attempt)
		if f != nil {
			j.Fired[i]++
		}
		return f
	}
	return nil
}

// strike collects the effects that fire; nil when each of them declined.
func (j *Injector) strike(rule int, s *Site, call, attempt int) *Fault {
	r := &j.rules[rule]
	f := &Fault{Rule: rule, Reaches: true, limit: r.MaxLatency}
	stalls, refused := false, false
	for i := range r.Effects {
		e := &r.Effects[i]
		index := strconv.Itoa(i)
		if e.HasPercent && !j.fires(r, s, call, attempt, index, e.Percent) {
			continue
		}
		f.Effects = append(f.Effects, i)
		switch e.Kind {
		case EffectLatency:
			switch {
			case e.LatencyFactor != 0:
				f.factor += e.LatencyFactor - 1
			case e.LatencyLow == e.LatencyHigh:
				f.delay = ticks.Add(f.delay, e.LatencyLow)
			default:
				share := j.roll(r, s, call, attempt, index+"|value")
				f.delay = ticks.Add(f.delay, e.LatencyLow+ticks.FromFloat(float64(share*float64(e.LatencyHigh-e.LatencyLow))))
			}
		case EffectStatus:
			if f.Status == 0 {
				f.Status = e.Status
			}
		case EffectRefuse:
			refused, f.Failure = true, true
		case EffectStall:
			stalls, f.Failure = true, true
		default:
			f.Failure = true
		}
	}
	if len(f.Effects) == 0 {
		return nil
	}
	if f.Status != 0 {
		// An answer is named before a broken connection (grading.md 7.2), so it is what is given.
		f.Failure, refused = false, false
	}
	if stalls {
		f.Skip, f.delay, f.factor = true, r.MaxLatency, 0
	}
	if refused {
		f.Skip = true
	}
	f.Reaches = !f.Skip
	return f
}

// Delay is what the fault adds to a served latency, after the rule's ceiling.
func (f *Fault) Delay(served ticks.Ticks) ticks.Ticks {
	d := f.delay
	if f.factor != 0 {
		d = ticks.Add(d, max(0, ticks.FromFloat(float64(f.factor*float64(served)))))
	}
	return min(d, f.limit)
}

func (j *Injector) fires(r *ChaosRule, s *Site, call, attempt int, effect string, percent float64) bool {
	return float64(j.roll(r, s, call, attempt, effect)*100) < percent
}

// roll is the hash of SEED|RULE|FROM|TO|CALL|ATTEMPT|EFFECT as a number from 0 to below 1; a sticky
// rule hashes SEED|RULE|FROM|EFFECT.
func (j *Injector) roll(r *ChaosRule, s *Site, call, attempt int, effect string) float64 {
	b := append(j.text[:0], j.seed...)
	b = append(append(b, '|'), r.ID...)
	b = append(append(b, '|'), s.From...)
	if !r.Sticky {
		b = append(append(b, '|'), s.To...)
		b = strconv.AppendInt(append(b, '|'), int64(call), 10)
		b = strconv.AppendInt(append(b, '|'), int64(attempt), 10)
	}
	b = append(append(b, '|'), effect...)
	j.text = b
	return HashRoll(b)
}

// HashRoll maps a text to a number from 0 to below 1: FNV-1a 64, finished so that neighbouring
// texts do not roll alike (grading.md 3).
func HashRoll(text []byte) float64 {
	h := uint64(14695981039346656037)
	for _, c := range text {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return math.Ldexp(float64(h>>11), -53)
}
