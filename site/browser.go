package main

import vjs "github.com/vugu/vugu/js"

// browser is all that the page asks of what surrounds it. The real one is in browser_wasm.go; tests
// use one that answers at once.
type browser interface {
	// spawn starts a worker of the engine. Its messages arrive one at a time; an empty one says that
	// the worker has crashed.
	spawn(on func(message string)) thread
	// cores is how many workers can run at once.
	cores() int

	// later calls f once, in ms milliseconds, unless it is cancelled before.
	later(ms int, f func()) (cancel func())
	// now is milliseconds since some fixed instant, today milliseconds since 1970.
	now() float64
	today() float64

	load(key string) string
	// store fails when there is no room or no permission.
	store(key, value string) error
	// session is like load and store, for this tab alone.
	session(key string) string
	storeSession(key, value string)

	fragment() string
	// setFragment changes the address without loading; push leaves a step to go back to.
	setFragment(fragment string, push bool)
	address() string
	copyText(text string, done func(ok bool))
	download(name, kind, content string)
	fetch(path string, done func(text string, ok bool))
	// send asks the server that the page came from; the answer's status is 0 when there is none.
	send(method, path, body string, done func(answer))
	// large tells a page so wide that letters must grow with it.
	large() bool
	// dark tells whether the system asks for dark pages; setTheme is "light", "dark" or "system".
	dark() bool
	setTheme(theme string)
	setTitle(title string)
	// focus moves the focus to an element, after the next render.
	focus(selector string)
	// fieldText is what stands in a field that the page does not follow.
	fieldText(id string) string
	// fullScreen shows an element alone, or everything again.
	fullScreen(id string, done func(ok bool))
	// dialog opens or closes the dialog of an id.
	dialog(id string, open bool)

	// mountText is an element whose text is too long for the renderer; setText fills it.
	mountText(id string, host vjs.Value)
	setText(id, text string)

	// still tells that what happens now changes nothing that the renderer draws.
	still()

	editor
	plotter
	lister
}

// lister is a list so long that only what is seen of it is in the document. It asks App.rows for its
// rows, and opens one with App.openTrace.
type lister interface {
	mountList(host vjs.Value)
	// listReset begins another list at its first row.
	listReset()
	// listFill brings rows from first on, of total, as they were asked for in an epoch
	// (view.MomentRows).
	listFill(first, total int, rows string, epoch int)
	// listOpened marks the rows of the call that is shown as a waterfall, -1 for none.
	listOpened(call int)
}

// editor is the text of the document, where a person types.
type editor interface {
	mountEditor(host vjs.Value)
	editorReplace(text string)
	// editorChange makes one change, in UTF-16 code units.
	editorChange(from, to int, insert string)
	// editorProblems underlines [{from, to, message}].
	editorProblems(json string)
	editorGo(offset int)
	editorUndo()
	editorRedo()
	editorSchema(json string)
}

// plotter draws.
type plotter interface {
	mountChart(id string, host vjs.Value)
	// plot draws a chart: the option only when shape is another than before, then the update.
	plot(id, shape string, option func() []byte, update []byte)
	plotPicture(id, kind string) string
	// layout places a graph (JSON in, JSON out; site/js/charts.mjs).
	layout(json string) string
}

// thread is the engine in a thread of its own.
type thread interface {
	post(message string)
	end()
}

// answer is what a server says. Links is where it keeps short links, empty when it keeps none.
type answer struct {
	Status      int
	Text, Links string
}

// linksHeader is the header of every file of a site that keeps short links: where to send them.
const linksHeader = "Squall-Links"
