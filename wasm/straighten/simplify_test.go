package main

import (
	"bytes"
	"testing"
)

func TestSimplify(t *testing.T) {
	const store, load = 0x37, 0x29
	for name, c := range map[string]struct{ from, to []byte }{
		"a load from the stack":           {[]byte{0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7, load, 3, 8}, []byte{0x20, 1, load, 3, 24}},
		"a store to the stack":            {[]byte{0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7, 0x20, 5, store, 3, 0}, []byte{0x20, 1, 0x20, 5, store, 3, 16}},
		"a store of what is loaded":       {[]byte{0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7, 0x20, 5, 0xa7, load, 3, 4, 0x20, 6, 0x7c, store, 3, 0}, []byte{0x20, 1, 0x20, 5, 0xa7, load, 3, 4, 0x20, 6, 0x7c, store, 3, 16}},
		"an address that is kept":         {[]byte{0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7, 0x21, 7}, []byte{0x20, 1, 0x41, 16, 0x6a, 0x21, 7}},
		"an address behind a call":        {[]byte{0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7, 0x10, 7, store, 3, 0}, []byte{0x20, 1, 0x41, 16, 0x6a, 0x10, 7, store, 3, 0}},
		"an address that is added to":     {[]byte{0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7, 0x20, 5, 0x6a, load, 3, 0}, []byte{0x20, 1, 0x41, 16, 0x6a, 0x20, 5, 0x6a, load, 3, 0}},
		"a large offset":                  {[]byte{0x20, 1, 0xad, 0x42, 0x80, 0x20, 0x7c, 0xa7, 0x21, 7}, []byte{0x20, 1, 0x41, 0x80, 0x20, 0x6a, 0x21, 7}},
		"not of the stack":                {[]byte{0x20, 2, 0xad, 0x42, 16, 0x7c, 0xa7, load, 3, 8}, []byte{0x20, 2, 0xad, 0x42, 16, 0x7c, 0xa7, load, 3, 8}},
		"below the stack":                 {[]byte{0x20, 1, 0xad, 0x42, 0x78, 0x7c, 0xa7, load, 3, 8}, []byte{0x20, 1, 0xad, 0x42, 0x78, 0x7c, 0xa7, load, 3, 8}},
		"a pointer":                       {[]byte{0x20, 3, load, 3, 8, 0xa7}, []byte{0x20, 3, 0x28, 2, 8}},
		"a byte":                          {[]byte{0x20, 3, 0x31, 0, 9, 0xa7}, []byte{0x20, 3, 0x2d, 0, 9}},
		"a signed byte stays":             {[]byte{0x20, 3, 0x30, 0, 9, 0xa7}, []byte{0x20, 3, 0x30, 0, 9, 0xa7}},
		"a condition that is widened":     {[]byte{0x50, 0xad, 0x50, 0x45, opBrIf, 0}, []byte{0x50, opBrIf, 0}},
		"a condition that is narrowed":    {[]byte{0x54, 0xad, 0xa7, opBrIf, 0}, []byte{0x54, opBrIf, 0}},
		"not less is greater or equal":    {[]byte{0x53, 0x45, opBrIf, 0}, []byte{0x59, opBrIf, 0}},
		"a double negation of a value":    {[]byte{0x20, 2, 0x45, 0x45, 0x21, 3}, []byte{0x20, 2, 0x45, 0x45, 0x21, 3}},
		"a float's comparison is no less": {[]byte{0x63, 0x45, opBrIf, 0}, []byte{0x63, 0x45, opBrIf, 0}},
	} {
		code, err := decode(c.from)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []byte
		for _, i := range simplify(code, true) {
			got = append(got, i.raw...)
		}
		if !bytes.Equal(got, c.to) {
			t.Errorf("%s: % x became % x, want % x", name, c.from, got, c.to)
		}
	}
}

// Local 1 is the stack pointer only in functions that begin as the compiler's do.
func TestSimplifyWithoutStackPointer(t *testing.T) {
	from := []byte{0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7, 0x29, 3, 8}
	code, err := decode(from)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for _, i := range simplify(code, false) {
		got = append(got, i.raw...)
	}
	if !bytes.Equal(got, from) {
		t.Errorf("% x became % x", from, got)
	}
}

func TestOpposite(t *testing.T) {
	for op, other := range opposite {
		if opposite[other] != op {
			t.Errorf("the opposite of the opposite of %#x is %#x", op, opposite[other])
		}
	}
}

func TestPlain(t *testing.T) {
	for _, v := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 19, -1, -64, -65, -1 << 31} {
		i := plain(opI32Const, v)
		code, err := decode(i.raw)
		if err != nil || len(code) != 1 || code[0].operand != v {
			t.Errorf("%d is written as % x, which is %v", v, i.raw, code)
		}
	}
}
