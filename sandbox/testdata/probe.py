"""Try to do what a contained program must not. One line per probe:
name, then "blocked" or "DONE" and a detail.

No probe may harm the machine where it succeeds: files are made without a name,
and system calls get arguments that the kernel refuses for another reason.
"""
import ctypes
import os
import signal
import socket
import subprocess
import sys

secret, outside, port, path_socket, host_pid, abstract = sys.argv[1:7]
only = sys.argv[7:]
libc = ctypes.CDLL(None, use_errno=True)
CALLS = {
    "x86_64": dict(ptrace=101, keyctl=250, add_key=248, bpf=321, perf=298, io_uring=425, unshare=272, setns=308, mount=165,
                   userfaultfd=323, open_tree=428, vm_readv=310, clone3=435, chroot=161, pidfd_getfd=438, syslog=103),
    "aarch64": dict(ptrace=117, keyctl=219, add_key=217, bpf=280, perf=241, io_uring=425, unshare=97, setns=268, mount=40,
                    userfaultfd=282, open_tree=428, vm_readv=270, clone3=435, chroot=51, pidfd_getfd=438, syslog=116),
}[os.uname().machine]


def call(name, *args):
    ctypes.set_errno(0)
    r = libc.syscall(CALLS[name], *args)
    if r < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return r


def refused(name, *args):
    """The filter has to refuse it, not the arguments."""
    try:
        call(name, *args)
    except OSError as e:
        if e.errno not in (1, 38):
            return "reached: %s" % e
        raise
    return "reached"


def connect(family, address):
    s = socket.socket(family, socket.SOCK_STREAM)
    s.settimeout(2)
    s.connect(address)
    return "connected"


def fork_namespace():  # of its own, which ends with it
    pid = libc.syscall({"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x10000000 | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    if pid < 0:
        raise OSError(ctypes.get_errno() or 1, "clone")
    os.waitpid(pid, 0)
    return "forked"


def environment():
    for pid in (p for p in os.listdir("/proc") if p.isdigit()):
        try:
            if b"HOST_SECRET" in open("/proc/%s/environ" % pid, "rb").read():
                return "found in " + pid
        except OSError:
            pass
    raise OSError(2, "not found")


def descriptors():
    extra = [n for n in os.listdir("/proc/self/fd") if int(n) > 3]
    if extra:
        return " ".join(extra)
    raise OSError(2, "none")


def capabilities():
    for line in open("/proc/self/status"):
        if line.startswith(("CapEff", "CapPrm", "CapBnd", "CapAmb")) and int(line.split()[1], 16):
            return line.strip()
    raise OSError(1, "none")


def write(path):
    with open(path, "w") as f:
        f.write("x")
    return "wrote"


def nameless(directory):
    """A file that is gone when it is closed."""
    os.close(os.open(directory, os.O_WRONLY | os.O_TMPFILE, 0o600))
    return "made a file"


def tmp_size():
    s = os.statvfs("/tmp")
    if s.f_blocks * s.f_frsize > 300 << 20:
        return "%d bytes" % (s.f_blocks * s.f_frsize)
    raise OSError(28, "bounded")


def link_out():
    os.symlink(outside, "link")
    return write("link")


def sticky():
    import fcntl
    fcntl.ioctl(0, 0x5412, b"x")
    return "pushed"


def hostname():
    if libc.sethostname(None, 1) < 0:
        e = ctypes.get_errno()
        if e == 14:
            return "reached"
        raise OSError(e, os.strerror(e))


def others():
    n = [p for p in os.listdir("/proc") if p.isdigit()]
    if len(n) > 4:
        return "%d processes" % len(n)
    raise OSError(3, "only ours")


def writable_proc():
    """What lies beside the processes is the whole machine's. Opening changes nothing."""
    for top in ("/proc/sys", "/proc/irq", "/proc/bus", "/proc/mtrr", "/proc/sysrq-trigger"):
        files = [top] if os.path.isfile(top) else [os.path.join(d, f) for d, _, fs in os.walk(top) for f in fs]
        for path in files:
            try:
                os.close(os.open(path, os.O_WRONLY))
                return path
            except OSError:
                pass
    raise OSError(30, "nothing")


def move_protected():
    """Put something else in the place of a protected directory's parent."""
    os.rename("parent", "elsewhere")
    os.rename("elsewhere", "parent")
    return "moved"


def old_calls():
    """getpid by the 32-bit way, whose numbers a filter of 64-bit calls does not know."""
    if os.uname().machine != "x86_64":
        raise OSError(38, "there is one way only")
    import mmap
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20; int 0x80; ret
    pid = os.fork()
    if pid == 0:
        ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        raise OSError(38, "killed by signal %d" % os.WTERMSIG(status))
    return "called"


def must_be_no_tty():
    try:
        return sticky()
    except OSError as e:
        if e.errno != 1:
            return "reached: %s" % e
        raise


probes = {
    "read /etc/shadow": lambda: open("/etc/shadow").read()[:10],
    "read a secret outside": lambda: open(secret).read(),
    "list /root": lambda: str(os.listdir("/root")[:1] or "empty") if os.listdir("/root") else (_ for _ in ()).throw(OSError(2, "empty")),
    "list /home": lambda: str(os.listdir("/home")),
    "host environment": environment,
    "write /etc": lambda: nameless("/etc"),
    "write /usr": lambda: nameless("/usr"),
    "write /": lambda: nameless("/"),
    "write outside": lambda: write(outside),
    "write outside through a link": link_out,
    "write the protected file": lambda: write("protected/file"),
    "write a kernel setting": lambda: os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)) or "opened",
    "write beside the processes": writable_proc,
    "list the kernel's keys": lambda: open("/proc/keys").read() or (_ for _ in ()).throw(OSError(2, "empty")),
    "read the kernel's log": lambda: refused("syslog", 10, 0, 0),
    "move the protected file's parent": move_protected,
    "32-bit calls": old_calls,
    "terminal of the host": lambda: os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)) or "opened",
    "mount": lambda: refused("mount", 0, 0, 0, 0, 0),
    "open_tree": lambda: refused("open_tree", -100, 0, 0),
    "chroot": lambda: refused("chroot", 0),
    "loopback of the host": lambda: connect(socket.AF_INET, ("127.0.0.1", int(port))),
    "socket file": lambda: connect(socket.AF_UNIX, path_socket),
    "abstract socket": lambda: connect(socket.AF_UNIX, "\0" + abstract),
    "vsock": lambda: str(socket.socket(40, socket.SOCK_STREAM)),
    "raw socket": lambda: str(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)),
    "kill a host process": lambda: str(os.kill(int(host_pid), 0)),
    "see host processes": others,
    "unshare": lambda: refused("unshare", 1),
    "clone a namespace": fork_namespace,
    "clone3": lambda: refused("clone3", 0, 0),
    "setns": lambda: refused("setns", 0, 0),
    "ptrace": lambda: refused("ptrace", 0, 0, 0, 0),
    "read another's memory": lambda: refused("vm_readv", 1, 0, 0, 0, 0, 0),
    "pidfd_getfd": lambda: refused("pidfd_getfd", 0, 0, 0),
    "keyctl": lambda: refused("keyctl", 0, 0, 0, 0, 0),
    "add_key": lambda: refused("add_key", 0, 0, 0, 0, 0),
    "bpf": lambda: refused("bpf", 0, 0, 0),
    "perf": lambda: refused("perf", 0, 0, 0, 0, 0),
    "io_uring": lambda: refused("io_uring", 1, 0),
    "userfaultfd": lambda: refused("userfaultfd", 0),
    "push into a terminal": must_be_no_tty,
    "capabilities": capabilities,
    "inherited descriptors": descriptors,
    "unbounded /tmp": tmp_size,
    "host block device": lambda: os.mknod("sda", 0o660 | 0o060000, os.makedev(8, 0)) or "made",
    "set a host name": hostname,
}
for name, probe in probes.items():
    if only and name not in only:
        continue
    try:
        print(name, "DONE", probe(), sep="\t", flush=True)
    except OSError as e:
        print(name, "blocked", e, sep="\t", flush=True)
