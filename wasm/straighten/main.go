// Command straighten makes WebAssembly that the Go compiler wrote faster and smaller, in place:
//
//	straighten FILE.wasm...
//
// The compiler has no goto to compile to, so it ends every basic block that does not run into the
// next one with a jump through a table at the head of the function, whatever the jump is for.
// Engines cannot see through that: each if costs an indirect jump, and what is in registers goes to
// memory and back. Nearly all of these jumps go forward, out of blocks that are open anyway, and a
// branch does; most of the others are loops. What is left, jumps back to where a call can return
// to, stays with the table. Besides, addresses on the stack and conditions are written shorter.
// The function's results and what it stores do not change, and so does no report.
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
	if len(args) == 0 {
		return errors.New("which FILE.wasm?")
	}
	for _, name := range args {
		in, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		out, err := straighten(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(name, out, 0o755); err != nil {
			return err
		}
	}
	return nil
}

var errModule = errors.New("not a WebAssembly module")

const sectionCode = 10

// straighten is the module with the bodies of its functions written anew.
func straighten(module []byte) ([]byte, error) { return eachBody(module, rewrite) }

// eachBody is the module with every function's body replaced by what replace makes of it.
func eachBody(module []byte, replace func([]byte) []byte) ([]byte, error) {
	if len(module) < 8 || string(module[:4]) != "\x00asm" {
		return nil, errModule
	}
	out := append(make([]byte, 0, len(module)), module[:8]...)
	for c := (&cursor{b: module, at: 8}); c.at < len(module); {
		id := c.byte()
		section := c.counted()
		if c.bad {
			return nil, errModule
		}
		if id == sectionCode {
			code := &cursor{b: section}
			count := code.unsigned()
			section = binary.AppendUvarint(nil, uint64(count))
			for ; count > 0 && !code.bad; count-- {
				body := replace(code.counted())
				section = binary.AppendUvarint(section, uint64(len(body)))
				section = append(section, body...)
			}
			if code.bad {
				return nil, errModule
			}
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(section)))
		out = append(out, section...)
	}
	return out, nil
}

// rewrite is a function's body, simplified and with direct jumps; a body that it cannot take apart
// stays as it is.
func rewrite(body []byte) []byte {
	locals, code, err := split(body)
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

// split is a body's declaration of locals and its instructions.
func split(body []byte) (locals []byte, code []instruction, err error) {
	c := &cursor{b: body}
	for n := c.unsigned(); n > 0 && !c.bad; n-- {
		c.unsigned()
		c.byte()
	}
	if c.bad {
		return nil, nil, errCode
	}
	code, err = decode(body[c.at:])
	return body[:c.at:c.at], code, err
}
