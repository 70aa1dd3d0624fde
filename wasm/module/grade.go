package module

import (
	"errors"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/measure"
	"squall/grading"
	"squall/grading/recording"
)

// grade judges the calls of a scenario's run, or recordings.
func (a *asked) grade() string {
	if !a.request.Get("files").IsArray() {
		text := a.request.Get("text").Str
		if !grading.IsScenario([]byte(text)) {
			return a.gradeFiles([]recording.File{{Name: "the text", Data: []byte(text)}})
		}
		return a.gradeRun()
	}
	var files []recording.File
	a.request.Get("files").ForEach(func(_, f gjson.Result) bool {
		files = append(files, recording.File{Name: f.Get("name").Str, Data: []byte(f.Get("text").Str)})
		return true
	})
	return a.gradeFiles(files)
}

func (a *asked) gradeRun() string {
	s, reply := a.scenario()
	if s == nil {
		return reply
	}
	t := s.Topology
	t.RecordCalls = true
	report, err := engine.Run(a.ctx, &t, a.seed(s), a.options())
	if err != nil {
		return a.failed(err.Error())
	}
	return a.graded(grading.Grade(grading.FromRun(report, &t, grading.ReadSettings(s.Grading))), nil)
}

func (a *asked) gradeFiles(files []recording.File) string {
	opened, err := grading.Open(files, a.request.Get("service").Str)
	if err != nil {
		var wrong *grading.DocumentError
		if errors.As(err, &wrong) {
			return a.refused(wrong.Problems)
		}
		return a.failed(err.Error())
	}
	return a.graded(grading.Grade(opened.Input), opened.Imported)
}

// graded is the reply with a grade and, for foreign recordings, how they were read.
func (a *asked) graded(report *grading.Report, imported *recording.Imported) string {
	b := append(a.ok(), `,"text":`...)
	b = measure.AppendText(b, report.Text(nil))
	b = append(b, `,"imported":`...)
	if imported == nil {
		b = append(b, "null"...)
	} else {
		b = imported.AppendSummary(b)
	}
	b = append(b, `,"grade":`...)
	return string(append(report.AppendJSON(b), '}'))
}
