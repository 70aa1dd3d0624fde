// Package squalltest states what a run must show, in tests:
//
//	func TestBrownout(t *testing.T) {
//		report := squalltest.Run(t, engine.Simulate(api).Against(slow).Under(load).For(5*ticks.Minute), 42)
//		squalltest.LoadMultiplierAtMost(t, report, 1.2)
//		squalltest.Expect(t, report, "p99 < 1s", "availability >= 90%")
//	}
//
// What does not hold is an error of the test that says what was measured. The named assertions are
// about a run of one call; of a graph, say which call is meant in an expectation: "checkout ->
// payments: p99 < 1s" (scenario.md 7). Runs are deterministic, so an assertion that holds once
// holds always, on every machine, for one version of the engine.
package squalltest
