package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	blobDir = "blobs"
	tempDir = "tmp"
	logDir  = "sessions"
	logExt  = ".jsonl"
)

// directory is a store in a directory: blobs/ab/<hash>, sessions/<hash of the
// name>.jsonl and a lock that processes share.
type directory struct {
	dir   string
	sync  bool
	loose loose

	mu    sync.Mutex
	lock  *os.File
	cache map[string]*cached // by log name
}

// cached is a log as last read.
type cached struct {
	info    os.FileInfo
	size    int64 // bytes that hold whole records
	records []record
}

func openDir(dir string, o Options) (*directory, error) {
	for _, sub := range []string{"", blobDir, tempDir, logDir} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("make the journal's directory: %w", err)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return nil, fmt.Errorf("protect the journal's directory: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the journal's lock: %w", err)
	}
	return &directory{dir: dir, sync: !o.NoSync, lock: lock, cache: map[string]*cached{}}, nil
}

func (d *directory) close() error { return d.lock.Close() }

func (d *directory) blobPath(hash string) string {
	return filepath.Join(d.dir, blobDir, hash[:2], hash)
}

func (d *directory) get(key string) (io.ReadCloser, error) {
	if !isKey(key) || strings.ContainsAny(key, `/\.`) {
		return nil, fs.ErrNotExist
	}
	f, err := os.Open(d.blobPath(key))
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f, err = os.Open(d.loosePath(key)); !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	return os.Open(d.blobPath(key)) // it may have been secured between the two
}

// isKey reports whether a name has the length of a hash or of two with a dash
// between them.
func isKey(name string) bool { return len(name) == sha256.Size*2 || len(name) == sha256.Size*4+1 }

func (d *directory) put(ctx context.Context, r io.Reader, known string, durable bool) (hash string, size int64, err error) {
	f, err := os.CreateTemp(filepath.Join(d.dir, tempDir), "blob-")
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removeIfThere(f.Name()))
		}
	}()
	h := sha256.New()
	var w io.Writer = f
	if known == "" {
		w = io.MultiWriter(f, h)
	}
	size, err = io.Copy(w, &contextReader{ctx, r})
	if err == nil && durable && d.sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", 0, err
	}
	if hash = known; hash == "" {
		hash = hex.EncodeToString(h.Sum(nil))
	}
	if durable || !d.sync {
		return hash, size, d.settle(f.Name(), d.blobPath(hash))
	}
	if err = d.settle(f.Name(), d.loosePath(hash)); err == nil {
		d.loose.add(hash)
	}
	return hash, size, err
}

func (d *directory) putReverse(key string, b []byte) (err error) {
	f, err := os.CreateTemp(filepath.Join(d.dir, tempDir), "way-")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil && d.sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = d.settle(f.Name(), d.blobPath(key))
	}
	if err != nil {
		return errors.Join(err, removeIfThere(f.Name()))
	}
	return nil
}

// removeIfThere removes a file; that it is gone already is no error.
func removeIfThere(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// settle gives a complete file its place among the blobs.
func (d *directory) settle(temp, target string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	if err := os.Rename(temp, target); err != nil {
		return err
	}
	if d.sync && !strings.HasSuffix(target, looseExt) {
		return errors.Join(syncDir(filepath.Dir(target)), syncDir(filepath.Join(d.dir, blobDir)))
	}
	return nil
}

// exclusive runs f while no other goroutine and no other process does.
func (d *directory) exclusive(f func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := lockFile(d.lock); err != nil {
		return fmt.Errorf("lock the journal: %w", err)
	}
	return errors.Join(f(), unlockFile(d.lock))
}

// logName is safe for any session name.
func logName(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16]) + logExt
}

func (d *directory) update(session string, change func([]record) ([]record, error)) error {
	return d.exclusive(func() error {
		file := logName(session)
		c, err := d.read(file)
		if err != nil {
			return err
		}
		added, err := change(c.records)
		if err != nil || len(added) == 0 {
			return err
		}
		return d.append(file, c, added)
	})
}

func (d *directory) append(file string, c *cached, added []record) error {
	b, err := encode(added)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(d.dir, logDir, file), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	// A record that a crash cut short goes, and so does what a failure leaves.
	err = f.Truncate(c.size)
	if err == nil {
		_, err = f.WriteAt(b, c.size)
	}
	if err == nil && d.sync && slices.ContainsFunc(added, func(r record) bool { return r.Kind == recordBegin }) {
		err = f.Sync()
	}
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil {
		delete(d.cache, file)
		return errors.Join(err, os.Truncate(filepath.Join(d.dir, logDir, file), c.size))
	}
	if c.info == nil && d.sync {
		err = syncDir(filepath.Join(d.dir, logDir))
	}
	c.info, c.size, c.records = info, c.size+int64(len(b)), append(c.records, added...)
	return err
}

func (d *directory) sweep(plan sweepPlan) error {
	return d.exclusive(func() error {
		logs := map[string][]record{}
		entries, err := os.ReadDir(filepath.Join(d.dir, logDir))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), logExt) {
				c, err := d.read(e.Name())
				if err != nil {
					return err
				}
				logs[e.Name()] = c.records
			}
		}
		blobs, err := d.blobs()
		if err != nil {
			return err
		}
		rewrite, drop := plan(logs, blobs)
		for file, records := range rewrite {
			if err := d.rewrite(file, records); err != nil {
				return err
			}
		}
		for _, hash := range drop {
			if err := errors.Join(removeIfThere(d.blobPath(hash)), removeIfThere(d.loosePath(hash))); err != nil {
				return err
			}
		}
		return d.sweepTemps()
	})
}

func (d *directory) blobs() (map[string]blob, error) {
	blobs := map[string]blob{}
	err := filepath.WalkDir(filepath.Join(d.dir, blobDir), func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if key := strings.TrimSuffix(e.Name(), looseExt); err == nil && isKey(key) {
			b := blobs[key] // of the two that there may be
			if b.size += info.Size(); info.ModTime().After(b.kept) {
				b.kept = info.ModTime()
			}
			blobs[key] = b
		}
		return err
	})
	return blobs, err
}

// rewrite replaces a log at once; an empty one goes.
func (d *directory) rewrite(file string, records []record) error {
	delete(d.cache, file)
	b, err := encode(records)
	if err != nil {
		return err
	}
	target := filepath.Join(d.dir, logDir, file)
	f, err := os.CreateTemp(filepath.Join(d.dir, tempDir), "log-")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil && d.sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if d.sync {
		return syncDir(filepath.Dir(target))
	}
	return nil
}

// sweepTemps removes what crashes have left.
func (d *directory) sweepTemps() error {
	entries, err := os.ReadDir(filepath.Join(d.dir, tempDir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > blobGrace {
			if err := os.Remove(filepath.Join(d.dir, tempDir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
