package grading

import (
	"errors"
	"slices"
	"strings"

	"squall/engine/document"
	"squall/engine/problem"
	"squall/grading/recording"
)

// What can be wrong with a set of files, besides what stands in them.
var (
	ErrNoRecording    = errors.New("no file holds a recording")
	ErrTwoRecordings  = errors.New("recordings in our own form are graded one file at a time")
	ErrTwoConfigs     = errors.New("only one document may give chaos and grading")
	ErrMixedFormats   = errors.New("the files of one grade have one format")
	ErrUnknownService = errors.New("no recording of that service")
)

// DocumentError is a document of ours that cannot be read, with everything that is wrong in it.
type DocumentError struct {
	File     string
	Problems []document.Problem
}

// Error has a line a problem: "FILE:LINE:COLUMN: PATH: MESSAGE".
func (e *DocumentError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = e.File + ":" + p.String()
	}
	return strings.Join(lines, "\n")
}

// Opened is what the files of one grade hold.
type Opened struct {
	Input *Input
	// Imported says how foreign files were read; nil for our own form.
	Imported *recording.Imported
	// configured says that a document gave rules and settings to foreign files.
	configured bool
}

// Open reads the files of one grade (grading.md 10): an input document, or foreign files of one
// format with at most one document that gives rules and settings. service picks the recording of
// one service, or names what has no name; it may be empty.
func Open(files []recording.File, service string) (*Opened, error) {
	var reader *recording.Reader
	var foreign, ours []recording.File
	for _, f := range files {
		r := recording.ReaderOf(f.Data)
		switch {
		case r == nil:
			ours = append(ours, f)
			continue
		case reader != nil && reader.Name != r.Name:
			return nil, problem.Errorf("%s is %s, %s is %s: %w", foreign[0].Name, reader.Name, f.Name, r.Name, ErrMixedFormats)
		}
		reader = r
		foreign = append(foreign, f)
	}
	if reader == nil {
		return openOwn(ours, service)
	}
	return openForeign(reader, foreign, ours, service)
}

func openOwn(files []recording.File, service string) (*Opened, error) {
	switch len(files) {
	case 0:
		return nil, ErrNoRecording
	case 1:
	default:
		return nil, ErrTwoRecordings
	}
	in, problems := ReadInput(files[0].Data)
	if in == nil {
		return nil, &DocumentError{files[0].Name, problems}
	}
	if service != "" {
		if err := in.Pick(service); err != nil {
			return nil, err
		}
	}
	return &Opened{Input: in}, nil
}

// Pick leaves the recording of one service. A rule's own count of matches was of them all.
func (in *Input) Pick(service string) error {
	for i := range in.Recordings {
		if in.Recordings[i].Service != service {
			continue
		}
		if len(in.Recordings) > 1 {
			in.Rules = slices.Clone(in.Rules) // they may be those of a topology
			for k := range in.Rules {
				in.Rules[k].Matched, in.Rules[k].HasMatched = 0, false
			}
		}
		in.Recordings = in.Recordings[i : i+1]
		return nil
	}
	return problem.Errorf("%q: %w", service, ErrUnknownService)
}

func openForeign(reader *recording.Reader, files, configs []recording.File, service string) (*Opened, error) {
	in := &Input{}
	if len(configs) > 1 {
		return nil, ErrTwoConfigs
	}
	for _, f := range configs {
		config, problems := ReadConfig(f.Data)
		if config == nil {
			return nil, &DocumentError{f.Name, problems}
		}
		in = config
	}
	imported, err := reader.Read(files, service)
	if err != nil {
		return nil, err
	}
	in.Recordings = imported.Recordings
	return &Opened{Input: in, Imported: imported, configured: len(configs) > 0}, nil
}

// AppendJSON appends the input document, for "--as recording".
func (o *Opened) AppendJSON(b []byte) []byte {
	switch {
	case o.Imported == nil:
		return o.Input.AppendJSON(b)
	case !o.configured:
		return o.Imported.AppendJSON(b)
	}
	b = recording.AppendRecordings(append(b, `{"squall":1,"recording":`...), o.Input.Recordings)
	b = o.Imported.AppendSummary(append(o.Input.appendConfig(b), `,"imported":`...))
	return append(b, "}\n"...)
}
