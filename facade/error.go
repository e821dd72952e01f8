package facade

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

// Code classifies a failure for programs; messages are for people and models.
type Code string

// The codes of every tool. [Code.HTTPStatus] gives the status of each.
const (
	CodeUnknownAction       Code = "unknown_action"       // no such action
	CodeInvalidArgument     Code = "invalid_argument"     // an argument is missing, unknown, of a wrong type or out of range
	CodeIsDirectory         Code = "is_directory"         // a file was wanted
	CodeNotDirectory        Code = "not_directory"        // a directory was wanted
	CodeNotRegular          Code = "not_regular"          // FIFO, device or socket
	CodeOutsideRoot         Code = "outside_root"         // the path leaves the root
	CodePermissionDenied    Code = "permission_denied"    // the operating system refuses
	CodeProtectedPath       Code = "protected_path"       // writing needs a host's opt-in
	CodeDenied              Code = "denied"               // the host's policy refuses
	CodeNeedsApproval       Code = "needs_approval"       // a person has to agree first
	CodeNotFound            Code = "not_found"            // nothing has that name
	CodeAlreadyExists       Code = "already_exists"       // something has that name
	CodeNotEmpty            Code = "not_empty"            // a directory with entries
	CodeConflict            Code = "conflict"             // a merge or a sync conflict
	CodeStale               Code = "stale"                // changed since it was read
	CodeAmbiguousMatch      Code = "ambiguous_match"      // old text occurs more than once
	CodeTooLarge            Code = "too_large"            // above a limit
	CodeNoMatch             Code = "no_match"             // old text does not occur
	CodeBinaryContent       Code = "binary_content"       // text was wanted
	CodeUnsupportedEncoding Code = "unsupported_encoding" // text cannot be read or written in that encoding
	CodeUnsupportedFormat   Code = "unsupported_format"   // no parser for that kind of file
	CodeLocked              Code = "locked"               // another program holds a lock
	CodeBusy                Code = "busy"                 // too much is running
	CodeRateLimited         Code = "rate_limited"         // too many calls
	CodeCanceled            Code = "canceled"             // the caller gave up
	CodeTimeout             Code = "timeout"              // the time limit ended
	CodeInternal            Code = "internal"             // a defect, caught
	CodeUnsupported         Code = "unsupported"          // this implementation lacks the action
	CodeUnavailable         Code = "unavailable"          // a needed program or engine is missing
	CodeNoSpace             Code = "no_space"             // the disk or quota is full
	CodeIO                  Code = "io"                   // the device failed
)

// codes holds, for each code, its HTTP status, whether the same call may
// succeed later, and the sentinel of the standard library it matches.
var codes = map[Code]struct {
	status    int
	retryable bool
	is        error
}{
	CodeUnknownAction:       {status: 400},
	CodeInvalidArgument:     {status: 400, is: fs.ErrInvalid},
	CodeIsDirectory:         {status: 400, is: syscall.EISDIR},
	CodeNotDirectory:        {status: 400, is: syscall.ENOTDIR},
	CodeNotRegular:          {status: 400},
	CodeOutsideRoot:         {status: 403, is: fs.ErrPermission},
	CodePermissionDenied:    {status: 403, is: fs.ErrPermission},
	CodeProtectedPath:       {status: 403, is: fs.ErrPermission},
	CodeDenied:              {status: 403, is: fs.ErrPermission},
	CodeNeedsApproval:       {status: 403, retryable: true},
	CodeNotFound:            {status: 404, is: fs.ErrNotExist},
	CodeAlreadyExists:       {status: 409, is: fs.ErrExist},
	CodeNotEmpty:            {status: 409},
	CodeConflict:            {status: 409},
	CodeStale:               {status: 409},
	CodeAmbiguousMatch:      {status: 409},
	CodeTooLarge:            {status: 413},
	CodeNoMatch:             {status: 422},
	CodeBinaryContent:       {status: 422},
	CodeUnsupportedEncoding: {status: 422},
	CodeUnsupportedFormat:   {status: 422},
	CodeLocked:              {status: 423, retryable: true},
	CodeBusy:                {status: 423, retryable: true},
	CodeRateLimited:         {status: 429, retryable: true},
	CodeCanceled:            {status: 499, retryable: true, is: context.Canceled},
	CodeTimeout:             {status: 504, retryable: true, is: context.DeadlineExceeded},
	CodeInternal:            {status: 500},
	CodeUnsupported:         {status: 501, is: errors.ErrUnsupported},
	CodeUnavailable:         {status: 503},
	CodeNoSpace:             {status: 507, is: syscall.ENOSPC},
	CodeIO:                  {status: 500, retryable: true, is: syscall.EIO},
}

// HTTPStatus returns the code's HTTP status; 500 for a code of someone else's.
func (c Code) HTTPStatus() int {
	if known, ok := codes[c]; ok {
		return known.status
	}
	return 500
}

// Retryable reports whether the same call may succeed later.
func (c Code) Retryable() bool { return codes[c].retryable }

// Error is a failure that a model can read and act upon.
type Error struct {
	Code    Code   // what went wrong, for programs
	Message string // what went wrong, in a sentence without the tool's name
	Tool    string // filled in by [Tool.Call]
	Action  string // filled in by [Tool.Call]
	Field   string // the argument at fault, as "path" or "edits[2].old_text"
	Path    string // the path at fault, relative to the root
	Hint    string // the next right call

	// RetryAfter is how long to wait before the same call; 0 when unknown.
	RetryAfter time.Duration
	// Err is the cause, for errors.Is and errors.As. It is never shown.
	Err error
}

// Errorf returns an error with a formatted message. An operand formatted with
// %w becomes the cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// InvalidArgument reports that the named argument cannot be used.
func InvalidArgument(field, format string, args ...any) *Error {
	e := Errorf(CodeInvalidArgument, format, args...)
	e.Field = field
	return e
}

// WithPath sets the path at fault and returns e.
func (e *Error) WithPath(path string) *Error {
	e.Path = path
	return e
}

// WithHint sets the next right call and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Error returns "tool.action: message".
func (e *Error) Error() string {
	if e.Tool == "" {
		return e.Message
	}
	name := e.Tool
	if e.Action != "" {
		name += "." + e.Action
	}
	return name + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the standard library's sentinel for e's code,
// as fs.ErrNotExist for [CodeNotFound].
func (e *Error) Is(target error) bool {
	is := codes[e.Code].is
	return is != nil && is == target
}

// MarshalJSON renders the contract's error object.
func (e *Error) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := encodeJSON(&b, struct {
		Code         Code   `json:"code"`
		Message      string `json:"message"`
		Tool         string `json:"tool"`
		Action       string `json:"action"`
		Field        string `json:"field,omitempty"`
		Path         string `json:"path,omitempty"`
		Hint         string `json:"hint,omitempty"`
		Retryable    bool   `json:"retryable"`
		RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
		HTTPStatus   int    `json:"http_status"`
	}{
		e.Code, e.Message, e.Tool, e.Action, e.Field, e.Path, e.Hint,
		e.Code.Retryable(), e.RetryAfter.Milliseconds(), e.Code.HTTPStatus(),
	})
	return bytes.TrimSpace(b.Bytes()), err
}

// Text renders the error for a model: the message, then the hint.
func (e *Error) Text() string {
	var b strings.Builder
	b.WriteString("error (" + string(e.Code) + "): " + e.Message)
	if e.Hint != "" {
		b.WriteString("\nhint: " + e.Hint)
	}
	return b.String()
}

// CodeOf returns the code of err: that of the *Error it wraps, or the one that
// fits the standard library's sentinel it matches, or [CodeInternal]. It
// returns "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		if e == nil {
			return CodeInternal
		}
		return e.Code
	}
	for _, m := range sentinels {
		if errors.Is(err, m.err) {
			return m.code
		}
	}
	return CodeInternal
}

// sentinels maps errors of the standard library to codes, most telling first.
var sentinels = []struct {
	err  error
	code Code
}{
	{context.Canceled, CodeCanceled},
	{context.DeadlineExceeded, CodeTimeout},
	{os.ErrDeadlineExceeded, CodeTimeout},
	{syscall.EISDIR, CodeIsDirectory},
	{syscall.ENOTDIR, CodeNotDirectory},
	{syscall.ENOTEMPTY, CodeNotEmpty},
	{syscall.ENOSPC, CodeNoSpace},
	{syscall.EDQUOT, CodeNoSpace},
	{syscall.EIO, CodeIO},
	{syscall.EROFS, CodePermissionDenied},
	{syscall.ENAMETOOLONG, CodeInvalidArgument},
	{fs.ErrNotExist, CodeNotFound},
	{fs.ErrExist, CodeAlreadyExists},
	{fs.ErrPermission, CodePermissionDenied},
	{fs.ErrInvalid, CodeInvalidArgument},
	{errors.ErrUnsupported, CodeUnsupported},
}

var errNilError = errors.New("the tool returned a nil *Error as its error")

// asError turns what an implementation returned into an *Error. The text of a
// foreign error may name host paths, so only the innermost cause of a
// *fs.PathError and its kin is shown.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e == nil { // the typed nil of a method that declares a *Error
			return Errorf(CodeInternal, "%w", errNilError)
		}
		c := *e
		return &c
	}
	message := err.Error()
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		message = pe.Op + ": " + pe.Err.Error()
	} else if le, ok := errors.AsType[*os.LinkError](err); ok {
		message = le.Op + ": " + le.Err.Error()
	}
	return &Error{Code: CodeOf(err), Message: message, Err: err}
}
