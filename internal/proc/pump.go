package proc

import (
	"bytes"
	"os"
	"sync"
)

// firstRead is how much is read at once at the start. After a read that fills
// it, as in a flood, readSize is read at once from a pipe of pipeSize, where the
// system lets us choose: then a flood costs little more than the writer's own
// time.
const (
	firstRead = 16 << 10
	readSize  = 1 << 20
	pipeSize  = 1 << 20
	chunkSize = 32 << 10
	queueLen  = 64
)

// The size of a terminal.
const (
	terminalRows    = 40
	terminalColumns = 120
)

// output takes what both pumps read.
type output struct {
	mu      sync.Mutex
	log     *Log
	windows [2]window
	limit   int64
	over    chan struct{} // closed when limit is passed
	once    sync.Once
	sink    *sink
}

func newOutput(c *Command) *output {
	return &output{
		log:     newLog(c.SpillDir, c.SpillMax),
		windows: [2]window{newWindow(c.Window), newWindow(c.Window)},
		limit:   c.OutputLimit,
		over:    make(chan struct{}),
	}
}

// write takes whole characters of one stream, so that the streams never mix
// within one.
func (o *output) write(s Stream, p []byte) {
	if len(p) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.log.Total()
	o.log.write(s, p)
	o.windows[s].write(p)
	if o.sink != nil {
		o.sink.offer(s, at, p)
	}
	if o.limit > 0 && at+int64(len(p)) > o.limit {
		o.once.Do(func() { close(o.over) })
	}
}

// pump reads one stream to its end. It never waits for a consumer.
func (o *output) pump(s Stream, r *os.File) {
	buf := make([]byte, firstRead)
	held := 0 // bytes at the start of buf that wait for the rest of a character
	for full := false; ; {
		if full && len(buf) < readSize {
			widen(r)
			buf = append(buf, make([]byte, readSize-len(buf))...)
		}
		n, err := r.Read(buf[held:])
		full = held+n == len(buf)
		n += held
		held = 0
		if err == nil {
			held = partial(buf[:n])
		}
		o.write(s, buf[:n-held])
		copy(buf, buf[n-held:n])
		if err != nil {
			return
		}
	}
}

// sink hands chunks to a consumer at the consumer's own pace.
type sink struct {
	queue   chan Chunk
	dropped int64
	failed  chan struct{} // closed when the consumer returned an error
	done    chan struct{}
	err     error
}

func newSink(fn func(Chunk) error) *sink {
	s := &sink{queue: make(chan Chunk, queueLen), failed: make(chan struct{}), done: make(chan struct{})}
	go s.run(fn)
	return s
}

func (s *sink) run(fn func(Chunk) error) {
	defer close(s.done)
	for c := range s.queue {
		if s.err != nil {
			continue
		}
		if s.err = fn(c); s.err != nil {
			close(s.failed)
		}
	}
}

func (s *sink) offer(stream Stream, at int64, p []byte) {
	for len(p) > 0 {
		n := min(len(p), chunkSize)
		if n < len(p) {
			n -= partial(p[:n])
		}
		c := Chunk{Stream: stream, Offset: at, Dropped: s.dropped}
		if len(s.queue) < cap(s.queue) { // this is the only sender
			c.Data = bytes.Clone(p[:n])
			s.queue <- c
			s.dropped = 0
		} else {
			s.dropped += int64(n)
		}
		at += int64(n)
		p = p[n:]
	}
}
