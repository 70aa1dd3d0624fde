package policy

import "testing"

// breaker.md 14 D.
func TestCircuitSlowCalls(t *testing.T) {
	above3 := settings(consecutive(100), slowCalls(SlowCalls(3)))
	fifty := SlowCalls(3)
	fifty.MinimumSamples = 50
	tell(t, []story{
		{"D1", above3, "Ok:20:100ms Closed Ok:20:1s Open"},
		{"D2", above3, "4x{ Ok:50:20ms +60s } normal=20ms..22.5ms Ok:20:200ms Open"},
		{"D3", above3, "Ok:20:1ms Ok:20:10ms Open"},
		{"D3 steady", above3, "Ok:40:4s Closed"},
		{"D4", above3, "6x{ Ok:50:5s +60s } Closed"},
		{"D5", settings(consecutive(100), slowCalls(fifty)), "Ok:20:1ms Ok:20:30s Closed normal=none"},
		{"D6", above3, "Ok:20:10ms +80s Throttled:200:5s +80s normal=10ms..11.25ms"},
		{"D7", settings(consecutive(100), probes(1, 1)), "Ok:20:50ms Ok:20:2s Open +16s enter rec:Ok:2s Open"},
		{"D8", above3, "Ok:20:50ms Ok:20:2s Open reset Closed normal=some"},
		{"D9", noSlowCalls, "Ok:100:10ms normal=none"},
		{"D10", slowerThan("2s"), "Ok:100:10ms normal=some"},
		{"D11", settings(slowerThan("2s"), slowCalls(SlowCalls(3))), "Ok:30:10ms Closed Ok:30:100ms Open"},
		{"D12", slowerThan("15ms"), "Ok:30:10ms Closed Ok:30:20ms Open"},
		{"D13", nil, "Ok:20:100ms Closed Ok:20:1s Open"},
		{"D14", func(s *BreakerSettings) { s.Adaptive = false }, "Ok:30:30s Closed T:5:1ms Open"},
		{"D15", nil, "normal=none rate=none T:4:30s Closed T:1:30s Open"},
		{"D16", slowCalls(SlowCalls(3)), "Ok:20:40ms normal=40ms..45ms"},
		{"X9", nil, "Ok:20:100ms normal=1064960t Ok:300:300ms normal=1064960t Closed +75s normal=3276800t"},
		{"X16", nil, "Ok:20:100ms Ok:19:1s Closed Ok:1:1s Open"},
		{"X19 read first", nil, "Ok:10:100ms Ok:10:300ms +75s normal=1064960t Ok:1:300ms normal=1064960t"},
		{"X19 unread", nil, "Ok:10:100ms Ok:10:300ms +75s Ok:1:300ms normal=3276800t"},
	})
}

// breaker.md 14 E.
func TestCircuitErrorRates(t *testing.T) {
	above5 := settings(failures(Failures(5)), minimumCalls(20), consecutive(1000))
	bare := settings(noSlowCalls, noFailures)
	warm := "100x{ +1s enter +10ms rec:Ok:10ms } "
	tell(t, []story{
		{"E1", above5, "Ok:140 T:60 +33s Closed T:20 Open"},
		{"E2", above5, "Ok:140 T:60 +33s Ok:14 T:6 Closed"},
		{"E3", above5, "Ok:200 +33s Ok:18 T:2 Open"},
		{"E4", above5, "Ok:200 +33s Ok:19 T:1 Closed"},
		{"E5 constant", settings(above5, failureRatio(0.5)), "Ok:140 T:60 +33s Ok:8 T:12 Open"},
		{"E5", above5, "Ok:140 T:60 +33s Ok:8 T:12 Closed"},
		{"E6", above5, "T:20 Closed rate=none"},
		{"E7", settings(above5, failureRatio(0.5)), "T:20 Open"},
		{"E8", above5, "Ok:140 T:60 +33s T:20 Open rate=some reset Closed rate=some"},
		{"E9", above5, "Ok:150 T:50 +33s rate=0.25"},
		{"E10", settings(failureRatio(0.5), noFailures), "Ok:100 rate=none"},
		{"E11", nil, "5x{ Ok:50:10ms +60s } rate=0 Closed 2x{ Ok:9:10ms T:1 } Open"},
		{"E12", settings(bare, failureRatio(0.5), consecutive(50), minimumCalls(20), func(s *BreakerSettings) { s.TripWindow = instant("1h") }),
			"Ok:20 T:2 elevated:0.5=no T:6 Closed elevated:0.5=yes elevated:1=no"},
		{"E12 one failure", settings(bare, failureRatio(0.5), consecutive(50), minimumCalls(2)), "Ok:2 T:1 elevated:0.5=no"},
		{"E13", settings(bare, consecutive(50)), "Ok:20 T:8 elevated:0.5=no"},
		{"E14", consecutive(50), warm + "T:4 Closed elevated:0.5=yes"},
		{"X8", nil, "Ok:100 +24h rate=0 normal=none Ok:1 rate=none"},
		{"X17", consecutive(100), "Ok:200 +33s Ok:38 T:1 Closed T:1 Open"},
		{"X23", consecutive(50), warm + "T:4 elevated:0.5=yes +1h elevated:0.5=yes Ok:1 elevated:0.5=no"},
	})
}
