package virtual

// farHeap is a heap with four children a node: few levels, and the children lie together.
type farHeap []Timer

func (h *farHeap) push(t Timer) {
	a := append(*h, t)
	*h = a
	i := len(a) - 1
	for i > 0 {
		parent := (i - 1) >> 2
		if !t.before(&a[parent]) {
			break
		}
		a[i] = a[parent]
		i = parent
	}
	a[i] = t
}

func (h *farHeap) pop() Timer {
	a := *h
	head := a[0]
	last := len(a) - 1
	t := a[last]
	a = a[:last]
	*h = a
	if last == 0 {
		return head
	}
	i := 0
	for {
		child := i<<2 + 1
		if child >= last {
			break
		}
		least := child
		for k := child + 1; k < min(child+4, last); k++ {
			if a[k].before(&a[least]) {
				least = k
			}
		}
		if !a[least].before(&t) {
			break
		}
		a[i] = a[least]
		i = least
	}
	a[i] = t
	return head
}
