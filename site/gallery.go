package main

import "github.com/tidwall/gjson"

// example is one entry of the gallery.
type example struct{ Name, Title, About string }

func (a *App) readGallery(index string) {
	a.Gallery = nil
	gjson.Parse(index).ForEach(func(_, e gjson.Result) bool {
		a.Gallery = append(a.Gallery, example{e.Get("name").Str, e.Get("title").Str, e.Get("about").Str})
		return true
	})
}

// openExample puts an example into the editor; what is there now stays a draft.
func (a *App) openExample(name string) {
	a.b.fetch("examples/"+name+".json", func(text string, ok bool) {
		if !ok {
			a.Notice = "The example could not be loaded."
			return
		}
		a.Drafts.leave()
		a.Opened, a.Outcome, a.Subject = nil, Outcome{}, ""
		a.b.setFragment("", false)
		a.openDialog("")
		a.replace(text)
	})
}
