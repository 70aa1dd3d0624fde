package grading

import (
	"errors"
	"strings"
	"testing"

	"squall/grading/recording"
)

const (
	ownText    = `{"recording":[{"service":"a"},{"service":"b"}],"chaos":{"rules":[{"id":"x","matched":3}]}}`
	configText = `{"chaos":{"rules":[{"id":"index-down","name":"index down"}]},"grading":{"role":"required"}}`
)

func file(name, text string) recording.File { return recording.File{Name: name, Data: []byte(text)} }

func TestOpen(t *testing.T) {
	har := file("in.har", string(readFile(t, "recording/testdata/formats/har/in.har")))
	har.Direction = recording.DirectionIn
	out := file("out.har", string(readFile(t, "recording/testdata/formats/har/out.har")))
	out.Direction = recording.DirectionOut
	zipkin := file("spans.json", string(readFile(t, "recording/testdata/formats/zipkin/spans.json")))

	opened, err := Open([]recording.File{har, file("config.json", configText), out}, "")
	if err != nil {
		t.Fatal(err)
	}
	r := Grade(opened.Input)
	if got := r.Services[0].Rules[0]; got.Rule.Name != "index down" || got.Fired != 2 || r.Overall != F {
		t.Errorf("%+v, %s", got, r.Overall)
	}
	text := string(opened.AppendJSON(nil))
	if !strings.Contains(text, `,"chaos":{"rules":[{"id":"index-down"`) || !strings.Contains(text, `,"imported":{"format":"har",`) {
		t.Error(text)
	}
	if again, problems := ReadInput([]byte(text)); again == nil {
		t.Error(problems)
	} else if string(Grade(again).AppendJSON(nil)) != string(r.AppendJSON(nil)) {
		t.Error("another grade after writing it")
	}

	if opened, err = Open([]recording.File{file("own.json", ownText)}, "b"); err != nil {
		t.Fatal(err)
	}
	if in := opened.Input; len(in.Recordings) != 1 || in.Recordings[0].Service != "b" || in.Rules[0].HasMatched {
		t.Errorf("%+v", in)
	}

	for _, c := range []struct {
		name    string
		files   []recording.File
		service string
		want    error
	}{
		{"nothing", nil, "", ErrNoRecording},
		{"two of our own", []recording.File{file("a", ownText), file("b", ownText)}, "", ErrTwoRecordings},
		{"two formats", []recording.File{har, zipkin}, "", ErrMixedFormats},
		{"two configs", []recording.File{har, file("a", configText), file("b", configText)}, "", ErrTwoConfigs},
		{"no such service", []recording.File{file("a", ownText)}, "c", ErrUnknownService},
	} {
		if _, err := Open(c.files, c.service); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	var broken *DocumentError
	_, err = Open([]recording.File{file("a.json", `{"recording":{}}`)}, "")
	if !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), "a.json:1:14: recording.service: ") {
		t.Error(err)
	}
	_, err = Open([]recording.File{har, file("a.json", ownText)}, "")
	if !errors.As(err, &broken) {
		t.Error(err)
	}
}
