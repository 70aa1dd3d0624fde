package main

import (
	"encoding/binary"
	"errors"
)

var errUnreached = errors.New("a jump into the middle of a loop")

// emitter writes a function with its jumps as branches.
type emitter struct {
	f          *function
	out        []byte
	open       []label // outermost first
	dispatched bool    // a jump went through the table
	tabled     []element
	err        error
}

// label is what a branch can go to: the start of a block.
type label int

const (
	labelUnwound  label = unwound
	labelDispatch label = -2
)

// emit writes the function in the order of all, each at its top level reached by the table.
func (f *function) emit(all []element) ([]byte, error) {
	// Most functions need no dispatch loop any more; whether one does shows while it is written.
	for _, looped := range []bool{false, true} {
		e := &emitter{f: f, tabled: all}
		e.function(looped)
		if e.err != nil {
			return nil, e.err
		}
		if !e.dispatched || looped {
			return e.out, nil
		}
	}
	panic("unreachable")
}

func (e *emitter) function(looped bool) {
	f := e.f
	e.out = append(e.out, opGlobalGet, 0, opLocalSet, stackPointer)
	if f.unwind {
		e.begin(opBlock, labelUnwound)
	}
	if looped {
		e.begin(opLoop, labelDispatch)
	}
	for i := len(e.tabled) - 1; i >= 0; i-- {
		e.begin(opBlock, label(e.tabled[i].block))
	}
	e.out = append(e.out, opLocalGet, 0)
	e.table()
	e.elements(e.tabled, true, len(f.blocks))
	if looped {
		e.end()
	}
	e.out = append(e.out, f.tail...)
}

func (e *emitter) table() {
	t := make([]int, len(e.f.table))
	for pc, block := range e.f.table {
		t[pc] = find(e.tabled, block)
	}
	last := len(t) - 1
	for last > 0 && t[last-1] == t[len(t)-1] {
		last--
	}
	t = t[:last+1]
	e.out = append(e.out, opBrTable)
	e.number(len(t) - 1)
	for _, to := range t {
		e.number(to)
	}
}

// elements writes elements one behind the other; behind the last comes the block next, if that is
// one. Those of a loop open their own blocks; the first is the loop's own label.
func (e *emitter) elements(all []element, opened bool, next int) {
	if !opened {
		for i := len(all) - 1; i > 0; i-- {
			e.begin(opBlock, label(all[i].block))
		}
	}
	for i, it := range all {
		if i > 0 || opened {
			e.end()
		}
		behind := next
		if i+1 < len(all) {
			behind = all[i+1].block
		}
		if it.loop != nil {
			e.begin(opLoop, label(it.block))
			e.elements(it.loop, false, behind)
			e.end()
			continue
		}
		e.block(it.block, behind)
	}
}

func (e *emitter) block(i, behind int) {
	b := &e.f.blocks[i]
	for _, p := range b.pieces {
		e.out = append(e.out, p.raw...)
		if p.jump != noJump {
			e.jump(p)
		}
	}
	if b.falls && i+1 != behind {
		e.jump(piece{jump: always, target: i + 1})
	}
}

func (e *emitter) jump(p piece) {
	op := byte(opBr)
	if p.jump == onTrue {
		op = opBrIf
	}
	for i := len(e.open) - 1; i >= 0; i-- {
		if e.open[i] == label(p.target) {
			e.out = append(e.out, op)
			e.number(len(e.open) - 1 - i + p.nested)
			return
		}
	}
	if k := find(e.tabled, p.target); p.pc == nil || k < 0 || e.tabled[k].block != p.target {
		e.err = errUnreached
		return
	}
	e.dispatched = true
	inner := p.nested
	if p.jump == onTrue {
		e.out = append(e.out, opIf, noResult)
		inner++
	}
	e.out = append(e.out, p.pc...)
	e.out = append(e.out, opLocalSet, 0, opBr)
	for i, l := range e.open {
		if l == labelDispatch {
			e.number(len(e.open) - 1 - i + inner)
		}
	}
	if p.jump == onTrue {
		e.out = append(e.out, opEnd)
	}
}

func (e *emitter) begin(op byte, l label) {
	e.out = append(e.out, op, noResult)
	e.open = append(e.open, l)
}

func (e *emitter) end() {
	e.out = append(e.out, opEnd)
	e.open = e.open[:len(e.open)-1]
}

func (e *emitter) number(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }
