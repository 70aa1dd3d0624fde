package api

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"squall/site/link"
)

// The style of the pages. It is named by its hash in the policy, so that no other style counts.
const style = `:root{color-scheme:light dark}body{margin:0;padding:16px;font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;max-width:900px}` +
	`h1{font-size:18px;margin:0 0 4px}p{margin:0 0 10px}dl{display:flex;flex-wrap:wrap;gap:4px 24px;margin:0 0 10px}dt{font-size:12px;opacity:.75}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}` +
	`.bad{color:#c25400}img{width:100%;height:auto;border-radius:6px}a{color:#2f7fd0}`

var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return base64.StdEncoding.EncodeToString(sum[:])
}()

// pagePolicy lets a page show its style and pictures of its own origin, and nothing else. A page that
// others may frame says nothing about who: the word * would leave out pages opened from a disk.
func pagePolicy(framed bool) string {
	policy := "default-src 'none'; img-src 'self'; style-src 'sha256-" + styleHash + "'; base-uri 'none'; form-action 'none'"
	if framed {
		return policy
	}
	return policy + "; frame-ancestors 'none'"
}

// show is the preview of a short link, or a picture of it: chart.svg with its words, plot.svg without.
func (a *API) show(w http.ResponseWriter, r *http.Request, id, picture string) {
	if picture != "" {
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	k := a.find(w, r, id)
	if k == nil {
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=300")
	if picture != "" {
		h.Set("Content-Type", "image/svg+xml")
		w.Write([]byte(k.svg(picture == "plot.svg")))
		return
	}
	h.Set("Content-Security-Policy", pagePolicy(false))
	h.Set("Content-Type", "text/html; charset=utf-8")
	at := origin(r)
	page := at + "/s/" + k.ID
	meta := func(kind, name, content string) string {
		return `<meta ` + kind + `="` + name + `" content="` + content + `">` + "\n"
	}
	title, finding := escape(k.title(), 120), escape(k.Finding, 400)
	w.Write([]byte(head(title) +
		meta("name", "description", finding) +
		meta("name", "robots", "noindex") +
		meta("property", "og:type", "website") +
		meta("property", "og:site_name", "Squall") +
		meta("property", "og:title", title) +
		meta("property", "og:description", escape(k.headline(), 400)) +
		meta("property", "og:url", escape(page, 500)) +
		meta("property", "og:image", escape(page+"/chart.svg", 500)) +
		meta("property", "og:image:type", "image/svg+xml") +
		meta("property", "og:image:width", number(pictureWidth)) +
		meta("property", "og:image:height", number(pictureHeight)) +
		meta("property", "og:image:alt", finding) +
		meta("name", "twitter:card", "summary_large_image") +
		`<link rel="alternate" type="application/json+oembed" href="` + escape(at+"/api/oembed?url="+url.QueryEscape(page), 1000) + `" title="` + title + `">` + "\n" +
		meta("http-equiv", "refresh", "0; url="+escape(k.playground(), 1<<20)) +
		"</head>\n<body>\n" + k.figure(`<a href="`+escape(k.playground(), 1<<20)+`">Open in the playground</a>`) + "</body>\n</html>\n"))
}

// embed is the figure of a link for a frame in another site: no script, nothing to load but a picture.
func (a *API) embed(w http.ResponseWriter, r *http.Request, id string) {
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	k := a.find(w, r, id)
	if k == nil {
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Content-Security-Policy", pagePolicy(true))
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte(head(escape(k.title(), 120)) + "</head>\n<body>\n" +
		k.figure(`<a href="/s/`+k.ID+`" target="_blank" rel="noopener">Open in the playground</a>`) + "</body>\n</html>\n"))
}

// find is the record of an id; when there is none, that was answered.
func (a *API) find(w http.ResponseWriter, r *http.Request, id string) *record {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, http.StatusMethodNotAllowed, "this path is asked with GET")
		return nil
	}
	k, err := a.load(r.Context(), id)
	if err == nil && k != nil {
		return k
	}
	status, title, why := http.StatusNotFound, "No such link", "This link never was, or its time is over. Ask whoever sent it for a new one, or for the scenario itself."
	if err != nil {
		status, title, why = http.StatusServiceUnavailable, "Not now", "Short links cannot be read at the moment. Try again in a minute."
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", pagePolicy(false))
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write([]byte(head(title) + "</head>\n<body>\n<h1>" + title + "</h1>\n<p>" + why + "</p>\n<p><a href=\"/\">To the playground</a></p>\n</body>\n</html>\n"))
	return nil
}

func head(title string) string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<title>" + title + "</title>\n<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n<style>" + style + "</style>\n"
}

// figure is the body of a page about a link.
func (k *record) figure(more string) string {
	var b strings.Builder
	b.WriteString("<h1>" + escape(k.title(), 120) + "</h1>\n<p>" + escape(k.Finding, 1000) + "</p>\n<dl>")
	for _, f := range k.Figures {
		class := ""
		if f.Bad {
			class = ` class="bad"`
		}
		b.WriteString("<div><dt>" + escape(f.Label, 40) + "</dt><dd" + class + ">" + escape(f.Value, 40) + "</dd></div>")
	}
	b.WriteString("</dl>\n<p><img src=\"/s/" + k.ID + "/plot.svg\" width=\"1200\" height=\"375\" alt=\"Calls, attempts and failed calls a second; the sentence above says what they show.\"></p>\n")
	b.WriteString("<p>" + more + ` · made by engine ` + escape(k.Engine, 40) + "</p>\n")
	return b.String()
}

func (k *record) title() string {
	if strings.TrimSpace(k.Title) == "" {
		return "A Squall scenario"
	}
	return k.Title
}

// headline is the finding and the numbers, for a description.
func (k *record) headline() string {
	text := k.Finding
	for i, f := range k.Figures {
		if i == 0 {
			text += " —"
		} else {
			text += ","
		}
		text += " " + f.Label + " " + f.Value
	}
	return text
}

// playground is where the scenario opens: it travels in the fragment, with what its run gave.
func (k *record) playground() string {
	return "/#" + link.Encode(link.Shared{Text: k.Text, Engine: k.Engine, Digest: k.Digest, Call: k.Call})
}

// escape makes any text harmless in HTML, XML and their attributes: what is markup is spelled out,
// what neither may hold or what turns the direction of writing is taken away, and what is long is cut.
func escape(text string, most int) string {
	letters := 0
	text = strings.Map(func(r rune) rune {
		if letters++; letters > most {
			return -1
		}
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if r == unicode.ReplacementChar || r > 0xFFFD && r < 0x10000 || unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, text)
	if letters > most {
		text += "…"
	}
	return html.EscapeString(text)
}
