package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// encode writes records as lines of JSON.
func encode(records []record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// read returns a log, of which it reads only what came since the last time.
func (d *directory) read(file string) (*cached, error) {
	c := d.cache[file]
	if c == nil {
		c = &cached{}
		d.cache[file] = c
	}
	f, err := os.Open(filepath.Join(d.dir, logDir, file))
	if errors.Is(err, fs.ErrNotExist) {
		*c = cached{}
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	err = c.load(f)
	return c, errors.Join(err, f.Close())
}

// load brings the cache up to the file. Another file of that name, as a sweep
// makes it, is read anew.
func (c *cached) load(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if c.info == nil || !os.SameFile(c.info, info) || info.Size() < c.size {
		*c = cached{}
	}
	c.info = info
	if info.Size() == c.size {
		return nil
	}
	b, err := io.ReadAll(io.NewSectionReader(f, c.size, info.Size()-c.size))
	if err != nil {
		return err
	}
	for {
		n := bytes.IndexByte(b, '\n') + 1
		if n == 0 {
			return nil // a last record without an end was cut short by a crash
		}
		var r record
		if err := json.Unmarshal(b[:n], &r); err == nil {
			c.records = append(c.records, r)
		}
		b, c.size = b[n:], c.size+int64(n)
	}
}
