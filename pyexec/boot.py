# Runs a program as python itself would, but: its directory comes last in the
# search path, so that no file of the project hides a module of the standard
# library; figures left open become artifacts. Arguments: the program's own
# file, a script to run in its place or "", its name, its arguments. The text of
# rich.py is in front of this one, as rich.
import os, sys

here = os.path.dirname(sys.argv[1])
os.environ["MPLCONFIGDIR"] = here
os.environ["PYTHON_ARTIFACTS"] = artifacts = here + "/artifacts"
os.environ["PYTHON_RESULTS"] = here + "/results.jsonl"
os.mkdir(artifacts)


def display(*values, **options):
    loaded = {}
    exec(rich, loaded)
    __builtins__.display = loaded["display"]
    loaded["display"](*values, **options)


def load(file):
    """Read and compile a source. The builtin compile sets up the module ast
    first, a tenth of the interpreter's start; exec of a text does not, and
    tracing hands out the code object before anything of it runs."""
    with open(file, "rb") as f:
        raw = f.read()
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


def hook(kind, error, trace):
    import linecache, traceback

    if isinstance(error, SyntaxError) and error.filename == "<string>":
        error.filename = name
    with open(file, encoding="utf-8", errors="replace") as f:
        linecache.cache[name] = (0, None, f.readlines(), name)
    while trace is not None and trace.tb_frame.f_code.co_filename in ("<string>", hook.__code__.co_filename):
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace)


def figures():
    pyplot = sys.modules.get("matplotlib.pyplot")
    for n in pyplot.get_fignums() if pyplot else ():
        pyplot.figure(n).savefig("%s/figure-%d.png" % (artifacts, n))


file, name = sys.argv[2] or sys.argv[1], sys.argv[3]
where = os.path.dirname(os.path.abspath(file)) if sys.argv[2] else os.getcwd()
sys.path[:] = [p for p in sys.path if p and p != here] + [where]
sys.argv[:] = sys.argv[3:]
sys.excepthook = hook
__builtins__.display = display
main = sys.modules["__main__"] = type(sys)("__main__")
main.__file__, main.__builtins__ = name, __builtins__
try:
    exec(load(file), main.__dict__)
finally:
    figures()
