package grading

import "squall/engine/document"

// ReadAcceptances reads a file of acceptances: a list as of grading.accept (grading.md 2), or an
// object whose "accept" is such a list. Everything that is wrong is said at once.
func ReadAcceptances(text []byte) ([]Acceptance, []document.Problem) {
	doc, problems := document.Parse(text, document.Limits{})
	if len(problems) > 0 {
		return nil, problems
	}
	list := doc.Root()
	if list.Kind() == document.Object {
		list = list.Object("accept").Need("accept")
	}
	var all []Acceptance
	for item := range list.List() {
		all = append(all, decodeAcceptance(item))
	}
	if problems = doc.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return all, nil
}
