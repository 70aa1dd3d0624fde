package main

import (
	"encoding/binary"
	"errors"
)

// The instructions that this program tells apart; what it does not know it copies.
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opBrTable     = 0x0e
	opReturn      = 0x0f
	opCall        = 0x10
	opCallVia     = 0x11
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opI32Const    = 0x41

	noResult = 0x40 // the type of a block that leaves nothing on the stack
)

var errCode = errors.New("an instruction that the Go compiler does not emit")

// instruction is one instruction of a body: its bytes and, where it has one, its first operand.
type instruction struct {
	op      byte
	operand int64
	raw     []byte
	table   []int // of a br_table, the default last
}

// cursor reads the numbers of the binary format.
type cursor struct {
	b   []byte
	at  int
	bad bool
}

func (c *cursor) byte() byte {
	if c.at >= len(c.b) {
		c.bad = true
		return 0
	}
	c.at++
	return c.b[c.at-1]
}

func (c *cursor) skip(n int) {
	if n < 0 || n > len(c.b)-c.at {
		c.bad = true
		return
	}
	c.at += n
}

// counted is a stretch of bytes behind the number of them.
func (c *cursor) counted() []byte {
	n := c.unsigned()
	from := c.at
	if c.skip(n); c.bad {
		return nil
	}
	return c.b[from:c.at]
}

func (c *cursor) unsigned() int {
	v, n := binary.Uvarint(c.b[c.at:])
	if n <= 0 || v > 1<<32 {
		c.bad = true
		return 0
	}
	c.at += n
	return int(v)
}

func (c *cursor) signed() int64 {
	var v int64
	for shift := uint(0); shift < 70; shift += 7 {
		b := c.byte()
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if shift < 57 && b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	c.bad = true
	return 0
}

// decode takes the instructions of a body apart.
func decode(body []byte) ([]instruction, error) {
	c := &cursor{b: body}
	code := make([]instruction, 0, len(body)/2)
	for c.at < len(body) {
		from := c.at
		i := instruction{op: c.byte()}
		switch op := i.op; {
		case op == opBlock, op == opLoop, op == opIf, op == opI32Const, op == 0x42:
			i.operand = c.signed()
		case op == opBr, op == opBrIf, op == opCall, op >= opLocalGet && op <= 0x24:
			i.operand = int64(c.unsigned())
		case op == opCallVia, op >= 0x28 && op <= 0x3e: // two numbers: loads and stores, too
			c.unsigned()
			c.unsigned()
		case op == opBrTable:
			for n := c.unsigned(); n >= 0 && !c.bad; n-- {
				i.table = append(i.table, c.unsigned())
			}
		case op == 0x3f, op == 0x40: // the size of memory
			c.skip(1)
		case op == 0x43:
			c.skip(4)
		case op == 0x44:
			c.skip(8)
		case op == 0xfc:
			switch sub := c.unsigned(); {
			case sub <= 7: // saturating conversions
			case sub == 10: // memory.copy
				c.skip(2)
			case sub == 11: // memory.fill
				c.skip(1)
			default:
				return nil, errCode
			}
		case op == opUnreachable, op == 0x01, op == opElse, op == opEnd, op == opReturn, op == 0x1a, op == 0x1b,
			op >= 0x45 && op <= 0xc4:
		default:
			return nil, errCode
		}
		if c.bad {
			return nil, errCode
		}
		i.raw = body[from:c.at]
		code = append(code, i)
	}
	return code, nil
}
