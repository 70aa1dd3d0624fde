//go:build !js

package workerd

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"

	"squall/examples"
)

// open starts Chromium for one test. Whatever its console complains about is kept in complaints.
func open(t *testing.T) (ctx context.Context, complaints func() []string) {
	t.Helper()
	executable := ""
	for _, p := range []string{os.Getenv("CHROMIUM"), "/usr/bin/chromium", "/usr/bin/google-chrome"} {
		if _, err := os.Stat(p); p != "" && err == nil && executable == "" {
			executable = p
		}
	}
	if executable == "" {
		t.Skip("no Chromium")
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(executable), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.UserDataDir(t.TempDir()))
	ctx, timeout := context.WithTimeout(ctx, 3*time.Minute)
	ctx, closed := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) { // waits for the end of the browser
			t.Log(err)
		}
		closed()
		timeout()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	var mutex sync.Mutex
	var all []string
	chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok && e.Entry.Level == log.EntryLevelError {
			mutex.Lock()
			defer mutex.Unlock()
			all = append(all, e.Entry.Text+" "+e.Entry.URL)
		}
	})
	return ctx, func() []string {
		mutex.Lock()
		defer mutex.Unlock()
		return all
	}
}

// TestLinkOpens follows a short link as a person does: it goes on to the playground, which runs the
// scenario under the Worker's headers and finds the numbers of the link.
func TestLinkOpens(t *testing.T) {
	ctx, complaints := open(t)
	w := start(t, 100_000)
	made := w.ask(t, "POST", "/api/links", text(examples.Brownout))
	if made.StatusCode != 201 {
		t.Fatalf("%d %s", made.StatusCode, made.text)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(made.get("url").Str), chromedp.WaitVisible(chromedp.ID("outcome"))); err != nil {
		t.Fatalf("%v; the console says %q", err, complaints())
	}
	outcome, err := chromedp.Run(ctx, chromedp.Text(chromedp.ID("outcome")))
	if err != nil || !strings.Contains(outcome, "Reproduced") {
		t.Errorf("the playground says %q, %v", outcome, err)
	}
	for _, c := range complaints() {
		if !strings.Contains(c, "favicon") {
			t.Errorf("the console says %s", c)
		}
	}
}

// TestPageOffersShortLinks shares as a person does: the page finds out that this server keeps links,
// makes one when it is asked to, and the link opens.
func TestPageOffersShortLinks(t *testing.T) {
	ctx, complaints := open(t)
	w := start(t, 100_000)
	press := func(id string) chromedp.Action[chromedp.Void] { return chromedp.Click(chromedp.ID(id)) }
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/"), chromedp.WaitVisible(chromedp.ID("verdict")),
		press("do-share"), chromedp.WaitVisible(chromedp.ID("do-shorten"))); err != nil {
		t.Fatalf("%v; the console says %q", err, complaints())
	}
	if kept := w.kv(t, map[string]bool{"list": true}); kept.Get("#").Int() != 0 {
		t.Errorf("something was sent before it was asked for: %s", kept.Raw)
	}
	if err := chromedp.Do(ctx, press("do-shorten"), chromedp.WaitVisible(chromedp.ID("short-text"))); err != nil {
		t.Fatalf("%v; the console says %q", err, complaints())
	}
	short, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector('#short-text').value`))
	if err != nil || !strings.HasPrefix(short, w.url+"/s/") {
		t.Fatalf("the short link is %q, %v", short, err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(short), chromedp.WaitVisible(chromedp.ID("outcome"))); err != nil {
		t.Fatalf("%v; the console says %q", err, complaints())
	}
	if outcome, err := chromedp.Run(ctx, chromedp.Text(chromedp.ID("outcome"))); err != nil || !strings.Contains(outcome, "Reproduced") {
		t.Errorf("the playground says %q, %v", outcome, err)
	}
}
