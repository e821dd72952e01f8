package facadetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

func storeRules() []storeRule {
	return slices.Concat(startRules(), outputRules(), endRules(), knownRules())
}

func startRules() []storeRule {
	return []storeRule{
		{
			Name: "start/end", Explanation: "A task runs once, and its end tells the exit code, the times and how much it wrote.",
			Run: func(x *storeTest) {
				for line, want := range map[string]facade.TaskState{"echo out": facade.TaskSucceeded, "echo out; exit 7": facade.TaskFailed} {
					info := x.submit(shell(line))
					if info.Label != line || info.Created.IsZero() {
						x.Errorf("the submitted task is %+v", info)
					}
					end := x.ends(info.ID)
					x.expect(end, want, map[facade.TaskState]int{facade.TaskFailed: 7}[want])
					if end.TotalBytes != 4 || end.Started == nil || end.Ended.Before(*end.Started) || end.Created.After(*end.Ended) {
						x.Errorf("%s ended as %+v", line, end)
					}
				}
			},
		},
		{
			Name: "start/arguments", Explanation: "The program gets its flags, the path of its file, its arguments and its environment, in its directory below the root.",
			Run: func(x *storeTest) {
				x.must(x.Root.MkdirAll("sub dir"))
				x.must(x.Root.WriteFile("sub dir/here", []byte("found"), 0o644))
				spec := facade.TaskSpec{
					Label: "script", Program: "/bin/sh", Flags: []string{"-e"}, File: "main.sh", Args: []string{"a b", "*"},
					Files: []facade.TaskFile{
						{Name: "main.sh", Data: []byte("echo \"$1|$2|$#|$GREETING\"; cat here; . \"$(dirname \"$0\")/other\"\n")},
						{Name: "other", Data: []byte("echo; echo sourced; echo x >\"$(dirname \"$0\")/new\"; false; echo never\n")},
					},
					Env: []string{"GREETING=hi there"}, Dir: "sub dir",
				}
				info := x.submit(spec)
				if got, _ := x.from(info.ID, 0, 1000); got != "a b|*|2|hi there\nfound\nsourced\n" {
					x.Errorf("the program wrote %q", got)
				}
				x.expect(x.ends(info.ID), facade.TaskFailed, 1)
			},
		},
		{
			Name: "start/name", Explanation: "A program is looked for by its name, or below the root; one that is not there is an error or a failed start.",
			Run: func(x *storeTest) {
				x.must(x.Root.WriteFile("bin/tool", []byte("#!/bin/sh\necho own \"$1\"\n"), 0o755))
				for program, want := range map[string]string{"echo": "x\n", "./bin/tool": "own x\n", "bin/tool": "own x\n"} {
					info := x.submit(facade.TaskSpec{Label: program, Program: program, Args: []string{"x"}})
					if got, _ := x.from(info.ID, 0, 1000); got != want {
						x.Errorf("%s wrote %q, want %q", program, got, want)
					}
				}
				for _, program := range []string{"no-such-program-at-all", "./bin/missing"} {
					ctx, cancel := x.limited()
					info, err := x.Tasks.Submit(ctx, facade.TaskSpec{Label: program, Program: program})
					cancel()
					if err != nil {
						if c := facade.CodeOf(err); c != facade.CodeNotFound && c != facade.CodeUnavailable {
							x.Errorf("submitting %s gives the code %s", program, c)
						}
						continue
					}
					if end := x.ends(info.ID); end.State != facade.TaskStartFailed || end.Reason == "" {
						x.Errorf("%s ended as %+v", program, end)
					}
				}
			},
		},
		{
			Name: "start/stdin", Explanation: "stdin reaches the program and then ends; without it the program reads the end at once.",
			Run: func(x *storeTest) {
				long := strings.Repeat("0123456789abcde\n", 20_000)
				for _, text := range []string{"", "a\nb", long} {
					spec := shell("cat")
					spec.Stdin = text
					if got, _ := x.from(x.submit(spec).ID, 0, 64<<10); got != text {
						x.Errorf("of %d bytes %d came back", len(text), len(got))
					}
				}
			},
		},
		{
			Name: "start/input", Needs: fed, Explanation: "A task is fed as it runs, behind its stdin, until its input is closed.",
			Run: func(x *storeTest) {
				spec := shell(`while read -r line; do echo "got $line"; done; echo "rest $line"`)
				spec.Stdin, spec.KeepInput = "one\n", true
				id := x.submit(spec).ID
				x.wait(id, 0)
				if n, err := x.feed(id, "two\n", false); n != 4 || err != nil {
					x.Errorf("the task took %d bytes, %v", n, err)
				}
				if n, err := x.feed(id, "three", true); n != 5 || err != nil {
					x.Errorf("at the end the task took %d bytes, %v", n, err)
				}
				if got, _ := x.from(id, 0, 1000); got != "got one\ngot two\nrest three\n" {
					x.Errorf("the task wrote %q", got)
				}
				if n, err := x.feed(id, "late", false); n != 0 || facade.CodeOf(err) != facade.CodeConflict {
					x.Errorf("after its end the task took %d bytes, %v", n, err)
				}
			},
		},
		{
			Name: "start/key", Explanation: "A second spec with a known key returns the first task and starts nothing; other keys start their own.",
			Run: func(x *storeTest) {
				spec := shell("echo ran")
				spec.Key = "once"
				var wg sync.WaitGroup
				ids := make([]string, 8)
				for i := range ids {
					wg.Go(func() { ids[i] = x.submit(spec).ID })
				}
				wg.Wait()
				if one := slices.Compact(ids); len(one) != 1 {
					x.Fatalf("one key gives the tasks %v", ids)
				}
				if got, _ := x.from(ids[0], 0, 1000); got != "ran\n" {
					x.Errorf("the task wrote %q", got)
				}
				if again := x.submit(spec); again.ID != ids[0] || !again.State.Done() {
					x.Errorf("after its end the key gives %+v", again)
				}
				spec.Key = "twice"
				other := x.submit(spec).ID
				if x.ends(other); other == ids[0] {
					x.Errorf("another key gives the same task")
				}
			},
		},
	}
}

func outputRules() []storeRule {
	return []storeRule{
		{
			Name: "output/offsets", Explanation: "Output is read by byte offset without gap or double, during the run and after, in pieces of any size.",
			Run: func(x *storeTest) {
				var want strings.Builder
				for i := range 20_000 {
					fmt.Fprintf(&want, "%09d\n", i)
				}
				id := x.submit(shell(`i=0; while [ $i -lt 20000 ]; do printf '%09d\n' $i; i=$((i+1)); done`)).ID
				if got, _ := x.from(id, 0, 7777); got != want.String() {
					x.Errorf("%d bytes came, want %d; the first are %.40q", len(got), want.Len(), got)
				}
				out := x.output(id, 100_000, 20)
				if string(out.Data) != "000010000\n000010001\n" || out.Next != 100_020 || out.Total != 200_000 || !out.Ended {
					x.Errorf("from the middle comes %+v", out)
				}
				if out := x.output(id, 200_000, 20); len(out.Data) > 0 || out.Next != 200_000 {
					x.Errorf("from the end comes %+v", out)
				}
				if out := x.output(id, 900_000, 20); len(out.Data) > 0 || out.Next != 200_000 {
					x.Errorf("from behind the end comes %+v", out)
				}
			},
		},
		{
			Name: "output/live", Explanation: "Output can be read as soon as it is written, and waiting for more ends with it.",
			Run: func(x *storeTest) {
				id := x.submit(shell("echo one; sleep 1; echo two; sleep 600")).ID
				for offset, want := range []string{0: "one\n", 4: "two\n"} {
					if want == "" {
						continue
					}
					x.wait(id, int64(offset))
					if out := x.output(id, int64(offset), 100); !strings.HasPrefix(string(out.Data), want) || out.Ended {
						x.Errorf("from byte %d comes %+v", offset, out)
					}
				}
				ctx, cancel := context.WithTimeout(direct(), 200*time.Millisecond)
				defer cancel()
				if err := x.Tasks.Wait(ctx, id, 8); !errors.Is(err, context.DeadlineExceeded) {
					x.Errorf("waiting for what does not come gives %v", err)
				}
				x.cancel(id)
				x.wait(id, 8) // no more will come
			},
		},
		{
			Name: "output/ended", Explanation: "Where output says that it has ended, it is whole and the state is final.",
			Run: func(x *storeTest) {
				ctx, cancel := x.limited()
				defer cancel()
				for range 10 {
					id := x.submit(shell("echo done")).ID
					out := x.output(id, 0, 10)
					for !out.Ended && ctx.Err() == nil {
						runtime.Gosched()
						out = x.output(id, 0, 10)
					}
					if info := x.get(id); string(out.Data) != "done\n" || !info.State.Done() || info.Ended == nil {
						x.Fatalf("at the end comes %+v, and the task is %+v", out, info)
					}
				}
			},
		},
		{
			Name: "output/streams", Explanation: "What was written to the standard error is marked.",
			Run: func(x *storeTest) {
				id := x.submit(shell("echo out; sleep 0.3; echo err >&2; sleep 0.3; echo more")).ID
				got, stderr := x.from(id, 0, 1000)
				if want := []facade.TaskSpan{{From: 4, To: 8}}; got != "out\nerr\nmore\n" || !slices.Equal(stderr, want) {
					x.Errorf("%q comes with %v from stderr, want %v", got, stderr, want)
				}
				if out := x.output(id, 5, 2); string(out.Data) != "rr" || len(out.Stderr) != 1 || out.Stderr[0] != (facade.TaskSpan{From: 5, To: 7}) {
					x.Errorf("from the middle comes %+v", out)
				}
			},
		},
		{
			Name: "output/bytes", Explanation: "Output is bytes: none is changed or lost.",
			Run: func(x *storeTest) {
				id := x.submit(shell(`printf '\000\377\376 \303'; sleep 0.2; printf '\274\r\n\033[0m'`)).ID
				if got, _ := x.from(id, 0, 3); got != "\x00\xff\xfe \xc3\xbc\r\n\x1b[0m" {
					x.Errorf("the task wrote %q", got)
				}
			},
		},
	}
}

func endRules() []storeRule {
	return []storeRule{
		{
			Name: "end/cancel", Explanation: "Canceling kills with all children; doing it again, or after the end, is no error and changes nothing.",
			Run: func(x *storeTest) {
				id := x.submit(shell("trap '' INT TERM; echo on; (trap '' INT TERM; sleep 600; echo no)& wait")).ID
				x.wait(id, 0)
				for range 2 {
					x.expect(x.cancel(id), facade.TaskCanceled, -1)
				}
				if got, _ := x.from(id, 0, 1000); got != "on\n" {
					x.Errorf("the task wrote %q", got)
				}
				id = x.submit(shell("exit 3")).ID
				x.ends(id)
				x.expect(x.cancel(id), facade.TaskFailed, 3)
			},
		},
		{
			Name: "end/timeout", Explanation: "At its time limit a task is killed; its output stays.",
			Run: func(x *storeTest) {
				spec := shell("echo on; sleep 600")
				spec.Timeout = time.Second
				id := x.submit(spec).ID
				x.expect(x.ends(id), facade.TaskTimedOut, -1)
				if got, _ := x.from(id, 0, 1000); got != "on\n" {
					x.Errorf("the task wrote %q", got)
				}
			},
		},
		{
			Name: "end/limit", Explanation: "A task that writes more than its limit is killed; its start stays.",
			Run: func(x *storeTest) {
				spec := shell("while :; do echo 0123456789; done")
				spec.OutputLimit = 100_000
				id := x.submit(spec).ID
				x.expect(x.ends(id), facade.TaskOutputLimit, -1)
				if out := x.output(id, 0, 22); string(out.Data) != "0123456789\n0123456789\n" || out.Total < 100_000 {
					x.Errorf("the start is %+v", out)
				}
			},
		},
	}
}

func knownRules() []storeRule {
	return []storeRule{
		{
			Name: "known/list", Explanation: "The list has the tasks that run and those that ended, the latest first, by tool and state on request.",
			Run: func(x *storeTest) {
				one, two, three := shell("sleep 600"), shell("exit 1"), shell("exit 0")
				one.Tool, two.Tool, three.Tool = "a", "a", "b"
				one.Session, two.Session, three.Session = "s", "t", "s"
				a, b, c := x.submit(one).ID, x.submit(two).ID, x.submit(three).ID
				x.ends(b)
				x.ends(c)
				for _, w := range []struct {
					filter facade.TaskFilter
					want   []string
				}{
					{facade.TaskFilter{}, []string{c, b, a}},
					{facade.TaskFilter{Tool: "a"}, []string{b, a}},
					{facade.TaskFilter{State: facade.TaskFailed}, []string{b}},
					{facade.TaskFilter{Limit: 2}, []string{c, b}},
					{facade.TaskFilter{Visible: func(i facade.TaskInfo) bool { return i.Session == "s" }}, []string{c, a}},
					{facade.TaskFilter{Tool: "none"}, []string{}},
				} {
					if got := x.list(w.filter); !slices.Equal(got, w.want) {
						x.Errorf("List(%+v) gives %v, want %v", w.filter, got, w.want)
					}
				}
				x.cancel(a)
			},
		},
		{
			Name: "known/not", Explanation: "A task that the store does not know is not_found, whatever its name is.",
			Run: func(x *storeTest) {
				ctx, cancel := x.limited()
				defer cancel()
				for _, id := range []string{"task-none", "", "..", "../x", "a/b", "a\x00b", strings.Repeat("x", 300)} {
					_, get := x.Tasks.Get(ctx, id)
					_, kill := x.Tasks.Cancel(ctx, id)
					_, out := x.Tasks.Output(ctx, id, 0, 10)
					for call, err := range map[string]error{"Get": get, "Cancel": kill, "Output": out, "Wait": x.Tasks.Wait(ctx, id, 0)} {
						if facade.CodeOf(err) != facade.CodeNotFound {
							x.Errorf("%s(%.20q) gives %v", call, id, err)
						}
					}
				}
			},
		},
		{
			Name: "known/again", Needs: reopens, Explanation: "Another host finds the tasks, reads on at the exact byte, and can cancel and feed them.",
			Run: func(x *storeTest) {
				spec := shell("i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.05; done; exit 5")
				id, sleeper := x.submit(spec).ID, x.submit(shell("echo on; sleep 600")).ID
				x.wait(id, 20)
				first := x.output(id, 0, 30)
				x.wait(sleeper, 0)
				x.must(x.Tasks.Close())
				x.Tasks = x.Again(x)
				rest, _ := x.from(id, first.Next, 1000)
				var want strings.Builder
				for i := range 40 {
					fmt.Fprintln(&want, "line", i)
				}
				if got := string(first.Data) + rest; got != want.String() {
					x.Errorf("over both hosts the task wrote %q", got)
				}
				x.expect(x.ends(id), facade.TaskFailed, 5)
				x.expect(x.cancel(sleeper), facade.TaskCanceled, -1)
				if got := x.list(facade.TaskFilter{}); !slices.Equal(got, []string{sleeper, id}) {
					x.Errorf("the other host lists %v, want %s, %s", got, sleeper, id)
				}
				next := x.submit(shell("echo new")).ID
				if x.ends(next); next == id || next == sleeper {
					x.Errorf("a new task takes the name %s", next)
				}
			},
		},
		{
			Name: "known/lost", Needs: loses, Explanation: "A task whose supervisor died is lost: its output stays, it is not started again, and others go on.",
			Run: func(x *storeTest) {
				spec := shell("echo ran >>runs; echo on; sleep 600")
				spec.Key = "lose"
				id, other := x.submit(spec).ID, x.submit(shell("sleep 2; echo fine")).ID
				x.wait(id, 0)
				x.Lose(x, id)
				x.expect(x.ends(id), facade.TaskLost, -1)
				x.expect(x.cancel(id), facade.TaskLost, -1)
				if again := x.submit(spec); again.ID != id || again.State != facade.TaskLost {
					x.Errorf("the lost task's key gives %+v", again)
				}
				x.expect(x.ends(other), facade.TaskSucceeded, 0)
				if got, _ := x.from(id, 0, 100); got != "on\n" {
					x.Errorf("of the lost task's output %q is left", got)
				}
				if runs, err := x.Root.ReadFile("runs"); err != nil || string(runs) != "ran\n" {
					x.Errorf("the runs are %q, %v", runs, err)
				}
			},
		},
		{
			Name: "known/many", Explanation: "Tasks submitted at the same time each end once, with their own output.",
			Run: func(x *storeTest) {
				var wg sync.WaitGroup
				for i := range 24 {
					wg.Go(func() {
						id := x.submit(shell(fmt.Sprintf("echo task %d; exit %d", i, i%3))).ID
						got, _ := x.from(id, 0, 100)
						info := x.ends(id)
						if got != fmt.Sprintf("task %d\n", i) || info.ExitCode == nil || *info.ExitCode != i%3 {
							x.Errorf("task %d wrote %q and is %+v", i, got, info)
						}
					})
				}
				wg.Wait()
				if ids := x.list(facade.TaskFilter{}); len(ids) != 24 {
					x.Errorf("%d tasks are listed", len(ids))
				}
			},
		},
	}
}
