package main

import "encoding/binary"

const (
	opGlobalGet  = 0x23
	opLoadFirst  = 0x28
	opLoadLast   = 0x35
	opStoreFirst = 0x36
	opStoreLast  = 0x3e
	opI64Const   = 0x42
	opI32Eqz     = 0x45
	opI64Eqz     = 0x50
	opI32Add     = 0x6a
	opI64Add     = 0x7c
	opWrap       = 0xa7 // i32.wrap_i64
	opExtend     = 0xad // i64.extend_i32_u
)

// stackPointer is the local that a function of the compiler keeps its stack pointer in.
const stackPointer = 1

// narrow is what a load of 64 bits is when only the lower 32 are looked at.
var narrow = map[byte]byte{
	0x29: 0x28, // i64.load     i32.load
	0x31: 0x2d, // i64.load8_u  i32.load8_u
	0x33: 0x2f, // i64.load16_u i32.load16_u
	0x35: 0x28, // i64.load32_u i32.load
}

// opposite is the comparison of integers that is true when another is false.
var opposite = map[byte]byte{
	0x46: 0x47, 0x47: 0x46, 0x48: 0x4e, 0x49: 0x4f, 0x4a: 0x4c, 0x4b: 0x4d, 0x4c: 0x4a, 0x4d: 0x4b, 0x4e: 0x48, 0x4f: 0x49,
	0x51: 0x52, 0x52: 0x51, 0x53: 0x59, 0x54: 0x5a, 0x55: 0x57, 0x56: 0x58, 0x57: 0x55, 0x58: 0x56, 0x59: 0x53, 0x5a: 0x54,
}

// simplify says the same in fewer instructions: addresses on the stack, conditions, and loads that
// the compiler makes wider than they are used.
func simplify(code []instruction, stacked bool) []instruction {
	out := make([]instruction, 0, len(code))
	for at := 0; at < len(code); at++ {
		if offset, ok := stackAddress(code[at:]); ok && stacked {
			out = append(out, code[at])
			at += 4
			if user := addressUser(code[at+1:]); user >= 0 && widen(&code[at+1+user], offset) {
				continue
			}
			out = append(out, plain(opI32Const, offset), instruction{op: opI32Add, raw: []byte{opI32Add}})
			continue
		}
		out = append(out, code[at])
		tests := at+1 < len(code) && (code[at+1].op == opBrIf || code[at+1].op == opIf)
		for shorter := true; shorter; {
			out, shorter = reduce(out, tests)
		}
	}
	return out
}

// reduce replaces the last two instructions, if there is something shorter.
func reduce(out []instruction, tests bool) ([]instruction, bool) {
	n := len(out) - 2
	if n < 0 {
		return out, false
	}
	a, b := out[n], out[n+1]
	single := func(op byte) ([]instruction, bool) {
		return append(out[:n], instruction{op: op, raw: []byte{op}}), true
	}
	switch {
	case a.op == opExtend && b.op == opI64Eqz:
		return single(opI32Eqz)
	case a.op == opExtend && b.op == opWrap:
		return out[:n], true
	case a.op == opI32Eqz && b.op == opI32Eqz && tests:
		return out[:n], true
	case b.op == opI32Eqz && opposite[a.op] != 0:
		return single(opposite[a.op])
	case b.op == opWrap && narrow[a.op] != 0:
		c := cursor{b: a.raw, at: 1}
		align := min(c.unsigned(), 2)
		return append(out[:n], memory(narrow[a.op], align, c.unsigned())), true
	}
	return out, false
}

// stackAddress recognizes the address of a place on the stack: SP, widened, plus a constant, narrowed.
func stackAddress(code []instruction) (offset int64, ok bool) {
	if len(code) < 5 || code[0].op != opLocalGet || code[0].operand != stackPointer || code[1].op != opExtend ||
		code[2].op != opI64Const || code[3].op != opI64Add || code[4].op != opWrap {
		return 0, false
	}
	offset = code[2].operand
	return offset, offset >= 0 && offset < 1<<20 // as far as a frame is large, and no sum overflows
}

// addressUser is the load or store that uses the address which lies on the stack before code; -1
// when something else does, or it is not that easy to see.
func addressUser(code []instruction) int {
	above := 0 // values on top of the address
	for i, c := range code {
		pops, pushes := 0, 1
		switch op := c.op; {
		case op == opLocalGet, op == opI32Const, op == opI64Const, op == 0x43, op == 0x44:
		case op >= opLoadFirst && op <= opLoadLast:
			if above == 0 {
				return i
			}
			pops = 1
		case op >= opStoreFirst && op <= opStoreLast:
			if above == 1 {
				return i
			}
			pops, pushes = 2, 0
		case op == opI32Eqz, op == opI64Eqz, op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b, op >= 0xa7 && op <= 0xc4:
			pops = 1
		case op >= 0x46 && op <= 0x66, op >= opI32Add && op <= 0x78, op >= opI64Add && op <= 0x8a:
			pops = 2
		default:
			return -1
		}
		if above -= pops; above < 0 {
			return -1
		}
		above += pushes
	}
	return -1
}

// widen adds to the offset of a load or a store.
func widen(i *instruction, offset int64) bool {
	c := cursor{b: i.raw, at: 1}
	align := c.unsigned()
	sum := int64(c.unsigned()) + offset
	if c.bad || sum >= 1<<31 {
		return false
	}
	*i = memory(i.op, align, int(sum))
	return true
}

func memory(op byte, align, offset int) instruction {
	raw := binary.AppendUvarint([]byte{op}, uint64(align))
	return instruction{op: op, raw: binary.AppendUvarint(raw, uint64(offset))}
}

// plain is an instruction with one signed operand.
func plain(op byte, operand int64) instruction {
	raw := []byte{op}
	for v := operand; ; v >>= 7 {
		b := byte(v & 0x7f)
		if v>>6 == 0 || v>>6 == -1 {
			return instruction{op: op, operand: operand, raw: append(raw, b)}
		}
		raw = append(raw, b|0x80)
	}
}
