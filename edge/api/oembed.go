package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The size of a figure in a frame.
const frameWidth, frameHeight = 800, 500

// oembed answers a consumer of oEmbed 1.0 about a short link.
func (a *API) oembed(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if format := query.Get("format"); format != "" && format != "json" {
		fail(w, http.StatusNotImplemented, "only format=json is answered")
		return
	}
	about, err := url.Parse(query.Get("url"))
	if err != nil || about.Scheme+"://"+about.Host != origin(r) {
		fail(w, http.StatusNotFound, "url must be a short link of this site: "+origin(r)+"/s/...")
		return
	}
	id, ok := strings.CutPrefix(about.Path, "/s/")
	if !ok {
		if id, ok = strings.CutPrefix(about.Path, "/embed/"); !ok {
			fail(w, http.StatusNotFound, "url must be a short link of this site: "+origin(r)+"/s/...")
			return
		}
	}
	k, err := a.load(r.Context(), id)
	switch {
	case err != nil:
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	case k == nil:
		fail(w, http.StatusNotFound, "there is no such link; its time may be over")
		return
	}
	width := within(query.Get("maxwidth"), frameWidth)
	height := within(query.Get("maxheight"), frameHeight)
	at := origin(r)
	frame := `<iframe src="` + escape(at+"/embed/"+k.ID, 500) + `" width="` + strconv.Itoa(width) + `" height="` + strconv.Itoa(height) +
		`" title="` + escape(k.title(), 120) + `" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy" style="border:0"></iframe>`
	b, _ := json.Marshal(struct {
		Version         string `json:"version"`
		Type            string `json:"type"`
		Provider        string `json:"provider_name"`
		ProviderURL     string `json:"provider_url"`
		Title           string `json:"title"`
		HTML            string `json:"html"`
		Width           int    `json:"width"`
		Height          int    `json:"height"`
		Thumbnail       string `json:"thumbnail_url"`
		ThumbnailWidth  int    `json:"thumbnail_width"`
		ThumbnailHeight int    `json:"thumbnail_height"`
	}{"1.0", "rich", "Squall", at + "/", k.title(), frame, width, height, at + "/s/" + k.ID + "/chart.svg", pictureWidth, pictureHeight})
	reply(w, http.StatusOK, b)
}

// within is a length that a consumer allows, at least a little.
func within(asked string, standard int) int {
	if n, err := strconv.Atoi(asked); err == nil && n > 0 {
		return max(min(n, standard), 200)
	}
	return standard
}
