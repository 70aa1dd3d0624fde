package main

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
	"squall/examples"
	"squall/site/charts"
	"squall/site/edit"
	"squall/site/form"
	"squall/site/link"
	"squall/site/view"
)

// App is the state of the page and what a person can do to it. The text is the only truth: the form
// changes the text, a link carries it, undo is over it; everything else follows from the text by
// one run of the engine.
//
// Components show parts of it and call its methods; a panel is a component with an App, added to
// panels below and to root.vugu.
type App struct {
	b      browser
	engine *engine
	clerk  *clerk

	// Text is the document, Problems what is wrong with it, Run the newest good result, which may be
	// of an earlier text.
	Text     string
	Problems []Problem
	Trouble  string // an error that is not about the text
	BadLink  string // why the link in the address was not opened
	Run      *view.Run
	ran      string  // the text of Run
	Progress float64 // of a run that takes long, 0 when none does

	// Subject is the name of the call, service or dependency that the result is about.
	Subject string
	Panel   string
	Theme   string // "system", "light" or "dark"
	Notice  string // said once, in the live region (notice.go)
	unsay   func()

	Form   formState
	Drafts drafts
	Opened *link.Shared // the link that this text came from, until the text is changed
	Outcome
	Gallery []example
	Dialog  string // the dialog that should be open
	Shown   string // the dialog that is: the renderer would take its attribute away
	Share   shareState

	Topology topologyState
	Timeline timelineState
	Compare  compareState
	Grade    gradeState
	Explain  explainState

	accepted  map[string][]acceptance // of files that were graded, by their names
	embedded  bool                    // in another page: read only
	draggedAt float64                 // when a slider moved last
	resting   func()                  // what waits until it rests
	series    *view.Series            // of the subject
	drawn     [4]charts.Chart
}

// Outcome is what a run says about the sender's run of a link.
type Outcome struct {
	Sentence string
	Same     bool
}

// Problem is one thing that is wrong with the text.
type Problem struct {
	document.Problem
	from, to int // UTF-16
}

// panels are what can be opened below the charts.
var panels = []struct{ ID, Title string }{
	{"topology", "Topology"}, {"timeline", "Timeline"}, {"compare", "Compare"}, {"grade", "Grade"}, {"explain", "Explain"}, {"numbers", "Numbers"},
}

func newApp(b browser) *App {
	a := &App{b: b, engine: newEngine(b), clerk: &clerk{b: b}, Panel: "topology", Theme: "system"}
	a.Drafts.b = b
	a.Form.open, a.accepted = map[string]bool{}, map[string][]acceptance{}
	a.engine.onBroken = func(why string) { a.Trouble = why }
	return a
}

// start opens what the address, this tab or the last visit left, and runs it.
func (a *App) start() {
	if t := a.b.load("squall.theme"); t == "light" || t == "dark" {
		a.Theme = t
	}
	a.b.setTheme(a.Theme)
	a.engine.start()
	a.Drafts.read()
	if !a.openFragment() {
		if text, ok := a.Drafts.resume(); ok {
			a.Text = text
		} else {
			a.Text = examples.Brownout
		}
	}
	a.changed()
	a.b.fetch("scenario.schema.json", func(text string, ok bool) {
		if ok && gjson.Valid(text) {
			a.b.editorSchema(text)
		}
	})
	a.b.fetch("examples/index.json", func(text string, ok bool) {
		if ok {
			a.readGallery(text)
		}
	})
}

// typed is called when a person has changed the text in the editor.
func (a *App) typed(text string) {
	if text == a.Text {
		return
	}
	a.Text = text
	a.edited()
	a.changed()
}

// edited notes that the text is a person's own now.
func (a *App) edited() {
	a.BadLink = ""
	if a.Opened != nil || a.b.fragment() != "" {
		a.Opened, a.Outcome = nil, Outcome{}
		a.b.setFragment("", false)
	}
	a.Drafts.changed(a.Text)
}

// replace puts another document into the editor.
func (a *App) replace(text string) {
	a.BadLink = ""
	a.Text = text
	a.b.editorReplace(text)
	a.changed()
}

// apply makes one change of the form in the text; the editor undoes it like typing.
func (a *App) apply(c edit.Change, err error) {
	if err != nil {
		a.say(err.Error())
		return
	}
	if a.Text[c.From:c.To] == c.Insert {
		return
	}
	from, to := c.UTF16(a.Text)
	a.Text = c.Apply(a.Text)
	a.b.editorChange(from, to, c.Insert)
	a.edited()
	a.changed()
}

// changed runs the text and lets everything that shows it follow.
func (a *App) changed() {
	a.Trouble = ""
	a.Form.build(a.Text)
	text := a.Text
	a.engine.ask(`"op":"run","text":`+quote(text), func(done float64) { a.Progress = done }, func(r gjson.Result) { a.answered(text, r) })
}

// answered takes the reply to the run of a text.
func (a *App) answered(text string, r gjson.Result) {
	a.Progress = 0
	switch {
	case r.Get("ok").Bool():
		a.setProblems(gjson.Result{})
		a.Run, a.ran = view.Parse(r), text
		a.keepSubject()
		if a.Opened != nil {
			a.Outcome.Sentence, a.Outcome.Same = a.Opened.Outcome(a.Run.Engine, a.Run.Digest)
		}
		a.b.setTitle(a.title() + " · Squall")
		a.show()
		a.follow()
	case r.Get("problems").IsArray():
		a.setProblems(r.Get("problems"))
	default:
		a.Trouble = r.Get("error").String()
	}
}

// setProblems lists and underlines what is wrong with the text; nothing is wrong when there is no list.
func (a *App) setProblems(list gjson.Result) {
	if !list.Exists() && a.Problems == nil {
		return
	}
	a.Problems = nil
	list.ForEach(func(_, p gjson.Result) bool {
		problem := Problem{Problem: document.Problem{
			Path: p.Get("path").Str, Line: int(p.Get("line").Int()), Column: int(p.Get("column").Int()),
			Offset: int(p.Get("offset").Int()), Length: int(p.Get("length").Int()), Message: p.Get("message").Str,
		}}
		problem.from = edit.UTF16(a.Text, problem.Offset)
		problem.to = edit.UTF16(a.Text, problem.Offset+problem.Length)
		a.Problems = append(a.Problems, problem)
		return true
	})
	b := []byte{'['}
	for i, p := range a.Problems {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"from":`+strconv.Itoa(p.from)+`,"to":`+strconv.Itoa(p.to)+`,"message":`...)
		b = append(document.AppendText(b, p.Message), '}')
	}
	a.b.editorProblems(string(append(b, ']')))
}

// goTo puts the caret where a problem is.
func (a *App) goTo(p Problem) { a.b.editorGo(p.from) }

// keepSubject chooses what the result is about when what was chosen is not there, and then stays with
// it: a result that turns to another call in the middle of a drag could not be read.
func (a *App) keepSubject() {
	if s := a.subject(); s != nil && s.Name != a.Subject {
		a.Subject = s.Name
	}
}

// subject is what the result is about: what was chosen, or the call that a finding is most needed of.
func (a *App) subject() *view.Subject {
	if a.Run == nil || len(a.Run.Calls) == 0 {
		return nil
	}
	for _, list := range [][]view.Subject{a.Run.Calls, a.Run.Services} {
		for i := range list {
			if list[i].Name == a.Subject {
				return &list[i]
			}
		}
	}
	return a.Run.Foremost()
}

// choose makes the result be about another call, service or dependency, and the form about what one
// turns for it.
func (a *App) choose(name string) {
	a.Subject = name
	if part := a.partOf(a.subject()); part != "" {
		a.chooseEntity(part)
	}
	a.show()
	a.follow()
}

// show draws the charts of the subject.
func (a *App) show() {
	s := a.subject()
	if s == nil {
		return
	}
	a.series = s.Measured.Series()
	from, to := s.From, s.To
	if from == "" {
		to = s.Name
	}
	a.drawn = charts.Of(a.series, a.Run.World.Spans(from, to), int((a.Run.DurationNs+999_999_999)/1e9))
	a.draw()
}

func (a *App) draw() {
	p, shade := a.palette()
	for i := range a.drawn {
		c := &a.drawn[i]
		if c.Empty() {
			continue
		}
		a.b.plot(c.ID, shade+" "+c.Shape(), func() []byte { return c.Option(p) }, c.Update(p))
	}
}

func (a *App) palette() (*charts.Palette, string) {
	if a.Theme == "dark" || a.Theme == "system" && a.b.dark() {
		return sized(charts.Dark, "dark", a.b.large())
	}
	return sized(charts.Light, "light", a.b.large())
}

func sized(p charts.Palette, shade string, large bool) (*charts.Palette, string) {
	if p.Large = large; large {
		shade += " large"
	}
	return &p, shade
}

// nextTheme goes round: as the system says, light, dark.
func (a *App) nextTheme() {
	a.Theme = map[string]string{"system": "light", "light": "dark", "dark": "system"}[a.Theme]
	if err := a.b.store("squall.theme", a.Theme); err != nil {
		a.say("The theme is not kept: this browser stores nothing for the page.")
	}
	a.recolour()
}

// recolour follows the theme.
func (a *App) recolour() {
	a.b.setTheme(a.Theme)
	a.draw()
}

// title is what the document is called.
func (a *App) title() string {
	if t := gjson.Parse(edit.Value(a.Text, "title")); t.Type == gjson.String && strings.TrimSpace(t.Str) != "" {
		return t.Str
	}
	if strings.TrimSpace(a.Text) == strings.TrimSpace(examples.Brownout) { // which is as short as can be, and the first thing that one sees
		return "Brownout"
	}
	return "Untitled scenario"
}

// openPanel shows a panel below the charts and lets it do its work.
func (a *App) openPanel(id string) {
	a.Panel = id
	a.follow()
}

// stepPanel opens the tab some steps further.
func (a *App) stepPanel(step int) {
	at := 0
	for i, p := range panels {
		if p.ID == a.Panel {
			at = i
		}
	}
	at = min(max(at+step, 0), len(panels)-1)
	a.openPanel(panels[at].ID)
	a.b.focus("#tab-" + a.Panel)
}

// pickSecond is a click on a second of a chart: the timeline goes there.
func (a *App) pickSecond(second int) {
	if !a.embedded {
		a.goToSecond(second)
	}
}

// file is a file that a person chose or dropped.
type file struct{ Name, Text string }

// dropped opens a scenario; anything else is taken for a recording and graded.
func (a *App) dropped(files []file) { a.open(files) }

// restAfter is how many milliseconds without a move make a slider rest.
const restAfter = 250

// follow lets the open panel catch up with the document and the result. A panel that has to ask the
// engine more than the run itself waits until a slider rests: it would take the time of the runs
// that one is looking at.
func (a *App) follow() {
	switch a.Panel {
	case "timeline", "grade", "explain":
		if moved := a.b.now() - a.draggedAt; a.draggedAt > 0 && moved < restAfter {
			if a.resting == nil {
				a.resting = a.b.later(restAfter-int(moved), func() {
					a.resting = nil
					a.follow()
				})
			}
			return
		}
	}
	switch a.Panel {
	case "topology":
		a.followTopology()
	case "timeline":
		a.followTimeline()
	case "compare":
		a.followCompare()
	case "explain":
		a.followExplain()
	case "grade":
		a.followGrade()
	case "numbers":
		a.b.setText("seconds", a.secondsText())
	}
}

// setSeed writes the seed; empty text leaves it alone.
func (a *App) setSeed(text string) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	if err != nil {
		a.say("A seed is a whole number from -2147483648 to 2147483647.")
		return
	}
	if edit.Value(a.Text, "seeds") != "" {
		a.apply(edit.Remove(a.Text, "seeds"))
	}
	a.apply(edit.Set(a.Text, "seed", strconv.FormatInt(n, 10)))
}

// nextSeed runs the same scenario with other luck.
func (a *App) nextSeed() {
	seed := int64(1)
	if a.Run != nil {
		seed = a.Run.Seed
	}
	a.setSeed(strconv.FormatInt((seed+1)%2147483647, 10))
}

// openDialog opens one of the dialogs, or closes the one that is open.
func (a *App) openDialog(id string) {
	if a.Dialog != "" {
		a.b.dialog(a.Dialog, false)
	}
	a.Dialog, a.Drafts.doomed = id, ""
	if id != "" {
		a.b.dialog(id, true)
	}
}

// key does what a key asks for outside of fields; it tells whether it did something.
func (a *App) key(key string) bool {
	switch key {
	case "?":
		a.openDialog("help")
	case "e":
		a.openDialog("gallery")
	case "d":
		a.openDialog("drafts")
	case "s":
		a.share()
	case "x":
		a.openDialog("export")
	case "t":
		a.nextTheme()
	case "n":
		a.nextSeed()
	case "u":
		a.b.editorUndo()
	case "r":
		a.b.editorRedo()
	case "/":
		a.b.editorGo(0)
	default:
		if i, err := strconv.Atoi(key); err == nil && i >= 1 && i <= len(panels) {
			a.openPanel(panels[i-1].ID)
			a.b.focus("#tab-" + panels[i-1].ID)
			return true
		}
		return false
	}
	return true
}

// field is called for every move of a control of the form: path and kind are those of form.Field.
func (a *App) field(path, kind, value string) {
	if form.Kind(kind) == form.Switch && value != "" && value != "false" {
		a.Form.open[path] = true // who switches a feature on wants to set it
	}
	if strings.HasPrefix(kind, "slide ") {
		a.draggedAt = a.b.now()
	}
	a.apply(form.Write(a.Text, path, form.Kind(kind), value))
}

// set takes what a field of a panel holds; what says which.
func (a *App) set(what, value string) {
	switch what {
	case "t-second", "t-call", "t-slide":
		a.setFilter(what, value)
	case "scrub":
		a.scrub(value)
	case "seeds":
		a.setSeeds(value)
	case "c-draft":
		a.addDraft(value)
	default:
		a.setGrade(what, value)
	}
}

func quote(text string) string { return string(document.AppendText(nil, text)) }
