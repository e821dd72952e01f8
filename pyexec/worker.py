# A warm interpreter. It takes programs from the socket 3, each with its three
# standard descriptors, one at a time, and from the pipe 4 the numbers of signals
# for the one that runs. "pool" forks for each and ends all that it
# leaves; "session" runs them in this very process, which keeps their variables.
# The text of rich.py is in front of this one, as rich.
import os, signal, sys
import array, json, socket, struct

mode, box, preloads = sys.argv[1], sys.argv[2] == "contained", sys.argv[3:]
channel = socket.socket(fileno=3)
for fd in (3, 4):
    os.set_inheritable(fd, False)
os.set_blocking(4, False)
name = "<code>"
main = type(sys)("__main__")
main.__file__ = name


def receive():
    """One request: its length, itself, and with the first byte the descriptors."""
    data, rights, _, _ = channel.recvmsg(1 << 16, socket.CMSG_SPACE(3 * 4))
    fds = array.array("i")
    for _, _, raw in rights:
        fds.frombytes(raw[: len(raw) // 4 * 4])
    while data and (len(data) < 4 or len(data) < 4 + struct.unpack("<I", data[:4])[0]):
        more = channel.recv(1 << 16)
        data = data + more if more else b""
    return (json.loads(data[4:]), list(fds)) if data else (None, [])


def drain():
    """Forget signals for a program that has ended."""
    try:
        while os.read(4, 64):
            pass
    except BlockingIOError:
        pass


def send(**message):
    channel.sendall(json.dumps(message).encode() + b"\n")


def display(*values, **options):
    """Load the real one, and use it from now on."""
    loaded = {}
    exec(rich, loaded)
    __builtins__.display = loaded["display"]
    loaded["display"](*values, **options)


def threads():
    return len(os.listdir("/proc/self/task"))


def prepare(request, fds):
    """Become the program: its descriptors, directory, variables and arguments."""
    for i, fd in enumerate(fds):
        os.dup2(fd, i)
        os.close(fd)
    os.chdir(request["dir"])
    os.environ.clear()
    for entry in request["env"]:
        key, _, value = entry.partition("=")
        os.environ[key] = value
    here = request["here"]
    os.environ["MPLCONFIGDIR"] = here
    os.environ["PYTHON_ARTIFACTS"] = here + "/artifacts"
    os.environ["PYTHON_RESULTS"] = here + "/results.jsonl"
    os.makedirs(here + "/artifacts", exist_ok=True)
    sys.argv[:] = request["argv"]
    where = os.path.dirname(os.path.abspath(request["file"])) if request["script"] else os.getcwd()
    sys.path[:] = base + [where]
    main.__dict__["__file__"] = sys.argv[0]
    sys.modules["__main__"] = main


def report(file):
    import linecache, traceback

    kind, error, trace = sys.exc_info()
    with open(file, encoding="utf-8", errors="replace") as f:
        linecache.cache[sys.argv[0]] = (0, None, f.readlines(), sys.argv[0])
    while trace is not None and trace.tb_frame.f_code.co_filename == "<string>":
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace)


def run(request, echo):
    """Run the program. Return its exit code, and whether it asked to end."""
    ended = False
    try:
        with open(request["file"], "rb") as f:
            source = f.read()
        if echo:
            evaluate(source)
        else:
            exec(compile(source, sys.argv[0], "exec"), main.__dict__)
        code = 0
    except SystemExit as e:
        ended = True
        if e.code is None or isinstance(e.code, int):
            code = (e.code or 0) & 255
        else:
            print(e.code, file=sys.stderr)
            code = 1
    except BaseException:
        report(request["file"])
        code = 1
    figures()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    return code, ended


def evaluate(source):
    """Run a source and show the value that it ends with, as the prompt does."""
    import ast

    tree = ast.parse(source, sys.argv[0])
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, sys.argv[0], "exec"), main.__dict__)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), sys.argv[0], "eval"), main.__dict__)
        if value is not None:
            main.__dict__["_"] = value
            print(repr(value))


def figures():
    pyplot = sys.modules.get("matplotlib.pyplot")
    for n in pyplot.get_fignums() if pyplot else ():
        pyplot.figure(n).savefig("%s/figure-%d.png" % (os.environ["PYTHON_ARTIFACTS"], n))
    if pyplot:
        pyplot.close("all")


def reseed():
    if "random" in sys.modules:
        sys.modules["random"].seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()


# What most programs do, which makes the memory they need the child's own.
STEPS = """
import os, sys
class C: pass
def f(*args, **options):
    return [str(a) for a in args]
try:
    f(1, 2.5, {"a": C()}, *sys.path, b=repr(sorted(os.environ.items())))
    raise ValueError("%d" % len(sys.modules))
except ValueError as e:
    "{}".format(e)
"""


def stand_by():
    """Fork the child that takes the next program as soon as there is one, and
    return its id and what it says that with. Forking takes longer than most
    programs, and so do the first steps after it, so both are done ahead."""
    taken, tell = os.pipe()
    pid = os.fork()
    if pid:
        os.close(tell)
        return pid, taken
    code = 1
    try:
        os.close(taken)
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        reseed()
        exec(compile(STEPS, "", "exec"), {})
        request, fds = receive()
        if request is None:
            os._exit(0)
        channel.close()
        os.close(4)
        os.write(tell, b"1")
        os.close(tell)
        prepare(request, fds)
        code, _ = run(request, False)
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        if "atexit" in sys.modules:
            sys.modules["atexit"]._run_exitfuncs()
    finally:
        os._exit(code)


def others():
    """The children of this process, which those of dead children become."""
    me = str(os.getpid())
    for p in os.listdir("/proc"):
        if p.isdigit():
            try:
                with open("/proc/%s/stat" % p) as f:
                    if f.read().rpartition(")")[2].split()[1] == me:
                        yield int(p)
            except OSError:
                pass


def clean():
    """End all that a program left: its orphans are children of this process."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return
    left = list(others())
    while left:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except OSError:
                pass
        left = list(others())


def shared():
    """What lies in the directories that all programs of one sandbox share."""
    found = set()
    for top in ("/tmp", "/dev/shm") if box else ():
        device = os.lstat(top).st_dev
        todo = [top]
        while todo:
            for entry in os.scandir(todo.pop()):
                status = entry.stat(follow_symlinks=False)
                if status.st_dev == device:  # else it is the root, or a task's
                    found.add((entry.path, status.st_ino, status.st_mtime_ns if entry.is_file(follow_symlinks=False) else 0))
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
    return found


def serve_pool():
    import ctypes, gc, select

    compile("", "", "exec")  # sets up what each child would set up otherwise
    if os.getpid() != 1 and ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0) != 0:
        return send(refused="the orphans of programs cannot be adopted here")
    for module in preloads:
        __import__(module)
    if threads() != 1:
        return send(refused="the preloaded modules start native threads: %d" % threads())
    probe = os.fork()  # a canary
    if not probe:
        os._exit(42)
    if os.waitstatus_to_exitcode(os.waitpid(probe, 0)[1]) != 42:
        return send(refused="a forked interpreter does not live")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    before = shared()
    send(ready=True, watch=[sys.executable] + [p for p in sys.path if "site-packages" in p or "dist-packages" in p])
    while threads() == 1:
        pid, taken = stand_by()
        begun = os.read(taken, 1)
        os.close(taken)
        if not begun:  # the host is gone
            return
        drain()
        send(pid=pid)
        status = wait(pid)
        clean()
        # One that left files for the next is not used again.
        ended = shared() != before
        send(code=-1 if status < 0 else status, signal=-status if status < 0 else 0, ended=ended)
        if ended:
            return


def wait(pid):
    import select

    poll = select.poll()
    watch = os.pidfd_open(pid)
    poll.register(watch, select.POLLIN)
    poll.register(4, select.POLLIN)
    try:
        while True:
            for fd, _ in poll.poll():
                if fd == watch:
                    try:
                        os.kill(-pid, signal.SIGKILL)
                    except OSError:
                        pass
                    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                number = os.read(4, 1)
                if not number:  # the host is gone
                    clean()
                    os._exit(0)
                os.kill(-pid, number[0])
    finally:
        os.close(watch)


def interrupts():
    """Hand signals to the main thread, also when it waits in the kernel."""
    import select

    while select.select([4], [], []) and os.read(4, 1):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


def serve_session():
    global threading
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=interrupts, daemon=True).start()
    send(ready=True, watch=[])
    while True:
        request, fds = receive()
        if request is None:
            return
        prepare(request, fds)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            try:
                code, ended = run(request, True)
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:
            code, ended = 1, False
        null = os.open(os.devnull, os.O_RDWR)
        for i in range(3):
            os.dup2(null, i)
        os.close(null)
        send(code=code, signal=0, ended=ended)
        if ended:
            return


base = [p for p in sys.path if p]
__builtins__.display = display
if mode == "pool":
    serve_pool()
else:
    main.__dict__["__builtins__"] = __builtins__
    serve_session()
