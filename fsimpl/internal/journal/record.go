package journal

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"time"
	"unicode/utf8"
)

// The kinds of records in a session's log.
const (
	recordBegin  = "begin"
	recordCommit = "commit"
	recordAbort  = "abort"
	recordUndo   = "undo"
	recordRedo   = "redo"
)

// record is one line of a log.
type record struct {
	Kind    string       `json:"kind"`
	Seq     int64        `json:"seq"`
	Session name         `json:"session,omitempty"`
	Action  string       `json:"action,omitempty"`
	Time    time.Time    `json:"time"`
	Changes []wireChange `json:"changes,omitempty"`
}

type wireChange struct {
	Path   name      `json:"path"`
	From   name      `json:"from,omitempty"`
	Lost   bool      `json:"lost,omitempty"`
	Before wireState `json:"before"`
	After  wireState `json:"after"`
}

type wireState struct {
	Kind   Kind        `json:"kind"`
	Mode   fs.FileMode `json:"mode,omitempty"`
	Hash   string      `json:"hash,omitempty"`
	Size   int64       `json:"size,omitempty"`
	Target name        `json:"target,omitempty"`
}

// name is a string that may not be UTF-8, which a JSON string would change: it
// is written as a list of its Base64 form then.
type name string

// MarshalJSON implements [json.Marshaler].
func (n name) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(n)) {
		return json.Marshal(string(n))
	}
	return json.Marshal([]string{base64.StdEncoding.EncodeToString([]byte(n))})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *name) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(n))
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if len(list) != 1 {
		return fmt.Errorf("a name of %d parts", len(list))
	}
	raw, err := base64.StdEncoding.DecodeString(list[0])
	*n = name(raw)
	return err
}

func wire(s State) wireState {
	if s.Kind == "" {
		s.Kind = Absent
	}
	return wireState{s.Kind, s.Mode, s.Hash, s.Size, name(s.Target)}
}

func (w wireState) state() State {
	return State{w.Kind, w.Mode, w.Hash, w.Size, string(w.Target)}
}

func wireChanges(changes []Change) []wireChange {
	out := make([]wireChange, len(changes))
	for i, c := range changes {
		out[i] = wireChange{name(c.Path), name(c.From), c.Lost, wire(c.Before), wire(c.After)}
	}
	return out
}

func (r record) operation() Operation {
	op := Operation{ID: fmt.Sprintf("c%d", r.Seq), Session: string(r.Session), Action: r.Action, Time: r.Time, seq: r.Seq, open: true}
	for _, c := range r.Changes {
		op.Changes = append(op.Changes, Change{
			Path: string(c.Path), Before: c.Before.state(), After: c.After.state(), From: string(c.From), Lost: c.Lost,
		})
	}
	return op
}

// operations reads a log: what was committed, in order, with what undo and
// redo did. A committed operation forgets what was undone before it. Begun
// operations that nothing ended come with open set.
func operations(records []record) []Operation {
	var ops []Operation
	at := map[int64]int{}
	for _, r := range records {
		i, known := at[r.Seq]
		switch {
		case r.Kind == recordBegin:
			at[r.Seq] = len(ops)
			ops = append(ops, r.operation())
		case !known:
		case r.Kind == recordCommit:
			ops[i].open = false
			for k := range ops {
				if ops[k].Undone {
					ops[k].seq = 0 // forgotten
				}
			}
		case r.Kind == recordAbort:
			ops[i].seq = 0
		case r.Kind == recordUndo:
			ops[i].Undone = true
		case r.Kind == recordRedo:
			ops[i].Undone = false
		}
	}
	kept := ops[:0]
	for _, op := range ops {
		if op.seq != 0 {
			kept = append(kept, op)
		}
	}
	return kept
}

func nextSeq(records []record) int64 {
	var last int64
	for _, r := range records {
		last = max(last, r.Seq)
	}
	return last + 1
}
