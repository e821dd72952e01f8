package proc

import (
	"errors"
	"fmt"
	"os"
)

// openTerminal fails: there are no terminals of this kind on Windows.
func openTerminal() (child, out, feed *os.File, err error) {
	return nil, nil, nil, fmt.Errorf("open a terminal: %w", errors.ErrUnsupported)
}
