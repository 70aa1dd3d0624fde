package engine

// slab hands out places for values that come and go, and reuses them: a run allocates for the most
// that is ever in flight, not for each call. Places do not move, so pointers into it stay valid.
type slab[T any] struct {
	chunks []*[slabChunk]T
	free   []uint32
	used   uint32
}

const slabChunk = 256

// take is a free place; what it held before is still there.
func (s *slab[T]) take() uint32 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		return i
	}
	i := s.used
	if int(i/slabChunk) == len(s.chunks) {
		s.chunks = append(s.chunks, new([slabChunk]T))
	}
	s.used++
	return i
}

// give returns a place.
func (s *slab[T]) give(i uint32) { s.free = append(s.free, i) }

// at is the value in a place.
func (s *slab[T]) at(i uint32) *T { return &s.chunks[i/slabChunk][i%slabChunk] }

// inUse is how many places are taken.
func (s *slab[T]) inUse() int { return int(s.used) - len(s.free) }
