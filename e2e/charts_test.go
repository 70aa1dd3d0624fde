package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"squall/examples"
)

// TestWheelScrollsThePage turns the wheel over a chart: the page moves on, and only with Ctrl the
// chart keeps the turn and zooms.
func TestWheelScrollsThePage(t *testing.T) {
	p := open(t, 1280, 900, "")
	p.until(`!!document.querySelector('#chart-load canvas')`)
	// the charts stand still, and where the pointer is over the first one
	const picture = `document.querySelector('#chart-load canvas').toDataURL().slice(-4000)`
	p.until(`(() => { const now = ` + picture + `, same = globalThis.seenBefore === now; globalThis.seenBefore = now; return same; })()`)
	top := number(t, p.text(`String(Math.round(document.querySelector('#chart-load canvas').getBoundingClientRect().top))`))
	turn := func(delta float64, modifiers int64) {
		p.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: input.DispatchMouseEventTypeMouseWheel, X: 640, Y: top + 100, DeltaX: 0.001, DeltaY: delta, Modifiers: modifiers,
			})
			return err
		}))
	}
	const ctrl = 2
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 640, top+100))
	p.until(`document.querySelector('#chart-load .island').innerText.includes('amplification')`)
	turn(120, 0)
	p.until(`scrollY > 0`)
	p.run(`scrollTo(0, 0)`)
	whole := p.text(picture)
	for range 4 {
		turn(-120, ctrl)
	}
	p.until(picture + ` !== ` + quote(whole))
	if at := p.text(`String(scrollY)`); at != "0" {
		t.Errorf("the chart zooms, and the page scrolls to %s", at)
	}
	p.clean()
}

// TestChartsTakeTurns tells the charts more than they can draw, as a drag does: each shows the newest
// in the end, and a picture that is saved before its turn is of the newest too.
func TestChartsTakeTurns(t *testing.T) {
	p := open(t, 1280, 1100, "")
	p.until(`document.querySelectorAll('.plot canvas').length === 4`)
	// without the stack, whose edges ECharts blends in another way after other parts were in it
	const pictures = `[...document.querySelectorAll(':is(#chart-load, #chart-latency, #chart-guards) canvas')].map(c => c.toDataURL()).join()`
	still := func() string {
		p.until(`(() => { const now = ` + pictures + `; if (globalThis.seenBefore !== now) { globalThis.seenBefore = now; globalThis.seenAt = performance.now(); } return performance.now() - globalThis.seenAt > 700; })()`)
		return p.text(`(async () => [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(` + pictures + `)))].join())()`)
	}
	brownout := still()
	drag := func(to string) {
		p.text(`(async () => { const s = document.querySelector('input[type=range][data-path="load.perSecond"]'), end = ` + to + `;
			for (let i = 10; i >= 0; i--) { await new Promise(requestAnimationFrame); s.value = String(end + i); s.dispatchEvent(new Event('input', { bubbles: true })); } return ''; })()`)
	}
	before := p.text(`document.querySelector('input[type=range][data-path="load.perSecond"]').value`)
	drag("100")
	p.until(`!document.querySelector('#figures').innerText.includes('90.3%')`)
	if still() == brownout {
		t.Error("a drag changed no picture")
	}
	drag(before)
	p.write(examples.Brownout) // the slider's steps are rounder than the text
	p.until(`document.querySelector('#figures').innerText.includes('90.3%')`)
	if still() != brownout {
		t.Error("the charts do not show what they showed before")
	}
	p.clean()
}
