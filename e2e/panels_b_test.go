package e2e

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// example is the text of an example.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../examples/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// panel opens a panel and brings it into view.
func (p *tab) panel(id string) {
	p.Helper()
	p.run(`document.querySelector('#tab-` + id + `').click(); document.querySelector('.panels').scrollIntoView()`)
	p.until(`document.querySelector('#tab-` + id + `').ariaSelected === 'true'`)
}

// says waits until an element says something.
func (p *tab) says(selector, what string) {
	p.Helper()
	p.until(`(document.querySelector(` + quote(selector) + `)?.innerText ?? '').includes(` + quote(what) + `)`)
}

func (p *tab) click(selector string) {
	p.Helper()
	p.run(`document.querySelector(` + quote(selector) + `).click()`)
}

// fill writes into a field as a person does who then leaves it.
func (p *tab) fill(selector, value string) {
	p.Helper()
	p.run(`const f = document.querySelector(` + quote(selector) + `); f.focus(); f.value = ` + quote(value) + `; f.dispatchEvent(new Event('change', { bubbles: true }))`)
}

// drop lets files fall onto the page.
func (p *tab) drop(files map[string]string) {
	p.Helper()
	list, err := json.Marshal(files)
	if err != nil {
		p.Fatal(err)
	}
	p.run(`const d = new DataTransfer(); for (const [name, text] of Object.entries(` + string(list) + `)) d.items.add(new File([text], name));
		document.querySelector('#main').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: d }))`)
}

// TestGradeAcceptAndUndo takes a failing service: what moves the letter, a finding accepted with a
// reason by keyboard, the acceptance undone and taken back.
func TestGradeAcceptAndUndo(t *testing.T) {
	p := open(t, 1440, 1200, "")
	p.write(example(t, "fails-its-grade"))
	p.panel("grade")
	p.says(".letter", "F")
	p.says(".measure", "74.64% of faults handled")
	p.says(".steps", "letter F to C")
	p.says("#grades", "called payments GET /payments 6 times during one request")
	p.says(".rules", "stock slow")
	p.violations("grade")
	p.shot("grade")

	p.run(`[...document.querySelectorAll('.findings button')].at(-1).click()`)
	p.until(`document.activeElement.closest('.accept') !== null`)
	p.shot("grade-accepting")
	p.do(chromedp.KeyEvent(kb.Enter)) // without a reason nothing is accepted
	p.until(`document.querySelector('.toast').textContent.includes('Say why')`)
	p.do(chromedp.KeyEvent("known"), chromedp.KeyEvent(kb.Enter))
	p.says(".letter", "C")
	p.says(".findings.accepted", "Accepted: known")
	if got := p.written(); !strings.Contains(got, `"check": "unbounded_retries"`) || !strings.Contains(got, `"reason": "known"`) {
		t.Errorf("the text is %s", got)
	}
	p.violations("accepted")
	p.shot("grade-accepted")
	p.click("#do-undo")
	p.says(".letter", "F")
	p.click("#do-redo")
	p.says(".letter", "C")
	p.click(".findings.accepted button")
	p.says(".letter", "F")
	if got := p.written(); strings.Contains(got, "known") {
		t.Errorf("the text is %s", got)
	}
	p.clean()
}

// TestGradeInjects starts where nothing is injected, adds a fault by the form, and removes it.
func TestGradeInjects(t *testing.T) {
	p := open(t, 1440, 1200, "")
	p.panel("grade")
	p.says("#grade-why", "injects no faults")
	p.shot("grade-none")
	p.click("#do-fault")
	p.until(`!!document.querySelector('#fault')`)
	p.violations("fault form")
	p.fill("#fault-percent", "0")
	p.click("#do-add-fault")
	p.says("#fault", "at most 100")
	p.shot("grade-fault")
	p.fill("#fault-percent", "30")
	p.click("#do-add-fault")
	p.says(".rules", "status 503")
	p.until(`document.querySelector('.letter') !== null && !document.querySelector('#fault')`)
	if got := p.written(); !strings.Contains(got, `"id": "dependency-503", "scope": { "to": "dependency" }, "percent": 30`) {
		t.Errorf("the text is %s", got)
	}
	p.shot("grade-injected")
	p.click(".rules button")
	p.says("#grade-why", "injects no faults")
	p.clean()
}

// TestGradeRecordings drops recordings of every form onto the page, and one that is broken.
func TestGradeRecordings(t *testing.T) {
	formats := "../grading/recording/testdata/formats/"
	read := func(files ...string) map[string]string {
		list := map[string]string{}
		for _, f := range files {
			text, err := os.ReadFile(formats + f)
			if err != nil {
				t.Fatal(err)
			}
			list[f[strings.LastIndexByte(f, '/')+1:]] = string(text)
		}
		return list
	}
	p := open(t, 1440, 1200, "")
	for format, files := range map[string]map[string]string{
		"OTLP": read("otlp/traces.json"), "Jaeger": read("jaeger/traces.json"), "Zipkin": read("zipkin/spans.json"),
		"HAR": read("har/in.har"), "RRPair": read("rrpair-jsonl/pairs.jsonl"),
	} {
		p.drop(files)
		p.says("#grade-source", "Read as "+format)
		p.until(`document.querySelectorAll('.service-grade').length > 0`)
		p.shot("grade-" + strings.ToLower(format))
	}
	p.drop(map[string]string{"waits.json": readFile(t, "../grading/testdata/examples/waits-three-times.json")})
	p.says("#grade-source", "waits.json")
	p.says(".findings", "above the bound of 2x")
	p.violations("recording")
	p.shot("grade-recording")
	p.run(`document.querySelector('.findings button').click()`)
	p.until(`document.activeElement.closest('.accept') !== null`)
	p.do(chromedp.KeyEvent("agreed"), chromedp.KeyEvent(kb.Enter))
	p.says(".findings.accepted", "Accepted: agreed")
	p.says("#accepted", "1 finding accepted here")
	p.violations("recording, accepted")
	p.shot("grade-recording-accepted")
	p.drop(map[string]string{"broken.json": `{ "squall": 1, "recording": { "service": "x", "inbound": [ { } ] } }`})
	p.says(".grade-problems", "recording.inbound[0]")
	p.shot("grade-broken")
	p.drop(map[string]string{"nothing.txt": "hello"})
	p.says("#grade-why", "cannot be graded")
	p.click("#do-scenario")
	p.says("#grade-why", "injects no faults")
	p.clean()
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExplainFollowsTheCall walks through the policy of the call that is chosen, after a run and
// before the first call.
func TestExplainFollowsTheCall(t *testing.T) {
	p := open(t, 1440, 1200, "")
	p.panel("explain")
	p.says("#explain-headline", "3 attempts, 10s deadline")
	p.says("#explain-bound", "Bound first by")
	p.until(`!document.querySelector('#explain-measured').innerText.includes('cold')`)
	p.until(`document.querySelectorAll('#walk li').length > 1`)
	p.violations("explain")
	p.shot("explain")
	warm := p.text(`document.querySelector('#walk').innerText`)
	p.click("#explain-cold")
	p.says("#explain-measured", "cold")
	if cold := p.text(`document.querySelector('#walk').innerText`); cold == warm {
		t.Errorf("a measured ceiling changes nothing: %s", cold)
	}
	p.shot("explain-cold")
	p.write(example(t, "pool-stall"))
	p.until(`!!document.querySelector('#subject')`)
	p.fill("#subject", "payments → bank")
	p.says("#explain-breaker", "300ms")
	p.fill("#subject", "bank")
	p.says("#explain-why", "Choose a call")
	p.fill("#subject", "checkout → payments")
	p.says("#explain-headline", "1 attempt")
	p.clean()
}

// TestPanelsInEveryLight looks at grade and explain in the dark, on a phone and with long names.
func TestPanelsInEveryLight(t *testing.T) {
	names := strings.NewReplacer("checkout", "the-checkout-service-of-the-shop-that-sells-umbrellas-and-wellington-boots", "payments-down", "everything-that-payments-can-do-wrong-in-one-afternoon",
		"payments down", "everything that payments can do wrong in one afternoon", `"payments"`, `"payments.internal.eu-central-1.very-long-domain-name.example"`)
	for _, s := range []struct {
		name  string
		width int64
		dark  bool
		text  string
	}{
		{"dark", 1440, true, example(t, "fails-its-grade")},
		{"phone", 360, false, example(t, "fails-its-grade")},
		{"long", 820, false, names.Replace(example(t, "fails-its-grade"))},
		{"long-phone", 360, true, names.Replace(example(t, "fails-its-grade"))},
	} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, int(s.width), 1000, "")
			p.do(chromedp.EmulateViewport(s.width, 1000))
			if s.dark {
				p.run(`document.querySelector('#do-theme').click(); `)
				p.until(`document.documentElement.dataset.theme === 'light'`)
				p.click("#do-theme")
				p.until(`document.documentElement.dataset.theme === 'dark'`)
			}
			p.write(s.text)
			p.panel("grade")
			p.says(".letter", "F")
			p.click("#do-fault")
			p.until(`!!document.querySelector('#fault')`)
			p.panel("grade")
			p.fits(s.name + " grade")
			p.violations(s.name + " grade")
			p.tall("grade-" + s.name)
			p.panel("explain")
			p.until(`document.querySelectorAll('#walk li').length > 1`)
			p.fits(s.name + " explain")
			p.violations(s.name + " explain")
			p.tall("explain-" + s.name)
			p.clean()
		})
	}
}

// tall keeps a picture of the whole panel, however long it is.
func (p *tab) tall(name string) {
	p.Helper()
	height := p.text(`String(Math.ceil(document.querySelector('.panels').getBoundingClientRect().height) + 20)`)
	var pixels int64
	if err := json.Unmarshal([]byte(height), &pixels); err != nil {
		p.Fatal(err)
	}
	width := p.text(`String(innerWidth)`)
	var across int64
	if err := json.Unmarshal([]byte(width), &across); err != nil {
		p.Fatal(err)
	}
	p.do(chromedp.EmulateViewport(across, pixels))
	p.run(`document.querySelector('.panels').scrollIntoView()`)
	p.shot(name)
	p.do(chromedp.EmulateViewport(across, 1000))
}

// TestGallery opens every example from the gallery and reads what it is about.
func TestGallery(t *testing.T) {
	p := open(t, 1440, 1000, "")
	p.click("#do-examples")
	p.until(`document.querySelectorAll('#gallery .card').length > 15`)
	p.violations("gallery")
	p.shot("gallery")
	n := p.text(`String(document.querySelectorAll('#gallery .card').length)`)
	var cards int
	if err := json.Unmarshal([]byte(n), &cards); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < cards; i++ {
		index := strconv.Itoa(i)
		title := p.text(`document.querySelectorAll('#gallery .card')[` + index + `].querySelector('strong').textContent`)
		p.run(`document.querySelectorAll('#gallery .card')[` + index + `].click()`)
		p.until(`document.querySelector('.doc-title').textContent.includes(` + quote(title) + `)`)
		p.until(`[...document.querySelectorAll('#expect li')].every(e => e.className === 'holds') && document.querySelector('.found')?.className === 'found'`)
		p.click("#do-examples")
	}
	p.do(chromedp.EmulateViewport(360, 780))
	p.fits("gallery")
	p.shot("gallery-phone")
	p.clean()
}
