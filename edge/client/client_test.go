package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"squall/edge/api"
	"squall/engine"
	"squall/engine/policy"
	"squall/engine/scenario"
)

const single = `{ "duration": "5s", "policy": { "attempts": 3, "breaker": {}, "hedge": {} }, "dependency": { "p50": "10ms", "p99": "60ms", "failing": 0.1,
  "impairments": [ { "brownout": { "after": "1s", "slower": 8, "lasting": "2s" } } ] },
  "load": { "perSecond": 40, "mix": { "sheddable": 0.25 } }, "expect": [ "availability > 0.9" ] }`

const graph = `{ "duration": "4s",
  "services": { "shop": { "pool": { "healthy": "80us", "stalls": [ { "after": "1s", "delay": "50ms", "lasting": "1s" } ] },
      "calls": [ { "to": "cart", "policy": { "saturation": {} } }, { "to": "ads", "optional": true, "limiter": { "adaptive": {} } } ] },
    "cart": { "calls": [ { "to": "store", "policy": { "name": "buy", "attempts": 2, "backoff": "none" } } ] } },
  "dependencies": { "store": { "p50": "10ms", "p99": "40ms", "failing": 0.3 }, "ads": { "p50": "5ms", "p99": "90ms", "failing": 0.2, "capacity": 2 } },
  "load": [ { "at": "shop", "perSecond": 40 }, { "at": "cart", "perSecond": 5 } ] }`

// worker is a Worker with a fault before it.
type worker struct {
	*httptest.Server
	asked, seeds atomic.Int64
}

// fault answers instead of the Worker and says true, or lets it answer.
type fault func(n int64, w http.ResponseWriter, body []byte) bool

func newWorker(t *testing.T, f fault) *worker {
	t.Helper()
	w := &worker{}
	a := &api.API{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.URL.Path == "/api/band" {
			n := w.asked.Add(1)
			w.seeds.Add(gjson.GetBytes(body, "seeds.#").Int())
			if f != nil && f(n, out, body) {
				return
			}
		}
		a.ServeHTTP(out, r)
	}))
	t.Cleanup(w.Close)
	return w
}

func read(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, problems := scenario.Read([]byte(text), scenario.Options{})
	if s == nil {
		t.Fatal(problems)
	}
	return s
}

func firstSeeds(n int) []int32 {
	seeds := make([]int32, n)
	for i := range seeds {
		seeds[i] = int32(i + 1)
	}
	return seeds
}

// eager is the policy of the house without waiting.
func eager() *policy.Settings {
	s := Policy()
	s.Backoff = policy.NoBackoff()
	s.Budget.Kind = policy.NoBudget
	s.Breaker = nil
	return &s
}

// same holds a band to the one of this machine, byte for byte.
func same(t *testing.T, text string, seeds []int32, o Options) {
	t.Helper()
	s := read(t, text)
	want, err := engine.RunBand(t.Context(), &s.Topology, seeds, engine.BandOptions{})
	if err != nil {
		t.Fatal(err)
	}
	done, total := 0, 0
	o.Progress = func(d, n int) {
		if d <= done {
			t.Errorf("%d seeds done after %d", d, done)
		}
		done, total = d, n
	}
	got, err := Band(t.Context(), []byte(text), s, seeds, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.AppendJSON(nil), want.AppendJSON(nil)) || got.Text() != want.Text() {
		t.Errorf("the band is another:\n%s\nwant\n%s", got.Text(), want.Text())
	}
	for i, e := range s.JudgeBand(want) {
		if g := s.JudgeBand(got)[i]; g != e {
			t.Errorf("expectation %+v, want %+v", g, e)
		}
	}
	if done != len(seeds) || total != len(seeds) {
		t.Errorf("progress ended at %d of %d", done, total)
	}
}

func TestSameAsHere(t *testing.T) {
	w, v := newWorker(t, nil), newWorker(t, nil)
	for name, text := range map[string]string{"single": single, "graph": graph, "recorded": strings.Replace(single, "{", `{"record":true,`, 1)} {
		t.Run(name, func(t *testing.T) {
			same(t, text, firstSeeds(24), Options{URLs: []string{w.URL}, Check: 2})
			same(t, text, []int32{-5, 9, 0, 7}, Options{URLs: []string{w.URL, v.URL + "/"}, Jobs: 2})
		})
	}
	if n := w.seeds.Load() + v.seeds.Load(); n != 3*(24+4) {
		t.Errorf("%d seeds were asked for", n)
	}
}

// TestFaults loses answers in every way there is: the band must be whole and the same all the same.
func TestFaults(t *testing.T) {
	status := func(w http.ResponseWriter, code int) bool {
		http.Error(w, `{"ok":false,"error":"not now"}`, code)
		return true
	}
	answer := func(body []byte) string {
		r := httptest.NewRequest(http.MethodPost, "http://x/api/band", bytes.NewReader(body))
		w := httptest.NewRecorder()
		new(api.API).ServeHTTP(w, r)
		return w.Body.String()
	}
	for name, f := range map[string]fault{
		"500 now and then": func(n int64, w http.ResponseWriter, _ []byte) bool { return n%3 == 1 && status(w, 500) },
		"429 now and then": func(n int64, w http.ResponseWriter, _ []byte) bool { return n%3 == 1 && status(w, 429) },
		"500 for more than two": func(_ int64, w http.ResponseWriter, body []byte) bool {
			return gjson.GetBytes(body, "seeds.#").Int() > 2 && status(w, 500)
		},
		"413 for more than two": func(_ int64, w http.ResponseWriter, body []byte) bool {
			return gjson.GetBytes(body, "seeds.#").Int() > 2 && status(w, 413)
		},
		"a closed connection": func(n int64, w http.ResponseWriter, _ []byte) bool {
			if n%3 == 1 {
				panic(http.ErrAbortHandler)
			}
			return false
		},
		"half an answer": func(n int64, w http.ResponseWriter, body []byte) bool {
			if n%3 == 1 {
				all := answer(body)
				io.WriteString(w, all[:len(all)/2])
			}
			return n%3 == 1
		},
		"a wrong number": func(n int64, w http.ResponseWriter, body []byte) bool {
			if n%3 == 1 {
				io.WriteString(w, strings.Replace(answer(body), `"succeeded":1`, `"succeeded":2`, 1))
			}
			return n%3 == 1
		},
		"the answer to other seeds": func(n int64, w http.ResponseWriter, body []byte) bool {
			if n%3 == 1 {
				io.WriteString(w, strings.Replace(answer(bytes.Replace(body, []byte(`"seeds":[`), []byte(`"seeds":[99,`), 1)), ``, ``, 1))
			}
			return n%3 == 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, single, firstSeeds(40), Options{URLs: []string{newWorker(t, f).URL}, Jobs: 2, Policy: eager()})
		})
	}
}

// TestPolicy meets faults under the policy that the command line uses, with its budget and its breaker.
func TestPolicy(t *testing.T) {
	w := newWorker(t, func(n int64, w http.ResponseWriter, _ []byte) bool {
		if n%4 != 1 {
			return false
		}
		http.Error(w, "not now", http.StatusBadGateway)
		return true
	})
	same(t, single, firstSeeds(30), Options{URLs: []string{w.URL}, Jobs: 2})
}

// FuzzReadReport reads what a Worker might send: it is what its digest says, or an error.
func FuzzReadReport(f *testing.F) {
	s, problems := scenario.Read([]byte(single), scenario.Options{})
	if s == nil {
		f.Fatal(problems)
	}
	report, err := engine.Run(f.Context(), &s.Topology, 1, engine.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(report.AppendJSON(nil)))
	f.Add(`{"seed":1e300,"calls":[{"measured":{"events":{"Attempt":-1},"limiter":{}}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !gjson.Valid(text) {
			t.Skip("no JSON")
		}
		v := gjson.Parse(text)
		if r, err := readReport(v, &s.Topology); err == nil && r.Digest != v.Get("digest").Str {
			t.Errorf("%s was taken for %s", text, r.Digest)
		}
	})
}

// TestDies has one of two Workers die for good after a few chunks.
func TestDies(t *testing.T) {
	var dying *worker
	dying = newWorker(t, func(n int64, w http.ResponseWriter, _ []byte) bool {
		if n == 3 {
			go dying.CloseClientConnections()
			dying.Listener.Close()
		}
		if n >= 3 {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	alive := newWorker(t, nil)
	var left atomic.Int64
	same(t, single, firstSeeds(80), Options{
		URLs: []string{dying.URL, alive.URL}, Jobs: 2, Policy: eager(), Patience: time.Millisecond, Left: func(error) { left.Add(1) },
	})
	if left.Load() != 1 || alive.seeds.Load() == 0 {
		t.Errorf("%d Workers were left out", left.Load())
	}
}

// TestBreaker lets a Worker fail until its breaker opens: the other one does the work meanwhile.
func TestBreaker(t *testing.T) {
	bad := newWorker(t, func(_ int64, w http.ResponseWriter, _ []byte) bool {
		http.Error(w, "no", http.StatusInternalServerError)
		return true
	})
	good := newWorker(t, nil)
	s := *eager()
	b := policy.Breaker()
	s.Breaker = &b
	same(t, single, firstSeeds(60), Options{URLs: []string{bad.URL, good.URL}, Jobs: 1, Policy: &s})
	if n := bad.asked.Load(); n > int64(b.ConsecutiveFailures) {
		t.Errorf("a Worker that only fails was asked %d times; its breaker opens after %d failures", n, b.ConsecutiveFailures)
	}
}

func TestErrors(t *testing.T) {
	good := newWorker(t, nil)
	dead := newWorker(t, nil)
	dead.Close()
	failing := newWorker(t, func(_ int64, w http.ResponseWriter, _ []byte) bool {
		http.Error(w, `{"ok":false,"error":"out of order"}`, http.StatusInternalServerError)
		return true
	})
	older := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"ok":true,"engine":"0.0.1","limits":{"calls":1,"cells":1}}`)
	}))
	defer older.Close()
	other := httptest.NewServer(http.FileServer(http.Dir(t.TempDir())))
	defer other.Close()
	for name, tt := range map[string]struct {
		text  string
		seeds []int32
		urls  []string
		is    error
		says  string
	}{
		"no URL":            {single, []int32{1}, nil, nil, "no URL"},
		"no address":        {single, []int32{1}, []string{"squall"}, nil, "no address"},
		"twice":             {single, []int32{1}, []string{good.URL, good.URL + "/"}, nil, "twice"},
		"no seed":           {single, nil, []string{good.URL}, nil, "at least one"},
		"a seed twice":      {single, []int32{1, 1}, []string{good.URL}, nil, "twice"},
		"nobody there":      {single, []int32{1}, []string{dead.URL}, nil, "refused"},
		"another version":   {single, []int32{1}, []string{good.URL, older.URL}, ErrVersion, "0.0.1"},
		"something else":    {single, []int32{1}, []string{other.URL}, nil, "404"},
		"always failing":    {single, firstSeeds(5), []string{failing.URL}, nil, "out of order"},
		"more than allowed": {strings.Replace(single, `"perSecond": 40`, `"perSecond": 4000000`, 1), []int32{1}, []string{good.URL}, nil, "at most"},
	} {
		t.Run(name, func(t *testing.T) {
			band, err := Band(t.Context(), []byte(tt.text), readLoose(t, tt.text), tt.seeds, Options{URLs: tt.urls, Policy: eager(), Patience: time.Nanosecond})
			if err == nil || band != nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v; want %q", err, tt.says)
			}
		})
	}
}

// readLoose reads a scenario that only a Worker finds too large.
func readLoose(t *testing.T, text string) *scenario.Scenario {
	s, problems := scenario.Read([]byte(text), scenario.Options{MaxCalls: 1 << 40})
	if s == nil {
		t.Fatal(problems)
	}
	return s
}

// TestDiffers lets a Worker invent its numbers consistently: only a run here can tell.
func TestDiffers(t *testing.T) {
	liar := newWorker(t, nil)
	text := strings.Replace(single, `"failing": 0.1`, `"failing": 0.2`, 1)
	// The Worker gets another text than the one that is checked.
	_, err := Band(t.Context(), []byte(text), read(t, single), firstSeeds(3), Options{URLs: []string{liar.URL}, Check: 1})
	if !errors.Is(err, ErrDiffers) {
		t.Error(err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	slow := newWorker(t, func(n int64, w http.ResponseWriter, _ []byte) bool {
		if n > 2 {
			once.Do(cancel)
			time.Sleep(20 * time.Millisecond)
		}
		return false
	})
	_, err := Band(ctx, []byte(single), read(t, single), firstSeeds(50), Options{URLs: []string{slow.URL}, Jobs: 2})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestCut holds the chunks to what a Worker takes: each within the limits, all seeds once.
func TestCut(t *testing.T) {
	for _, limits := range []api.Limits{{Calls: 1000, Cells: 100_000}, {Calls: 1 << 30, Cells: 40}, {Calls: 1, Cells: 1}, {Calls: 1 << 30, Cells: 1 << 30}} {
		s := read(t, single)
		b := &spread{options: Options{Jobs: 2}, topology: &s.Topology, seeds: firstSeeds(101), endpoints: []*endpoint{{limits: limits}}}
		b.cut()
		var all []int32
		for _, c := range b.chunks {
			if n := c.to - c.from; n < 1 || n > 1 && (float64(n)*api.Offered(&s.Topology) > float64(limits.Calls) || float64(n)*api.Cells(&s.Topology) > float64(limits.Cells)) {
				t.Errorf("a chunk of %d under %+v", n, limits)
			}
			all = append(all, b.seeds[c.from:c.to]...)
		}
		if !slices.Equal(all, b.seeds) {
			t.Errorf("the chunks are %v", b.chunks)
		}
	}
}
