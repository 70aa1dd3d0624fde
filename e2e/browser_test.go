// Package e2e opens the built playground (dist, see build.sh) in Chromium and does what a person
// does. Without Chromium the tests are skipped, but not where CI is set.
package e2e

import (
	"cmp"
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"squall/site/serve"
)

// dist is what build.sh made.
var dist = cmp.Or(os.Getenv("SQUALL_DIST"), "../dist")

// shots is where pictures of every state are kept.
const shots = "shots"

func executable() string {
	for _, p := range []string{os.Getenv("CHROMIUM"), "/usr/bin/chromium", "/usr/bin/google-chrome"} {
		if p != "" {
			if _, err := os.Stat(p); err == nil {
				return p
			}
		}
	}
	return ""
}

// tab is one page in a browser of its own, with the mistakes that its console heard of.
type tab struct {
	testing.TB
	ctx context.Context
	url string

	mutex  sync.Mutex
	errors []string
}

// open starts a browser with a window of a size and opens the playground at a fragment.
func open(t testing.TB, width, height int, fragment string) *tab {
	t.Helper()
	page := browse(t, width, height)
	page.visit(fragment)
	return page
}

func browse(t testing.TB, width, height int) *tab {
	t.Helper()
	missing := executable() == ""
	if _, err := os.Stat(filepath.Join(dist, "playground.wasm")); err != nil {
		missing = true
	}
	if missing {
		if os.Getenv("CI") != "" {
			t.Fatal("Chromium or the built page is missing")
		}
		t.Skip("no Chromium, or the page is not built (make build)")
	}
	server := httptest.NewServer(serve.Handler(os.DirFS(dist)))
	t.Cleanup(server.Close)
	ctx, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(executable()), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", false),
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(width, height))
	ctx, timeout := context.WithTimeout(ctx, 180*time.Second)
	ctx, closed := chromedp.NewContext(ctx)
	page := &tab{TB: t, ctx: ctx, url: server.URL}
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) { // waits for the end of the browser
			t.Log(err)
		}
		closed()
		timeout()
		stop()
	})
	page.do()
	chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			page.hear("exception: " + e.ExceptionDetails.Text + " " + description(e.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				page.hear("log: " + e.Entry.Text + " " + e.Entry.URL)
			}
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError {
				for _, a := range e.Args {
					page.hear("console: " + string(a.Value) + a.Description)
				}
			}
		}
	})
	return page
}

func description(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return o.Description
}

func (p *tab) hear(what string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.errors = append(p.errors, what)
}

// clean fails when the console heard of a mistake.
func (p *tab) clean() {
	p.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.errors) > 0 {
		p.Errorf("the console has errors:\n%s", strings.Join(p.errors, "\n"))
		p.errors = nil
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.Fatalf("%v\nconsole: %s", err, strings.Join(p.errors, "\n"))
	}
}

// visit opens the page at a fragment and waits for its first result.
func (p *tab) visit(fragment string) {
	p.Helper()
	address := p.url + "/"
	if fragment != "" {
		address += "#" + fragment
	}
	p.do(chromedp.Navigate(address))
	p.until(`!!document.querySelector('#verdict')`)
}

// until waits for an expression to be true.
func (p *tab) until(expression string) {
	p.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err != nil {
			p.Fatalf("%s: %v", expression, err)
		}
		if ok {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	p.shot("failed-" + strings.ReplaceAll(p.Name(), "/", "-"))
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.Fatalf("never true: %s\nconsole: %s", expression, strings.Join(p.errors, "\n"))
}

// text is what an expression gives.
func (p *tab) text(expression string) string {
	p.Helper()
	s, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return s
}

// run evaluates an expression and forgets what it gives.
func (p *tab) run(expression string) {
	p.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`(() => { `+expression+`; return ''; })()`)); err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
}

// editor is the editor's text area as JavaScript sees it.
const editor = `document.querySelector('#editor .island').shadowRoot.querySelector('.cm-content')`

// write puts another text into the editor, as a person who pastes over everything.
func (p *tab) write(text string) {
	p.Helper()
	p.run(`const c = ` + editor + `, v = c.cmTile?.view ?? c.cmView?.view;
		v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: ` + quote(text) + ` }, userEvent: 'input.paste' })`)
}

// written is the text in the editor.
func (p *tab) written() string {
	p.Helper()
	return p.text(`(() => { const c = ` + editor + `, v = c.cmTile?.view ?? c.cmView?.view; return v.state.doc.toString(); })()`)
}

// shot keeps a picture of what is seen.
func (p *tab) shot(name string) {
	p.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatalf("%s: %v", name, err)
	}
	if err := os.MkdirAll(shots, 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shots, name+".png"), png, 0o644); err != nil {
		p.Fatal(err)
	}
}
