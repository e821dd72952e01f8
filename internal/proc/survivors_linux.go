package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// awaitExit waits until the child has ended and leaves it to be reaped: while
// it is a zombie its group's number cannot be somebody else's.
func awaitExit(pid int) {
	var info unix.Siginfo
	for errors.Is(unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
}

func killProcess(s Survivor) { _ = unix.Kill(s.PID, unix.SIGKILL) }

// stat is what the sweep reads of a process.
type stat struct {
	pid, parent int
	session     int
	state       byte
	name        string
}

// readStat reads /proc/PID/stat. The name may hold blanks and parentheses.
func readStat(pid int) (stat, bool) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, false
	}
	return parseStat(pid, raw)
}

func parseStat(pid int, raw []byte) (stat, bool) {
	from, to := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if from < 0 || to < from {
		return stat{}, false
	}
	f := bytes.Fields(raw[to+1:])
	if len(f) < 4 || len(f[0]) != 1 || f[0][0] < 'A' || f[0][0] > 'z' {
		return stat{}, false
	}
	parent, err := strconv.Atoi(string(f[1]))
	session, sessionErr := strconv.Atoi(string(f[3]))
	return stat{pid: pid, parent: parent, session: session, state: f[0][0], name: string(raw[from+1 : to])}, err == nil && sessionErr == nil
}

// fewIDs is how many ids are tried one by one; more make a look at all of /proc
// cheaper.
const fewIDs = 128

// newer lists the ids of processes that were given out after ours; some may be
// nobody's, or those of threads, even of this process: see [leads]. Ids grow
// until they wrap around.
func (p *Process) newer() []int {
	last := lastPID()
	var pids []int
	if given := last - p.os.Pid; given >= 0 && given <= fewIDs {
		for pid := p.os.Pid + 1; pid <= last; pid++ {
			pids = append(pids, pid)
		}
		return pids
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }() // it was only read
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == p.os.Pid {
			continue
		}
		wrapped := last < p.os.Pid
		if pid > p.os.Pid || wrapped && pid <= last {
			pids = append(pids, pid)
		}
	}
	return pids
}

// lastPID is the id given out last.
func lastPID() int {
	fd, err := unix.Open("/proc/loadavg", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	var raw [128]byte
	n, _ := unix.Read(fd, raw[:])
	line := bytes.TrimSpace(raw[:max(n, 0)])
	last, _ := strconv.Atoi(string(line[bytes.LastIndexByte(line, ' ')+1:]))
	return last
}

// family lists the living processes that are ours: descendants, those of the
// terminal's session, those that carry the mark and those that hold an output.
func (p *Process) family() []Survivor {
	pids := p.newer()
	if len(pids) == 0 {
		return nil // the rule
	}
	slices.Sort(pids)
	pipes := p.pipes()
	ours := map[int]bool{p.os.Pid: true}
	var found []Survivor
	for again := true; again; { // a child may have a smaller id than its parent
		again = false
		for _, pid := range pids {
			s, ok := readStat(pid)
			if !ok || ours[pid] || s.state == 'Z' || s.state == 'X' {
				continue
			}
			if leads(pid) && (ours[s.parent] || p.cmd.Terminal && s.session == p.os.Pid || p.marked(pid) || holds(pid, pipes)) {
				ours[pid], again = true, true
				found = append(found, Survivor{PID: pid, Command: commandLine(s)})
			}
		}
	}
	return found
}

// leads reports whether an id is that of a process. /proc has a directory for
// each thread too, though it lists none of them.
func leads(id int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
	return err == nil && bytes.Contains(raw, fmt.Appendf(nil, "\nTgid:\t%d\n", id))
}

func (p *Process) marked(pid int) bool { return marked(pid, p.mark) }

func marked(pid int, mark string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(env, []byte(MarkVariable(mark)))
}

// KillMarked kills the processes that carry a mark, whoever their parent is,
// and returns those that are still there. Nothing can kill those of another
// user or those that cleared their environment.
func KillMarked(mark string) []Survivor {
	end := time.Now().Add(sweepFor)
	for {
		var left []Survivor
		entries, _ := os.ReadDir("/proc")
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil || pid == os.Getpid() || !marked(pid, mark) {
				continue
			}
			if st, ok := readStat(pid); ok && st.state != 'Z' && st.state != 'X' {
				left = append(left, Survivor{PID: pid, Command: commandLine(st)})
			}
		}
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
		for _, p := range left {
			killProcess(p)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// pipes names our ends as /proc/PID/fd does.
func (p *Process) pipes() []string {
	var names []string
	for _, r := range p.readers {
		conn, err := r.SyscallConn()
		if err != nil {
			continue
		}
		_ = conn.Control(func(fd uintptr) {
			var st unix.Stat_t
			if unix.Fstat(int(fd), &st) == nil {
				names = append(names, fmt.Sprintf("pipe:[%d]", st.Ino))
			}
		})
	}
	return names
}

// holds reports whether a process can write to one of the pipes. One that can
// read from it too is no survivor but a copy of this process, between the fork
// and the exec of some other command.
func holds(pid int, pipes []string) bool {
	if pid == os.Getpid() {
		return false
	}
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	fds, _ := f.Readdirnames(-1)
	writes := false
	for _, fd := range fds {
		target, err := os.Readlink(dir + "/" + fd)
		if err != nil || !slices.Contains(pipes, target) {
			continue
		}
		// The permissions of the link are the access that the descriptor has.
		info, err := os.Lstat(dir + "/" + fd)
		if err != nil || info.Mode()&0o400 != 0 {
			return false
		}
		writes = true
	}
	return writes
}

func commandLine(s stat) string {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.pid))
	line := strings.TrimSpace(strings.ReplaceAll(string(raw), "\x00", " "))
	if line == "" {
		line = "[" + s.name + "]"
	}
	if len(line) > 200 {
		line = string(trimEnd([]byte(line[:200]))) + "…"
	}
	return valid([]byte(line))
}

// sweepFor is how long a killed process may take to disappear.
const sweepFor = 500 * time.Millisecond

// sweep kills what the command left behind and returns what is still there. A
// process that left the group, cleared its environment, closed the outputs and
// lost its parent before cannot be told from anybody else's: only containment
// holds it.
func (p *Process) sweep() []Survivor {
	if p.cmd.Contained {
		return nil
	}
	end := time.Now().Add(sweepFor)
	var killed []Survivor
	for {
		left := p.family()
		for _, s := range left {
			killProcess(s)
		}
		killed = append(killed, left...)
		// One that was killed loses its mark and its files before it is gone.
		left = slices.DeleteFunc(slices.Concat(p.cut, killed), func(s Survivor) bool {
			st, ok := readStat(s.PID)
			return !ok || st.state == 'Z' || st.state == 'X'
		})
		if len(left) == 0 || time.Now().After(end) {
			slices.SortFunc(left, func(a, b Survivor) int { return a.PID - b.PID })
			return slices.CompactFunc(left, func(a, b Survivor) bool { return a.PID == b.PID })
		}
		time.Sleep(2 * time.Millisecond)
	}
}
