// Package workerd runs the built Worker in workerd, the runtime of Cloudflare, and asks it over HTTP.
// What the API answers is tested in package api; here it is the same engine behind the real runtime:
// KV, the limit of requests, the site's headers, memory, and a band over several Workers.
package workerd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"squall/edge/client"
	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/scenario"
	"squall/examples"
	"squall/wasm/module"
)

// worker is one workerd with the Worker in it.
type worker struct {
	url     string
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	mutex   sync.Mutex
}

// start starts a Worker that answers so many requests of an address in ten seconds.
func start(t *testing.T, requests int) *worker {
	t.Helper()
	for _, needed := range []string{"../build/app.wasm", "../node_modules/miniflare"} {
		if _, err := os.Stat(needed); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal("the Worker is not built: make edge-test does that")
			}
			t.Skip("the Worker is not built: make edge-test does that")
		}
	}
	w := &worker{process: exec.Command("node", "serve.mjs", "0", "", strconv.Itoa(requests))}
	w.process.Stderr = os.Stderr
	var err error
	if w.in, err = w.process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := w.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.out = bufio.NewReader(out)
	if err := w.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.in.Close()
		w.process.Wait()
	})
	line, err := w.out.ReadString('\n')
	if err != nil {
		t.Fatalf("workerd did not start: %v", err)
	}
	w.url = strings.TrimSpace(line)
	return w
}

// kv asks serve.mjs about KV.
func (w *worker) kv(t *testing.T, question any) gjson.Result {
	t.Helper()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	b, _ := json.Marshal(question)
	if _, err := w.in.Write(append(b, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := w.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return gjson.Parse(line)
}

// patient waits as long as a busy machine may need, and keeps no connection of a Worker that dies.
var patient = &http.Client{Timeout: 3 * time.Minute}

type answer struct {
	*http.Response
	text string
}

func (a answer) get(path string) gjson.Result { return gjson.Get(a.text, path) }

func (w *worker) ask(t *testing.T, method, path, body string) answer {
	t.Helper()
	r, err := http.NewRequest(method, w.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := patient.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{response, string(text)}
}

func text(scenario string) string {
	return `{"text":` + string(measure.AppendText(nil, scenario)) + `}`
}

const small = `{ "title": "Tea & <script>alert(1)</script>", "duration": "5s", "policy": { "preset": "http" },
  "dependency": { "p50": "10ms", "p99": "40ms", "failing": 0.2 }, "load": { "perSecond": 40 } }`

// TestWorker asks one Worker about everything that a deployed one answers.
func TestWorker(t *testing.T) {
	w := start(t, 100_000)
	t.Run("the same as here", func(t *testing.T) {
		for op, body := range map[string]string{
			"run": text(examples.Brownout), "check": text(small), "grade": text(small), "band": strings.TrimSuffix(text(small), "}") + `,"seeds":[3,1,2]}`,
		} {
			got := w.ask(t, "POST", "/api/"+op, body)
			want := new(module.Module).Answer(`{"op":"`+op+`",`+strings.TrimPrefix(body, "{"), nil)
			if got.text != want {
				t.Errorf("%s: status %d, %.300s\nwant %.300s", op, got.StatusCode, got.text, want)
			}
		}
	})
	t.Run("refusals", func(t *testing.T) {
		for name, tt := range map[string]struct {
			method, path, body string
			status             int
			says               string
		}{
			"not JSON":     {"POST", "/api/run", `{`, 400, "JSON object"},
			"large":        {"POST", "/api/run", `{"text":"` + strings.Repeat("x", 3<<20) + `"}`, 413, "at most"},
			"a large link": {"POST", "/api/links", `{"text":"` + strings.Repeat("x", 70_000) + `"}`, 413, "at most 65536"},
			"wrong":        {"POST", "/api/run", text(`{ "duration": 5 }`), 422, `"problems":[{"path":`},
			"calls":        {"POST", "/api/run", text(strings.Replace(small, `"perSecond": 40`, `"perSecond": 500000`, 1)), 422, "at most 2000000"},
			"no such path": {"POST", "/api/fly", `{}`, 404, "no such path"},
			"no such link": {"GET", "/s/abcdefghijklmnop", ``, 404, "time is over"},
			"no such file": {"GET", "/nothing.html", ``, 404, ""},
			"method":       {"DELETE", "/api/run", ``, 405, "POST"},
			"site":         {"POST", "/", `{}`, 405, "only GET"},
		} {
			got := w.ask(t, tt.method, tt.path, tt.body)
			if got.StatusCode != tt.status || !strings.Contains(got.text, tt.says) {
				t.Errorf("%s: status %d, %.200s; want %d, %q", name, got.StatusCode, got.text, tt.status, tt.says)
			}
			if got.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(got.Header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("%s: headers %v", name, got.Header)
			}
		}
	})
	t.Run("another site's page", func(t *testing.T) {
		got := w.ask(t, "OPTIONS", "/api/run", "")
		if got.StatusCode != 200 || got.Header.Get("Access-Control-Allow-Origin") != "*" || got.Header.Get("Access-Control-Allow-Headers") != "Content-Type" {
			t.Errorf("%d %v", got.StatusCode, got.Header)
		}
	})
	t.Run("the site", func(t *testing.T) {
		page := w.ask(t, "GET", "/", "")
		policy := page.Header.Get("Content-Security-Policy")
		if page.StatusCode != 200 || !strings.Contains(page.text, "<title>Squall") || strings.Contains(policy, "'unsafe-eval'") || !strings.Contains(policy, "frame-ancestors 'self'") {
			t.Errorf("%d %v", page.StatusCode, page.Header)
		}
		modules, _ := filepath.Glob("../build/site/*.wasm")
		if len(modules) == 0 {
			t.Fatal("the site has no module")
		}
		wasm := w.ask(t, "HEAD", "/"+filepath.Base(modules[0]), "")
		if wasm.StatusCode != 200 || wasm.Header.Get("Content-Type") != "application/wasm" {
			t.Errorf("%d %v", wasm.StatusCode, wasm.Header)
		}
	})
	t.Run("links", func(t *testing.T) { links(t, w) })
	t.Run("memory", func(t *testing.T) {
		// Every call of this run is still in flight at its end.
		got := w.ask(t, "POST", "/api/run", text(`{ "duration": "1m", "policy": { "preset": "none" }, "dependency": { "p50": "1h", "p99": "2h" }, "load": { "perSecond": 33000 } }`))
		if got.StatusCode != 422 || !strings.Contains(got.text, "memory of a Worker") {
			t.Errorf("%d %.300s", got.StatusCode, got.text)
		}
		if next := w.ask(t, "GET", "/api/limits", ""); next.StatusCode != 200 {
			t.Errorf("after that: %d %s", next.StatusCode, next.text)
		}
	})
}

func links(t *testing.T, w *worker) {
	made := w.ask(t, "POST", "/api/links", text(small))
	id := made.get("id").Str
	if made.StatusCode != 201 || made.get("url").Str != w.url+"/s/"+id {
		t.Fatalf("%d %s", made.StatusCode, made.text)
	}
	if again := w.ask(t, "POST", "/api/links", text(small)); again.StatusCode != 200 || again.text != made.text {
		t.Errorf("the second time: %d %s", again.StatusCode, again.text)
	}
	keys := w.kv(t, map[string]any{"list": true})
	expires, err := time.Parse(time.RFC3339, made.get("expires").Str)
	if kept := keys.Get("0.expiration").Int(); keys.Get("#").Int() != 1 || keys.Get("0.name").Str != id || err != nil || max(kept-expires.Unix(), expires.Unix()-kept) > 120 {
		t.Errorf("KV holds %s; the link said %v", keys.Raw, expires)
	}
	if run := w.ask(t, "POST", "/api/run", text(small)); run.get("report.digest").Str != made.get("digest").Str {
		t.Error("the link carries another digest than the run")
	}
	for path, kind := range map[string]string{"/s/" + id: "text/html; charset=utf-8", "/embed/" + id: "text/html; charset=utf-8", "/s/" + id + "/chart.svg": "image/svg+xml"} {
		got := w.ask(t, "GET", path, "")
		if got.StatusCode != 200 || got.Header.Get("Content-Type") != kind || strings.Contains(got.text, "<script") || !strings.Contains(got.text, "Tea &amp; &lt;script&gt;") {
			t.Errorf("%s: %d %v\n%.500s", path, got.StatusCode, got.Header, got.text)
		}
	}
	if o := w.ask(t, "GET", "/api/oembed?url="+url.QueryEscape(w.url+"/s/"+id), ""); o.StatusCode != 200 || o.get("type").Str != "rich" {
		t.Errorf("oEmbed: %d %s", o.StatusCode, o.text)
	}
	// A record whose time is over counts as gone, although KV still has it.
	record := w.kv(t, map[string]any{"get": id}).Str
	old := strings.Replace(record, `"expires":`+strconv.FormatInt(gjson.Get(record, "expires").Int(), 10), `"expires":1000000000`, 1)
	w.kv(t, map[string]any{"put": []any{"AAAAAAAAAAAAAAAA", old, 600}})
	if got := w.ask(t, "GET", "/s/AAAAAAAAAAAAAAAA", ""); old == record || got.StatusCode != 404 {
		t.Errorf("a link whose time is over: %d", got.StatusCode)
	}
}

// TestRate makes more requests than an address may.
func TestRate(t *testing.T) {
	w := start(t, 3)
	refused := 0
	for range 8 {
		if got := w.ask(t, "GET", "/api/limits", ""); got.StatusCode == 429 {
			refused++
			if got.Header.Get("Retry-After") != "10" || got.get("ok").Bool() || got.get("error").Str == "" || got.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%v %s", got.Header, got.text)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	if got := w.ask(t, "GET", "/", ""); got.StatusCode != 200 {
		t.Errorf("the site counts as a request: %d", got.StatusCode)
	}
}

// TestBand runs 200 seeds on two Workers: one answers 500 now and then, the other is killed half way.
// Nothing is lost, nothing counted twice, and every byte equals the band of this machine.
func TestBand(t *testing.T) {
	const seeds = 200
	shaky, dying := start(t, 100_000), start(t, 100_000)
	target, err := url.Parse(shaky.url)
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(target)
	var asked, failed atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/band" && asked.Add(1)%4 == 2 {
			failed.Add(1)
			http.Error(out, `{"ok":false,"error":"out of order"}`, http.StatusInternalServerError)
			return
		}
		pass.ServeHTTP(out, r)
	}))
	defer proxy.Close()

	s, problems := scenario.Read([]byte(small), scenario.Options{})
	if s == nil {
		t.Fatal(problems)
	}
	list, err := scenario.ParseSeeds("1-" + strconv.Itoa(seeds))
	if err != nil {
		t.Fatal(err)
	}
	want, err := engine.RunBand(t.Context(), &s.Topology, list, engine.BandOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := client.Policy()
	p.Budget.Kind = policy.NoBudget
	p.Breaker = nil
	var killed sync.Once
	last := 0
	got, err := client.Band(t.Context(), []byte(small), s, list, client.Options{
		URLs: []string{proxy.URL, dying.url}, Jobs: 2, Policy: &p, Patience: time.Second, Check: 3, Client: patient,
		Progress: func(done, total int) {
			if done <= last || total != seeds {
				t.Errorf("%d of %d seeds after %d", done, total, last)
			}
			if last = done; done >= seeds/4 {
				killed.Do(func() { dying.process.Process.Kill() })
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != seeds || failed.Load() == 0 {
		t.Errorf("%d seeds done, %d requests failed on purpose", last, failed.Load())
	}
	if !bytes.Equal(got.AppendJSON(nil), want.AppendJSON(nil)) || got.Text() != want.Text() {
		t.Errorf("the band is another:\n%s\nwant\n%s", got.Text(), want.Text())
	}
}
