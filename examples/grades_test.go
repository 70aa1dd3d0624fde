package examples

import (
	"context"
	"slices"
	"testing"

	"squall/engine"
	"squall/engine/scenario"
	"squall/grading"
)

func grade(t *testing.T, s *scenario.Scenario) *grading.Report {
	t.Helper()
	topology := s.Topology
	topology.RecordCalls = true
	report, err := engine.Run(context.Background(), &topology, s.Seed, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return grading.Grade(grading.FromRun(report, &topology, grading.ReadSettings(s.Grading)))
}

// TestGrades grades the examples with injected faults: each gives the findings that it is about,
// and what its "about" advises moves the letter as it says.
func TestGrades(t *testing.T) {
	type checks = []grading.Check
	for _, c := range []struct {
		name   string
		letter grading.Letter
		checks checks
		// then are the letter and findings of the variant.
		then       grading.Letter
		thenChecks checks
	}{
		{"fails-its-grade", grading.F, checks{grading.ErrorPassedThrough, grading.UnboundedRetries}, grading.C, checks{grading.ErrorPassedThrough}},
		{"passes-faults-through", grading.F, checks{grading.ErrorPassedThrough}, grading.A, nil},
		{"retries-without-bound", grading.F, checks{grading.UnboundedRetries}, grading.A, nil},
		{"waits-three-times", grading.F, checks{grading.LatencyAmplification}, grading.A, nil},
		{"never-recovers", grading.F, checks{grading.ErrorPassedThrough, grading.NoRecovery}, grading.F, checks{grading.ErrorPassedThrough}},
		{"does-everything-right", grading.A, nil, grading.F, checks{grading.ErrorPassedThrough}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := read(t, c.name)
			found := func(s *scenario.Scenario, letter grading.Letter, want checks) {
				t.Helper()
				r := grade(t, s)
				var got checks
				for _, f := range r.Services[0].Findings {
					got = append(got, f.Check)
				}
				if r.Overall != letter || !slices.Equal(got, want) {
					t.Errorf("%s with %v, want %s with %v", r.Overall, got, letter, want)
				}
			}
			found(s, c.letter, c.checks)
			if len(s.Variants()) != 1 {
				t.Fatalf("%d variants", len(s.Variants()))
			}
			found(s.Variants()[0].Scenario, c.then, c.thenChecks)
		})
	}
}
