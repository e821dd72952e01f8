package edit

import "context"

// asideSize is the content from which work is done aside, whatever it is.
const asideSize = 1 << 20

// aside runs work so that the caller gets away as soon as the context ends, even
// in the middle of a search, which cannot be interrupted. What was begun then
// ends by itself: every step looks at the context and takes time linear in the
// content. It only reads the content. Work that is not long runs at once.
func aside[T any](ctx context.Context, long bool, work func() (T, error)) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	if !long {
		return work()
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case <-ctx.Done():
		return zero, ctx.Err()
	case o := <-done:
		return o.value, o.err
	}
}
