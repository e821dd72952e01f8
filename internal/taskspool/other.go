//go:build !linux || (!amd64 && !arm64)

package taskspool

import "github.com/toolfacade/toolfacade/facade"

// Spool keeps tasks in a directory. On this system there is none.
type Spool struct{ facade.TaskStore }

// Open always returns [ErrUnsupported].
func Open(string, *Options) (*Spool, error) { return nil, ErrUnsupported }
