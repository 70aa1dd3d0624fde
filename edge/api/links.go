package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"squall/site/view"
)

// record is what is kept under a short link: the scenario, and what its run said when the link was
// made, so that showing a link runs nothing.
type record struct {
	OK   bool   `json:"ok"`
	ID   string `json:"id"`
	Text string `json:"text"`
	// Call is the call that the link is about, "from -> to".
	Call    string   `json:"call"`
	Engine  string   `json:"engine"`
	Digest  string   `json:"digest"`
	Title   string   `json:"title"`
	Finding string   `json:"finding"`
	Figures []figure `json:"figures"`
	Chart   chart    `json:"chart"`
	// Expires is in seconds since 1970.
	Expires int64 `json:"expires"`
}

// figure is one headline number.
type figure struct {
	Label string `json:"label"`
	Value string `json:"value"`
	Bad   bool   `json:"bad,omitempty"`
}

// linkID is the name of a link: equal contents have equal names.
func linkID(text, call string) string {
	sum := sha256.Sum256([]byte("squall link 1\n" + call + "\n" + text))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// isID tells what can be the name of a link.
func isID(id string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(id)
	return err == nil && len(raw) == 12
}

// newLink keeps a scenario. The same scenario has one link, however often it is sent.
func (a *API) newLink(w http.ResponseWriter, r *http.Request) {
	body, ok := read(w, r, a.limits().LinkBytes)
	if !ok {
		return
	}
	request := gjson.ParseBytes(body)
	text, call := request.Get("text").Str, request.Get("call").Str
	id := linkID(text, call)
	lifetime := time.Duration(a.limits().LinkDays) * 24 * time.Hour
	if kept, err := a.load(r.Context(), id); err != nil {
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	} else if kept != nil && time.Unix(kept.Expires, 0).Sub(a.now()) > lifetime/2 {
		reply(w, http.StatusOK, kept.receipt(r))
		return
	}
	made, refused := a.summarise(r.Context(), text, call)
	if made == nil {
		reply(w, http.StatusUnprocessableEntity, refused)
		return
	}
	made.ID, made.Expires = id, a.now().Add(lifetime).Unix()
	kept, err := json.Marshal(made)
	if err == nil {
		err = a.Links.Put(r.Context(), id, string(kept), lifetime)
	}
	if err != nil {
		fail(w, http.StatusServiceUnavailable, "the link could not be kept; try again later")
		return
	}
	reply(w, http.StatusCreated, made.receipt(r))
}

// receipt is the answer to who made a link.
func (k *record) receipt(r *http.Request) []byte {
	b, _ := json.Marshal(struct {
		OK      bool   `json:"ok"`
		ID      string `json:"id"`
		URL     string `json:"url"`
		Expires string `json:"expires"`
		Engine  string `json:"engine"`
		Digest  string `json:"digest"`
	}{true, k.ID, origin(r) + "/s/" + k.ID, time.Unix(k.Expires, 0).UTC().Format(time.RFC3339), k.Engine, k.Digest})
	return b
}

// load is what is kept under an id, nil when nothing is.
func (a *API) load(ctx context.Context, id string) (*record, error) {
	if a.Links == nil {
		return nil, ErrNoStore
	}
	if !isID(id) {
		return nil, nil
	}
	text, ok, err := a.Links.Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("short links cannot be read at the moment: %w", err)
	}
	var k record
	if !ok || json.Unmarshal([]byte(text), &k) != nil || k.Expires <= a.now().Unix() {
		return nil, nil
	}
	return &k, nil
}

// link answers with what is kept under an id.
func (a *API) link(w http.ResponseWriter, r *http.Request, id string) {
	switch k, err := a.load(r.Context(), id); {
	case err != nil:
		fail(w, http.StatusServiceUnavailable, err.Error())
	case k == nil:
		fail(w, http.StatusNotFound, "there is no such link; its time may be over")
	default:
		b, _ := json.Marshal(k)
		reply(w, http.StatusOK, b)
	}
}

// summarise runs a scenario once and keeps its headline. Without a record the answer says why.
func (a *API) summarise(ctx context.Context, text, call string) (made *record, refused []byte) {
	problem := func(why string) (*record, []byte) {
		b, _ := json.Marshal(struct {
			OK    bool   `json:"ok"`
			Error string `json:"error"`
		}{false, why})
		return nil, b
	}
	body, _ := json.Marshal(struct {
		Text string `json:"text"`
	}{text})
	answer, err := a.ask(ctx, "run", body)
	if err != nil {
		return problem(err.Error())
	}
	parsed := gjson.Parse(answer)
	if !parsed.Get("ok").Bool() {
		return nil, []byte(answer)
	}
	run := view.Parse(parsed)
	subject := subjectOf(run, call)
	if subject == nil {
		return problem(`the scenario has no call "` + call + `"; write it "from -> to"`)
	}
	series := subject.Measured.Series()
	found := view.Find(run, subject, series)
	k := &record{
		OK: true, Text: text, Call: subject.From + " -> " + subject.To, Engine: run.Engine, Digest: run.Digest,
		Title: run.Title, Finding: strings.TrimSpace(found.Sentence + " " + found.Why), Chart: newChart(run, subject, series),
	}
	for _, f := range view.Figures(subject) {
		k.Figures = append(k.Figures, figure{f.Label, f.Value, f.Bad})
	}
	return k, nil
}

// subjectOf is the call that a link is about: the one that was named, else the one that the page
// would show.
func subjectOf(run *view.Run, call string) *view.Subject {
	if call == "" {
		return run.Foremost()
	}
	for i := range run.Calls {
		if c := &run.Calls[i]; c.From+" -> "+c.To == call {
			return c
		}
	}
	return nil
}
