package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/tidwall/gjson"

	"squall/engine/scenario"
	"squall/wasm/module"
)

// engine answers run, band, grade and check with the words of package module.
func (a *API) engine(w http.ResponseWriter, r *http.Request, op string) {
	limits := a.limits()
	most := limits.BodyBytes
	if op == "grade" {
		most = limits.FilesBytes
	}
	body, ok := read(w, r, most)
	if !ok {
		return
	}
	answer, err := a.ask(r.Context(), op, body)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	status := http.StatusOK
	if !gjson.Get(answer, "ok").Bool() {
		status = http.StatusUnprocessableEntity
	}
	reply(w, status, []byte(answer))
}

// ask asks the module, within the limits. The error says which limit would be broken, or was.
func (a *API) ask(ctx context.Context, op string, body []byte) (answer string, err error) {
	request := gjson.ParseBytes(body)
	m := module.Module{CallsMax: a.limits().Calls, AttemptsMax: a.limits().Attempts}
	// Only grade reads files; beside a text of another request they do not let its runs off the limits.
	if op != "grade" || !request.Get("files").IsArray() {
		if err := a.admit(&m, op, request); err != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	progress := func(float64) {
		if a.Guard != nil {
			if err := a.Guard(); err != nil {
				cancel(err)
			}
		}
	}
	// The first of two equal keys counts, so an "op" of the body does not.
	text := `{"op":"` + op + `"`
	if rest := bytes.TrimSpace(bytes.TrimSpace(body)[1:]); rest[0] == '}' {
		text += string(rest)
	} else {
		text += "," + string(rest)
	}
	answer = m.AnswerContext(ctx, text, progress)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return "", cause
	}
	return answer, nil
}

// admit refuses a request whose runs would cost more than one request may, and bounds those of m. A
// text that is no scenario is admitted: the module says what is wrong with it.
func (a *API) admit(m *module.Module, op string, request gjson.Result) error {
	l := a.limits()
	s, problems := scenario.Read([]byte(request.Get("text").Str), scenario.Options{MaxCalls: l.Calls})
	if len(problems) > 0 || op == "check" {
		return nil
	}
	if name := request.Get("variant").Str; name != "" {
		for _, v := range s.Variants() {
			if v.Name == name {
				s = v.Scenario
			}
		}
	}
	t := &s.Topology
	runs := 1
	if op == "band" {
		runs = max(len(s.Seeds), 1)
		if seeds := request.Get("seeds"); seeds.IsArray() {
			runs = max(int(seeds.Get("#").Int()), 1)
		}
	}
	record := request.Get("record").Bool()
	sent := (t.Record || record) && (op == "band" || request.Get("full").Bool())
	kept := op == "grade" || record || sent
	n := whole(float64(runs))
	switch offered, most := Offered(t)*float64(runs), float64(l.Calls); {
	case offered > most:
		return fmt.Errorf("%s seeds of this scenario offer %s calls; one request may offer %s: ask for fewer seeds at once", n, whole(offered), whole(most))
	case sent && offered > most/sentShare:
		return fmt.Errorf("%s seeds of this scenario offer %s calls; one answer with a timeline (record) is of at most %s: ask for fewer seeds at once, or leave record out",
			n, whole(offered), whole(most/sentShare))
	case kept && offered > most/keptShare:
		return fmt.Errorf("the scenario offers %s calls; one request that keeps every call (grade, record) may offer %s: shorten duration or lower perSecond",
			whole(offered), whole(most/keptShare))
	}
	if cells, most := Cells(t)*float64(runs), float64(l.Cells); cells > most {
		return fmt.Errorf("the answer would have %s seconds of calls, services and dependencies; one answer has at most %s: ask for fewer seeds at once, or shorten duration",
			whole(cells), whole(most))
	}
	m.AttemptsMax = max(l.Attempts/runs, 1)
	return nil
}

func whole(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }
