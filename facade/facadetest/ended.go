package facadetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// eachEnded calls try with a context that was canceled, and with one whose time
// has run out. What try calls with it has to fail with the context's error,
// which ended checks.
func eachEnded(t testing.TB, try func(ctx context.Context, ended func(method string, err error))) {
	t.Helper()
	canceled, cancel := context.WithCancel(direct())
	cancel()
	late, stop := context.WithDeadline(direct(), time.Now().Add(-time.Second))
	defer stop()
	for _, c := range []struct {
		ctx  context.Context
		want error
		code facade.Code
	}{{canceled, context.Canceled, facade.CodeCanceled}, {late, context.DeadlineExceeded, facade.CodeTimeout}} {
		try(c.ctx, func(method string, err error) {
			t.Helper()
			endedBy(t, method, err, c.want, c.code)
		})
	}
}

// endedBy checks the error of a method whose context had ended.
func endedBy(t testing.TB, method string, err, want error, code facade.Code) {
	t.Helper()
	if err == nil || facade.CodeOf(err) != code || !errors.Is(err, want) {
		t.Errorf("%s after its context ended returns %v (code %q), want %v (code %q)", method, err, facade.CodeOf(err), want, code)
	}
}
