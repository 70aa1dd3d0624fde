package module

import (
	"context"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/document"
	"squall/engine/measure"
	"squall/engine/problem"
)

// Protocol is the version of the words of this package. It changes when an old page could no
// longer be answered.
const Protocol = 1

// Module answers requests one after another. Its zero value is ready; it keeps the last run that
// was recorded, for the requests about its timeline.
type Module struct {
	// CallsMax is how many calls a run may offer, and AttemptsMax how many attempts it may make; 0 is
	// what a scenario and the engine allow. Who answers strangers sets them lower.
	CallsMax, AttemptsMax int

	recorded timeline
}

// Greeting is what a worker says when it is ready.
func Greeting() string {
	return `{"ready":true,"protocol":` + strconv.Itoa(Protocol) + `,"engine":` + string(measure.AppendText(nil, engine.Version)) + `}`
}

// Answer answers one request. Nothing that a request holds makes it panic outward: a defect of the
// engine becomes an error reply. The function progress may be nil.
func (m *Module) Answer(request string, progress func(done float64)) string {
	return m.AnswerContext(context.Background(), request, progress)
}

// AnswerContext is Answer with a context whose end stops a run; the reply then is an error.
func (m *Module) AnswerContext(ctx context.Context, request string, progress func(done float64)) (reply string) {
	id := `null`
	defer func() {
		if defect := recover(); defect != nil {
			reply = strings.TrimSuffix(failed(id, problem.Sprintf("the engine has a defect: %v", defect)), "}") + `,"defect":true}`
		}
	}()
	if !gjson.Valid(request) {
		return failed(id, "the request is no JSON")
	}
	r := gjson.Parse(request)
	if got := r.Get("id"); got.Exists() {
		id = got.Raw
	}
	a := asked{ctx: ctx, module: m, id: id, request: r, progress: progress}
	switch op := r.Get("op").Str; op {
	case "about":
		return strings.Replace(Greeting(), `{"ready":true`, string(a.ok()), 1)
	case "check":
		return a.check()
	case "run":
		return a.run(true)
	case "scalars":
		return a.run(false)
	case "band":
		return a.band()
	case "explain":
		return a.explain()
	case "grade":
		return a.grade()
	case "record":
		return a.record()
	case "moments":
		return a.moments()
	case "trace":
		return a.trace()
	default:
		return failed(id, "there is no request "+strconv.Quote(op))
	}
}

// asked is one request while it is answered.
type asked struct {
	ctx      context.Context
	module   *Module
	id       string
	request  gjson.Result
	progress func(done float64)
}

// ok begins a reply; the caller appends ,"key":value and ends it with a brace.
func (a *asked) ok() []byte {
	return append(append(make([]byte, 0, 64<<10), `{"id":`...), a.id+`,"ok":true`...)
}

func failed(id, why string) string {
	b := append([]byte(`{"id":`), id...)
	b = append(b, `,"ok":false,"error":`...)
	return string(append(measure.AppendText(b, why), '}'))
}

func (a *asked) failed(why string) string { return failed(a.id, why) }

// refused is the reply to a text that is no valid scenario.
func (a *asked) refused(problems []document.Problem) string {
	b := append([]byte(`{"id":`), a.id...)
	b = append(b, `,"ok":false,"problems":`...)
	return string(append(appendProblems(b, problems), '}'))
}

func appendProblems(b []byte, problems []document.Problem) []byte {
	b = append(b, '[')
	for i, p := range problems {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"path":`...)
		b = measure.AppendText(b, p.Path)
		b = append(b, `,"line":`...)
		b = strconv.AppendInt(b, int64(p.Line), 10)
		b = append(b, `,"column":`...)
		b = strconv.AppendInt(b, int64(p.Column), 10)
		b = append(b, `,"offset":`...)
		b = strconv.AppendInt(b, int64(p.Offset), 10)
		b = append(b, `,"length":`...)
		b = strconv.AppendInt(b, int64(p.Length), 10)
		b = append(b, `,"message":`...)
		b = append(measure.AppendText(b, p.Message), '}')
	}
	return append(b, ']')
}
