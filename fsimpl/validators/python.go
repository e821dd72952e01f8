package validators

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// PythonSyntax is a validator that parses Python files with the real
// interpreter, without running them. The zero value uses python3.
type PythonSyntax struct {
	// Interpreter is the program, "" for python3.
	Interpreter string
	// Timeout is how long it may take; 0 means [DefaultTimeout].
	Timeout time.Duration
}

var _ facade.WriteValidator = (*PythonSyntax)(nil)

// parse reads the source from standard input and prints the syntax error, if
// there is one, as JSON. Whatever else goes wrong ends it with a status.
const parse = `import ast, json, sys
try:
    ast.parse(sys.stdin.buffer.read(), "<candidate>")
except (SyntaxError, ValueError) as e:
    print(json.dumps({"line": getattr(e, "lineno", 0) or 0, "message": getattr(e, "msg", None) or str(e)}))
`

// Name implements [facade.WriteValidator].
func (*PythonSyntax) Name() string { return "python-syntax" }

// Accepts implements [facade.WriteValidator].
func (*PythonSyntax) Accepts(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == ".py" || ext == ".pyi" || ext == ".pyw"
}

// ValidateWrite implements [facade.WriteValidator]. The error says that there
// is no interpreter or that it did not answer.
func (v *PythonSyntax) ValidateWrite(ctx context.Context, c facade.WriteCandidate) ([]facade.Finding, error) {
	interpreter := v.Interpreter
	if interpreter == "" {
		interpreter = "python3"
	}
	out, err := run(ctx, os.TempDir(), c.Content, v.Timeout, []string{interpreter, "-I", "-S", "-c", parse})
	if err != nil {
		return nil, fmt.Errorf("python-syntax: %w", err)
	}
	if out = strings.TrimSpace(out); out == "" {
		return nil, nil
	}
	var found struct {
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		return nil, fmt.Errorf("python-syntax: unexpected answer: %w", err)
	}
	return []facade.Finding{{Validator: v.Name(), Severity: "error", Line: found.Line, Message: found.Message}}, nil
}
