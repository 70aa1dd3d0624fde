package main

import "github.com/tidwall/gjson"

// example is one entry of the gallery.
type example struct{ Group, Name, Title, About string }

// exampleGroup is the examples about the same thing.
type exampleGroup struct {
	Title    string
	Examples []example
}

// galleryGroups are the examples by group, in the order of the index.
func (a *App) galleryGroups() []exampleGroup {
	var groups []exampleGroup
	for _, e := range a.Gallery {
		if n := len(groups); n == 0 || groups[n-1].Title != e.Group {
			groups = append(groups, exampleGroup{Title: e.Group})
		}
		last := &groups[len(groups)-1]
		last.Examples = append(last.Examples, e)
	}
	return groups
}

func (a *App) readGallery(index string) {
	a.Gallery = nil
	gjson.Parse(index).ForEach(func(_, e gjson.Result) bool {
		a.Gallery = append(a.Gallery, example{e.Get("group").Str, e.Get("name").Str, e.Get("title").Str, e.Get("about").Str})
		return true
	})
}

// openExample puts an example into the editor; what is there now stays a draft.
func (a *App) openExample(name string) {
	a.b.fetch("examples/"+name+".json", func(text string, ok bool) {
		if !ok {
			a.say("The example could not be loaded.")
			return
		}
		a.Drafts.leave()
		a.Opened, a.Outcome, a.Subject, a.Grade = nil, Outcome{}, "", gradeState{}
		if a.isGraded(name) {
			a.Panel = "grade"
		}
		a.b.setFragment("", false)
		a.openDialog("")
		a.replace(text)
	})
}

// isGraded tells that an example is about its grade.
func (a *App) isGraded(name string) bool {
	for _, e := range a.Gallery {
		if e.Name == name {
			return e.Group == "Grades"
		}
	}
	return false
}
