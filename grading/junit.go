package grading

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// JUnit is the grade as JUnit XML: a suite a service, a case per inbound endpoint and rule. A case
// fails for findings that nobody accepted; accepted ones and n/a are skipped, with the reason.
func (r *Report) JUnit() string {
	var suites strings.Builder
	var all tally
	for i := range r.Services {
		all.add(r.Services[i].junit(&suites))
	}
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"resilience\"" + all.attributes() + ">\n" +
		suites.String() + "</testsuites>\n"
}

// tally counts the cases of a suite.
type tally struct{ tests, failures, skipped int }

func (t *tally) add(o tally) {
	t.tests += o.tests
	t.failures += o.failures
	t.skipped += o.skipped
}

func (t *tally) attributes() string {
	return " tests=\"" + strconv.Itoa(t.tests) + "\" failures=\"" + strconv.Itoa(t.failures) +
		"\" errors=\"0\" skipped=\"" + strconv.Itoa(t.skipped) + "\""
}

func (s *ServiceReport) junit(b *strings.Builder) tally {
	var cases strings.Builder
	var count tally
	if s.NA != "" {
		count = tally{tests: 1, skipped: 1}
		cases.WriteString(testCase(s.Service, "resilience") + "      <skipped message=\"" + attribute(s.NA) + "\"/>\n    </testcase>\n")
	}
	byCase := make(map[[2]string][]*Finding)
	for i := range s.Findings {
		f := &s.Findings[i]
		id := [2]string{f.Endpoint, f.Rule}
		byCase[id] = append(byCase[id], f)
	}
	for i := range s.Recovery.Endpoints {
		e := &s.Recovery.Endpoints[i]
		count.tests++
		failed, accepted := split(byCase[[2]string{e.Endpoint, e.Rule}])
		cases.WriteString(testCase(s.Service, e.Endpoint+" under "+e.Rule))
		switch {
		case len(failed) > 0:
			count.failures++
			cases.WriteString("      <failure type=\"" + failed[0].Check.String() + "\" message=\"" + attribute(failed[0].Sentence) + "\">")
			for n, f := range failed {
				if n > 0 {
					cases.WriteByte('\n')
				}
				cases.WriteString(attribute(f.Check.String() + ", " + strconv.Itoa(f.Count) + "x: " + f.Sentence))
			}
			cases.WriteString("</failure>\n")
		case len(accepted) > 0:
			count.skipped++
			reasons := make([]string, len(accepted))
			for n, f := range accepted {
				reasons[n] = f.Check.String() + " accepted: " + f.Accepted
			}
			cases.WriteString("      <skipped message=\"" + attribute(strings.Join(reasons, "; ")) + "\"/>\n")
		}
		cases.WriteString("    </testcase>\n")
	}
	b.WriteString("  <testsuite name=\"" + attribute(s.Service) + "\"" + count.attributes() + ">\n    <properties>\n" +
		property("letter", s.Letter.String()) + property("role", s.Role.String()) + property("measure", s.Measure.Text) +
		"    </properties>\n" + cases.String() + "    <system-out>" + attribute(s.Detail) + "</system-out>\n  </testsuite>\n")
	return count
}

func split(findings []*Finding) (failed, accepted []*Finding) {
	for _, f := range findings {
		if f.Group == GroupAccepted {
			accepted = append(accepted, f)
		} else {
			failed = append(failed, f)
		}
	}
	return failed, accepted
}

func testCase(class, name string) string {
	return "    <testcase classname=\"" + attribute(class) + "\" name=\"" + attribute(name) + "\">\n"
}

func property(name, value string) string {
	return "      <property name=\"" + name + "\" value=\"" + attribute(value) + "\"/>\n"
}

// attribute escapes text for XML; what XML cannot hold becomes the replacement character.
func attribute(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\t', r == '\n', r == '\r':
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		case r < ' ', r == 0xFFFE, r == 0xFFFF:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
