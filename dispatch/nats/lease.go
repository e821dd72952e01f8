package nats

import (
	"context"
	"crypto/rand"
	"time"
)

// lease is a sign of life that expires when it is not renewed.
type lease struct {
	*shared
	name   string
	lost   func() // called when it may have expired; nil for nothing
	cancel context.CancelFunc
	done   chan struct{}
}

// hold gets a lease and renews it until close. The server's clock decides.
func (s *shared) hold(ctx context.Context, kind string, lost func()) (*lease, error) {
	l := &lease{shared: s, name: kind + "-" + rand.Text(), lost: lost, done: make(chan struct{})}
	if _, err := s.leases.Put(ctx, l.name, nil); err != nil {
		return nil, failed(err)
	}
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l.cancel = cancel
	go l.renew(background)
	return l, nil
}

func (l *lease) renew(ctx context.Context) {
	defer close(l.done)
	beat := time.NewTicker(l.opts.Lease / 4)
	defer beat.Stop()
	renewed := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		}
		limited, cancel := context.WithTimeout(ctx, l.opts.Lease/4)
		now := time.Now() // the lease begins not before it is sent
		_, err := l.leases.Put(limited, l.name, nil)
		cancel()
		if err == nil {
			renewed = now
		} else if l.lost != nil && time.Since(renewed) > l.opts.Lease*3/4 {
			l.lost()
		}
	}
}

// close gives the lease up.
func (l *lease) close() error {
	l.cancel()
	<-l.done
	ctx, cancel := context.WithTimeout(context.Background(), l.opts.Lease)
	defer cancel()
	if !l.conn.IsConnected() {
		return nil // it expires
	}
	return l.leases.Purge(ctx, l.name)
}
