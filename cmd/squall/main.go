// Command squall runs scenarios, compares them, explains policies and grades recordings. It only
// knows flags, files and exit statuses; every rule of the domain lives in the packages below.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"

	"github.com/alecthomas/kong"

	"squall/engine"
)

// grammar is the whole command line.
type grammar struct {
	Run     runCommand     `cmd:"" help:"Run scenarios and print what was measured. Status 0: every expectation holds, 1: one fails, 2: something is invalid."`
	Band    bandCommand    `cmd:"" help:"Run a scenario over a band of seeds, on this machine or on Workers (--on). Status as of run."`
	Compare compareCommand `cmd:"" help:"Run two scenarios, or one and its variants, on the same seeds, and say which measures separate. Status as of run."`
	Explain explainCommand `cmd:"" help:"Walk through the worst case of every policy of a scenario."`
	Check   checkCommand   `cmd:"" help:"Read scenarios and report every problem with its place, without running them. Status 2 if there is one."`
	Grade   gradeCommand   `cmd:"" help:"Grade what services did with injected faults. Status 0: gate met, 1: below it, 2: usage, 3: worse than the baseline, 4: no grade although required, 5: unreadable input."`
	Serve   serveCommand   `cmd:"" help:"Serve the playground on this machine and print its address."`
	Version versionCommand `cmd:"" help:"Print the version of the engine."`
}

// The statuses that run and compare exit with; grade has its own (grading.md 8).
const (
	holds   status = 0
	fails   status = 1
	invalid status = 2
)

// status is an exit status; as an error it means that everything was already said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// err is nil for a status of 0.
func (s status) err() error {
	if s == 0 {
		return nil
	}
	return s
}

// console is what a command reads and writes.
type console struct {
	ctx      context.Context
	in       io.Reader
	out, err io.Writer
}

// complain prints one line about something that is wrong.
func (c *console) complain(format string, args ...any) {
	fmt.Fprintf(c.err, format+"\n", args...)
}

func main() { os.Exit(run(os.Args[1:])) }

// run is main with a status instead of an exit.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // who interrupts again does not want to wait
	var g grammar
	exited := -1
	parser, err := kong.New(&g,
		kong.Name("squall"),
		kong.Description("Runs client resilience policies against dependencies that misbehave, to the last bit the same on every machine, and grades what services did with injected faults."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Exit(func(code int) { exited = code; panic(errExited) }),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, "squall:", err)
		return int(invalid)
	}
	parsed, err := parse(parser, args)
	switch {
	case err == errExited:
		return exited
	case err != nil:
		fmt.Fprintln(os.Stderr, "squall:", err)
		fmt.Fprintln(os.Stderr, `Try "squall --help".`)
		return int(invalid)
	}
	return code(parsed.Run(&console{ctx: ctx, in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

var errExited = errors.New("exited")

// parse turns kong's exit after --help into an error.
func parse(parser *kong.Kong, args []string) (parsed *kong.Context, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != errExited {
				panic(r)
			}
			err = errExited
		}
	}()
	return parser.Parse(args)
}

// code is the exit status of what a command returned; what is no status yet is said now.
func code(err error) int {
	var s status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &s):
		return int(s)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "squall: interrupted")
		return 130
	}
	fmt.Fprintln(os.Stderr, "squall:", err)
	return int(invalid)
}

type versionCommand struct{}

func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintf(c.out, "squall %s (%s, %s/%s)\n", engine.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
