package main

import (
	"context"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// Schedule spawns a session again and again.
type Schedule struct {
	// Name identifies it in its project.
	Name string `json:"name"`
	// Prompt is what the sessions are to do.
	Prompt string `json:"prompt"`
	// EverySeconds is the time between two.
	EverySeconds int `json:"every_seconds"`
	// Enabled says that it runs by itself.
	Enabled bool `json:"enabled"`
	// Next is when.
	Next time.Time `json:"next"`
	// LastSession is the one spawned last; absent before.
	LastSession string `json:"last_session,omitempty"`
}

type scheduleCreateInput struct {
	inProject
	// Name of the new schedule.
	Name string `json:"name" example:"nightly"`
	// What the sessions are to do.
	Prompt string `json:"prompt"`
	// Seconds between two sessions.
	EverySeconds int `json:"every_seconds" min:"1" max:"31536000"`
}

// Validate checks the name.
func (in scheduleCreateInput) Validate() error { return named("name", in.Name) }

type scheduleInput struct {
	inProject
	// Name of the schedule.
	Name string `json:"name" example:"nightly"`
}

type scheduleListInput struct{ inProject }

type scheduleUpdateInput struct {
	inProject
	// Name of the schedule.
	Name string `json:"name" example:"nightly"`
	// What the sessions are to do from now on.
	Prompt *string `json:"prompt,omitempty"`
	// Seconds between two sessions from now on.
	EverySeconds *int `json:"every_seconds,omitempty" min:"1" max:"31536000"`
	// Whether it runs by itself.
	Enabled *bool `json:"enabled,omitempty"`
}

type scheduleOutput struct {
	// Schedule as it is now.
	Schedule Schedule `json:"schedule"`
}

type scheduleListOutput struct {
	// Schedules of the project.
	Schedules []Schedule `json:"schedules"`
}

func (p *Plane) scheduleTool() *facade.Tool {
	return facade.New("schedule", "Sessions that are spawned again and again.",
		facade.Bind("create", facade.EffectWrite, "Make a schedule.", p.createSchedule),
		facade.Bind("list", facade.EffectRead, "List schedules.", p.listSchedules),
		facade.Bind("get", facade.EffectRead, "Show a schedule.", p.getSchedule),
		facade.Bind("update", facade.EffectWrite, "Change what is given.", p.updateSchedule),
		facade.Bind("delete", facade.EffectWrite|facade.EffectDestructive, "Delete a schedule.", p.deleteSchedule),
		facade.Bind("trigger", facade.EffectWrite, "Spawn its session now.", p.triggerSchedule))
}

func every(seconds int) time.Duration { return time.Duration(seconds) * time.Second }

func (p *Plane) createSchedule(_ context.Context, in scheduleCreateInput) (scheduleOutput, error) {
	if err := p.within(in.Project); err != nil {
		return scheduleOutput{}, err
	}
	s, err := change(p.store, kindSchedule, in.Project, in.Name, func(v *Schedule, fresh bool) error {
		if !fresh {
			return facade.Errorf(facade.CodeAlreadyExists, "there is a schedule '%s' already", in.Name)
		}
		*v = Schedule{Name: in.Name, Prompt: in.Prompt, EverySeconds: in.EverySeconds, Enabled: true, Next: time.Now().Add(every(in.EverySeconds))}
		return nil
	})
	return scheduleOutput{s}, err
}

func (p *Plane) listSchedules(_ context.Context, in scheduleListInput) (scheduleListOutput, error) {
	if err := p.within(in.Project); err != nil {
		return scheduleListOutput{}, err
	}
	all, err := list[Schedule](p.store, kindSchedule, in.Project)
	return scheduleListOutput{all}, err
}

func (p *Plane) getSchedule(_ context.Context, in scheduleInput) (scheduleOutput, error) {
	s, err := get[Schedule](p.store, kindSchedule, in.Project, in.Name)
	return scheduleOutput{s}, err
}

func (p *Plane) updateSchedule(_ context.Context, in scheduleUpdateInput) (scheduleOutput, error) {
	s, err := change(p.store, kindSchedule, in.Project, in.Name, existing(kindSchedule, in.Name, func(v *Schedule) error {
		if in.Prompt != nil {
			v.Prompt = *in.Prompt
		}
		if in.EverySeconds != nil {
			v.EverySeconds, v.Next = *in.EverySeconds, time.Now().Add(every(*in.EverySeconds))
		}
		if in.Enabled != nil {
			v.Enabled = *in.Enabled
		}
		return nil
	}))
	return scheduleOutput{s}, err
}

func (p *Plane) deleteSchedule(_ context.Context, in scheduleInput) (deletedOutput, error) {
	return deletedOutput{in.Name}, p.store.remove(kindSchedule, in.Project, in.Name)
}

func (p *Plane) triggerSchedule(ctx context.Context, in scheduleInput) (sessionOutput, error) {
	s, err := get[Schedule](p.store, kindSchedule, in.Project, in.Name)
	if err != nil {
		return sessionOutput{}, err
	}
	out, err := p.spawn(ctx, sessionSpawnInput{in.inProject, s.Prompt})
	if err != nil {
		return out, err
	}
	_, err = change(p.store, kindSchedule, in.Project, in.Name, existing(kindSchedule, in.Name, func(v *Schedule) error {
		v.LastSession, v.Next = out.Session.ID, time.Now().Add(every(v.EverySeconds))
		return nil
	}))
	return out, err
}

// Tick triggers the schedules that are due, and returns how many.
func (p *Plane) Tick(ctx context.Context, now time.Time) (int, error) {
	projects, err := list[Project](p.store, kindProject, global)
	if err != nil {
		return 0, err
	}
	done := 0
	for _, project := range projects {
		all, err := list[Schedule](p.store, kindSchedule, project.Name)
		if err != nil {
			return done, err
		}
		for _, s := range all {
			if !s.Enabled || now.Before(s.Next) {
				continue
			}
			if _, err := p.triggerSchedule(ctx, scheduleInput{inProject{project.Name}, s.Name}); err != nil {
				return done, err
			}
			done++
		}
	}
	return done, nil
}
