package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// Session is a conversation with an agent, which works in a workspace of its own.
// What is said is kept as events, for whoever runs the agent to read.
type Session struct {
	// ID identifies it, and names its workspace.
	ID string `json:"id"`
	// Status is active or ended.
	Status string `json:"status"`
	// Prompt is what the agent is to do.
	Prompt string `json:"prompt"`
	// Created is when it began.
	Created time.Time `json:"created"`
	// Ended is when it ended; absent before.
	Ended *time.Time `json:"ended,omitempty"`
	// Events counts what happened.
	Events int `json:"events"`
}

// SessionEvent is something that happened in a session.
type SessionEvent struct {
	// Seq counts from 1.
	Seq int `json:"seq"`
	// Time is when.
	Time time.Time `json:"time"`
	// Type is spawned, message or ended.
	Type string `json:"type"`
	// Text is what was said.
	Text string `json:"text,omitempty"`
}

const (
	active = "active"
	ended  = "ended"
)

// session is how it is stored.
type session struct {
	Session
	Log []SessionEvent `json:"log"`
}

func (s *session) add(kind, text string) {
	s.Events++
	s.Log = append(s.Log, SessionEvent{s.Events, time.Now(), kind, text})
}

type sessionSpawnInput struct {
	inProject
	// What the agent is to do.
	Prompt string `json:"prompt" example:"Fix the failing test."`
}

type sessionInput struct {
	inProject
	// Id of the session.
	ID string `json:"id" example:"s-abc"`
}

type sessionMessageInput struct {
	inProject
	// Id of the session.
	ID string `json:"id" example:"s-abc"`
	// What to say.
	Text string `json:"text"`
}

type sessionListInput struct {
	inProject
	// Only sessions with this status.
	Status string `json:"status,omitempty" enum:"active,ended"`
}

type sessionEventsInput struct {
	inProject
	// Id of the session.
	ID string `json:"id" example:"s-abc"`
	// Only events after this one.
	After int `json:"after,omitempty" default:"0" min:"0"`
}

type sessionOutput struct {
	// Session as it is now.
	Session Session `json:"session"`
}

type sessionListOutput struct {
	// Sessions of the project.
	Sessions []Session `json:"sessions"`
}

type sessionEventsOutput struct {
	// Events in their order.
	Events []SessionEvent `json:"events"`
}

type cleanupOutput struct {
	// Removed lists the sessions that are gone, with their workspaces.
	Removed []string `json:"removed"`
}

type cleanupInput struct{ inProject }

func (p *Plane) sessionTool() *facade.Tool {
	return facade.New("session", "Start agents in a project and talk with them.",
		facade.Bind("spawn", facade.EffectWrite, "Start a session with a workspace of its own.", p.spawn),
		facade.Bind("message", facade.EffectWrite, "Say something in a session.", p.message),
		facade.Bind("get", facade.EffectRead, "Show a session.", p.getSession),
		facade.Bind("list", facade.EffectRead, "List sessions.", p.listSessions),
		facade.Bind("end", facade.EffectWrite|facade.Idempotent, "End a session.", p.endSession),
		facade.Bind("events", facade.EffectRead, "Show what happened in a session.", p.events),
		facade.Bind("cleanup", facade.EffectWrite|facade.EffectDestructive, "Remove the sessions that have ended, with their workspaces.", p.cleanup))
}

func (p *Plane) spawn(_ context.Context, in sessionSpawnInput) (sessionOutput, error) {
	if err := p.within(in.Project); err != nil {
		return sessionOutput{}, err
	}
	id := newID(kindSession)
	s, err := change(p.store, kindSession, in.Project, id, func(v *session, _ bool) error {
		v.Session = Session{ID: id, Status: active, Prompt: in.Prompt, Created: time.Now()}
		v.add("spawned", in.Prompt)
		return os.MkdirAll(filepath.Join(p.dir(in.Project), id), 0o700)
	})
	return sessionOutput{s.Session}, err
}

func (p *Plane) message(_ context.Context, in sessionMessageInput) (sessionOutput, error) {
	s, err := change(p.store, kindSession, in.Project, in.ID, existing(kindSession, in.ID, func(v *session) error {
		if v.Status == ended {
			return facade.Errorf(facade.CodeConflict, "session '%s' has ended", in.ID).WithHint("spawn another one")
		}
		v.add("message", in.Text)
		return nil
	}))
	return sessionOutput{s.Session}, err
}

func (p *Plane) getSession(_ context.Context, in sessionInput) (sessionOutput, error) {
	s, err := get[session](p.store, kindSession, in.Project, in.ID)
	return sessionOutput{s.Session}, err
}

func (p *Plane) listSessions(_ context.Context, in sessionListInput) (sessionListOutput, error) {
	out := sessionListOutput{Sessions: []Session{}}
	if err := p.within(in.Project); err != nil {
		return out, err
	}
	all, err := list[session](p.store, kindSession, in.Project)
	for _, s := range all {
		if in.Status == "" || s.Status == in.Status {
			out.Sessions = append(out.Sessions, s.Session)
		}
	}
	return out, err
}

func (p *Plane) endSession(_ context.Context, in sessionInput) (sessionOutput, error) {
	s, err := change(p.store, kindSession, in.Project, in.ID, existing(kindSession, in.ID, func(v *session) error {
		if v.Status == active {
			now := time.Now()
			v.Status, v.Ended = ended, &now
			v.add("ended", "")
		}
		return nil
	}))
	return sessionOutput{s.Session}, err
}

func (p *Plane) events(_ context.Context, in sessionEventsInput) (sessionEventsOutput, error) {
	s, err := get[session](p.store, kindSession, in.Project, in.ID)
	if err != nil {
		return sessionEventsOutput{}, err
	}
	return sessionEventsOutput{append([]SessionEvent{}, s.Log[min(in.After, len(s.Log)):]...)}, nil
}

func (p *Plane) cleanup(_ context.Context, in cleanupInput) (cleanupOutput, error) {
	out := cleanupOutput{Removed: []string{}}
	if err := p.within(in.Project); err != nil {
		return out, err
	}
	all, err := list[session](p.store, kindSession, in.Project)
	if err != nil {
		return out, err
	}
	for _, s := range all {
		if s.Status != ended {
			continue
		}
		if err := os.RemoveAll(filepath.Join(p.dir(in.Project), s.ID)); err != nil {
			return out, err
		}
		if err := p.store.remove(kindSession, in.Project, s.ID); err != nil {
			return out, err
		}
		out.Removed = append(out.Removed, s.ID)
	}
	return out, nil
}
