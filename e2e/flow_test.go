package e2e

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"squall/engine"
	"squall/engine/scenario"
	"squall/examples"
)

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// digest is what the engine says natively about a scenario.
func digest(t testing.TB, text string) string {
	t.Helper()
	s, problems := scenario.Read([]byte(text), scenario.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	report, err := engine.Run(context.Background(), &s.Topology, s.Seed, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Digest
}

// shown waits until the page shows the run of a text, which it proves by the digest.
func (p *tab) shown(text string) {
	p.Helper()
	want := digest(p.TB, text)
	p.until(`document.querySelector('#tab-numbers').getAttribute('aria-selected') === 'true' || (document.querySelector('#tab-numbers').click(), false)`)
	p.until(`document.querySelector('#digest')?.textContent === ` + quote(want))
}

func TestFirstVisit(t *testing.T) {
	p := open(t, 1440, 1000, "")
	if got := p.text(`document.querySelector('#verdict').textContent`); !strings.HasPrefix(got, "In the worst second (1:29) the dependency felt 1.10× the load; 9.7% of calls failed") {
		t.Errorf("verdict %q", got)
	}
	p.until(`document.querySelectorAll('.plot canvas').length === 4`)
	if got := p.text(`document.querySelector('#figures').innerText.replace(/\s+/g, ' ')`); !strings.Contains(got, "Load multiplier 1.02× Amplification 1.10× Availability 90.3% p50 25.5 ms p99 434 ms") {
		t.Errorf("figures %q", got)
	}
	p.shown(examples.Brownout)
	t.Log(p.text(`'first paint after ' + performance.getEntriesByName('first-contentful-paint')[0].startTime.toFixed(0) + ' ms, page instantiated after ' + performance.getEntriesByName('squall-page')[0].startTime.toFixed(0) + ' ms'`))
	p.clean()
}

func TestBreakAndRepair(t *testing.T) {
	p := open(t, 1440, 1000, "")
	p.write(strings.Replace(examples.Brownout, `"20ms"`, `20`, 1))
	p.until(`document.querySelectorAll('#problems li').length === 1`)
	for _, part := range []string{"3:26", "dependency.p50", "did you mean"} {
		if got := p.text(`document.querySelector('#problems').innerText`); !strings.Contains(got, part) {
			t.Errorf("the list of problems says %q, not %q", got, part)
		}
	}
	if got := p.text(`document.querySelector('#verdict').textContent`); !strings.Contains(got, "1.10×") {
		t.Errorf("the last good result is gone: %q", got)
	}
	p.until(`!!` + editor + `.querySelector('.cm-lintRange-error')`)
	p.shot("error")
	p.run(`document.querySelector('#problems button').click()`)
	p.until(`document.querySelector('#editor .island').shadowRoot.activeElement?.classList.contains('cm-content')`)
	p.write(`{ "duration": `)
	p.until(`document.querySelector('#problems').innerText.includes('1:')`)
	p.shot("error-syntax")
	text := strings.Replace(examples.Brownout, `"slower": 8`, `"slower": 3`, 1)
	p.write(text)
	p.until(`document.querySelector('#problems').hidden`)
	p.shown(text)
	p.clean()
}

func TestFormAndUndo(t *testing.T) {
	p := open(t, 1440, 1000, "")
	slider := `document.querySelector('input[type=range][data-path="dependency.impairments[0].brownout.slower"]')`
	p.run(slider + `.value = '0'; ` + slider + `.dispatchEvent(new Event('input', { bubbles: true }))`)
	text := strings.Replace(examples.Brownout, `"slower": 8`, `"slower": 1`, 1)
	p.shown(text)
	if got := p.written(); got != text {
		t.Errorf("the text is %s", got)
	}
	p.run(`document.querySelector('#do-undo').click()`)
	p.shown(examples.Brownout)
	p.run(`document.querySelector('#do-redo').click()`)
	p.shown(text)

	entry := `document.querySelector('input[type=text][data-path="load.perSecond"]')`
	p.run(entry + `.focus(); ` + entry + `.select()`)
	p.do(chromedp.KeyEvent("2"), chromedp.KeyEvent("5"), chromedp.KeyEvent("0"))
	text = strings.Replace(text, `"perSecond": 500`, `"perSecond": 250`, 1)
	p.shown(text)
	p.run(`document.querySelector('input[role=switch][data-path="policy.breaker"]').click()`)
	p.until(`document.querySelector('#form').innerText.includes('Consecutive failures')`)
	if got := p.written(); !strings.Contains(got, `"name": "api", "breaker": {} }`) {
		t.Errorf("the text is %s", got)
	}
	p.shot("form")
	p.clean()
}

func TestShare(t *testing.T) {
	p := open(t, 1440, 1000, "")
	text := "// shared\n" + strings.Replace(examples.Brownout, `"seed": 42`, `"seed": 7`, 1)
	p.write(text)
	p.shown(text)
	p.run(`document.querySelector('#do-share').click()`)
	p.until(`location.hash.startsWith('#s1.')`)
	hash := p.text(`location.hash.slice(1)`)
	p.until(`document.querySelector('dialog#link').open && document.querySelector('#link-text').value === location.href`)
	p.says("#link-said", "holds the whole scenario")
	if got := p.text(`String(document.querySelector('#short'))`); got != "null" {
		t.Error("a short link is offered by a server that keeps none")
	}
	p.violations("share")
	p.shot("share")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(`!document.querySelector('dialog#link').open`)
	p.clean()

	fresh := browse(t, 1440, 1000)
	fresh.visit(hash)
	fresh.until(`document.querySelector('#outcome')?.innerText.includes('Reproduced, identical')`)
	if got := fresh.written(); got != text {
		t.Errorf("the receiver reads %s", got)
	}
	fresh.shown(text)
	fresh.shot("shared")
	fresh.clean()
}

func TestLinksThatDoNotOpen(t *testing.T) {
	p := open(t, 1440, 1000, "s1.AAAA")
	p.until(`document.querySelector('[role=status].unseen').textContent.includes('broken')`)
	p.says("#bad-link", "ask for it again.")
	p.do(chromedp.Navigate(p.url+"/#s9.AAAA"), chromedp.Reload())
	p.until(`document.querySelector('[role=status].unseen')?.textContent.includes('newer version')`)
	p.clean()
}

func TestDraftsBackAndSecondTab(t *testing.T) {
	p := open(t, 1440, 1000, "")
	mine := strings.Replace(examples.Brownout, `"perSecond": 500`, `"perSecond": 321`, 1)
	p.write(mine)
	p.shown(mine)
	p.run(`document.querySelector('#do-share').click()`)
	p.until(`location.hash.startsWith('#s1.')`)
	hash := p.text(`location.hash`)

	// another text, then back to the link
	other := strings.Replace(examples.Brownout, `"perSecond": 500`, `"perSecond": 111`, 1)
	p.write(other)
	p.until(`location.hash === ''`)
	p.shown(other)
	p.run(`location.hash = ` + quote(hash))
	p.until(`document.querySelector('#outcome')?.innerText.includes('identical')`)
	p.shown(mine)
	p.do(chromedp.NavigateBack())
	p.until(`location.hash === ''`)

	p.until(`JSON.parse(localStorage['squall.drafts'] ?? '[]').length >= 1`)
	p.run(`document.querySelector('#do-drafts').click()`)
	p.until(`document.querySelector('dialog#drafts').open`)
	p.shot("drafts")
	p.run(`document.querySelector('#drafts .card').click()`)
	p.shown(other)

	// a reload keeps the draft; the address is clean
	p.do(chromedp.Reload())
	p.until(`document.querySelector('#verdict')`)
	p.shown(other)
	p.clean()
}

func TestKeyboard(t *testing.T) {
	p := open(t, 1440, 1000, "")
	p.run(`document.activeElement.blur()`)
	p.do(chromedp.KeyEvent("?"))
	p.until(`document.querySelector('dialog#help').open`)
	p.shot("help")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(`!document.querySelector('dialog#help').open`)
	p.do(chromedp.KeyEvent("5"))
	p.until(`document.activeElement.id === 'tab-explain'`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.until(`document.activeElement.id === 'tab-numbers' && document.querySelector('#tab-numbers').ariaSelected === 'true'`)
	p.do(chromedp.KeyEvent("n"))
	p.until(`document.querySelector('#seed').value === '43'`)
	// not as a real key: what drives the browser types the sign even when the page prevents it
	p.run(`document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))`)
	p.until(`document.querySelector('#editor .island').shadowRoot.activeElement?.classList.contains('cm-content')`)
	p.do(chromedp.KeyEvent("t")) // typed, not a command
	p.until(`document.querySelectorAll('#problems li').length > 0`)
	p.do(chromedp.KeyEvent(kb.Escape)) // may close a list of completions
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(`document.activeElement.id === 'do-undo'`)
	p.do(chromedp.KeyEvent("u"))
	p.until(`document.querySelector('#problems').hidden`)
	p.clean()
}

func TestExamplesOpen(t *testing.T) {
	p := open(t, 1440, 1000, "")
	p.run(`document.querySelector('#do-examples').click()`)
	p.until(`document.querySelectorAll('#gallery .card').length > 0`)
	p.shot("gallery")
	p.run(`document.querySelectorAll('#gallery .card')[0].click()`)
	p.until(`!document.querySelector('dialog#gallery').open`)
	text, err := os.ReadFile("../examples/" + p.text(`(async () => (await (await fetch('examples/index.json')).json())[0].name)()`) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	p.until(`(() => { const c = ` + editor + `, v = c.cmTile?.view ?? c.cmView?.view; return v.state.doc.toString() === ` + quote(string(text)) + `; })()`)
	p.clean()
}
