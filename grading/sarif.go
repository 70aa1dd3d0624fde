package grading

import (
	"strconv"

	"squall/engine/document"
)

// checkTexts say what each check means, for readers of a SARIF log.
var checkTexts = [Checks]struct{ name, text string }{
	ErrorPassedThrough:   {"ErrorPassedThrough", "The request answered 5xx or not at all while the fault lasted."},
	UnboundedRetries:     {"UnboundedRetries", "The request called the faulted dependency more often than the bound allows beyond its usual attempts."},
	LatencyAmplification: {"LatencyAmplification", "The request slowed down by more than the bound times the injected delay."},
	NoRecovery:           {"NoRecovery", "The endpoint did not answer without a 5xx inside the recovery window after the rule stopped firing."},
}

// SARIF is the findings as a SARIF 2.1.0 log; accepted ones are suppressed. file is the input's name,
// which viewers want a place in; it may be empty.
func (r *Report) SARIF(file string) []byte {
	b := append([]byte(nil), `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[`+
		`{"tool":{"driver":{"name":"squall","rules":[`...)
	for i, c := range checkTexts {
		b = append(comma(b, i), `{"id":`...)
		b = document.AppendText(b, Check(i).String())
		b = appendKey(b, "name", c.name)
		b = document.AppendText(append(b, `,"shortDescription":{"text":`...), c.text)
		b = append(b, "}}"...)
	}
	b = append(b, `]}},"columnKind":"utf16CodeUnits","results":[`...)
	n := 0
	for i := range r.Services {
		s := &r.Services[i]
		for k := range s.Findings {
			b = s.Findings[k].appendSARIF(comma(b, n), s, file)
			n++
		}
	}
	return append(b, "]}]}\n"...)
}

func (f *Finding) appendSARIF(b []byte, s *ServiceReport, file string) []byte {
	b = append(b, `{"ruleId":`...)
	b = document.AppendText(b, f.Check.String())
	b = appendCount(b, `,"ruleIndex":`, int(f.Check))
	b = appendKey(b, "level", [...]string{RoleOff: "note", RoleAdvisory: "warning", RoleRequired: "error"}[min(s.Role, RoleRequired)])
	b = document.AppendText(append(b, `,"message":{"text":`...), f.Sentence)
	b = append(b, `},"locations":[{`...)
	if file != "" {
		b = document.AppendText(append(b, `"physicalLocation":{"artifactLocation":{"uri":`...), uri(file))
		b = append(b, `}},`...)
	}
	b = append(b, `"logicalLocations":[{"name":`...)
	b = document.AppendText(b, f.Endpoint)
	b = appendKey(b, "fullyQualifiedName", s.Service+" "+f.Endpoint)
	b = append(b, `,"kind":"resource"}]}],"partialFingerprints":{"finding/v1":`...)
	b = document.AppendText(b, s.Service+"|"+f.Check.String()+"|"+f.Endpoint+"|"+f.Rule)
	b = append(b, '}')
	if f.Group == GroupAccepted {
		b = append(b, `,"suppressions":[{"kind":"external","status":"accepted","justification":`...)
		b = append(document.AppendText(b, f.Accepted), "}]"...)
	}
	b = append(b, `,"properties":{"service":`...)
	b = document.AppendText(b, s.Service)
	b = appendKey(b, "endpoint", f.Endpoint)
	b = appendKey(b, "rule", f.Rule)
	b = appendKey(b, "dependency", f.Dependency)
	b = strconv.AppendInt(append(b, `,"count":`...), int64(f.Count), 10)
	return append(b, "}}"...)
}

// uri is a file's name as a relative reference: whatever may not stand in one is percent-encoded.
func uri(file string) string {
	const hex = "0123456789ABCDEF"
	var b []byte
	for _, c := range []byte(file) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', isDigit(c), c == '/', c == '-', c == '.', c == '_', c == '~':
			b = append(b, c)
		case c == '\\':
			b = append(b, '/')
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}
