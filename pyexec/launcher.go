package pyexec

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
)

// The launcher of cold programs, and what it needs of late.py and rich.py.
var (
	//go:embed boot.py
	bootSource string
	//go:embed late.py
	late string
)

// program is the file that the launcher and a program are put into, in a
// directory of the task's own, which goes when the program has ended. As an
// argument the launcher would cost a start more than all that it does: the
// interpreter copies and decodes its arguments several times.
const program = "program"

// ask has an interpreter tell about itself, and compile the launcher, which is
// otherwise a twentieth of each start. An interpreter of another version falls
// back on the source, behind the other texts.
const ask = `import json, sys
start, code = "", ""
try:
    import base64, marshal
    magic = "getattr(sys.modules.get('_frozen_importlib_external'), 'MAGIC_NUMBER', 0)"
    raw = marshal.dumps(compile(sys.argv[1], "<string>", "exec"))
    start = """import sys, marshal
with open(sys.argv[1], "rb") as f:
    code, texts = f.read(%d), f.read().split(b"\\f", 3)
exec(marshal.loads(code) if %s == %r else texts[2])""" % (len(raw), magic, eval(magic))
    code = base64.b64encode(raw).decode()
except Exception:
    pass
print(json.dumps({"executable": sys.executable, "base": sys.base_prefix, "prefix": sys.prefix, "minor": sys.version_info[1], "start": start, "code": code}))`

// compiled is the launcher as an interpreter compiled it; both are empty when
// it did not.
type compiled struct {
	Start string `json:"start"` // the program that runs Code
	Code  []byte `json:"code"`
}

// boot is how an interpreter starts programs: with -c start, and as the first
// argument the path of a file that begins with head, behind which the program is.
type boot struct {
	start string
	head  []byte
}

// launcher is how an interpreter starts programs that compiled c.
func (c compiled) launcher() boot {
	if c.Start == "" {
		c = compiled{Start: `import sys
with open(sys.argv[1], "rb") as f:
    texts = f.read().split(b"\f", 3)
exec(texts[2])`}
	}
	return boot{start: c.Start, head: slices.Concat(c.Code, []byte(strings.Join([]string{late, rich, bootSource, ""}, "\f")))}
}

// alone is the launcher and a program as a file that an interpreter runs.
func alone(code string) string {
	return "import os, sys\nsys.argv.insert(1, os.path.abspath(sys.argv[0]))\ntexts = [t.encode() for t in [" +
		literal(late) + ", " + literal(rich) + ", \"\", " + literal(code) + "]]\n" + bootSource
}

// literal is a text as Python writes it: as JSON does.
func literal(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		return `""` // never: text has a form in JSON
	}
	return string(raw)
}
