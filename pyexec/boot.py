"""Run a program as python itself would, with two differences: its directory
comes last in the search path, so that no file of the project hides a module of
the standard library, and figures left open become artifacts."""
import os
import sys


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    artifacts = os.path.join(here, "artifacts")
    os.mkdir(artifacts)
    os.environ["PYTHON_ARTIFACTS"] = artifacts
    os.environ["MPLCONFIGDIR"] = here
    file, name = sys.argv[1:3]
    sys.argv = [name] + sys.argv[3:]
    sys.path[:] = [p for p in sys.path if p != here]
    sys.path.append(os.path.dirname(os.path.abspath(file)) if file else os.getcwd())
    module = type(sys)("__main__")
    module.__file__, module.__builtins__ = name, __builtins__
    sys.modules["__main__"] = module
    with open(file or os.path.join(here, "main.py"), "rb") as f:
        source = f.read()

    def hook(kind, error, trace):
        # The first two lines are of this file.
        for _ in range(2):
            trace = trace.tb_next if trace is not None else None
        sys.__excepthook__(kind, error.with_traceback(trace), trace)

    def figures():
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for n in pyplot.get_fignums():
            pyplot.figure(n).savefig(os.path.join(artifacts, "figure-%d.png" % n))

    import atexit

    atexit.register(figures)
    sys.excepthook = hook
    exec(compile(source, name, "exec"), module.__dict__)


main()
