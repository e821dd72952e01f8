package access

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// DefaultApprovalTimeout is how long an approver may take.
const DefaultApprovalTimeout = 5 * time.Minute

// Approver answers for a person whether a call may run. It must return when
// ctx ends. An error, a panic, a late answer, the zero [Decision] and one made
// for another request all count as refusal.
type Approver func(ctx context.Context, req Request) (Decision, error)

// Request is what an approver is asked about.
type Request struct {
	// Digest identifies what is asked: the same tool, action, input and current
	// directory have the same digest, and no other has it.
	Digest string `json:"digest"`
	// ID and Session are those of the call.
	ID      string `json:"id,omitempty"`
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool"`
	Action  string `json:"action"`
	// Effect is what this very call may do.
	Effect facade.Effect `json:"effect"`
	// Rule is the name of the rule that asks, or "default".
	Rule string `json:"rule"`
	// Dir is the directory that relative paths start from, below the root.
	Dir string `json:"dir"`
	// Resources are the paths of the call.
	Resources []Resource `json:"resources,omitempty"`
	// Input is the decoded input, with the defaults that the model left out
	// left out.
	Input json.RawMessage `json:"input"`
}

// Decision is the answer to one [Request]. Make it with the request's methods.
type Decision struct {
	// Verdict is Allow, Deny, or Ask for "not now".
	Verdict Verdict
	// Digest is the request's.
	Digest string
	// Remember allows the same request of the same session from now on.
	Remember bool
	// Reason is shown to the model.
	Reason string
}

// Allow agrees to this one call.
func (r Request) Allow() Decision { return Decision{Verdict: Allow, Digest: r.Digest} }

// AllowAlways agrees to this and every same call of the session.
func (r Request) AllowAlways() Decision {
	return Decision{Verdict: Allow, Digest: r.Digest, Remember: true}
}

// Deny refuses the call. The reason, which may be empty, is for the model.
func (r Request) Deny(reason string) Decision {
	return Decision{Verdict: Deny, Digest: r.Digest, Reason: reason}
}

// Later says that nobody can answer now. The call fails with
// [facade.CodeNeedsApproval] and the reason, which may be empty.
func (r Request) Later(reason string) Decision {
	return Decision{Verdict: Ask, Digest: r.Digest, Reason: reason}
}

// approval asks the approver and remembers.
type approval struct {
	approver Approver
	timeout  time.Duration
	memory   *memory
}

func newApproval(opts *PolicyOptions) approval {
	a := approval{approver: opts.Approver, timeout: opts.ApprovalTimeout, memory: newMemory()}
	if a.timeout == 0 {
		a.timeout = DefaultApprovalTimeout
	}
	return a
}

// ask returns nil when the call may run.
func (a *approval) ask(ctx context.Context, req *facade.Request, ruling Ruling, dir string) error {
	r, err := newRequest(req, ruling, dir)
	if err != nil {
		return facade.Errorf(facade.CodeDenied, "the call cannot be shown to anybody for approval: %w", err)
	}
	if a.memory.has(r.Session, r.Digest) {
		note(ctx, "remembered", ruling.Rule)
		return nil
	}
	if a.approver == nil {
		note(ctx, "needs_approval", ruling.Rule)
		return needsApproval("")
	}
	d, err := a.answer(ctx, r)
	if ctx.Err() != nil {
		note(ctx, "unanswered", ruling.Rule)
		return ctx.Err()
	}
	return a.settle(ctx, req, r, d, err)
}

// settle turns a decision into what happens.
func (a *approval) settle(ctx context.Context, req *facade.Request, r Request, d Decision, err error) error {
	if err == nil && d.Verdict == Ask {
		note(ctx, "needs_approval", r.Rule)
		return needsApproval(d.Reason)
	}
	if err == nil && d.Verdict == Allow {
		// An approver that got hold of the input must not have changed it.
		now, bad := newRequest(req, Ruling{}, r.Dir)
		if bad == nil && d.Digest == r.Digest && now.Digest == r.Digest {
			if d.Remember {
				a.memory.add(r.Session, r.Digest)
			}
			note(ctx, "approved", r.Rule)
			return nil
		}
		err = errors.New("the approval is for another call")
	}
	note(ctx, "refused", r.Rule)
	switch {
	case err != nil:
		return facade.Errorf(facade.CodeDenied, "the call needs approval, and asking for it failed").
			WithHint("tell the user that the approval could not be asked for")
	case d.Reason != "":
		return facade.Errorf(facade.CodeDenied, "the user refused this call: %s", d.Reason).WithHint("do not repeat it unchanged")
	}
	return facade.Errorf(facade.CodeDenied, "the user refused this call").WithHint("do not repeat it unchanged; ask what to do instead")
}

func needsApproval(reason string) error {
	e := facade.Errorf(facade.CodeNeedsApproval, "a person has to approve this call first")
	if reason != "" {
		return e.WithHint("%s", reason)
	}
	return e.WithHint("tell the user what you want to do and why; repeat the call unchanged once it is approved")
}

var errPanic = errors.New("the approver panicked")

// answer waits for the approver, but not for ever.
func (a *approval) answer(ctx context.Context, r Request) (Decision, error) {
	ctx, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	type reply struct {
		d   Decision
		err error
	}
	replies := make(chan reply, 1)
	go func() {
		var got reply
		got.err = errPanic // also when the approver ends its goroutine
		defer func() {
			if recover() != nil {
				got = reply{err: errPanic}
			}
			replies <- got
		}()
		d, err := a.approver(ctx, r)
		got = reply{d, err}
	}()
	select {
	case got := <-replies:
		if ctx.Err() != nil {
			return Decision{}, ctx.Err()
		}
		return got.d, got.err
	case <-ctx.Done():
		return Decision{}, ctx.Err()
	}
}

// newRequest describes a call for the approver.
func newRequest(req *facade.Request, ruling Ruling, dir string) (Request, error) {
	input, err := json.Marshal(req.Input)
	if err != nil {
		return Request{}, err
	}
	return Request{
		Digest: digest(req.Tool, req.Action, dir, string(input)),
		ID:     req.Call.ID, Session: req.Call.Session, Tool: req.Tool, Action: req.Action, Effect: req.Effect,
		Rule: ruling.Rule, Dir: dir, Resources: Resources(req.Input), Input: input,
	}, nil
}

// digest hashes parts so that no two lists of parts run together.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}
