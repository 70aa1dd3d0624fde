package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "straighten:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: straighten IN.wasm OUT.wasm")
	}
	in, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	out, err := straighten(in)
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], out, 0o755)
}

var errModule = errors.New("not a WebAssembly module")

const sectionCode = 10

// straighten is the module with the bodies of its functions written anew.
func straighten(in []byte) ([]byte, error) {
	if len(in) < 8 || string(in[:4]) != "\x00asm" {
		return nil, errModule
	}
	out := append(make([]byte, 0, len(in)), in[:8]...)
	for c := (&cursor{b: in, at: 8}); c.at < len(in); {
		id := c.byte()
		size := c.unsigned()
		from := c.at
		if c.skip(size); c.bad {
			return nil, errModule
		}
		section := in[from:c.at]
		if id == sectionCode {
			var err error
			if section, err = straightenCode(section); err != nil {
				return nil, err
			}
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(section)))
		out = append(out, section...)
	}
	return out, nil
}

func straightenCode(section []byte) ([]byte, error) {
	c := &cursor{b: section}
	count := c.unsigned()
	out := binary.AppendUvarint(nil, uint64(count))
	for ; count > 0; count-- {
		size := c.unsigned()
		from := c.at
		if c.skip(size); c.bad {
			return nil, errModule
		}
		body := rewrite(section[from:c.at])
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// rewrite is a function's body, simplified and with direct jumps; a body that it cannot take apart
// stays as it is.
func rewrite(body []byte) []byte {
	c := &cursor{b: body}
	for n := c.unsigned(); n > 0 && !c.bad; n-- {
		c.unsigned()
		c.byte()
	}
	if c.bad {
		return body
	}
	locals := body[:c.at:c.at]
	code, err := decode(body[c.at:])
	if err != nil {
		return body
	}
	code = simplify(code, keepsStackPointer(code))
	if f, ok := parse(code); ok {
		if out, err := f.emit(f.loops()); err == nil {
			return append(locals, out...)
		}
		if out, err := f.emit(f.flat()); err == nil {
			return append(locals, out...)
		}
	}
	out := locals
	for _, i := range code {
		out = append(out, i.raw...)
	}
	return out
}
