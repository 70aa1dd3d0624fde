package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"squall/examples"
	"squall/site/serve"
)

// The single file opens from disk with everything working.
func TestOfflineFile(t *testing.T) {
	p := browse(t, 1440, 1000)
	path, err := filepath.Abs(filepath.Join(dist, "squall-offline.html"))
	if err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Navigate("file://" + path))
	p.until(`!!document.querySelector('#verdict')`)
	p.until(`document.querySelectorAll('.plot canvas').length >= 4`)
	p.shown(examples.Brownout)
	t.Log(p.text(`'page instantiated after ' + performance.getEntriesByName('squall-page')[0].startTime.toFixed(0) + ' ms'`))

	// typing
	text := strings.NewReplacer(`"seed": 42`, `"seed": 7`, `"perSecond": 500`, `"perSecond": 20`).Replace(examples.Brownout)
	p.write(text)
	p.shown(text)

	// a comparison, on several workers
	p.run(`document.querySelector('#tab-compare').click()`)
	p.until(`!!document.querySelector('#do-compare')`)
	p.run(`document.querySelector('#do-compare').click()`)
	p.until(`!!document.querySelector('#panel table#bands')`)

	// a shared link is an address of this file, or shown when it cannot be copied
	p.run(`document.querySelector('#do-share').click()`)
	p.until(`location.hash.startsWith('#s1.')`)
	p.until(`document.querySelector("dialog#link").open`)
	hash := p.text(`location.hash`)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+path+hash))
	p.until(`document.querySelector('#outcome')?.innerText.includes('Reproduced, identical')`)

	// examples and a grade
	p.run(`document.querySelector('#do-examples').click()`)
	p.until(`document.querySelectorAll('#gallery .card').length > 10`)
	p.run(`[...document.querySelectorAll('#gallery .card')].find(c => c.innerText.toLowerCase().includes('grade')).click()`)
	p.until(`!document.querySelector('dialog#gallery').open`)
	p.run(`document.querySelector('#tab-grade').click()`)
	p.until(`!!document.querySelector('.letter')`)
	p.shot("offline-file")
	p.clean()
}

// The file asks for nothing from anywhere: its policy forbids it, and it holds no address to load.
func TestOfflineFileIsWhole(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(dist, "squall-offline.html"))
	if err != nil {
		t.Skip("the page is not built (make build)")
	}
	if len(page) > 3_200_000 {
		t.Errorf("it weighs %d bytes", len(page))
	}
	for _, part := range []string{"default-src 'none'", "script-src 'wasm-unsafe-eval' 'sha256-"} {
		if !strings.Contains(string(page), part) {
			t.Errorf("its policy lacks %q", part)
		}
	}
	if strings.Contains(string(page), "'unsafe-eval'") || strings.Contains(string(page), "script-src 'unsafe-inline'") {
		t.Error("its policy is not strict")
	}
}

// release serves dist, or a newer version of it; nothing at all while down is set.
type release struct {
	files http.Handler
	newer atomic.Bool
	down  atomic.Bool
}

func (r *release) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if r.down.Load() {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	name := strings.TrimPrefix(req.URL.Path, "/")
	if r.newer.Load() && (name == "sw.js" || name == "") {
		file := map[string]string{"sw.js": "sw.js", "": "index.html"}[name]
		text, err := os.ReadFile(filepath.Join(dist, file))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		changed := strings.Replace(string(text), "<title>Squall</title>", "<title>Squall</title><meta name=\"newer\" content=\"yes\">", 1)
		changed = strings.Replace(changed, "const version = '", "const version = 'newer", 1)
		w.Header().Set("Content-Type", map[string]string{"sw.js": "text/javascript", "": "text/html; charset=utf-8"}[name])
		w.Header().Set("Cache-Control", "no-store")
		w.Write([]byte(changed))
		return
	}
	r.files.ServeHTTP(w, req)
}

// The served page works without a network after one visit, and takes a new version when it is told to.
func TestServiceWorker(t *testing.T) {
	p := browse(t, 1440, 1000)
	site := &release{files: serve.Handler(os.DirFS(dist))}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	p.url = server.URL
	p.visit("")
	p.until(`!!navigator.serviceWorker.controller`)
	p.clean()

	site.down.Store(true)
	p.network(false)
	p.visit("")
	p.do(chromedp.Navigate("about:blank"))
	p.visit("")
	text := strings.Replace(examples.Brownout, `"seed": 42`, `"seed": 8`, 1)
	p.write(text)
	p.shown(text)
	p.run(`document.querySelector('#do-examples').click()`)
	p.until(`document.querySelectorAll('#gallery .card').length > 10`)
	p.run(`document.querySelectorAll('#gallery .card')[1].click()`)
	p.until(`!document.querySelector('dialog#gallery').open`)
	p.shot("offline-served")
	p.network(true)
	site.down.Store(false)
	p.errors = nil // that sw.js could not be asked for is what the browser says of having no network

	site.newer.Store(true)
	p.visit("")
	p.until(`!document.querySelector('#update').hidden`)
	if got := p.text(`document.querySelector('#update').innerText`); !strings.Contains(got, "new version") {
		t.Errorf("it offers %q", got)
	}
	if got := p.text(`String(document.querySelector('meta[name=newer]'))`); got != "null" {
		t.Error("the new version was taken without asking")
	}
	p.shot("update")
	p.run(`document.querySelector('#update button').click()`)
	p.eventually(`!!document.querySelector('meta[name=newer]') && !!document.querySelector('#verdict')`)
	if got := p.text(`(async () => (await caches.keys()).join())()`); strings.Contains(got, ",") || !strings.Contains(got, "squall-newer") {
		t.Errorf("kept are %q", got)
	}
	p.clean()
}

// eventually is until for a page that goes away meanwhile.
func (p *tab) eventually(expression string) {
	p.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		if ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](expression)); err == nil && ok {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	p.Fatalf("never true: %s", expression)
}

// network takes the page's network away, or gives it back.
func (p *tab) network(on bool) {
	p.Helper()
	off := !on
	rule := network.EmulateNetworkConditionsByRuleParams{
		EmulateOfflineServiceWorker: &off,
		MatchedNetworkConditions:    []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}},
	}
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, rule); err != nil {
		p.Fatal(err)
	}
}
