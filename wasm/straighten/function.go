package main

import "slices"

// The compiler writes a function, behind global.get 0, local.set 1, as a list of basic blocks that a table at its head jumps to:
//
//	block                     ; unwind: the way out while a goroutine is switched
//	  loop                    ; dispatch
//	    block block block ... ; one for each basic block
//	      local.get 0         ; PC_B, a parameter: where to go on
//	      br_table ...
//	    end  <block 0>
//	    end  <block 1>
//	    ...
//	  end
//	  unreachable
//	end
//	i32.const 1
//
// and each jump as: PC_B = n, branch to dispatch.
type function struct {
	unwind bool
	table  []int // which block a PC_B is in, the default last
	blocks []basicBlock
	tail   []byte // what comes behind the last block, without the end of the dispatch loop
}

// basicBlock runs from its first piece to its last.
type basicBlock struct {
	pieces []piece
	calls  bool // somewhere in it a goroutine can be switched, and come back behind the call
	falls  bool // its end runs into the next block
}

// piece is a stretch of instructions, and a jump behind it.
type piece struct {
	raw    []byte
	jump   jump
	target int // a block, or unwound
	pc     []byte
	nested int // how many ifs of the block's own the jump stands in
}

type jump uint8

const (
	noJump jump = iota
	always
	onTrue // takes a condition from the stack
)

const unwound = -1

// parse recognizes the code of a function of that shape; ok is false for every other, and for one
// without jumps.
func parse(code []instruction) (f *function, ok bool) {
	if len(code) < 8 || !keepsStackPointer(code) {
		return nil, false
	}
	f = &function{}
	at := 2
	if f.unwind = code[at].op == opBlock && code[at+1].op == opLoop; f.unwind {
		at++
	}
	if code[at].op != opLoop {
		return nil, false
	}
	at++
	first := at
	for at < len(code) && code[at].op == opBlock {
		at++
	}
	count := at - first
	if at+3 > len(code) || count == 0 || code[at].op != opLocalGet || code[at].operand != 0 ||
		code[at+1].op != opBrTable || code[at+2].op != opEnd {
		return nil, false
	}
	f.table = code[at+1].table
	for _, to := range f.table {
		if to >= count {
			return nil, false
		}
	}
	rest, ok := f.parseBlocks(code[at+3:], count)
	if !ok {
		return nil, false
	}
	for _, i := range rest {
		f.tail = append(f.tail, i.raw...)
	}
	return f, true
}

// keepsStackPointer says whether a function begins as the compiler's do: global.get 0, local.set 1.
func keepsStackPointer(code []instruction) bool {
	return len(code) >= 2 && code[0].op == opGlobalGet && code[0].operand == 0 &&
		code[1].op == opLocalSet && code[1].operand == stackPointer
}

// parseBlocks reads count basic blocks up to the end of the dispatch loop.
func (f *function) parseBlocks(code []instruction, count int) (rest []instruction, ok bool) {
	var b basicBlock
	var raw []byte
	nested := 0
	end := func() {
		last := len(b.pieces) - 1
		b.falls = true
		if len(raw) > 0 || last < 0 {
			b.pieces = append(b.pieces, piece{raw: raw})
		} else if p := b.pieces[last]; p.jump == always && p.nested == 0 {
			b.falls = false
		}
		f.blocks = append(f.blocks, b)
		b, raw = basicBlock{}, nil
	}
	leave := func(j jump, target, nested int, pc []byte) {
		b.pieces = append(b.pieces, piece{raw: raw, jump: j, target: target, pc: pc, nested: nested})
		raw = nil
	}
	ends := false // the instruction before does not go on
	for at := 0; at < len(code); at++ {
		i := code[at]
		open := count - 1 - len(f.blocks) // blocks that are open around this one
		ended := ends
		ends = false
		switch i.op {
		case opIf:
			if i.raw[1] == noResult && at+4 < len(code) && code[at+4].op == opEnd {
				if to, ok := f.dispatch(code[at+1:at+4], nested+1+open); ok {
					leave(onTrue, to, nested, code[at+1].raw)
					at += 4
					continue
				}
			}
			nested++
		case opBlock, opLoop:
			nested++
		case opEnd:
			if nested > 0 {
				nested--
				break
			}
			end()
			if ended {
				f.blocks[len(f.blocks)-1].falls = false
			}
			if open == 0 {
				return code[at+1:], true
			}
			continue
		case opI32Const:
			if at+3 <= len(code) {
				if to, ok := f.dispatch(code[at:at+3], nested+open); ok {
					leave(always, to, nested, i.raw)
					at += 2
					continue
				}
			}
		case opBr, opBrIf:
			depth := int(i.operand)
			switch {
			case depth < nested: // within the block
				ends = i.op == opBr
			case f.unwind && depth == nested+open+1:
				j := onTrue
				if i.op == opBr {
					j = always
				}
				leave(j, unwound, nested, nil)
				continue
			default:
				return nil, false
			}
		case opBrTable:
			return nil, false
		case opCall, opCallVia:
			b.calls = b.calls || nested == 0
		case opReturn, opUnreachable:
			ends = nested == 0
		}
		raw = append(raw, i.raw...)
	}
	return nil, false
}

// dispatch recognizes a jump: PC_B = n, branch to the dispatch loop.
func (f *function) dispatch(code []instruction, depth int) (target int, ok bool) {
	if code[0].op != opI32Const || code[1].op != opLocalSet || code[1].operand != 0 ||
		code[2].op != opBr || code[2].operand != int64(depth) {
		return 0, false
	}
	pc := int(uint32(code[0].operand))
	return f.table[min(pc, len(f.table)-1)], true
}

// jumps calls each for every jump of a block to another one.
func (b *basicBlock) jumps(each func(target int)) {
	for _, p := range b.pieces {
		if p.jump != noJump && p.target != unwound {
			each(p.target)
		}
	}
}

// flat is every block in the compiler's order.
func (f *function) flat() []element {
	all := make([]element, len(f.blocks))
	for i := range all {
		all[i].block = i
	}
	return all
}

// element is a basic block, or a loop of several.
type element struct {
	block int // the block that is come in at
	loop  []element
}

// find is the place of the element that holds a block.
func find(in []element, block int) int {
	return slices.IndexFunc(in, func(e element) bool { return e.holds(block) })
}

func (e *element) holds(block int) bool {
	return e.block == block || find(e.loop, block) >= 0
}
