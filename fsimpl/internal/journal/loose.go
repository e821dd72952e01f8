package journal

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// looseExt marks content that was not synced. A power failure may have cut it.
const looseExt = ".new"

func (d *directory) loosePath(hash string) string { return d.blobPath(hash) + looseExt }

// loose names content that this process has kept without a sync: no power
// failure can have cut that.
type loose struct {
	mu   sync.Mutex
	keys map[string]bool
}

// maxLoose bounds what is remembered; what is forgotten has to be read again.
const maxLoose = 4096

func (l *loose) add(hash string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys == nil || len(l.keys) >= maxLoose {
		l.keys = map[string]bool{}
	}
	l.keys[hash] = true
}

func (l *loose) take(hash string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.keys[hash]
	delete(l.keys, hash)
	return known
}

func (d *directory) secure(ctx context.Context, hash string) bool {
	now := time.Now()
	if os.Chtimes(d.blobPath(hash), now, now) == nil {
		return true
	}
	err := d.syncLoose(ctx, hash)
	if err == nil {
		err = d.settle(d.loosePath(hash), d.blobPath(hash))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have been faster
		return false
	}
	return os.Chtimes(d.blobPath(hash), now, now) == nil
}

var errDamaged = errors.New("it is not what its hash says")

// syncLoose syncs content that was kept without.
func (d *directory) syncLoose(ctx context.Context, hash string) (err error) {
	f, err := os.OpenFile(d.loosePath(hash), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if d.loose.take(hash) {
		return f.Sync()
	}
	whole := &verified{f, sha256.New(), hash, errDamaged}
	if _, err := io.Copy(io.Discard, &contextReader{ctx, whole}); err != nil {
		return err
	}
	return f.Sync()
}
