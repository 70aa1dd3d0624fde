package main

import (
	"strconv"

	"github.com/tidwall/gjson"

	"squall/engine/document"
)

// draftsMax is how many drafts are kept; the oldest goes when another is begun.
const draftsMax = 50

// Draft is a document that was edited in this browser.
type Draft struct {
	ID, Title string
	At        float64 // milliseconds since 1970
}

// drafts keeps every document that was edited here. A tab writes to a draft of its own, so that
// neither a link nor a second tab can overwrite one.
type drafts struct {
	b    browser
	List []Draft // the newest first
	// current is the draft that this tab writes to; empty until something is changed.
	current string
	text    string
	cancel  func()
	// doomed is the draft that goes when its button is pressed once more.
	doomed string
	// Full tells that the browser has no room or keeps nothing.
	Full bool
}

func (d *drafts) read() {
	d.List = nil
	gjson.Parse(d.b.load("squall.drafts")).ForEach(func(_, v gjson.Result) bool {
		d.List = append(d.List, Draft{v.Get("id").String(), v.Get("title").String(), v.Get("at").Num})
		return true
	})
}

// resume is the text to begin with: the draft of this tab after a reload, else a copy of the newest.
func (d *drafts) resume() (string, bool) {
	if id := d.b.session("squall.draft"); id != "" {
		if text := d.b.load("squall.draft." + id); text != "" {
			d.current = id
			return text, true
		}
	}
	if len(d.List) == 0 {
		return "", false
	}
	text := d.b.load("squall.draft." + d.List[0].ID)
	return text, text != ""
}

// leave makes the next change begin a new draft.
func (d *drafts) leave() {
	d.save()
	d.current = ""
	d.b.storeSession("squall.draft", "")
}

// changed keeps a text soon; a drag or fast typing is kept once.
func (d *drafts) changed(text string) {
	d.text = text
	if d.current == "" {
		d.current = strconv.FormatFloat(d.b.today(), 'f', 0, 64) + "-" + strconv.FormatFloat(d.b.now(), 'f', 0, 64)
		d.b.storeSession("squall.draft", d.current)
	}
	if d.cancel == nil {
		d.cancel = d.b.later(400, d.save)
	}
}

// save writes what changed.
func (d *drafts) save() {
	if d.cancel == nil {
		return
	}
	d.cancel()
	d.cancel = nil
	d.read() // another tab may have written
	list := []Draft{{d.current, titleOf(d.text), d.b.today()}}
	for _, old := range d.List {
		if old.ID != d.current {
			list = append(list, old)
		}
	}
	for len(list) > draftsMax {
		d.b.store("squall.draft."+list[len(list)-1].ID, "")
		list = list[:len(list)-1]
	}
	d.List = list
	d.Full = d.b.store("squall.draft."+d.current, d.text) != nil
	d.writeList()
}

func (d *drafts) writeList() {
	b := []byte{'['}
	for i, e := range d.List {
		if i > 0 {
			b = append(b, ',')
		}
		b = document.AppendText(append(b, `{"id":`...), e.ID)
		b = document.AppendText(append(b, `,"title":`...), e.Title)
		b = append(b, `,"at":`...)
		b = append(strconv.AppendFloat(b, e.At, 'f', 0, 64), '}')
	}
	d.Full = d.b.store("squall.drafts", string(append(b, ']'))) != nil || d.Full
}

// askRemove forgets a draft when it is asked twice: it cannot be brought back.
func (d *drafts) askRemove(id string) {
	if d.doomed != id {
		d.doomed = id
		return
	}
	d.doomed = ""
	d.remove(id)
}

func (d *drafts) removeMark(of Draft) string {
	if d.doomed == of.ID {
		return "Delete for good?"
	}
	return "×"
}

func (d *drafts) removeLabel(of Draft) string {
	if d.doomed == of.ID {
		return "Delete the draft " + of.Title + " for good"
	}
	return "Delete the draft " + of.Title
}

// remove forgets a draft.
func (d *drafts) remove(id string) {
	d.read()
	for i, e := range d.List {
		if e.ID == id {
			d.List = append(d.List[:i], d.List[i+1:]...)
			break
		}
	}
	d.b.store("squall.draft."+id, "")
	if d.current == id {
		d.current = ""
		d.b.storeSession("squall.draft", "")
	}
	d.writeList()
}

func titleOf(text string) string {
	doc, problems := document.Parse([]byte(text), document.Limits{})
	if len(problems) > 0 {
		return "Unfinished scenario"
	}
	for key, v := range doc.Root().Members() {
		if key == "title" {
			if title, ok := v.Text(); ok && title != "" {
				return title
			}
		}
	}
	return "Untitled scenario"
}

// restore puts a draft back into the editor; what is there now stays a draft.
func (a *App) restore(id string) {
	a.Drafts.leave()
	text := a.b.load("squall.draft." + id)
	if text == "" {
		a.say("This draft is gone.")
		return
	}
	a.Drafts.current = id
	a.b.storeSession("squall.draft", id)
	a.Opened, a.Outcome = nil, Outcome{}
	a.b.setFragment("", false)
	a.openDialog("")
	a.replace(text)
	a.say("Draft restored.")
}

// ago is how long ago a draft was written.
func (a *App) ago(d Draft) string {
	minutes := int((a.b.today() - d.At) / 60000)
	switch {
	case minutes < 1:
		return "just now"
	case minutes < 60:
		return strconv.Itoa(minutes) + " min ago"
	case minutes < 48*60:
		return strconv.Itoa(minutes/60) + " h ago"
	}
	return strconv.Itoa(minutes/60/24) + " days ago"
}
