package edit

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wide returns text in UTF-16LE with its byte order mark.
func wide(text string) string {
	e, err := textenc.Lookup("utf-16le")
	if err != nil {
		panic(err)
	}
	b, err := e.Encode(text)
	if err != nil {
		panic(err)
	}
	return "\xFF\xFE" + string(b)
}

func replace(t testing.TB, raw string, s Substitution) (string, Plan, error) {
	t.Helper()
	plan, err := Replace(context.Background(), []byte(raw), textenc.Detect([]byte(raw)), s, nil)
	if err != nil {
		return raw, plan, err
	}
	return string(Apply([]byte(raw), plan.Splices)), plan, nil
}

// wantError checks code, field and parts of the message or hint.
func wantError(t testing.TB, err error, code facade.Code, field string, parts ...string) {
	t.Helper()
	e, ok := errors.AsType[*facade.Error](err)
	if !ok {
		t.Fatalf("error %v, want code %s", err, code)
	}
	if e.Code != code || e.Field != field {
		t.Errorf("error %s for %q, want %s for %q: %s", e.Code, e.Field, code, field, e.Text())
	}
	for _, part := range parts {
		if !strings.Contains(e.Text(), part) {
			t.Errorf("error text lacks %q:\n%s", part, e.Text())
		}
	}
}
