package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"squall/examples"
	"squall/site/link"
)

// host is a page of another origin that embeds runs; NAME in it is the origin of the playground.
const host = `<!doctype html><html style="color-scheme: light dark"><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src NAME; frame-src NAME; connect-src 'self'; img-src data:; style-src-attr 'unsafe-inline'">
<link rel="icon" href="data:,"><title>host</title><script src="NAME/squall-embed.js" defer></script></head><body>
<squall-scenario id="byfile" src="mine.json"></squall-scenario>
<squall-scenario id="inline" view="numbers"><script type="application/json">SCENARIO</script></squall-scenario>
<squall-scenario id="wrong">{ "duration": 5 }</squall-scenario>
<squall-scenario id="shared" src="NAME/#SHARED" height="500"></squall-scenario>
<squall-scenario id="missing" src="nothing.json"></squall-scenario>
</body></html>`

// A page of another origin embeds runs. What is inside its frames is asked through the debugger's own
// contexts; what the page itself sees is only their heights.
func TestEmbedsElsewhere(t *testing.T) {
	p := browse(t, 1000, 900)
	shared := link.Encode(link.Shared{Text: examples.Brownout, Engine: "1.0.0", Digest: digest(t, examples.Brownout)})
	page := strings.NewReplacer("NAME", p.url, "SCENARIO", examples.Brownout, "SHARED", shared).Replace(host)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(page))
		case "/mine.json":
			w.Write([]byte(examples.Brownout))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(other.Close)
	p.do(chromedp.Navigate(other.URL + "/"))

	// The frames are lazy: those far below begin when they are scrolled to.
	for _, id := range []string{"byfile", "inline", "wrong", "shared", "missing"} {
		p.run(`document.getElementById('` + id + `').scrollIntoView()`)
		p.until(`document.getElementById('` + id + `').shadowRoot.querySelector('iframe').contentWindow !== null`)
	}
	frame := func(id string) string {
		return `document.getElementById('` + id + `').shadowRoot.querySelector('iframe')`
	}
	// A frame that is not seen is not laid out, and then does not know its height.
	grows := func(id, height string) {
		p.run(`document.getElementById('` + id + `').scrollIntoView()`)
		p.until(`(h => ` + height + `)(parseFloat(` + frame(id) + `.style.height))`)
	}
	grows("byfile", `h > 600`)
	grows("inline", `h > 100 && h < 400`)
	grows("wrong", `h >= 80 && h < 200`)
	if got := p.text(frame("shared") + `.style.height`); got != "500px" {
		t.Errorf("a given height becomes %s", got)
	}
	if got := p.text(frame("byfile") + `.getAttribute('sandbox')`); got != "allow-scripts allow-popups allow-popups-to-escape-sandbox" {
		t.Errorf("the sandbox is %q", got)
	}
	if got := p.text(`(() => { try { return String(` + frame("byfile") + `.contentDocument); } catch (e) { return 'closed'; } })()`); got != "null" {
		t.Errorf("the frame is open to the page: %s", got)
	}

	// A message that does not come from the frame changes nothing.
	height := p.text(frame("byfile") + `.style.height`)
	p.run(`window.postMessage({ squall: 'height', height: 3000 }, '*')`)
	p.text(`(async () => { await new Promise(r => setTimeout(r, 100)); return ''; })()`)
	if got := p.text(frame("byfile") + `.style.height`); got != height {
		t.Errorf("anybody can set the height: %s", got)
	}
	p.text(`(async () => { await new Promise(r => setTimeout(r, 500)); return ""; })()`) // frames are painted by others
	p.shot("embeds-elsewhere")
	p.heardOnly("nothing.json")
}

// heardOnly is clean, but for mistakes that hold a word.
func (p *tab) heardOnly(word string) {
	p.Helper()
	p.mutex.Lock()
	var rest []string
	for _, e := range p.errors {
		if !strings.Contains(e, word) {
			rest = append(rest, e)
		}
	}
	p.errors = rest
	p.mutex.Unlock()
	p.clean()
}

// The embedded page, opened alone as a plain frame would.
func TestEmbedPage(t *testing.T) {
	p := browse(t, 800, 900)
	shared := link.Encode(link.Shared{Text: examples.Brownout, Engine: "1.0.0", Digest: digest(t, examples.Brownout)})
	p.do(chromedp.Navigate(p.url + "/embed.html#" + shared))
	p.until(`document.querySelector('#provenance')?.textContent.includes(` + quote(digest(t, examples.Brownout)) + `)`)
	p.until(`document.querySelector('#provenance').textContent.startsWith('Reproduced, identical')`)
	p.until(`document.querySelectorAll('.plot canvas').length >= 4`)
	if n := p.text(`String(document.querySelectorAll('input, select, textarea, [contenteditable]').length)`); n != "0" {
		t.Errorf("%s things can be changed", n)
	}
	p.run(`document.querySelector('#open').addEventListener('click', e => e.preventDefault()); document.querySelector('#open').click()`)
	address, err := url.Parse(p.text(`document.querySelector('#open').href`))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := link.Decode(address.Fragment)
	if err != nil || opened.Text != examples.Brownout || address.Path != "/" {
		t.Errorf("it opens %s: %v", address.Path, err)
	}
	p.shot("embed")

	dark := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, dark); err != nil {
		t.Fatal(err)
	}
	p.until(`getComputedStyle(document.documentElement).colorScheme === 'dark'`)
	p.shot("embed-dark")

	p.do(chromedp.Navigate(p.url + "/embed.html?example=retry-storm&view=numbers&theme=light"))
	p.until(`!!document.querySelector('#figures') && getComputedStyle(document.querySelector('.graphs')).display === 'none'`)
	p.until(`getComputedStyle(document.documentElement).colorScheme === 'light'`)
	p.do(chromedp.Navigate(p.url + "/embed.html?example=../index"))
	p.until(`document.querySelector('#trouble')?.textContent.includes('letters, digits and hyphens')`)
	p.clean()
}

// The documentation page has three live figures.
func TestEmbedsPage(t *testing.T) {
	p := browse(t, 1100, 1000)
	p.do(chromedp.Navigate(p.url + "/docs/embeds.html"))
	for _, id := range []string{"first", "second"} {
		p.run(`document.getElementById('` + id + `').scrollIntoView()`)
		p.until(`(h => h !== 480 && h > 150)(parseFloat(document.getElementById('` + id + `').shadowRoot.querySelector('iframe').style.height))`)
	}
	p.run(`document.getElementById('third').scrollIntoView()`)
	p.text(`(async () => { await new Promise(r => setTimeout(r, 500)); return ""; })()`) // frames are painted by others
	p.shot("embeds-page")
	p.clean()
}

// The module runs in a page and in workers that share what was compiled once.
func TestModuleInBrowser(t *testing.T) {
	p := browse(t, 600, 400)
	page := `<!doctype html><title>module</title><link rel="icon" href="data:,">`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(page))
		case "/w.mjs":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(`import { load } from './squall.js';
				self.onmessage = async ({ data: { module, scenario } }) => {
					const squall = await load({ module });
					self.postMessage((await squall.run(scenario)).report.digest);
				};`))
		case "/squall.js", "/squall.wasm":
			http.ServeFile(w, r, dist+r.URL.Path)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	p.do(chromedp.Navigate(server.URL + "/"))
	want := digest(t, examples.Brownout)
	got := p.text(`(async () => {
		const { load } = await import('/squall.js');
		const squall = await load();
		const scenario = ` + quote(examples.Brownout) + `;
		let heard = 0;
		const mine = await squall.run(scenario, { onProgress: () => heard++ });
		const worker = () => new Promise((resolve, reject) => {
			const w = new Worker('/w.mjs', { type: 'module' });
			w.onmessage = e => { resolve(e.data); w.terminate(); };
			w.onerror = e => reject(new Error(e.message));
			w.postMessage({ module: squall.module, scenario });
		});
		return [mine.report.digest, ...await Promise.all([worker(), worker()])].join();
	})()`)
	if got != strings.Join([]string{want, want, want}, ",") {
		t.Errorf("digests %s, want %s", got, want)
	}
	p.clean()
}

// Every example of docs/embedding.md, each in a page of another origin.
func TestEmbeddingExamples(t *testing.T) {
	doc, err := os.ReadFile("../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	p := browse(t, 1000, 900)
	var pages []string
	for i, block := range strings.Split(string(doc), "```") {
		if html, ok := strings.CutPrefix(block, "html\n"); i%2 == 1 && ok {
			pages = append(pages, strings.ReplaceAll(html, "https://squall.example/", p.url+"/"))
		}
	}
	if len(pages) != 3 {
		t.Fatalf("%d examples", len(pages))
	}
	at := 0
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(`<!doctype html><title>host</title><link rel="icon" href="data:,"><script>heard = 0; addEventListener('message', e => {
				if (e.data.squall === 'ready' && e.origin === 'null') heard++; });</script>` + pages[at]))
		case "/retries.json":
			w.Write([]byte(examples.Brownout))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(other.Close)
	for at = range pages {
		p.do(chromedp.Navigate(other.URL + "/"))
		p.until(`heard === 1`)
		if strings.Contains(pages[at], "<squall-scenario") {
			p.until(`(h => h !== 480 && h > 150)(parseFloat(document.querySelector('squall-scenario').shadowRoot.querySelector('iframe').style.height))`)
		}
	}
	p.clean()
}
