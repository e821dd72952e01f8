# Runs a program as python itself would, but: its directory comes last in the
# search path, so that no file of the project hides a module of the standard
# library; figures left open become artifacts; display reports results.
# Arguments: a file in the directory of the task, a script or "" for the program
# in texts, its name, its arguments. What few programs need is in the first texts,
# late.py and rich.py; all of them are of bytes, and read by whoever runs this.
import os, sys

script, name = sys.argv[2:4]
here = os.path.dirname(sys.argv[1])
os.environ["MPLCONFIGDIR"] = here
os.environ["PYTHON_ARTIFACTS"] = artifacts = here + "/artifacts"
os.environ["PYTHON_RESULTS"] = here + "/results.jsonl"
os.mkdir(artifacts)


def late(text, function):
    exec(texts[text], globals())
    return globals()[function]


def source():
    if not script:
        return texts[3]
    with open(script, "rb") as f:
        return f.read()


def load():
    """Read and compile a source. The builtin compile sets up the module ast
    first, a tenth of the interpreter's start; exec of a text does not, and
    tracing hands out the code object before anything of it runs."""
    raw = source()
    if raw[:2] == b"\xff\xfe" or b"coding" in raw[:400]:
        return compile(raw, name, "exec")
    text, taken = (raw[3:] if raw[:3] == b"\xef\xbb\xbf" else raw).decode(), []

    def take(frame, event, arg):
        taken.append(frame.f_code)
        raise InterruptedError

    sys.settrace(take)
    try:
        exec(text, {})
    except InterruptedError:
        pass
    finally:
        sys.settrace(None)
    return rename(taken[0])


def rename(code):
    kind = type(code)
    return code.replace(co_filename=name, co_consts=tuple(rename(c) if type(c) is kind else c for c in code.co_consts))


where = os.path.dirname(os.path.abspath(script)) if script else os.getcwd()
sys.path[:] = [p for p in sys.path if p and p != here] + [where]
sys.argv[:] = sys.argv[3:]
sys.excepthook = lambda *error: late(0, "hook")(*error)
main = sys.modules["__main__"] = type(sys)("__main__")
main.__file__, main.__builtins__ = name, __builtins__
__builtins__.display = lambda *values, **options: late(1, "display")(*values, **options)
try:
    exec(load(), main.__dict__)
finally:
    if "matplotlib.pyplot" in sys.modules:
        late(0, "figures")()
