package grading

import (
	"squall/engine/document"
	"squall/grading/recording"
)

// scenarioKeys are keys of a scenario that an input document does not have.
var scenarioKeys = []string{"duration", "load", "dependency", "dependencies", "services"}

// IsScenario tells a scenario, which must be run before it can be graded, from a recording of any
// form and from a grade. A text that is too long for a scenario, or no JSON, is none.
func IsScenario(text []byte) bool {
	if recording.ReaderOf(text) != nil {
		return false
	}
	doc, problems := document.Parse(text, document.Limits{})
	if len(problems) > 0 || doc.Root().Kind() != document.Object ||
		doc.Root().Member("recording").Exists() || doc.Root().Member("overall").Exists() {
		return false
	}
	for _, key := range scenarioKeys {
		if doc.Root().Member(key).Exists() {
			return true
		}
	}
	return false
}
