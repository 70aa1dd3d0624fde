package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"squall/examples"
)

// root is the shadow root that the editor lives in.
const root = `document.querySelector('#editor .island').shadowRoot`

// complete asks for what may stand behind a piece of the text.
func (p *tab) complete(behind string) string {
	p.Helper()
	p.run(`const c = ` + editor + `, v = c.cmTile?.view ?? c.cmView?.view, at = v.state.doc.toString().indexOf(` + quote(behind) + `) + ` + quote(behind) + `.length;
		v.dispatch({ selection: { anchor: at } }); v.focus();
		c.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', code: 'Space', keyCode: 32, ctrlKey: true, bubbles: true, cancelable: true }))`)
	p.until(root + `.querySelector('.cm-tooltip-autocomplete li')`)
	return p.text(`[...` + root + `.querySelectorAll('.cm-tooltip-autocomplete li')].map(li => li.textContent).join(' ')`)
}

func TestCompletion(t *testing.T) {
	p := open(t, 1440, 1000, "")
	time.Sleep(300 * time.Millisecond) // the schema is fetched beside everything else
	if got := p.complete(`"deadline": "10s",`); !strings.Contains(got, `"attempts"`) || !strings.Contains(got, `"breaker"`) || strings.Contains(got, `"deadline"`) {
		t.Errorf("in a policy may stand %s", got)
	}
	p.shot("completion")
	p.write(strings.Replace(examples.Brownout, `"http"`, `""`, 1))
	if got := p.complete(`"preset": "`); !strings.Contains(got, `"instant"`) {
		t.Errorf("a preset may be %s", got)
	}
	p.clean()
}

func TestHelp(t *testing.T) {
	p := open(t, 1440, 1000, "")
	time.Sleep(300 * time.Millisecond)
	at := strings.Split(p.text(`(() => { const c = `+editor+`, v = c.cmTile?.view ?? c.cmView?.view;
		const r = v.coordsAtPos(v.state.doc.toString().indexOf('deadline') + 3); return Math.round(r.left) + ' ' + Math.round((r.top + r.bottom) / 2); })()`), " ")
	x, y := number(t, at[0]), number(t, at[1])
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x-30, y), chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	p.until(root + `.querySelector('.squall-help')`)
	if got := p.text(root + `.querySelector('.squall-help').textContent`); !strings.Contains(got, "bound of the whole call") || !strings.Contains(got, `"30s"`) {
		t.Errorf("help says %s", got)
	}
	p.shot("help-hover")
	p.clean()
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	n := 0.0
	for _, r := range s {
		if r < '0' || r > '9' {
			t.Fatalf("%q is no number", s)
		}
		n = n*10 + float64(r-'0')
	}
	return n
}
