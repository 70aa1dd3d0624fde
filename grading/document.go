package grading

import (
	"squall/engine/document"
	"squall/engine/scenario"
	"squall/grading/recording"
)

// recordingBytesMax bounds an input document: 200,000 calls a direction take about 100 MB.
const recordingBytesMax = 512 << 20

// ReadInput reads an input document (grading.md 2). Everything that is wrong is said at once; the
// input is nil then.
func ReadInput(text []byte) (*Input, []document.Problem) {
	return read(text, true)
}

// ReadConfig reads a document that gives the rules and the settings for recordings of another form
// (grading.md 10): an input document without recordings.
func ReadConfig(text []byte) (*Input, []document.Problem) {
	return read(text, false)
}

func read(text []byte, needed bool) (*Input, []document.Problem) {
	doc, problems := document.Parse(text, document.Limits{Bytes: recordingBytesMax})
	if len(problems) > 0 {
		return nil, problems
	}
	// "imported" tells how a recording came to be and has no bearing on its grade.
	o := doc.Root().Object("squall", "recording", "chaos", "grading", "imported")
	if version := written(o.Get("squall")); version.Exists() {
		if n, ok := version.Int(1, maxBound); ok && n != 1 {
			version.Problem("was written for a newer version; this one reads format 1")
		}
	}
	in := &Input{Rules: scenario.ReadChaos(o.Get("chaos")).Rules, Settings: ReadSettings(o.Get("grading"))}
	if needed {
		in.Recordings = recording.Decode(o.Need("recording"))
	} else if value := o.Get("recording"); value.Exists() {
		value.KeyProblem("stands in a document beside recordings of another form; give one of the two")
	}
	if problems = doc.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return in, nil
}
