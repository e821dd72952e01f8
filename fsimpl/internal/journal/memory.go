package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"sync"
	"time"
)

// memory is a store that lives as long as the process.
type memory struct {
	mu    sync.Mutex
	blobs map[string][]byte
	times map[string]time.Time
	logs  map[string][]record
}

func newMemory() *memory {
	return &memory{blobs: map[string][]byte{}, times: map[string]time.Time{}, logs: map[string][]record{}}
}

func (m *memory) put(ctx context.Context, r io.Reader, known string, _ bool) (string, int64, error) {
	var b bytes.Buffer
	if _, err := io.Copy(&b, &contextReader{ctx, r}); err != nil {
		return "", 0, err
	}
	hash := known
	if hash == "" {
		sum := sha256.Sum256(b.Bytes())
		hash = hex.EncodeToString(sum[:])
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs[hash], m.times[hash] = b.Bytes(), time.Now()
	return hash, int64(b.Len()), nil
}

func (m *memory) secure(_ context.Context, hash string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.blobs[hash]
	if ok {
		m.times[hash] = time.Now()
	}
	return ok
}

func (m *memory) putReverse(key string, b []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs[key], m.times[key] = bytes.Clone(b), time.Now()
	return nil
}

func (m *memory) get(hash string) (io.ReadCloser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.blobs[hash]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

func (m *memory) update(session string, change func([]record) ([]record, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	added, err := change(m.logs[session])
	if err == nil && len(added) > 0 {
		m.logs[session] = append(m.logs[session], added...)
	}
	return err
}

func (m *memory) sweep(plan sweepPlan) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	blobs := map[string]blob{}
	for hash, b := range m.blobs {
		blobs[hash] = blob{int64(len(b)), m.times[hash]}
	}
	rewrite, drop := plan(m.logs, blobs)
	for log, records := range rewrite {
		m.logs[log] = records
	}
	for _, hash := range drop {
		delete(m.blobs, hash)
		delete(m.times, hash)
	}
	return nil
}

func (m *memory) close() error { return nil }

// contextReader ends with the context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
