package grading

import "testing"

// FuzzBaseline reads anything as a baseline and compares a grade with it.
func FuzzBaseline(f *testing.F) {
	in, problems := ReadInput(readFile(f, "testdata/golden/several-services.json"))
	if in == nil {
		f.Fatal(problems)
	}
	report := Grade(in)
	f.Add(report.AppendJSON(nil))
	f.Add([]byte(`{"services":[{"service":"checkout","letter":"B","rules":[{"id":7}],"bounds":null}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, problems := ReadBaseline(text)
		if (b == nil) != (len(problems) > 0) {
			t.Fatal(problems)
		}
		if b != nil {
			Worse(b, report)
			_ = report.Text(b)
		}
	})
}
