package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"squall/examples"
)

// seen is everything that a drag can change, as a person sees it.
const seen = `JSON.stringify([document.querySelector('.verdict').innerText, [...document.querySelectorAll('.plot')].map(e => e.ariaLabel),
	document.querySelector('.topology').innerText, document.querySelector('#form').innerText,
	[...document.querySelectorAll('#form input')].map(e => e.type === 'checkbox' ? e.checked : e.value),
	[...document.querySelectorAll('#form input[type=range]')].map(e => e.ariaValueText)])`

// TestDragEndsAsAFreshPage moves a slider in every frame, which draws only what has changed, and
// then looks whether anything differs from the page of somebody who opens that text.
func TestDragEndsAsAFreshPage(t *testing.T) {
	p := open(t, 1440, 1000, "")
	slider := `document.querySelector('input[type=range][data-path="dependency.impairments[0].brownout.slower"]')`
	p.text(`(async () => { const s = ` + slider + `; s.focus();
		for (let i = 0; i <= 60; i++) { await new Promise(requestAnimationFrame); s.value = String(100 + i); s.dispatchEvent(new Event('input', { bubbles: true })); }
		return ''; })()`)
	p.until(`!` + editor + `.textContent.includes('"slower": 8,')`)
	text := p.written()
	want := digest(t, text)
	p.run(`document.querySelector('#tab-numbers').click()`)
	p.until(`document.querySelector('#digest')?.textContent === ` + quote(want))
	p.run(`document.querySelector('#tab-topology').click()`)
	p.until(`!!document.querySelector('.topology')`)

	fresh := open(t, 1440, 1000, "")
	fresh.write(text)
	fresh.until(`document.querySelector('.verdict').innerText === ` + quote(p.text(`document.querySelector('.verdict').innerText`)))
	if got, want := p.text(seen), fresh.text(seen); got != want {
		t.Errorf("after the drag:\n%s\nopened afresh:\n%s", got, want)
	}

	// what was drawn lightly answers as what was drawn in full
	p.run(`[...document.querySelectorAll('#form button')].find(b => b.ariaLabel === 'Remove Brownout').click()`)
	p.until(`!` + slider)
	if strings.Contains(p.written(), "brownout") {
		t.Errorf("the text is %s", p.written())
	}
	p.click("#do-undo")
	p.until(`!!` + slider)
	p.click("#do-undo")
	p.shown(examples.Brownout) // a drag is one step
	p.clean()
	fresh.clean()
}

// TestSlidersByKeyboard presses arrows on sliders: every press is another value, also where values are
// much rounder than the slider's positions.
func TestSlidersByKeyboard(t *testing.T) {
	p := open(t, 1440, 1000, "")
	for path, values := range map[string][]string{
		"policy.attempts": {"4", "5", "4"}, "load.perSecond": {"510", "520", "510"}, "dependency.impairments[0].brownout.slower": {"8.1", "8.2", "8.1"},
	} {
		slider := `document.querySelector('input[type=range][data-path="` + path + `"]')`
		p.run(slider + `.focus()`)
		for i, key := range []string{kb.ArrowRight, kb.ArrowUp, kb.ArrowLeft} {
			p.do(chromedp.KeyEvent(key))
			p.until(slider + `.ariaValueText === ` + quote(values[i]) + ` && ` + slider + `.parentElement.querySelector('input[type=text]').value === ` + quote(values[i]))
		}
	}
	p.clean()
}
