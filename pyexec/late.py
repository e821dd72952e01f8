# What the launcher in boot.py needs when a program fails or draws.
def hook(kind, error, trace):
    import linecache, traceback

    if isinstance(error, SyntaxError) and error.filename == "<string>":
        error.filename = name
    linecache.cache[name] = (0, None, source().decode("utf-8", "replace").splitlines(True), name)
    while trace is not None and trace.tb_frame.f_code.co_filename in ("<string>", load.__code__.co_filename):
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace)


def figures():
    pyplot = sys.modules["matplotlib.pyplot"]
    for n in pyplot.get_fignums():
        pyplot.figure(n).savefig("%s/figure-%d.png" % (artifacts, n))
