package facade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// contractCodes is the table of the contract.
var contractCodes = map[facade.Code]int{
	"unknown_action": 400, "invalid_argument": 400,
	"is_directory": 400, "not_directory": 400, "not_regular": 400,
	"outside_root": 403, "permission_denied": 403, "protected_path": 403, "denied": 403, "needs_approval": 403,
	"not_found":      404,
	"already_exists": 409, "not_empty": 409, "conflict": 409, "stale": 409, "ambiguous_match": 409,
	"too_large": 413,
	"no_match":  422, "binary_content": 422, "unsupported_encoding": 422, "unsupported_format": 422,
	"locked": 423, "busy": 423,
	"rate_limited": 429,
	"canceled":     499, "timeout": 504,
	"internal": 500, "unsupported": 501, "unavailable": 503,
	"no_space": 507, "io": 500,
}

// declaredCodes reads the values of all constants of type Code in error.go.
func declaredCodes(t *testing.T) []facade.Code {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []facade.Code
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); ok && id.Name == "Code" {
			s, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, facade.Code(s))
		}
		return true
	})
	return codes
}

func TestCodesAreThoseOfTheContract(t *testing.T) {
	got := map[facade.Code]int{}
	for _, c := range declaredCodes(t) {
		got[c] = c.HTTPStatus()
	}
	if diff := cmp.Diff(contractCodes, got); diff != "" {
		t.Errorf("codes and statuses (-contract +package):\n%s", diff)
	}
	if s := facade.Code("of_another_package").HTTPStatus(); s != 500 {
		t.Errorf("a foreign code has status %d", s)
	}
}

func TestRetryable(t *testing.T) {
	var got []string
	for _, c := range declaredCodes(t) {
		if c.Retryable() {
			got = append(got, string(c))
		}
	}
	const want = "needs_approval locked busy rate_limited canceled timeout io"
	if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
}

func TestErrorIs(t *testing.T) {
	targets := []error{
		fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, fs.ErrInvalid, errors.ErrUnsupported,
		context.Canceled, context.DeadlineExceeded, syscall.EISDIR, syscall.ENOTDIR, syscall.ENOSPC, syscall.EIO,
	}
	want := map[facade.Code]error{
		facade.CodeNotFound: fs.ErrNotExist, facade.CodeAlreadyExists: fs.ErrExist,
		facade.CodePermissionDenied: fs.ErrPermission, facade.CodeOutsideRoot: fs.ErrPermission,
		facade.CodeProtectedPath: fs.ErrPermission, facade.CodeDenied: fs.ErrPermission,
		facade.CodeInvalidArgument: fs.ErrInvalid, facade.CodeUnsupported: errors.ErrUnsupported,
		facade.CodeCanceled: context.Canceled, facade.CodeTimeout: context.DeadlineExceeded,
		facade.CodeIsDirectory: syscall.EISDIR, facade.CodeNotDirectory: syscall.ENOTDIR,
		facade.CodeNoSpace: syscall.ENOSPC, facade.CodeIO: syscall.EIO,
	}
	for _, code := range declaredCodes(t) {
		err := fmt.Errorf("outer: %w", facade.Errorf(code, "x"))
		for _, target := range targets {
			if got := errors.Is(err, target); got != errors.Is(want[code], target) {
				t.Errorf("errors.Is(%s, %v) = %v", code, target, got)
			}
		}
	}
}

func TestCodeOf(t *testing.T) {
	var typedNil *facade.Error
	for _, c := range []struct {
		err  error
		want facade.Code
	}{
		{nil, ""},
		{facade.Errorf(facade.CodeStale, "x"), facade.CodeStale},
		{fmt.Errorf("a: %w", facade.Errorf(facade.CodeStale, "x")), facade.CodeStale},
		{typedNil, facade.CodeInternal},
		{errors.New("x"), facade.CodeInternal},
		{&fs.PathError{Op: "open", Path: "/host/a", Err: syscall.ENOENT}, facade.CodeNotFound},
		{&fs.PathError{Op: "open", Path: "/host/a", Err: syscall.EACCES}, facade.CodePermissionDenied},
		{&fs.PathError{Op: "mkdir", Path: "/host/a", Err: syscall.EEXIST}, facade.CodeAlreadyExists},
		{&os.LinkError{Op: "rename", Old: "a", New: "b", Err: syscall.EISDIR}, facade.CodeIsDirectory},
		{syscall.ENOTDIR, facade.CodeNotDirectory},
		{syscall.ENOTEMPTY, facade.CodeNotEmpty},
		{syscall.ENOSPC, facade.CodeNoSpace},
		{syscall.EDQUOT, facade.CodeNoSpace},
		{syscall.EROFS, facade.CodePermissionDenied},
		{syscall.EIO, facade.CodeIO},
		{syscall.ENAMETOOLONG, facade.CodeInvalidArgument},
		{context.Canceled, facade.CodeCanceled},
		{fmt.Errorf("a: %w", context.DeadlineExceeded), facade.CodeTimeout},
		{os.ErrDeadlineExceeded, facade.CodeTimeout},
		{fmt.Errorf("a: %w", errors.ErrUnsupported), facade.CodeUnsupported},
		{fs.ErrInvalid, facade.CodeInvalidArgument},
	} {
		if got := facade.CodeOf(c.err); got != c.want {
			t.Errorf("CodeOf(%#v) = %q, want %q", c.err, got, c.want)
		}
	}
}

func TestErrorForms(t *testing.T) {
	cause := errors.New("cause")
	e := facade.Errorf(facade.CodeRateLimited, "too many calls: %w", cause).WithPath("a <b>").WithHint("wait %d s", 2)
	e.Field, e.RetryAfter = "path", 2*time.Second
	if !errors.Is(e, cause) {
		t.Error("the cause is lost")
	}
	if got := e.Error(); got != "too many calls: cause" {
		t.Errorf("without a tool: %s", got)
	}
	e.Tool = "git"
	if got := e.Error(); got != "git: too many calls: cause" {
		t.Errorf("without an action: %s", got)
	}
	e.Action = "push"
	if got := e.Error(); got != "git.push: too many calls: cause" {
		t.Errorf("with an action: %s", got)
	}
	if got := e.Text(); got != "error (rate_limited): too many calls: cause\nhint: wait 2 s" {
		t.Errorf("text: %s", got)
	}
	raw, err := e.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"code":"rate_limited","message":"too many calls: cause","tool":"git","action":"push","field":"path",` +
		`"path":"a <b>","hint":"wait 2 s","retryable":true,"retry_after_ms":2000,"http_status":429}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
}

// failing is a tool whose action fails with err.
func failing(err error) *facade.Tool {
	return facade.New("disk", "", facade.Bind("fail", facade.EffectRead, "", func(context.Context, nothing) (nothing, error) {
		return nothing{}, err
	}))
}

// TestNoHostPathLeaks sends errors that name the root through a call.
func TestNoHostPathLeaks(t *testing.T) {
	const root = "/srv/agents/7"
	for _, err := range []error{
		&fs.PathError{Op: "open", Path: root + "/a.txt", Err: syscall.ENOENT},
		fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: root + "/a.txt", Err: syscall.EACCES}),
		&os.LinkError{Op: "rename", Old: root + "/a", New: root + "/b", Err: syscall.EEXIST},
		fmt.Errorf("cannot lock %s/.lock", root),
		facade.Errorf(facade.CodeIO, "mount of %s is gone", root).WithHint("look at %s/x", root).WithPath(root + "/x"),
		fmt.Errorf("%q is `C:\\Users\\bot\\root\\a`", `C:\Users\bot\root\a`),
		errors.New("C:/Users/bot/root/a is locked"),
	} {
		set := facade.NewSet([]*facade.Tool{failing(err)}, &facade.Options{
			HostPaths: []string{"", "/", "/srv/agents", root + "/", `C:\Users\bot\root`},
		})
		r, goErr := set.Dispatch(t.Context(), "disk", facade.Call{Args: json.RawMessage(`{"action":"fail"}`)})
		if goErr != nil || r.OK() {
			t.Fatalf("%v: %v", err, goErr)
		}
		for _, out := range []string{r.FullText(), string(r.JSON()), r.Headline(), r.Error.Error()} {
			if strings.Contains(out, "agents") || strings.Contains(out, "bot") {
				t.Errorf("%v leaks: %s", err, out)
			}
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRedactionHidesTheLongestPath(t *testing.T) {
	set := facade.NewSet([]*facade.Tool{failing(errors.New("no /srv/agents/7/a and /srv/agents/8, at 1/2"))},
		&facade.Options{HostPaths: []string{"/srv/agents", "/srv/agents/7", "", "/"}})
	r, err := set.Dispatch(t.Context(), "disk", facade.Call{Args: json.RawMessage(`{"action":"fail"}`)})
	if err != nil || r.Error.Message != "no <root>/a and <root>/8, at 1/2" {
		t.Errorf("%v: %v", err, r.Error)
	}
	if !strings.Contains(string(r.JSON()), "<root>") {
		t.Errorf("escaped for HTML: %s", r.JSON())
	}
}

func TestTypedNilErrorIsADefect(t *testing.T) {
	var none *facade.Error
	r := call(t, failing(none), `{"action":"fail"}`)
	if r.OK() || r.Error.Code != facade.CodeInternal {
		t.Errorf("%+v", r)
	}
}
