package grading

// Grade judges every recording by itself (grading.md). It depends on its input alone and never
// changes it; what is out of range in it is held to the range rather than refused, for what a
// document may say is checked where it is read.
func Grade(in *Input) *Report {
	settings := in.Settings.withDefaults()
	report := &Report{}
	used := make([]bool, len(settings.Accept))
	for i := range in.Recordings {
		s := newService(&in.Recordings[i], in.Rules, settings, len(in.Recordings) == 1)
		s.grade(mocked(&in.Recordings[i]))
		report.Services = append(report.Services, s.report)
		for n, a := range settings.Accept {
			if a.Service == "" || a.Service == s.report.Service {
				_, found := s.findingOf[identity{a.Check, a.Endpoint, a.Rule}]
				used[n] = used[n] || found
			}
		}
		if settings.Role == RoleRequired {
			report.Overall = max(report.Overall, s.report.Letter)
		}
	}
	for i, a := range settings.Accept {
		if !used[i] {
			report.Unused = append(report.Unused, a)
		}
	}
	return report
}

// grade fills the report of one service.
func (s *service) grade(mocked bool) {
	s.pairCalls()
	r := &s.report
	if r.NA = s.notApplicable(mocked); r.NA != "" {
		s.reportRules()
		r.Detail = join(r.NA, laterCalls(r.Faults.NotJudgedCalls))
		return
	}
	s.judge()
	s.recover()
	s.sortFindings()
	s.reportRules()
	r.Measure.Text = r.Ladder.share(r.Measure.Handled, r.Measure.Windows) + " of faults handled"
	r.Letter = capped(r.Ladder.letter(r.Measure.Handled, r.Measure.Windows), r.Recovery.NotRecovered > 0)
	r.Worst.RetryAmplification = float64(s.worstExcess) / 2
	r.Worst.LatencyAmplification = s.worstAmplification.float()
	r.Worst.HasLatency = s.worstAmplification.known()
	s.steps()
	r.Threshold = r.threshold()
	r.Detail = s.detail()
}
