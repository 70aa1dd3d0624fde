package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"squall/examples"
)

// violations asks axe-core what keeps people out, serious and critical alone.
func (p *tab) violations(state string) {
	p.Helper()
	source, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		if os.Getenv("CI") != "" {
			p.Fatal(err)
		}
		return
	}
	p.run(`if (!globalThis.axe) {` + string(source) + `}`)
	found := p.text(`(async () => JSON.stringify((await axe.run(document, { resultTypes: ['violations'] })).violations
		.filter(v => v.impact === 'serious' || v.impact === 'critical')
		.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 4).map(n => n.target.join(' ') + ' ' + (n.any[0]?.message ?? n.all[0]?.message ?? '')).join(' | '))))()`)
	var list []string
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		p.Fatal(err)
	}
	for _, v := range list {
		p.Errorf("%s: %s", state, v)
	}
}

// fits fails when the page is wider than its window.
func (p *tab) fits(state string) {
	p.Helper()
	if got := p.text(`String(document.documentElement.scrollWidth - document.documentElement.clientWidth)`); got != "0" {
		wide := p.text(`[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, .moments, .tabs, svg, .cm-editor')).slice(0, 5).map(e => e.tagName + '.' + e.className + '#' + e.id).join(', ')`)
		p.Errorf("%s: the page is %s pixels too wide: %s", state, got, wide)
	}
}

// crowd is a scenario of many services in layers.
func crowd(services int) string {
	var b strings.Builder
	b.WriteString(`{ "title": "Thirty services", "duration": "20s", "services": {` + "\n")
	for i := range services {
		var calls []string
		for _, k := range []int{2*i + 1, 2*i + 2} {
			if k < services {
				calls = append(calls, fmt.Sprintf(`{ "to": "service-%02d" }`, k))
			}
		}
		if len(calls) == 0 {
			calls = append(calls, fmt.Sprintf(`{ "to": "store-%d" }`, i%3))
		}
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `  "service-%02d": { "calls": [ %s ] }`, i, strings.Join(calls, ", "))
	}
	b.WriteString(` },
  "dependencies": { "store-0": { "p50": "5ms", "p99": "50ms", "impairments": [ { "brownout": { "after": "5s", "slower": 20, "lasting": "5s" } } ] },
    "store-1": { "p50": "5ms", "p99": "50ms" }, "store-2": { "p50": "5ms", "p99": "50ms", "failing": 0.02 } },
  "load": { "at": "service-00", "perSecond": 20 } }`)
	return b.String()
}

var long = strings.NewReplacer(`"duration": "5m"`, `"title": "A title that somebody wrote in one breath and that goes on and on, because titles sometimes do, until nobody reads it any more",
  "about": "x", "duration": "1m"`, `"name": "api"`, `"name": "the-policy-of-a-team-that-likes-very-long-names-for-everything-it-owns-and-runs"`).Replace(examples.Brownout)

func TestStates(t *testing.T) {
	for _, s := range []struct {
		name          string
		width, height int
		text          string
		prepare       func(p *tab)
	}{
		{name: "wide", width: 1440, height: 1000, text: examples.Brownout},
		{name: "dark", width: 1440, height: 1000, text: examples.Brownout, prepare: func(p *tab) {
			p.run(`document.querySelector('#do-theme').click()`)
			p.until(`document.documentElement.dataset.theme === 'light'`)
			p.run(`document.querySelector('#do-theme').click()`)
			p.until(`document.documentElement.dataset.theme === 'dark'`)
		}},
		{name: "phone", width: 360, height: 780, text: examples.Brownout},
		{name: "tablet", width: 820, height: 1100, text: examples.Brownout},
		{name: "4k", width: 3840, height: 2160, text: examples.Brownout},
		{name: "problems", width: 1440, height: 1000, text: strings.ReplaceAll(examples.Brownout, `ms"`, `"`)},
		{name: "long-names", width: 1024, height: 900, text: long},
		{name: "thirty", width: 1440, height: 1400, text: crowd(30)},
	} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s.width, s.height, "")
			p.do(chromedp.EmulateViewport(int64(s.width), int64(s.height)))
			if s.text != examples.Brownout {
				p.write(s.text)
				time.Sleep(100 * time.Millisecond)
				p.until(`document.querySelector('#problems li') || document.querySelector('.doc-title').textContent !== 'Brownout'`)
			}
			if s.prepare != nil {
				s.prepare(p)
			}
			time.Sleep(700 * time.Millisecond) // until charts and toasts stand still, for the picture alone
			p.shot("state-" + s.name)
			p.fits(s.name)
			p.violations(s.name)
			if s.width < 1000 {
				p.run(`document.querySelector('.controls').scrollIntoView()`)
				time.Sleep(200 * time.Millisecond)
				p.shot("state-" + s.name + "-form")
			}
			for _, dialog := range []string{"examples", "drafts", "export", "help"} {
				if s.name != "wide" && s.name != "phone" {
					break
				}
				p.run(`document.querySelector('#do-` + dialog + `').click()`)
				p.until(`document.querySelector('dialog[open]')`)
				p.violations(s.name + ", " + dialog)
				time.Sleep(100 * time.Millisecond)
				p.shot("state-" + s.name + "-" + dialog)
				p.run(`document.querySelector('dialog[open] [aria-label=Close]').click()`)
				p.until(`!document.querySelector('dialog[open]')`)
			}
			p.clean()
		})
	}
}

func TestPrint(t *testing.T) {
	p := open(t, 1000, 1400, "")
	p.do(emulated("print"))
	time.Sleep(500 * time.Millisecond)
	p.shot("state-print")
	p.fits("print")
	if got := p.text(`getComputedStyle(document.querySelector('.scenario')).display`); got != "none" {
		t.Errorf("the form is printed (%s)", got)
	}
	for _, theme := range []string{"light", "dark"} { // paper is white
		p.click("#do-theme")
		p.until(`document.documentElement.dataset.theme === '` + theme + `'`)
		time.Sleep(300 * time.Millisecond) // until the charts are drawn, for the picture alone
		if got := p.text(`[document.body, document.querySelector('.panels')].map(e => getComputedStyle(e).color + ' on ' + getComputedStyle(document.querySelector('.panels')).backgroundColor).join()`); got != "rgb(27, 39, 51) on rgb(255, 255, 255),rgb(27, 39, 51) on rgb(255, 255, 255)" {
			t.Errorf("%s: printed %s", theme, got)
		}
		p.shot("state-print-" + theme)
	}
}

func TestRunning(t *testing.T) {
	p := open(t, 1440, 1000, "")
	p.write(strings.Replace(examples.Brownout, `"perSecond": 500`, `"perSecond": 60000`, 1))
	p.until(`document.querySelector('#do-cancel')`)
	p.shot("state-running")
	p.violations("running")
	p.run(`document.querySelector('#do-cancel').click()`)
	p.until(`!document.querySelector('#do-cancel')`)
	p.write(examples.Brownout + "\n")
	p.until(`document.querySelector('#verdict').textContent.includes('1.10×')`)
	p.clean()
}

// emulated makes the page look as it would in a medium.
func emulated(media string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media})
		return err
	})
}
