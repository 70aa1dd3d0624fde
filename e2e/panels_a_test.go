package e2e

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// relay is a graph with an outage in its middle, small enough to look at every call.
const relay = `{ "title": "Relay", "duration": "20s", "seed": 3,
  "services": {
    "shop": { "calls": [ { "to": "cart" } ] },
    "cart": { "calls": [ { "to": "store", "policy": { "attempts": 3, "backoff": "none", "budget": "none" } } ] } },
  "dependencies": { "store": { "p50": "10ms", "p99": "40ms", "failing": 0.1, "impairments": [ { "outage": { "after": "8s", "lasting": "4s" } } ] } },
  "load": { "at": "shop", "perSecond": 50 },
  "variants": { "once": { "services": { "cart": { "calls": [ { "to": "store", "policy": { "attempts": 1 } } ] } } } } }`

// slide moves a range to a place, as a drag does.
func (p *tab) slide(selector string, to int) {
	p.Helper()
	p.run(`const r = document.querySelector(` + quote(selector) + `); r.value = '` + strconv.Itoa(to) + `'; r.dispatchEvent(new Event('input', { bubbles: true }))`)
}

// TestTopologyIsAboutACall chooses a line by mouse and a box by keyboard, and replays the outage.
func TestTopologyIsAboutACall(t *testing.T) {
	p := open(t, 1280, 900, "")
	p.write(relay)
	p.panel("topology")
	p.until(`document.querySelectorAll('.node').length === 3 && document.querySelectorAll('.edge').length === 2`)
	if left := p.text(`['shop', 'cart', 'store'].map(n => document.querySelector('.node[data-choose=' + n + '] rect').getBoundingClientRect().left).every((x, i, all) => i === 0 || x > all[i - 1]) ? 'ordered' : 'not'`); left != "ordered" {
		t.Error("the graph does not run from left to right")
	}
	p.do(chromedp.Click(chromedp.CSS(`.edge[data-choose="cart → store"] text`)))
	p.until(`document.querySelector('#subject').value === 'cart → store' && document.querySelector('.edge.chosen').dataset.choose === 'cart → store'`)
	p.run(`document.querySelector('.node[data-choose=store]').focus()`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector('#subject').value === 'store' && document.querySelector('.node.chosen').dataset.choose === 'store'`)

	width := func() string {
		return p.text(`document.querySelector('.edge[data-choose="cart → store"] .line').getAttribute('stroke-width')`)
	}
	whole := width()
	p.slide("#scrub", 9)
	p.until(`document.querySelector('output.second').textContent === '0:09' && !!document.querySelector('.node.ill[data-choose=store]')`)
	if during := width(); during <= whole {
		t.Errorf("a line of %s in the outage, %s over the whole run", during, whole)
	}
	p.until(`document.querySelector('.edge[data-choose="cart → store"]').classList.contains('hot')`)
	p.violations("topology in an outage")
	p.click("#do-play")
	p.until(`Number(document.querySelector('#scrub').value) >= 12`)
	p.click("#do-play")
	p.run(`document.querySelector('.as-table summary').click()`)
	p.says("#topology-table", "cart → store")
	p.do(chromedp.Click(chromedp.CSS(`#do-full`)))
	p.until(`document.fullscreenElement?.id === 'graph-frame'`)
	p.do(chromedp.Click(chromedp.CSS(`#do-full`)))
	p.until(`!document.fullscreenElement`)
	p.clean()
}

// TestTimelineScrolls goes through 300,000 events and keeps few of them in the document.
func TestTimelineScrolls(t *testing.T) {
	p := open(t, 1280, 900, "")
	p.panel("timeline")
	p.says("#t-total", "304,424 events")
	p.until(`!!document.querySelector('.moment:not(.coming)')`)
	// the longest time between two frames while the list moves, and how much is in the document
	moved := p.text(`(async () => {
		const box = document.querySelector('#moments'), gaps = [];
		let most = 0, last = performance.now();
		for (let i = 0; i < 90; i++) {
			box.scrollTop += i < 60 ? 120 : 60000;
			await new Promise(r => requestAnimationFrame(r));
			gaps.push(performance.now() - last);
			last = performance.now();
			most = Math.max(most, document.querySelectorAll('.moment').length);
		}
		gaps.sort((a, b) => a - b);
		return most + ' ' + gaps[45].toFixed(0) + ' ' + gaps.at(-1).toFixed(0);
	})()`)
	t.Log("rows, median and longest frame in ms: " + moved)
	rows, _, _ := strings.Cut(moved, " ")
	if n, err := strconv.Atoi(rows); err != nil || n > 60 {
		t.Errorf("%s rows are in the document", rows)
	}
	p.run(`document.querySelector('#moments').focus()`)
	p.do(chromedp.KeyEvent(kb.End))
	p.until(`document.querySelector('.moment.active')?.getAttribute('aria-posinset') === '304424' && !document.querySelector('.moment.active.coming')`)
	if at := p.text(`document.querySelector('.moment.active').textContent`); !strings.HasPrefix(at, "5:0") && !strings.HasPrefix(at, "4:59") {
		t.Errorf("the last event is %q", at)
	}
	p.violations("timeline")
	p.shot("timeline-end")
	p.do(chromedp.KeyEvent(kb.Home))
	p.until(`document.querySelector('.moment.active')?.getAttribute('aria-posinset') === '1' && !document.querySelector('.moment.active.coming')`)
	p.clean()
}

// TestTimelineFiltersAndWaterfall finds the calls of an outage by kind and second, and opens one
// with what it called.
func TestTimelineFiltersAndWaterfall(t *testing.T) {
	p := open(t, 1280, 900, "")
	p.write(relay)
	p.panel("timeline")
	p.says("#t-total", "events, whole run")
	p.fill("#subject", "cart → store")
	p.until(`[...document.querySelectorAll('.chip')].some(c => c.textContent.startsWith('Exhausted'))`)
	p.run(`[...document.querySelectorAll('.chip')].find(c => c.textContent.startsWith('Exhausted')).click()`)
	p.fill("#t-second", "9")
	p.says("#t-total", "events, 0:09 to 0:10")
	p.until(`(() => { const m = [...document.querySelectorAll('.moment:not([hidden])')]; return m.length > 5 && m.every(r => /^0:09\.\d{4}Exhausted/.test(r.textContent)); })()`)
	p.run(`document.querySelector('#moments').focus()`)
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	p.until(`!!document.querySelector('#trace')`)
	p.says("#trace", "failed after")
	if got := p.text(`String(document.querySelectorAll('#trace .fall.failed').length)`); got != "3" {
		t.Errorf("%s attempts in the waterfall of a call that failed", got)
	}
	p.violations("waterfall")
	p.tall("timeline-waterfall")

	p.fill("#subject", "shop → cart")
	p.fill("#t-second", "")
	p.fill("#t-call", "450")
	p.says("#trace", "Call 450 of shop → cart")
	p.says("#trace", "→ store, call")
	p.click("#trace-close")
	p.until(`!document.querySelector('#trace') && document.activeElement.id === 'moments'`)

	// a click on a second of a chart
	p.fill("#t-call", "")
	p.run(`const c = document.querySelector('.plot canvas').getBoundingClientRect(); document.querySelector('.plot canvas').closest('.plot').scrollIntoView({ block: 'center' })`)
	p.do(chromedp.Click(chromedp.CSS(`.plot`)))
	p.until(`/events?, 0:(09|10|11) to /.test(document.querySelector('#t-total').textContent)`)
	p.clean()
}

// TestCompareOverSeeds compares a variant and an earlier text on all cores, and stops in the middle.
func TestCompareOverSeeds(t *testing.T) {
	p := open(t, 1280, 900, "")
	p.panel("compare")
	p.says("#c-alone", "Nothing to compare with yet")
	p.tall("compare-empty")
	p.write(relay)
	p.until(`!document.querySelector('#c-alone')`)
	p.fill("#subject", "cart → store")
	p.click("#c-pin")
	p.says(".others", "as it was")
	p.write(strings.Replace(relay, `"attempts": 3`, `"attempts": 2`, 1))
	p.fill("#c-seeds", "10")
	p.says("#c-asked", "3 × 10 = 30 runs")
	p.click("#do-compare")
	p.until(`!!document.querySelector('#bands')`)
	p.says("#c-findings", "“once” separates from base in load multiplier")
	p.says("#c-findings", "“as it was” separates from base in load multiplier")
	p.says("#bands", "cannot tell apart")
	p.says("#bands", "separates, higher")
	p.violations("compare")
	p.tall("compare-done")
	p.write(relay)
	p.until(`!document.querySelector('#c-stale').hidden`)

	p.write(strings.Replace(relay, `"perSecond": 50`, `"perSecond": 9000`, 1))
	p.until(`document.querySelector('#c-asked').textContent !== ''`)
	p.click("#do-compare")
	p.until(`!document.querySelector('#do-compare-stop').hidden`)
	p.violations("comparing")
	p.shot("compare-running")
	p.click("#do-compare-stop")
	p.says("#c-status", "Stopped after")
	p.clean()
}

// TestCompareSurvivesACrash kills a worker while it works.
func TestCompareSurvivesACrash(t *testing.T) {
	p := open(t, 1280, 900, "")
	p.write(relay)
	p.panel("compare")
	p.says("#c-asked", "2 × 20 = 40 runs")
	p.run(`const spawn = globalThis.squallWorker; let left = 1;
		globalThis.squallWorker = () => { const w = spawn(), post = w.postMessage.bind(w); w.postMessage = m => { if (left > 0 && typeof m === 'string' && m.includes('scalars')) { left--; setTimeout(() => w.onerror(new Event('error', { cancelable: true })), 5); } else post(m); }; return w; }`)
	p.click("#do-compare")
	p.until(`!!document.querySelector('#bands')`)
	p.says("#c-status", "40 runs in")
	p.clean()
}

// TestPanelsAInEveryLight looks at the three panels in the dark, on a phone, with long names, with
// thirty services and with mistakes in the text.
func TestPanelsAInEveryLight(t *testing.T) {
	names := strings.NewReplacer("cart", "the-cart-service-of-the-shop-that-sells-umbrellas-and-wellington-boots", "once", "one attempt only, as the team of the store has been asking for since last winter")
	for _, s := range []struct {
		name  string
		width int64
		dark  bool
		text  string
	}{
		{"light", 1280, false, relay},
		{"dark", 1280, true, relay},
		{"phone", 360, false, relay},
		{"long", 1024, false, names.Replace(relay)},
		{"long-phone", 360, true, names.Replace(relay)},
		{"thirty", 1280, false, crowd(30)},
	} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, int(s.width), 1000, "")
			p.do(chromedp.EmulateViewport(s.width, 1000))
			if s.dark {
				p.click("#do-theme")
				p.until(`document.documentElement.dataset.theme === 'light'`)
				p.click("#do-theme")
				p.until(`document.documentElement.dataset.theme === 'dark'`)
			}
			p.write(s.text)
			p.panel("topology")
			p.until(`document.querySelectorAll('.node').length >= 3`)
			p.slide("#scrub", 9)
			p.says("output.second", "0:09")
			p.until(`!document.querySelector('.toast:not([hidden])')`)
			p.fits(s.name + " topology")
			p.violations(s.name + " topology")
			p.tall("topology-" + s.name)

			p.panel("timeline")
			p.says("#t-total", "events, whole run")
			p.until(`!!document.querySelector('.moment:not(.coming)')`)
			p.fill("#t-call", "190")
			p.until(`!!document.querySelector('#trace')`)
			p.fits(s.name + " timeline")
			p.violations(s.name + " timeline")
			p.tall("timeline-" + s.name)

			p.panel("compare")
			p.fill("#c-seeds", "5")
			p.click("#do-compare")
			p.until(`!!document.querySelector('#bands')`)
			p.fits(s.name + " compare")
			p.violations(s.name + " compare")
			p.tall("compare-" + s.name)

			p.write(`{ "duration": 5 }`)
			p.until(`!!document.querySelector('#problems li')`)
			p.click("#do-compare")
			p.says("#c-status", "The text has problems")
			p.violations(s.name + " with problems")
			p.clean()
		})
	}
}
