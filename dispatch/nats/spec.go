package nats

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
)

// maxSpec is how long a spec with its files and its input may be, and specPart
// how much of it one message carries at most.
const (
	maxSpec  = 64 << 20
	specPart = 512 << 10
)

// keep stores what a task is to run under a name and returns in how many parts.
func (s *shared) keep(ctx context.Context, name string, spec facade.TaskSpec) (int, error) {
	raw, err := json.Marshal(spec)
	if err != nil {
		return 0, err
	}
	if len(raw) > maxSpec {
		return 0, facade.Errorf(facade.CodeTooLarge, "the task has %d bytes of files and input; the limit is %d", len(raw), maxSpec).
			WithHint("put large files below the root")
	}
	size := int(min(specPart, max(s.conn.MaxPayload()/2, 1)))
	parts := 0
	for ; len(raw) > 0; parts++ {
		n := min(size, len(raw))
		if _, err := s.specs.Put(ctx, partKey(name, parts), raw[:n]); err != nil {
			return 0, failed(err)
		}
		raw = raw[n:]
	}
	return parts, nil
}

func partKey(name string, n int) string { return fmt.Sprintf("%s.%d", name, n) }

// spec reads what a task is to run.
func (s *shared) spec(ctx context.Context, r *record) (spec facade.TaskSpec, err error) {
	var raw bytes.Buffer
	for n := range r.Parts {
		part, err := s.specs.Get(ctx, partKey(r.Spec, n))
		if err != nil {
			return spec, failed(err)
		}
		raw.Write(part.Value())
	}
	return spec, json.Unmarshal(raw.Bytes(), &spec)
}
