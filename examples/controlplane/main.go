// Controlplane shows other people's tools built with this library: six of them,
// over an embedded store, with tokens that are checked before every action.
//
//	controlplane -data ./plane -token SECRET <<'END'
//	{"tool":"project","action":"create","name":"shop"}
//	{"tool":"session","action":"spawn","project":"shop","prompt":"Fix the failing test."}
//	END
//
// Each line is a call, each answer a line: {"status":"success","result":…} or
// {"status":"error","error":…}. The first start prints the first token on
// standard error. Schedules run while the program does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/toolfacade/toolfacade/sandbox"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "controlplane:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("controlplane", flag.ContinueOnError)
	flags.SetOutput(stderr)
	data := flags.String("data", "plane", "`directory` of the store and the workspaces")
	token := flags.String("token", os.Getenv("CONTROLPLANE_TOKEN"), "`secret` of the caller; the default is CONTROLPLANE_TOKEN")
	name := flags.String("sandbox", "auto", "what contains the containers: auto, none, namespaces or bubblewrap")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var box sandbox.Sandbox
	if *name != "auto" {
		if box, err = sandbox.Named(ctx, *name); err != nil {
			return err
		}
	}
	p, err := Open(*data, box)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	first, err := p.First(ctx)
	if err != nil {
		return err
	}
	if first != "" {
		fmt.Fprintln(stderr, "the first token, shown only now:", first)
	}
	ctx, stop := context.WithCancel(ctx)
	ticking := make(chan error, 1)
	go func() { ticking <- p.tick(ctx) }()
	err = p.serve(ctx, *token, in, out)
	stop()
	return errors.Join(err, <-ticking)
}

// tick runs the schedules until the context ends.
func (p *Plane) tick(ctx context.Context) error {
	clock := time.NewTicker(time.Second)
	defer clock.Stop()
	for {
		select {
		case now := <-clock.C:
			if _, err := p.Tick(ctx, now); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// maxLine is how long a call may be.
const maxLine = 1 << 20

// serve answers the calls of one caller.
func (p *Plane) serve(ctx context.Context, token string, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() && ctx.Err() == nil {
		if _, err := fmt.Fprintf(out, "%s\n", p.answer(ctx, token, lines.Bytes())); err != nil {
			return err
		}
	}
	return lines.Err()
}

// answer serves one line. The tool's name is taken out; the rest are the
// arguments.
func (p *Plane) answer(ctx context.Context, token string, line []byte) []byte {
	var args map[string]json.RawMessage
	if err := json.Unmarshal(line, &args); err != nil {
		return []byte(`{"status":"error","error":"a call is an object on one line"}`)
	}
	var tool string
	if err := json.Unmarshal(args["tool"], &tool); err != nil {
		return []byte(`{"status":"error","error":"field 'tool' is required"}`)
	}
	delete(args, "tool")
	rest, err := json.Marshal(args)
	if err != nil {
		return []byte(`{"status":"error","error":"internal"}`)
	}
	res, _ := p.Call(ctx, token, tool, rest) // what the error says, the result says too
	return res.Envelope()
}
