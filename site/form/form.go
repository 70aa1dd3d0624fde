// Package form shows a scenario's text as controls, and writes what a control says into the text
// (package edit). It knows which settings there are and what a person usually turns; whether a
// value makes sense is for the reader of scenarios to say.
package form

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
	"squall/engine/ticks"
	"squall/site/edit"
)

// TextMax is how long a text may be to be shown as a form.
const TextMax = 256 << 10

// Kind is how the value of a field is written.
type Kind string

// The kinds of values. A bound is a duration or "none". A share is shown in percent.
const (
	Duration Kind = "duration"
	Bound    Kind = "bound"
	Count    Kind = "count"
	Factor   Kind = "factor"
	Share    Kind = "share"
	Choice   Kind = "choice"
	Switch   Kind = "switch"
	Text     Kind = "text"
)

// Field is one control.
type Field struct {
	// Path is where the value stands in the text.
	Path, Label, Help string
	Kind              Kind
	// Value is what the control shows: what is written, else the default. Written tells which.
	Value   string
	Written bool
	Options []Option
	// Slider is nil for a field without one.
	Slider *Slider
}

// Option is one choice: what is shown, and the JSON that is written, where "" takes the key away.
type Option struct{ Label, Raw string }

// Slider is a range of a number, in the unit that Scale says.
type Slider struct {
	Low, High float64
	Log       bool
	// Position is from 0 to Steps.
	Position int
}

// Steps is how many positions a slider has.
const Steps = 400

// Section is a part of the form. A section with a Switch is a feature that can be off.
type Section struct {
	ID, Title, Help string
	Switch          *Field
	Fields          []Field
	// Remove is the path that a button takes out of the text, or "".
	Remove string
	Adds   []Add
	// Level is how deep it stands in another section, from 0.
	Level int
	// Off tells that the feature is not there: only the switch is shown.
	Off bool
}

// Add is a button that adds something to the text.
type Add struct{ Label, Path, Raw string }

// Entity is a part of a graph that has a form of its own.
type Entity struct{ ID, Group, Name string }

// Form is a scenario as controls.
type Form struct {
	// Graph tells a scenario with services from the shorthand, which has one entity, "".
	Graph    bool
	Entities []Entity
	Sections []Section
	// Adds are the buttons that add entities.
	Adds []Add
	// Why says why there is no form.
	Why string
}

// Build makes the form of an entity of the text; an unknown one is the first.
func Build(text, entity string) Form {
	if len(text) > TextMax {
		return Form{Why: "This scenario is too long for a form; edit it as text."}
	}
	doc, problems := document.Parse([]byte(text), document.Limits{})
	if len(problems) > 0 || doc.Root().Kind() != document.Object {
		return Form{Why: "The text is no JSON at the moment, so there is nothing to put into a form."}
	}
	b := &builder{text: text, root: doc.Root()}
	if !b.has("services") && !b.has("dependencies") {
		b.run()
		b.load("load", "Load", "")
		b.dependency("dependency", "Dependency")
		b.policy("policy", "Policy")
		b.pool("pool")
		b.limiter("limiter", 0)
		return Form{Sections: b.sections, Entities: []Entity{{ID: ""}}}
	}
	f := Form{Graph: true, Entities: b.entities(), Adds: b.entityAdds()}
	b.entity(entity, f.Entities)
	f.Sections = b.sections
	return f
}

type builder struct {
	text     string
	root     document.Value
	sections []Section
}

// value is what is written at a path, and whether anything is.
func (b *builder) value(path string) (document.Value, bool) {
	v := b.root.Find(path)
	return v, v.Path() == path
}

func (b *builder) has(path string) bool {
	_, ok := b.value(path)
	return ok
}

// raw is the JSON at a path, or "".
func (b *builder) raw(path string) string {
	if v, ok := b.value(path); ok {
		return b.text[v.Offset():v.End()]
	}
	return ""
}

// word is the text at a path, or "" for anything else.
func (b *builder) word(path string) string {
	if r := gjson.Parse(b.raw(path)); r.Type == gjson.String {
		return r.Str
	}
	return ""
}

// section begins a section.
func (b *builder) section(s Section) *Section {
	b.sections = append(b.sections, s)
	return &b.sections[len(b.sections)-1]
}

// add puts a field into a section.
func (b *builder) add(s *Section, path string, kind Kind, label, usual, help string, slider *Slider) {
	f := Field{Path: path, Kind: kind, Label: label, Help: help, Value: usual}
	if raw := b.raw(path); raw != "" {
		f.Written = true
		f.Value = shown(kind, raw)
	}
	if slider != nil {
		scale := *slider
		if x, ok := number(kind, f.Value); ok {
			scale.Position = scale.position(x)
		} else if f.Value == "none" {
			scale.Position = Steps
		}
		f.Slider = &scale
	}
	s.Fields = append(s.Fields, f)
}

// flag adds a setting that is true or false.
func (b *builder) flag(s *Section, path, label string, usual bool, help string) {
	f := Field{Path: path, Kind: Switch, Label: label, Help: help, Value: strconv.FormatBool(usual)}
	if raw := b.raw(path); raw != "" {
		f.Written, f.Value = true, strconv.FormatBool(raw == "true")
	}
	f.Options = []Option{{"off", "false"}, {"on", "true"}}
	s.Fields = append(s.Fields, f)
}

// pick adds a choice; which is the label of what is chosen now.
func (b *builder) pick(s *Section, path, label, which, help string, options ...Option) {
	s.Fields = append(s.Fields, Field{Path: path, Kind: Choice, Label: label, Help: help, Value: which, Written: b.has(path), Options: options})
}

// feature begins a section that can be off: on is the JSON that switches it on, off what switches
// it off, "" to take the key away.
func (b *builder) feature(path, title, help, on, off string, level int) (*Section, bool) {
	raw := b.raw(path)
	is := raw != "" && raw != "null"
	f := &Field{Path: path, Kind: Switch, Label: title, Value: strconv.FormatBool(is), Options: []Option{{"off", off}, {"on", on}}}
	return b.section(Section{ID: path, Title: title, Help: help, Switch: f, Level: level, Off: !is}), is
}

// shown is a written value as its control shows it.
func shown(kind Kind, raw string) string {
	r := gjson.Parse(raw)
	switch {
	case r.Type == gjson.String:
		return r.Str
	case kind == Share && r.Type == gjson.Number:
		return strconv.FormatFloat(r.Num*100, 'g', 6, 64) + "%"
	}
	return raw
}

// number is a field's value as a number: nanoseconds, a share from 0 to 1, a count.
func number(kind Kind, value string) (float64, bool) {
	switch kind {
	case Duration, Bound:
		t, err := document.ParseDuration(value)
		return float64(t.Nanoseconds()), err == nil
	case Share:
		x, err := strconv.ParseFloat(strings.TrimSuffix(value, "%"), 64)
		return x / 100, err == nil
	case Count, Factor:
		x, err := strconv.ParseFloat(value, 64)
		return x, err == nil
	}
	return 0, false
}

func (s *Slider) position(x float64) int {
	low, high := s.Low, s.High
	if s.Log {
		if x <= 0 {
			return 0
		}
		x, low, high = math.Log(x), math.Log(low), math.Log(high)
	}
	return int(math.Round(min(max((x-low)/(high-low), 0), 1) * Steps))
}

// at is the number of a position, with two digits that a person would choose.
func (s *Slider) at(position int) float64 {
	part := float64(min(max(position, 0), Steps)) / Steps
	x := s.Low + part*(s.High-s.Low)
	if s.Log {
		x = math.Exp(math.Log(s.Low) + part*(math.Log(s.High)-math.Log(s.Low)))
	}
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-1)
	return math.Round(x/unit) * unit
}

// Step is the nearest position above (by 1) or below (by -1) that stands for another value. Values are
// rounder than positions, so the next position alone often leaves a value as it is, and the slider
// with it.
func (f *Field) Step(by int) int {
	s := f.Slider
	now, known := number(f.Kind, f.Value)
	for position := s.Position + by; position >= 0 && position <= Steps; position += by {
		x, ok := number(f.Kind, shown(f.Kind, raw(f.Kind, s.at(position))))
		if ok && (!known || by > 0 && x > now || by < 0 && x < now) {
			return position
		}
	}
	return s.Position
}

// SlideKind is the kind of a move of the field's slider.
func (f *Field) SlideKind() string {
	scale := "linear"
	if f.Slider.Log {
		scale = "log"
	}
	return "slide " + string(f.Kind) + " " + strconv.FormatFloat(f.Slider.Low, 'g', -1, 64) + " " + strconv.FormatFloat(f.Slider.High, 'g', -1, 64) + " " + scale
}

// Write is the change of the text that a control asks for. Kind is the kind of a field or its
// SlideKind; value is what the control holds: a position for a slider, JSON (or "" to take the key
// away) for a choice or switch.
func Write(text, path string, kind Kind, value string) (edit.Change, error) {
	if rest, ok := strings.CutPrefix(string(kind), "slide "); ok {
		parts := strings.Fields(rest)
		position, err := strconv.Atoi(value)
		if err != nil || len(parts) != 4 {
			return edit.Change{}, edit.ErrNoPlace
		}
		low, errLow := strconv.ParseFloat(parts[1], 64)
		high, errHigh := strconv.ParseFloat(parts[2], 64)
		if errLow != nil || errHigh != nil {
			return edit.Change{}, edit.ErrNoPlace
		}
		s := Slider{Low: low, High: high, Log: parts[3] == "log"}
		return edit.Set(text, path, raw(Kind(parts[0]), s.at(position)))
	}
	value = strings.TrimSpace(value)
	switch kind {
	case Choice, Switch:
		if value == "" {
			return edit.Remove(text, path)
		}
		return edit.Set(text, path, value)
	case Text:
		if value == "" {
			return removeIfThere(text, path)
		}
		return edit.Set(text, path, quoted(value))
	case Duration, Bound:
		if value == "" {
			return removeIfThere(text, path)
		}
		return edit.Set(text, path, quoted(strings.ReplaceAll(strings.ReplaceAll(value, " ", ""), "µ", "u")))
	}
	if value == "" {
		return removeIfThere(text, path)
	}
	if kind == Share {
		if x, ok := number(Share, value); ok && strings.HasSuffix(value, "%") {
			return edit.Set(text, path, strconv.FormatFloat(x, 'g', 6, 64))
		}
	}
	if !gjson.Valid(value) {
		return edit.Set(text, path, quoted(value)) // the reader says what is wrong with it
	}
	return edit.Set(text, path, value)
}

func removeIfThere(text, path string) (edit.Change, error) {
	if edit.Value(text, path) == "" {
		return edit.Change{}, nil
	}
	return edit.Remove(text, path)
}

// raw is a number as JSON of a kind.
func raw(kind Kind, x float64) string {
	switch kind {
	case Duration, Bound:
		return quoted(ticks.Ticks(math.Round(min(max(x, 0), 1e18) / 100)).String())
	case Count:
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

func quoted(s string) string { return string(document.AppendText(nil, s)) }
