package main

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestShareDialog(t *testing.T) {
	a, b := begin(t, nil)
	a.share()
	b.settle()
	has(t, b.html(), "Link copied. It holds the whole scenario")
	if b.open != "link" || strings.Contains(b.html(), "do-shorten") {
		t.Errorf("%q is open, or a short link is offered where nobody keeps one", b.open)
	}
	a.shorten()
	if len(b.sent) != 1 || b.sent[0] != "HEAD ./ " {
		t.Errorf("sent %q", b.sent)
	}
	b.noCopy = true
	a.share()
	b.settle()
	has(t, b.html(), "did not let the page copy the link")
}

func TestShortLink(t *testing.T) {
	var kept string
	server := func(method, path, body string) answer {
		if method == "HEAD" {
			return answer{Status: 200, Links: "api/links"}
		}
		kept = body
		return answer{Status: 201, Text: `{"ok":true,"id":"abc","url":"https://squall.example/s/abc","expires":"2030-05-06T07:08:09Z"}`}
	}
	a, b := begin(t, func(b *fake) { b.server = server })
	if len(b.sent) > 0 {
		t.Errorf("the server was asked for %q before anybody shared", b.sent)
	}
	a.share()
	b.settle()
	has(t, b.html(), "Make a short link", "90 days")
	if kept != "" {
		t.Error("sent before it was asked for")
	}
	a.shorten()
	a.shorten() // once is enough
	has(t, b.html(), "Asking the server")
	b.settle()
	if gjson.Get(kept, "text").Str != a.Text || gjson.Get(kept, "call").Str != "client -> dependency" || len(b.sent) != 2 {
		t.Errorf("sent %q", b.sent)
	}
	has(t, b.html(), "Kept until 2030-05-06.")
	if b.copied != "https://squall.example/s/abc" {
		t.Errorf("copied %s", b.copied)
	}
	a.choose("dependency") // a service has no link of its own
	a.share()
	b.settle()
	a.shorten()
	b.settle()
	if gjson.Get(kept, "call").Exists() {
		t.Errorf("sent %s", kept)
	}
}

func TestShortLinkRefused(t *testing.T) {
	for _, c := range []struct {
		reply answer
		want  string
	}{
		{answer{}, "the server does not answer"},
		{answer{Status: 429, Text: `{"ok":false,"error":"too many requests"}`}, "too many requests"},
		{answer{Status: 422, Text: `{"ok":false,"problems":[{"message":"is too long"}]}`}, "is too long"},
		{answer{Status: 502, Text: `<html>`}, "status 502"},
		{answer{Status: 200, Text: `{}`}, "status 200"},
	} {
		s := shareState{links: "api/links"}
		if s.kept(c.reply); !strings.Contains(s.shortSaid(), c.want) || s.Short != "" {
			t.Errorf("%+v: %q", c.reply, s.shortSaid())
		}
	}
}

func TestLongLinksAreSaid(t *testing.T) {
	a, b := begin(t, nil)
	a.share()
	b.settle()
	if hint := a.Share.linkHint(); hint != "" {
		t.Errorf("a short scenario: %s", hint)
	}
	var noise strings.Builder // what does not compress
	for i, x := 0, uint32(1); i < 3000; i++ {
		x = x*1664525 + 1013904223
		noise.WriteByte('a' + byte(x>>24)%26)
	}
	a.typed("// " + noise.String() + "\n" + a.Text)
	b.settle()
	a.share()
	b.settle()
	has(t, b.html(), "letters. Browsers take that")
}

// TestNoticesGo says something twice; each is seen for its own time.
func TestNoticesGo(t *testing.T) {
	a, b := begin(t, nil)
	a.say("one")
	b.pass(noticeFor - 100)
	a.say("two")
	b.pass(noticeFor - 100)
	if a.Notice != "two" {
		t.Errorf("%q is seen", a.Notice)
	}
	b.pass(noticeFor)
	if a.Notice != "" {
		t.Errorf("%q is seen for ever", a.Notice)
	}
}

// TestRecordedReportIsWhole saves the report of a scenario that records: what is saved has the
// timeline that its digest is over.
func TestRecordedReportIsWhole(t *testing.T) {
	a, b := begin(t, nil)
	a.typed(`{ "duration": "2s", "record": true, "dependency": { "p50": "5ms", "p99": "20ms" }, "load": { "perSecond": 10 } }`)
	b.settle()
	digest, text := a.Run.Digest, a.Text
	a.typed(a.Text + "}") // what is saved is the run that is shown
	b.settle()
	a.export("report")
	b.settle()
	for name, saved := range b.saved {
		if strings.HasSuffix(name, "-report.json") {
			if gjson.Get(saved, "digest").Str != digest {
				t.Errorf("saved a report with the digest %s", gjson.Get(saved, "digest").Str)
			}
			if n := len(gjson.Get(saved, "calls.0.measured.timeline").Array()); n == 0 {
				t.Errorf("saved without a timeline: %.300s", saved)
			}
		}
	}
	if len(b.saved) != 1 {
		t.Errorf("%d files", len(b.saved))
	}
	a.export("command")
	if !strings.Contains(b.copied, text+"\nSCENARIO") || !strings.Contains(b.copied, digest) {
		t.Errorf("copied %s", b.copied)
	}
}
