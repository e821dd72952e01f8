"""Start a process that tries to outlive us, in the way named by argv[1].

The escapee's process id is printed, then both sleep.
"""
import os
import signal
import sys
import time

kind = sys.argv[1]


def escapee(env=None):
    args = ["sleep", "600"]
    if env is None:
        os.execvp("sleep", args)
    os.execvpe("sleep", args, {"PATH": os.environ.get("PATH", "/usr/bin:/bin")})


def daemonize(run):
    """Fork twice with a new session between."""
    if os.fork() == 0:
        os.setsid()
        pid = os.fork()
        if pid == 0:
            run()
        print(pid, flush=True)
        os._exit(0)
    os.wait()


def hidden():
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.chdir("/")
    escapee(env={})


if kind == "daemon":
    daemonize(escapee)
elif kind == "clearenv":
    daemonize(lambda: escapee(env={}))
elif kind == "hidden":
    daemonize(hidden)
else:
    pid = os.fork()
    if pid == 0:
        if kind == "setpgid":
            os.setpgid(0, 0)
        elif kind == "setsid":
            os.setsid()
        elif kind == "ignoreterm":
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        escapee()
    print(pid, flush=True)
if len(sys.argv) > 2:  # end by ourselves
    sys.exit(0)
if kind == "ignoreterm":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(600)
