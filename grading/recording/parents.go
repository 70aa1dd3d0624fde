package recording

// parents finds for every kept client span the nearest kept server span of the same service up
// its parents, through spans of any kind and service (grading.md 10); -1 for none.
//
// Every id is visited at most once a service, however long the chain above it is: what was found
// there is remembered, and an id that is met again on the same way closes a circle, above which
// there is nothing new.
func (s *spanSet) parents() []int32 {
	w := walk{spanSet: s, found: make([]int32, len(s.spans)), by: make([]int32, len(s.spans))}
	parents := make([]int32, len(s.spans))
	for i := range parents {
		parents[i], w.by[i] = -1, -1
	}
	for _, i := range s.clientsByService() {
		sp := &s.spans[i]
		parents[i] = w.up(s.head(sp.trace, sp.parent), sp.service)
	}
	return parents
}

// clientsByService are the kept client spans, those of one service behind one another.
func (s *spanSet) clientsByService() []int32 {
	starts := make([]int32, len(s.services)+1)
	for i := range s.spans {
		if sp := &s.spans[i]; sp.kept && sp.kind == spanClient {
			starts[sp.service+1]++
		}
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	clients := make([]int32, starts[len(starts)-1])
	for i := range s.spans {
		if sp := &s.spans[i]; sp.kept && sp.kind == spanClient {
			clients[starts[sp.service]] = int32(i)
			starts[sp.service]++
		}
	}
	return clients
}

// walk remembers, for the first span of each id, what was found there or above and for whom.
type walk struct {
	*spanSet
	found, by []int32
	way       []int32
}

// up looks for a server span of a service from an id on.
func (w *walk) up(head, service int32) int32 {
	answer := int32(-1)
	w.way = w.way[:0]
	for head >= 0 {
		if w.by[head] == service {
			answer = w.found[head]
			break
		}
		w.by[head], w.found[head] = service, -1
		w.way = append(w.way, head)
		if answer = w.server(head, service); answer >= 0 {
			break
		}
		sp := &w.spans[w.follow(head, service)]
		head = w.head(sp.trace, sp.parent)
	}
	for _, i := range w.way {
		w.found[i] = answer
	}
	return answer
}

// server is the kept server span of a service among those of one id, -1 for none.
func (w *walk) server(head, service int32) int32 {
	for i := head; i >= 0; i = w.spans[i].next {
		if sp := &w.spans[i]; sp.kept && sp.kind == spanServer && sp.service == service {
			return i
		}
	}
	return -1
}

// follow is the span of an id whose parent leads on: the server half of the service if there is
// one, else the first that has a parent.
func (w *walk) follow(head, service int32) int32 {
	first := int32(-1)
	for i := head; i >= 0; i = w.spans[i].next {
		sp := &w.spans[i]
		if sp.parent == 0 {
			continue
		}
		if sp.kind == spanServer && sp.service == service {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return max(first, head) // head itself has no parent when none has
}
