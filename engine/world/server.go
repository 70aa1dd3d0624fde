package world

import (
	"math"

	"squall/engine/ticks"
)

// Server answers attempts the way a Dependency does (simulator.md 6).
type Server struct {
	p50, scale   float64
	flat         bool
	failing      float64
	capacity     int64
	impairments  []Impairment
	calmUntil    ticks.Ticks // no impairment begins before this instant
	impairedTill ticks.Ticks
}

// NewServer is the live form of a valid dependency.
func NewServer(d *Dependency) *Server {
	s := &Server{
		p50: float64(d.P50), flat: d.P99 <= d.P50, failing: d.Failing, capacity: int64(d.Capacity),
		impairments: d.Impairments, calmUntil: ticks.Max,
	}
	ratio := float64(d.P99) / float64(d.P50)
	s.scale = (ratio - 1) / (math.Sqrt(99) - 1)
	for _, i := range d.Impairments {
		s.calmUntil = min(s.calmUntil, i.After)
		s.impairedTill = max(s.impairedTill, ticks.Add(i.After, i.Lasting))
	}
	return s
}

// ImpairedUntil is when the last impairment ends; ok is false when there is none.
func (s *Server) ImpairedUntil() (at ticks.Ticks, ok bool) {
	return s.impairedTill, len(s.impairments) > 0
}

// Serve is one attempt at an instant: how long it takes and whether it fails after that. offered
// counts what is in service, this attempt included, times the peers; u and roll are the attempt's
// two draws.
func (s *Server) Serve(at ticks.Ticks, offered int64, u, roll float64) (latency ticks.Ticks, fails bool) {
	slower := 1.0
	if at >= s.calmUntil && at < s.impairedTill {
		for i := range s.impairments {
			m := &s.impairments[i]
			if at < m.After || at >= ticks.Add(m.After, m.Lasting) {
				continue
			}
			if m.Outage {
				return 0, true
			}
			slower = float64(slower * m.Slower)
		}
	}
	if s.capacity > 0 && offered > s.capacity {
		if offered > 3*s.capacity {
			return 0, true
		}
		slower = float64(slower * float64(float64(offered)/float64(s.capacity)))
	}
	d := float64(float64(s.p50*s.spread(u)) * slower)
	if d > latencyMax {
		d = latencyMax
	}
	return ticks.FromFloat(d), roll < s.failing
}

// latencyMax is the largest double below 2^63 (simulator.md 6, ruling).
const latencyMax = 9223372036854774784.0

// spread maps a draw to a multiple of p50 such that both quantiles are hit exactly.
func (s *Server) spread(u float64) float64 {
	if s.flat {
		return 1
	}
	if u >= 0.9999 {
		u = 0.9999
	}
	odds := math.Sqrt(u / (1 - u))
	if odds >= 1 {
		return 1 + float64((odds-1)*s.scale)
	}
	return 1 / (1 + float64(((1/odds)-1)*s.scale))
}
