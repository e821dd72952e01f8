"""Own one task: keep what it writes, feed it, end it, and write down how it ended.

The task is a child already. Descriptors: 2 a file for tracebacks, 3 the task's
directory, 4 its lock, held as long as this process lives, 5 and 6 the child's
outputs, 7 its input, 8 its process id. Arguments: see task.go, which writes them.
"""
import os
import select
import sys
import time

import _socket

CAP, LIMIT, TIMEOUT, GRACE, DELAY, KEEP = map(int, sys.argv[1:7])
CHUNK = 1 << 20
TAIL = 256 << 10
STREAMS = 1 << 20
INT, TERM, KILL = 2, 15, 9


def store(name, data):
    """Write a file at once and for good."""
    fd = os.open(name + ".tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(fd, data)
    os.fsync(fd)
    os.close(fd)
    os.rename(name + ".tmp", name)
    os.fsync(3)


def partial(data):
    """Count the bytes at the end that start a character without ending it."""
    for i in range(1, min(3, len(data)) + 1):
        c = data[-i]
        if c & 0xC0 != 0x80:
            return i if c >= 0xC0 and i < (2 if c < 0xE0 else 3 if c < 0xF0 else 4) else 0
    return 0


class Log:
    """The output: its start in a file, and behind the file's cap the end."""

    def __init__(self):
        self.file = os.open("output", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.index = os.open("streams", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.indexed = 0
        self.last = 0
        self.total = 0
        # Both streams are read into one buffer, behind each other, so that the
        # end of the output is always there without being copied.
        self.buffer = memoryview(bytearray(TAIL + 2 * CHUNK))
        self.at = 0
        self.flushed = self.flushed_at = 0

    def read(self, fd):
        """Read behind what was read."""
        if len(self.buffer) - self.at < CHUNK + 8:
            kept = min(TAIL, self.at)
            self.buffer[:kept] = self.buffer[self.at - kept : self.at]
            self.at = kept
        return self.buffer[self.at : self.at + os.readv(fd, [self.buffer[self.at : self.at + CHUNK]])]

    def write(self, stream, data):
        """Keep what was read last, or other text in its place."""
        if data.obj is not self.buffer.obj:
            self.buffer[self.at : self.at + len(data)] = data
        self.at += len(data)
        if stream != self.last and self.indexed < STREAMS:
            os.write(self.index, (self.total << 1 | stream).to_bytes(8, "little"))
            self.indexed += 8
            self.last = stream
        room = CAP - self.total
        if room > 0:
            at = 0
            while at < min(room, len(data)):
                at += os.write(self.file, data[at:room])
        self.total += len(data)

    def flush(self):
        """Show the end behind the cap."""
        if self.total <= CAP or self.flushed == self.total:
            return
        fd = os.open("tail.tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        tail = self.buffer[max(0, self.at - TAIL) : self.at]
        os.write(fd, (self.total - len(tail)).to_bytes(8, "little") + tail)
        os.close(fd)
        os.rename("tail.tmp", "tail")
        self.flushed, self.flushed_at = self.total, time.monotonic()


class Input:
    """What the child is to read. Requests wait for their turn."""

    def __init__(self, fd):
        self.fd, self.queue = fd, []
        os.set_blocking(fd, False)

    def add(self, data, eof, reply):
        if self.fd is None:
            reply(b"closed 0\n")
            return
        self.queue.append([data, 0, eof, reply])

    def pump(self):
        while self.queue and self.fd is not None:
            data, at, eof, reply = first = self.queue[0]
            try:
                while at < len(data):
                    at += os.write(self.fd, data[at : at + CHUNK])
            except BlockingIOError:
                first[1] = at
                return
            except OSError:
                self.close()
                return
            self.queue.pop(0)
            if eof:
                self.close()
            reply(b"ok %d\n" % at)

    def drop(self, reply):
        """Forget a request, and return how much of it was taken."""
        for r in self.queue:
            if r[3] == reply:
                self.queue.remove(r)
                return r[1]
        return 0

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None
        waiting, self.queue = self.queue, []
        for _, at, _, reply in waiting:
            reply(b"closed %d\n" % at)


class Call:
    """A host on the control socket: a line, and for input the bytes it counts."""

    def __init__(self, task, conn):
        self.task, self.conn, self.got = task, conn, b""
        self.data = None

    def read(self):
        try:
            more = self.conn.recv(CHUNK)
        except OSError:
            more = b""
        if not more:  # the host waits no longer
            if self.data is None:
                self.end()
            else:
                self.reply(b"busy %d\n" % self.task.input.drop(self.reply))
            return
        self.got += more
        line, found, rest = self.got.partition(b"\n")
        if not found or self.data is not None:
            return
        words = line.split()
        if words == [b"cancel"]:
            self.task.stop("canceled")
            self.reply(b"ok 0\n")
        elif len(words) == 3 and words[0] == b"input":
            if len(rest) >= int(words[1]):
                self.data = rest
                self.task.input.add(rest, words[2] == b"eof", self.reply)
        else:
            self.end()

    def reply(self, line):
        try:
            self.conn.send(line)
        except OSError:
            pass
        self.end()

    def end(self):
        self.task.input.drop(self.reply)
        self.task.forget(self.conn.fileno())
        self.conn.close()


class Task:
    def __init__(self):
        self.pid = int.from_bytes(os.read(8, 8), sys.byteorder)
        self.started = time.time()
        self.deadline = time.monotonic() + TIMEOUT / 1000 if TIMEOUT else None
        self.cause = "exited"
        self.rung = 0
        self.ended = None
        self.log = Log()
        self.input = Input(7)
        self.held = {5: b"", 6: b""}
        self.poll = select.poll()
        self.calls = {}
        self.open = set()
        for fd in self.held:
            self.watch(fd, select.POLLIN)
        self.exits = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        if self.exits >= 0:
            self.watch(self.exits, select.POLLIN)
        self.server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_NONBLOCK)
        self.server.bind("control")
        self.server.listen(64)
        self.watch(self.server.fileno(), select.POLLIN)

    def watch(self, fd, events):
        self.poll.register(fd, events)
        self.open.add(fd)

    def forget(self, fd):
        if fd in self.open:
            self.open.remove(fd)
            self.poll.unregister(fd)
        self.calls.pop(fd, None)

    def describe(self):
        boot = ""
        try:
            with open("/proc/sys/kernel/random/boot_id") as f:
                boot = f.read().strip()
        except OSError:
            pass
        store("start.json", b'{"pid":%d,"pid_start":%d,"supervisor":%d,"supervisor_start":%d,"boot_id":"%s","started":%d}' % (
            self.pid, begun(self.pid), os.getpid(), begun(os.getpid()), boot.encode(), self.started * 1e9))

    def feed(self):
        try:
            with open("stdin", "rb") as f:
                text = f.read()
            os.unlink("stdin")
        except OSError:
            text = b""
        self.input.add(text, not KEEP, lambda line: None)

    def stop(self, cause):
        if self.rung == 0 and self.ended is None:
            self.cause = cause
            self.climb()

    def climb(self):
        """Ask, insist, then kill."""
        self.deadline = time.monotonic() + GRACE / 1000
        self.signal((INT, TERM, KILL)[min(self.rung, 2)])
        self.rung += 1
        if self.rung >= 3:
            self.sweep()

    def signal(self, number):
        try:
            os.kill(-self.pid, number)
        except OSError:
            pass

    def sweep(self):
        """Kill all children, which those of dead children become."""
        found = [p for p in children() if p != self.pid]
        for pid in found:
            try:
                os.kill(pid, KILL)
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass
        return found

    def reap(self):
        """See the child's end, and end what it left."""
        self.signal(KILL)  # as long as the child is a zombie its group is its own
        _, self.status, self.usage = os.wait4(self.pid, 0)
        if self.exits >= 0:
            self.forget(self.exits)
        self.ended = time.time()
        self.input.close()
        self.left, end = self.sweep(), time.monotonic() + 0.5
        while self.left and time.monotonic() < end:
            time.sleep(0.002)
            self.left = self.sweep()
        self.deadline = time.monotonic() + DELAY / 1000

    def gone(self):
        """Report whether the child has ended, without taking its end."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def take(self, fd):
        """Read one output; whole characters of a stream stay together."""
        data = self.log.read(fd)
        n, held = len(data), self.held[fd]
        if held:
            data = memoryview(held + bytes(data))
        keep = partial(data) if n else 0
        self.held[fd] = bytes(data[len(data) - keep :])
        if len(data) > keep:
            self.log.write(fd - 5, data[: len(data) - keep])
        if not n:
            self.forget(fd)
            os.close(fd)
        if LIMIT and self.log.total > LIMIT:
            self.stop("output_limit")

    def turn(self):
        """Wait for something to happen, and handle it."""
        now = time.monotonic()
        wait = 3600 if self.deadline is None else max(0, self.deadline - now)
        if self.exits < 0 and self.ended is None:
            wait = min(wait, 0.02)
        if self.log.total > CAP and self.log.flushed != self.log.total:
            if now - self.log.flushed_at > 0.1:
                self.log.flush()
            else:
                wait = min(wait, 0.1)
        if self.input.fd is not None and self.input.queue:
            self.poll.register(self.input.fd, select.POLLOUT)
        events = self.poll.poll(int(wait * 1000) + 1)
        if self.input.fd is not None and self.input.queue:
            self.poll.unregister(self.input.fd)
            self.input.pump()
        for fd, _ in events:
            if fd in self.held and fd in self.open:
                self.take(fd)
            elif fd == self.server.fileno():
                self.accept()
            elif fd in self.calls:
                self.calls[fd].read()
        if self.ended is None and self.gone():
            self.reap()
        elif self.ended is None and self.deadline is not None and time.monotonic() >= self.deadline:
            if self.rung == 0:
                self.cause = "timed_out"
            self.climb()

    def accept(self):
        try:
            fd, _ = self.server._accept()
        except OSError:
            return
        conn = _socket.socket(fileno=fd)
        conn.setblocking(True)
        self.calls[fd] = Call(self, conn)
        self.watch(fd, select.POLLIN)

    def run(self):
        self.describe()
        self.feed()
        self.input.pump()
        while self.ended is None or (self.open & {5, 6} and time.monotonic() < self.deadline):
            self.turn()
        for fd, rest in self.held.items():
            if rest:
                self.log.write(fd - 5, memoryview(rest))
        self.log.flush()
        self.finish()

    def finish(self):
        import json

        code = os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else -1
        number = os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0
        os.unlink("control")
        store("exit.json", json.dumps({
            "cause": self.cause, "code": code, "signal": number, "total": self.log.total,
            "ended": int(self.ended * 1e9), "leaked": [{"pid": p, "command": title(p)} for p in self.left],
            "cpu": int((self.usage.ru_utime + self.usage.ru_stime) * 1e9), "max_rss": self.usage.ru_maxrss << 10,
        }).encode())


def stat(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as f:
            return f.read().rpartition(b")")[2].split()
    except OSError:
        return []


def begun(pid):
    """When a process started, in the kernel's ticks."""
    fields = stat(pid)
    return int(fields[19]) if len(fields) > 19 else 0


def title(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as f:
            return f.read(200).replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""


def children():
    me = str(os.getpid()).encode()
    return [int(p) for p in os.listdir("/proc") if p.isdigit() and stat(int(p))[1:2] == [me]]


if len(sys.argv) > 6:
    os.fchdir(3)
    Task().run()
