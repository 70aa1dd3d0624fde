package main

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/site/edit"
	"squall/site/form"
	"squall/site/view"
)

// Controls are the document as a form.
type Controls struct{ App *App }

// formState is the form and which of its sections are open.
type formState struct {
	form.Form
	part string          // the entity that was chosen
	open map[string]bool // by section; what is not in it is as first
}

const sliderSteps = "400"

func (f *formState) build(text string) {
	built := form.Build(text, f.part)
	if built.Why != "" && len(f.Sections) > 0 {
		f.Why = built.Why // what was there stays, so that the page does not jump while one types
		return
	}
	f.Form = built
}

// entity is the part that is shown.
func (f *formState) entity() string {
	for _, e := range f.Entities {
		if e.ID == f.part {
			return f.part
		}
	}
	if len(f.Entities) > 0 {
		return f.Entities[0].ID
	}
	return ""
}

// value is what the field of a path shows.
func (f *formState) value(path string) string {
	for i := range f.Sections {
		for k := range f.Sections[i].Fields {
			if f.Sections[i].Fields[k].Path == path {
				return f.Sections[i].Fields[k].Value
			}
		}
	}
	return ""
}

// nudge moves a slider to the next value, up or down.
func (a *App) nudge(path string, by int) {
	for i := range a.Form.Sections {
		for k := range a.Form.Sections[i].Fields {
			if f := &a.Form.Sections[i].Fields[k]; f.Path == path && f.Slider != nil {
				if position := f.Step(by); position != f.Slider.Position {
					a.field(path, f.SlideKind(), strconv.Itoa(position))
				}
				return
			}
		}
	}
}

func (a *App) chooseEntity(id string) {
	a.Form.part = id
	a.Form.build(a.Text)
}

// partOf is the part of a graph whose settings decide about a subject: the policy of a call, or the
// service that makes it when the policy is written there; a service or dependency itself. It is empty
// when the text holds none.
func (a *App) partOf(s *view.Subject) string {
	if s == nil || !a.Form.Graph {
		return ""
	}
	candidates := []string{edit.Key("services", s.Name), edit.Key("dependencies", s.Name)}
	if s.From != "" {
		caller := edit.Key("services", s.From)
		candidates = []string{caller}
		for _, call := range gjson.Parse(edit.Value(a.Text, caller+".calls")).Array() {
			if policy := call.Get("policy"); call.Get("to").Str == s.To && policy.Type == gjson.String {
				candidates = []string{edit.Key("policies", policy.Str), caller}
			}
		}
	}
	for _, id := range candidates {
		for _, e := range a.Form.Entities {
			if e.ID == id {
				return id
			}
		}
	}
	return ""
}

func (a *App) addEntity(add form.Add) {
	a.Form.part = add.Path
	a.apply(edit.Set(a.Text, add.Path, add.Raw))
}

func (a *App) addPart(add form.Add) {
	if current := edit.Value(a.Text, add.Path); current == "" && strings.HasSuffix(add.Path, "mix") {
		a.apply(edit.Set(a.Text, add.Path, add.Raw))
		return
	}
	a.apply(edit.Append(a.Text, add.Path, add.Raw))
}

func (a *App) removePart(s form.Section) { a.apply(edit.Remove(a.Text, s.Remove)) }

// isOpen tells whether a section shows its fields: what people turn first does.
func (a *App) isOpen(s form.Section) bool {
	if open, said := a.Form.open[s.ID]; said {
		return open
	}
	return s.Level == 0 || strings.Contains(s.ID, "impairments[") || strings.Contains(s.ID, "stalls[")
}

func (a *App) fold(s form.Section) { a.Form.open[s.ID] = !a.isOpen(s) }

func (a *App) expanded(s form.Section) string { return strconv.FormatBool(!s.Off && a.isOpen(s)) }

func (a *App) foldMark(s form.Section) string {
	switch {
	case s.Off:
		return "·"
	case a.isOpen(s):
		return "▾"
	}
	return "▸"
}

// brief is what a closed section holds, in a few words.
func (a *App) brief(s form.Section) string {
	switch {
	case s.Off:
		return "off"
	case a.isOpen(s):
		return ""
	}
	if len(s.Fields) > 0 && s.Fields[0].Kind == form.Choice {
		return s.Fields[0].Value
	}
	return "on"
}

func (a *App) sectionClass(s form.Section) string {
	class := "section level" + strconv.Itoa(s.Level)
	if s.Off {
		class += " off"
	}
	return class
}

func (a *App) switchPath(s form.Section) string { return s.Switch.Path }
func (a *App) switchOff(s form.Section) string  { return s.Switch.Options[0].Raw }
func (a *App) switchOn(s form.Section) string   { return s.Switch.Options[1].Raw }

func (a *App) fieldClass(f form.Field) string {
	class := "field kind-" + string(f.Kind)
	if f.Slider != nil {
		class += " slides"
	}
	if f.Written {
		class += " written"
	}
	return class
}

func fieldID(section, field int) string {
	return "f" + strconv.Itoa(section) + "-" + strconv.Itoa(field)
}

func sliderPosition(f form.Field) string { return strconv.Itoa(f.Slider.Position) }
func isEntry(f form.Field) bool          { return f.Kind != form.Choice && f.Kind != form.Switch }
func isChoice(f form.Field) bool         { return f.Kind == form.Choice }
func isSwitch(f form.Field) bool         { return f.Kind == form.Switch }

// wrong is what the reader says about the value of a field.
func (a *App) wrong(f form.Field) string {
	for _, p := range a.Problems {
		if p.Path == f.Path {
			return p.Message
		}
	}
	return ""
}

func (a *App) invalid(f form.Field) string { return strconv.FormatBool(a.wrong(f) != "") }
