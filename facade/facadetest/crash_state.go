package facadetest

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// Loss decides what a crash takes of the changes that were not synced.
type Loss struct {
	// keep returns how many of a change's bytes survive, of a change that is
	// not a write 1 or 0. It is made anew for each crash.
	keep func() func(size int) int
}

// LoseAll takes everything that was not synced: names too, until their
// directory is synced.
func LoseAll() Loss {
	return Loss{func() func(int) int { return func(int) int { return 0 } }}
}

// LoseNone takes nothing: the machine wrote everything back in time.
func LoseNone() Loss {
	return Loss{func() func(int) int { return func(size int) int { return size } }}
}

// LoseSome takes a random part of the changes, in any order, and tears writes;
// the same seed takes the same part.
func LoseSome(seed uint64) Loss {
	return Loss{func() func(int) int {
		r := rand.New(rand.NewPCG(seed, 1))
		return func(size int) int {
			switch r.IntN(3) {
			case 0:
				return 0
			case 1:
				return size
			}
			return r.IntN(size + 1)
		}
	}}
}

// step is one recorded change, applied to the state by number, not by path, so
// that it can be replayed.
type step struct {
	op       Op
	path, to string // for Operations only

	id          int // the inode changed, made, or moved
	dir, toDir  int
	name, toNew string

	isDir    bool
	mode     fs.FileMode
	uid, gid int
	off      int64 // of a write; the size of a truncate
	data     []byte
	time     time.Time
}

// content is what an inode holds beside its entries.
type content struct {
	data     []byte
	mode     fs.FileMode
	uid, gid int
	mtime    time.Time
}

// entryChange is a change of a directory: del goes, set comes, at once.
type entryChange struct {
	del, set string
	id       int
	// rename is not 0 in both halves of a rename between directories, which a
	// crash takes or leaves together, as journaling file systems do. Syncing
	// one of the directories makes that half alone durable.
	rename int
}

// inode is a file or directory: as it is now, and as it is on the disk.
type inode struct {
	isDir        bool
	now, disk    content
	names, onDsk map[string]int
	pending      []step        // changes of content not synced
	moves        []entryChange // changes of names not synced
}

// state is a whole file system; inode 0 is its root.
type state struct {
	inodes  map[int]*inode
	next    int
	renames int
}

func newState() *state {
	root := &inode{isDir: true, names: map[string]int{}, onDsk: map[string]int{}}
	root.now.mode, root.now.mtime = 0o755, time.Now()
	root.disk = root.now
	return &state{inodes: map[int]*inode{0: root}, next: 1}
}

// clone copies s. Bytes are shared: content is replaced, never changed.
func (s *state) clone() *state {
	c := &state{inodes: map[int]*inode{}, next: s.next, renames: s.renames}
	for id, n := range s.inodes {
		d := *n
		d.names, d.onDsk = maps.Clone(n.names), maps.Clone(n.onDsk)
		d.pending, d.moves = slices.Clone(n.pending), slices.Clone(n.moves)
		c.inodes[id] = &d
	}
	return c
}

// apply makes a recorded change.
func (s *state) apply(st step) {
	switch st.op {
	case OpCreate, OpMkdir:
		n := &inode{isDir: st.isDir, now: content{mode: st.mode, mtime: st.time}}
		n.disk = n.now
		if n.isDir {
			n.names, n.onDsk = map[string]int{}, map[string]int{}
		}
		s.inodes[st.id] = n
		s.next = max(s.next, st.id+1)
		s.move(st.dir, entryChange{set: st.name, id: st.id})
	case OpRemove:
		s.move(st.dir, entryChange{del: st.name})
	case OpRename:
		if st.dir == st.toDir {
			s.move(st.dir, entryChange{del: st.name, set: st.toNew, id: st.id})
			return
		}
		s.renames++
		s.move(st.toDir, entryChange{set: st.toNew, id: st.id, rename: s.renames})
		s.move(st.dir, entryChange{del: st.name, rename: s.renames})
	case OpSync:
		s.inodes[st.id].sync()
	default:
		n := s.inodes[st.id]
		n.now.apply(st, len(st.data))
		n.pending = append(n.pending, st)
	}
}

func (s *state) move(dir int, c entryChange) {
	n := s.inodes[dir]
	c.apply(n.names)
	n.moves = append(n.moves, c)
}

func (c entryChange) apply(names map[string]int) {
	if c.del != "" {
		delete(names, c.del)
	}
	if c.set != "" {
		names[c.set] = c.id
	}
}

func (n *inode) sync() {
	n.disk, n.onDsk = n.now, maps.Clone(n.names)
	n.pending, n.moves = nil, nil
}

// apply makes a change of content; of a write, its first bytes.
func (c *content) apply(st step, size int) {
	switch st.op {
	case OpWrite:
		end := int(st.off) + size
		grown := make([]byte, max(len(c.data), end))
		copy(grown, c.data)
		copy(grown[st.off:], st.data[:size])
		c.data, c.mtime = grown, st.time
	case OpTruncate:
		cut := make([]byte, st.off)
		copy(cut, c.data)
		c.data, c.mtime = cut, st.time
	case OpChmod:
		c.mode = st.mode
	case OpChown:
		c.uid, c.gid = st.uid, st.gid
	case OpChtimes:
		c.mtime = st.time
	}
}

// crash returns what is on the disk after a loss, as a state that is synced.
func (s *state) crash(loss Loss) *state {
	keep := loss.keep()
	after := &state{inodes: map[int]*inode{}, next: s.next}
	together := map[int]bool{} // renames between directories
	for _, id := range slices.Sorted(maps.Keys(s.inodes)) {
		n := s.inodes[id]
		left := &inode{isDir: n.isDir, now: n.disk, names: maps.Clone(n.onDsk)}
		left.now.data = bytes.Clone(n.disk.data)
		for _, st := range n.pending {
			if size := keep(max(1, len(st.data))); size > 0 {
				left.now.apply(st, min(size, len(st.data)))
			}
		}
		for _, c := range n.moves {
			kept, drawn := together[c.rename]
			if !drawn {
				kept = keep(1) > 0
			}
			if c.rename != 0 {
				together[c.rename] = kept
			}
			if kept {
				c.apply(left.names)
			}
		}
		left.sync()
		after.inodes[id] = left
	}
	return after
}
