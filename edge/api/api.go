// Package api is what the Worker answers: the engine over HTTP, short links to scenarios, and what
// other sites show of such a link. It is plain net/http and knows nothing of where it runs; package
// edge puts it on Cloudflare, tests put it on a loopback address.
//
//	GET  /api/limits              {"ok", "engine", "limits"}: what one request may ask for
//	POST /api/run|band|grade|check  a request of package wasm/module without its "op"; its reply
//	POST /api/links               {"text", "call"?}: {"ok", "id", "url", "expires", "engine", "digest"}
//	GET  /api/links/{id}          what is kept under a short link
//	GET  /api/oembed?url=         the oEmbed form of a short link
//	GET  /s/{id}                  a page that previews the link and goes on to the playground
//	GET  /s/{id}/chart.svg        its picture; plot.svg is the lines of it alone
//	GET  /embed/{id}              the same figure for a frame in another site
//
// Whatever is refused says so in JSON, {"ok": false, "error"} or {"ok": false, "problems"}: 400 for
// what is no request, 404 and 405, 413 for too much text, 422 for a scenario that is wrong or asks for
// too much, 429 for too many requests (package edge), 500 for a defect, 503 without a store.
package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"squall/engine/measure"
)

// ErrNoStore says that the API runs without a place to keep links.
var ErrNoStore = errors.New("short links are not kept here")

// Store keeps short texts for a time. A Worker has KV; it may take a minute until every place sees
// what was put.
type Store interface {
	// Get gives the text under a key; ok is false when there is none or its time is over.
	Get(ctx context.Context, key string) (text string, ok bool, err error)
	// Put keeps a text under a key for at least a minute.
	Put(ctx context.Context, key, text string, lifetime time.Duration) error
}

// API answers requests. It keeps nothing between them and logs nothing.
type API struct {
	// Links keeps short links; without it they are refused.
	Links Store
	// Limits bound one request; a zero field is that of DefaultLimits.
	Limits Limits
	// Guard, if not nil, is asked now and then while a run goes on. Its error ends the run.
	Guard func() error
	// Now is the clock for the expiry of links; nil is time.Now.
	Now func() time.Time
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A body that nobody reads would keep the next request of a Worker waiting.
	defer io.Copy(io.Discard, r.Body)
	defer func() {
		if recover() != nil {
			fail(w, http.StatusInternalServerError, "the server has a defect; nothing was kept")
		}
	}()
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Strict-Transport-Security", "max-age=31536000")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")

	switch path := r.URL.Path; {
	case strings.HasPrefix(path, "/api/"):
		a.answer(w, r, strings.TrimPrefix(path, "/api/"))
	case strings.HasPrefix(path, "/s/"):
		id, picture, _ := strings.Cut(strings.TrimPrefix(path, "/s/"), "/")
		if picture != "" && picture != "chart.svg" && picture != "plot.svg" {
			id = ""
		}
		a.show(w, r, id, picture)
	case strings.HasPrefix(path, "/embed/"):
		a.embed(w, r, strings.TrimPrefix(path, "/embed/"))
	default:
		fail(w, http.StatusNotFound, "there is nothing here")
	}
}

// answer is everything under /api/. Anybody's page may ask: there are no cookies, and nothing is
// answered that the asker did not send or know the id of.
func (a *API) answer(w http.ResponseWriter, r *http.Request, name string) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", "no-store")
	id, isLink := strings.CutPrefix(name, "links/")
	methods := http.MethodPost
	if name == "limits" || name == "oembed" || isLink {
		methods = http.MethodGet
	}
	switch {
	case r.Method == http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", methods)
		h.Set("Access-Control-Allow-Headers", "Content-Type")
		h.Set("Access-Control-Max-Age", "86400")
		h.Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusOK)
	case !isLink && !known[name]:
		fail(w, http.StatusNotFound, "the API has no such path")
	case r.Method != methods:
		h.Set("Allow", methods+", OPTIONS")
		fail(w, http.StatusMethodNotAllowed, "this path is asked with "+methods)
	case isLink:
		a.link(w, r, id)
	case name == "limits":
		reply(w, http.StatusOK, a.limits().json())
	case name == "oembed":
		a.oembed(w, r)
	case name == "links":
		a.newLink(w, r)
	default:
		a.engine(w, r, name)
	}
}

// known are the paths below /api/.
var known = map[string]bool{"limits": true, "oembed": true, "links": true, "run": true, "band": true, "grade": true, "check": true}

func (a *API) now() time.Time {
	if a.Now == nil {
		return time.Now()
	}
	return a.Now()
}

// origin is where this API is, as the asker sees it.
func origin(r *http.Request) string {
	if r.URL.Scheme != "" && r.URL.Host != "" {
		return r.URL.Scheme + "://" + r.URL.Host
	}
	return "http://" + r.Host
}

func reply(w http.ResponseWriter, status int, json []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(json)
}

// fail is an error reply.
func fail(w http.ResponseWriter, status int, why string) {
	b := measure.AppendText([]byte(`{"ok":false,"error":`), why)
	reply(w, status, append(b, '}'))
}
