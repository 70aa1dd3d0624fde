package api

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/measure"
	"squall/examples"
	"squall/site/link"
	"squall/wasm/module"
)

// memory is a store that a test looks into.
type memory struct {
	texts map[string]string
	ttl   time.Duration
	puts  int
	err   error
}

func (m *memory) Get(_ context.Context, key string) (string, bool, error) {
	text, ok := m.texts[key]
	return text, ok, m.err
}

func (m *memory) Put(_ context.Context, key, text string, lifetime time.Duration) error {
	m.puts++
	m.texts[key], m.ttl = text, lifetime
	return m.err
}

func newMemory() *memory { return &memory{texts: map[string]string{}} }

// answer is a reply to one request.
type answer struct {
	*httptest.ResponseRecorder
	json gjson.Result
}

func ask(t *testing.T, a *API, method, path, body string) answer {
	t.Helper()
	r := httptest.NewRequest(method, "https://squall.test"+path, strings.NewReader(body))
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	if rest, _ := io.ReadAll(r.Body); len(rest) > 0 {
		t.Errorf("%s %s left %d bytes of the body unread", method, path, len(rest))
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("Content-Type") == "" {
		t.Errorf("%s %s answers without its headers: %v", method, path, w.Header())
	}
	return answer{w, gjson.Parse(w.Body.String())}
}

func text(scenario string) string {
	return `{"text":` + string(measure.AppendText(nil, scenario)) + `}`
}

const small = `{ "title": "Tea & <b>cake</b>", "duration": "6s", "seed": 5, "policy": { "preset": "http" },
  "dependency": { "p50": "10ms", "p99": "40ms", "failing": 0.2, "impairments": [ { "outage": { "after": "2s", "lasting": "1s" } } ] },
  "load": { "perSecond": 50 }, "expect": [ "availability > 0.5" ] }`

// TestSameAsModule holds the API to the local engine: the same JSON, byte for byte.
func TestSameAsModule(t *testing.T) {
	for _, op := range []string{"run", "band", "check", "grade"} {
		body := text(small)
		if op == "band" {
			body = strings.TrimSuffix(body, "}") + `,"seeds":[5,6,7]}`
		}
		got := ask(t, &API{}, "POST", "/api/"+op, body)
		want := new(module.Module).Answer(`{"op":"`+op+`",`+strings.TrimPrefix(body, "{"), nil)
		if got.Body.String() != want || got.Code == 500 {
			t.Errorf("%s: status %d\n%.300s\nwant\n%.300s", op, got.Code, got.Body, want)
		}
	}
	brownout := ask(t, &API{}, "POST", "/api/run", text(examples.Brownout))
	block, err := os.ReadFile("../../engine/testdata/golden/brownout-seed42.txt")
	if err == nil && brownout.json.Get("text").Str != string(block) {
		t.Errorf("the brownout is\n%s", brownout.json.Get("text").Str)
	}
}

func TestRefusals(t *testing.T) {
	limited := &API{Limits: Limits{BodyBytes: 1000, LinkBytes: 500, Calls: 1000, Attempts: 400, Cells: 200}, Links: newMemory()}
	for name, tt := range map[string]struct {
		method, path, body string
		status             int
		says               string
	}{
		"not JSON":          {"POST", "/api/run", `{`, 400, "JSON object"},
		"no object":         {"POST", "/api/run", `[1]`, 400, "JSON object"},
		"nothing":           {"POST", "/api/run", ``, 400, "JSON object"},
		"deep":              {"POST", "/api/run", strings.Repeat("[", 900), 400, "JSON object"},
		"no text":           {"POST", "/api/run", `{}`, 422, "problems"},
		"another op":        {"POST", "/api/check", `{"op":"run"}`, 422, "problems"},
		"large":             {"POST", "/api/run", `{"text":"` + strings.Repeat("x", 1000) + `"}`, 413, "at most 1000 bytes"},
		"large link":        {"POST", "/api/links", `{"text":"` + strings.Repeat("x", 600) + `"}`, 413, "at most 500 bytes"},
		"wrong":             {"POST", "/api/run", text(`{ "duration": 5 }`), 422, `"line":1`},
		"wrong link":        {"POST", "/api/links", text(`{ "duration": 5 }`), 422, `"line":1`},
		"calls":             {"POST", "/api/run", text(simple("10s", 200)), 422, "at most 1000"},
		"calls of a band":   {"POST", "/api/band", text(simple("5s", 100))[:len(text(simple("5s", 100)))-1] + `,"seeds":[1,2,3]}`, 422, "fewer seeds"},
		"files of a band":   {"POST", "/api/band", text(simple("5s", 100))[:len(text(simple("5s", 100)))-1] + `,"files":[],"seeds":[1,2,3]}`, 422, "fewer seeds"},
		"files of a run":    {"POST", "/api/run", strings.Replace(text(simple("500s", 1)), "{", `{"files":[],`, 1), 422, "shorten duration"},
		"a wrapped seed":    {"POST", "/api/run", strings.Replace(text(simple("5s", 10)), "{", `{"seed":4294967338,`, 1), 422, "whole number"},
		"kept calls":        {"POST", "/api/grade", text(simple("5s", 100)), 422, "keeps every call"},
		"a recorded run":    {"POST", "/api/run", strings.Replace(text(simple("5s", 100)), "{", `{"record":true,`, 1), 422, "keeps every call"},
		"timelines":         {"POST", "/api/band", text(strings.Replace(simple("5s", 10), "{", `{"record":true,`, 1)), 422, "with a timeline"},
		"a sent timeline":   {"POST", "/api/run", strings.Replace(text(simple("5s", 10)), "{", `{"record":true,"full":true,`, 1), 422, "with a timeline"},
		"attempts":          {"POST", "/api/run", text(simple("5s", 150)), 422, "attempts"},
		"a long answer":     {"POST", "/api/run", text(simple("500s", 1)), 422, "shorten duration"},
		"no such call":      {"POST", "/api/links", strings.Replace(text(simple("5s", 10)), "{", `{"call":"a -> b",`, 1), 422, "no call"},
		"another path":      {"GET", "/api/fly", ``, 404, "no such path"},
		"outside":           {"GET", "/etc/passwd", ``, 404, "nothing here"},
		"method":            {"GET", "/api/run", ``, 405, "POST"},
		"method of limits":  {"POST", "/api/limits", `{"x":1}`, 405, "GET"},
		"method of a page":  {"POST", "/s/abcdefghijklmnop", `{}`, 405, "GET"},
		"no such link":      {"GET", "/api/links/abcdefghijklmnop", ``, 404, "no such link"},
		"no such page":      {"GET", "/s/abcdefghijklmnop", ``, 404, "time is over"},
		"a page's nonsense": {"GET", "/s/..%2f..%2fx", ``, 404, "time is over"},
		"no such picture":   {"GET", "/s/abcdefghijklmnop/chart.svg", ``, 404, "time is over"},
		"another picture":   {"GET", "/s/abcdefghijklmnop/chart.png", ``, 404, "time is over"},
		"no such embed":     {"GET", "/embed/abcdefghijklmnop", ``, 404, "time is over"},
		"oEmbed elsewhere":  {"GET", "/api/oembed?url=https://other.test/s/abcdefghijklmnop", ``, 404, "of this site"},
		"oEmbed of nothing": {"GET", "/api/oembed?url=https://squall.test/s/abcdefghijklmnop", ``, 404, "no such link"},
		"oEmbed as XML":     {"GET", "/api/oembed?format=xml", ``, 501, "json"},
	} {
		got := ask(t, limited, tt.method, tt.path, tt.body)
		if got.Code != tt.status || !strings.Contains(got.Body.String(), tt.says) {
			t.Errorf("%s: status %d, %.300s; want %d and %q", name, got.Code, got.Body, tt.status, tt.says)
		}
		if strings.HasPrefix(tt.path, "/api") && (got.json.Get("ok").Bool() || got.Header().Get("Access-Control-Allow-Origin") != "*") {
			t.Errorf("%s: %.200s, %v", name, got.Body, got.Header())
		}
	}
}

func simple(duration string, perSecond int) string {
	return `{"duration":"` + duration + `","policy":{"attempts":3,"backoff":"none"},"dependency":{"p50":"10ms","p99":"20ms"},"load":{"perSecond":` + whole(float64(perSecond)) + `}}`
}

func TestPreflightAndLimits(t *testing.T) {
	a := &API{}
	got := ask(t, a, "OPTIONS", "/api/run", "")
	if got.Code != 200 || got.Header().Get("Access-Control-Allow-Methods") != "POST" || got.Header().Get("Access-Control-Allow-Headers") != "Content-Type" {
		t.Errorf("status %d, %v", got.Code, got.Header())
	}
	if l := ask(t, a, "GET", "/api/limits", ""); l.json.Get("limits.calls").Int() != 2_000_000 || l.json.Get("engine").Str == "" {
		t.Errorf("limits %s", l.Body)
	}
	version, parsed, ok := ParseLimits(DefaultLimits.json())
	if !ok || version != engine.Version || parsed != DefaultLimits {
		t.Errorf("limits read back as %s %+v", version, parsed)
	}
	if _, _, ok := ParseLimits([]byte(`{"ok":true}`)); ok {
		t.Error("an answer without limits was read")
	}
	if got := ask(t, a, "POST", "/api/links", text(small)); got.Code != 503 {
		t.Errorf("a link without a store: %d %s", got.Code, got.Body)
	}
}

func TestGuard(t *testing.T) {
	a := &API{Guard: func() error { return errors.New("too much memory") }}
	for _, op := range []string{"run", "band", "grade"} {
		body := text(strings.Replace(simple("200s", 900), `"p50"`, `"failing":0.1,"p50"`, 1))
		if got := ask(t, a, "POST", "/api/"+op, body); got.Code != 422 || !strings.Contains(got.Body.String(), "too much memory") {
			t.Errorf("%s: %d %.200s", op, got.Code, got.Body)
		}
	}
}

func TestLinks(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	store := newMemory()
	a := &API{Links: store, Now: func() time.Time { return now }}
	first := ask(t, a, "POST", "/api/links", text(small))
	id := first.json.Get("id").Str
	if first.Code != 201 || !isID(id) || first.json.Get("url").Str != "https://squall.test/s/"+id || first.json.Get("expires").Str != "2026-05-30T12:00:00Z" {
		t.Fatalf("%d %s", first.Code, first.Body)
	}
	if store.ttl != 90*24*time.Hour {
		t.Errorf("kept for %v", store.ttl)
	}
	run := ask(t, a, "POST", "/api/run", text(small))
	if first.json.Get("digest").Str != run.json.Get("report.digest").Str {
		t.Error("the link carries another digest than the run")
	}
	now = now.Add(24 * time.Hour)
	if again := ask(t, a, "POST", "/api/links", text(small)); again.Code != 200 || again.Body.String() != first.Body.String() || store.puts != 1 {
		t.Errorf("the second time: %d %s after %d puts", again.Code, again.Body, store.puts)
	}
	now = now.Add(60 * 24 * time.Hour)
	if renewed := ask(t, a, "POST", "/api/links", text(small)); renewed.json.Get("id").Str != id || renewed.Code != 201 || store.puts != 2 {
		t.Errorf("an old link: %d %s", renewed.Code, renewed.Body)
	}
	if got := ask(t, a, "GET", "/api/links/"+id, ""); got.json.Get("text").Str != small {
		t.Errorf("kept %s", got.Body)
	}
	if other := ask(t, a, "POST", "/api/links", text(small+" ")); other.json.Get("id").Str == id {
		t.Error("another text has the same link")
	}
	now = now.Add(91 * 24 * time.Hour)
	if got := ask(t, a, "GET", "/s/"+id, ""); got.Code != 404 {
		t.Errorf("an old link: %d", got.Code)
	}
	store.err = errors.New("down")
	for _, path := range []string{"/s/" + id, "/api/links/" + id} {
		if got := ask(t, a, "GET", path, ""); got.Code != 503 {
			t.Errorf("%s of a store that is down: %d", path, got.Code)
		}
	}
}

// TestHostile puts markup into every text that a scenario can show, and looks for it in what is shown.
func TestHostile(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;'` + "\u202e\u0007"
	quoted := strings.TrimSuffix(strings.TrimPrefix(string(measure.AppendText(nil, evil)), `"`), `"`)
	name := strings.ReplaceAll(quoted, `\u0007`, "") // a name with one is no scenario
	scenario := `{ "title": "` + quoted + `", "about": "` + quoted + `", "duration": "6s",
	  "services": { "a` + name + `": { "calls": [ { "to": "b` + name + `" } ] } },
	  "dependencies": { "b` + name + `": { "p50": "10ms", "p99": "40ms", "failing": 0.4, "impairments": [ { "brownout": { "after": "2s", "slower": 9, "lasting": "1s" } } ] } },
	  "load": { "perSecond": 50 } }`
	a := &API{Links: newMemory()}
	made := ask(t, a, "POST", "/api/links", text(scenario))
	id := made.json.Get("id").Str
	if made.Code != 201 {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	for _, path := range []string{"/s/" + id, "/embed/" + id, "/s/" + id + "/chart.svg", "/s/" + id + "/plot.svg"} {
		got := ask(t, a, "GET", path, "")
		page := got.Body.String()
		if got.Code != 200 || strings.Contains(page, "<script") || strings.Contains(page, "onerror=alert(2)>") || strings.ContainsAny(page, "\u202e\u0007") {
			t.Errorf("%s lets markup through: %d\n%s", path, got.Code, page)
		}
		if !strings.Contains(page, "&lt;script&gt;") {
			t.Errorf("%s does not show the title", path)
		}
		policy := got.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
			t.Errorf("%s has the policy %s", path, policy)
		}
		if strings.HasPrefix(path, "/embed") == strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s may be framed as %s", path, policy)
		}
	}
	d := xml.NewDecoder(strings.NewReader(ask(t, a, "GET", "/s/"+id+"/chart.svg", "").Body.String()))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
	}
	o := ask(t, a, "GET", "/api/oembed?maxwidth=500&url=https://squall.test/s/"+id, "")
	frame := o.json.Get("html").Str
	if o.Code != 200 || o.json.Get("width").Int() != 500 || o.json.Get("version").Str != "1.0" || strings.Count(frame, "<") != 2 || !strings.Contains(frame, `src="https://squall.test/embed/`+id+`"`) {
		t.Errorf("oEmbed: %d %s", o.Code, o.Body)
	}
}

// TestPreview looks at what a link's page tells others, and that it opens the same scenario.
func TestPreview(t *testing.T) {
	a := &API{Links: newMemory()}
	id := ask(t, a, "POST", "/api/links", text(examples.Brownout)).json.Get("id").Str
	page := ask(t, a, "GET", "/s/"+id, "").Body.String()
	for _, want := range []string{
		`property="og:title" content="`, `property="og:image" content="https://squall.test/s/` + id + `/chart.svg"`,
		"In the worst second", "Load multiplier 1.", `type="application/json+oembed" href="https://squall.test/api/oembed?url=https%3A%2F%2Fsquall.test%2Fs%2F` + id + `"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
	_, fragment, _ := strings.Cut(page, `content="0; url=/#`)
	fragment, _, _ = strings.Cut(fragment, `"`)
	shared, err := link.Decode(fragment)
	if err != nil || shared.Text != examples.Brownout || !strings.HasPrefix(shared.Digest, "sha256:") {
		t.Errorf("the page opens %+v, %v", shared, err)
	}
	if picture := ask(t, a, "GET", "/s/"+id+"/chart.svg", ""); picture.Header().Get("Content-Type") != "image/svg+xml" || !strings.Contains(picture.Body.String(), "brownout 8×") {
		t.Errorf("the picture: %s", picture.Body)
	}
}

// TestGrid holds the lines across to a few round numbers.
func TestGrid(t *testing.T) {
	for _, tt := range []struct{ most, want float64 }{{1, 1}, {5, 1}, {6, 2}, {23, 5}, {565, 200}, {9.9e14, 2e14}, {1e300, 1e300}} {
		if got := grid(tt.most); got != tt.want {
			t.Errorf("up to %v the lines are %v apart, not %v", tt.most, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"text":"{}"}`))
	f.Add([]byte(`{"text":"\"[[[[","files":[{"name":"x"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		w := httptest.NewRecorder()
		a := &API{}
		r := httptest.NewRequest(http.MethodPost, "https://squall.test/api/check", strings.NewReader(string(body)))
		a.ServeHTTP(w, r)
		if w.Code == 500 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%q: %d %s", body, w.Code, w.Body)
		}
	})
}

func FuzzEscape(f *testing.F) {
	f.Add("<&>\"'\x00\xff\u2028", 4)
	f.Fuzz(func(t *testing.T, s string, most int) {
		got := escape(s, most%500)
		if strings.ContainsAny(got, "<>\"'\x00\x1b") {
			t.Fatalf("%q", got)
		}
		if err := xml.Unmarshal([]byte("<a b=\""+got+"\">"+got+"</a>"), new(struct{})); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
	})
}
