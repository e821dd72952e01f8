package fsimpl

import (
	"context"
	"fmt"

	"github.com/toolfacade/toolfacade/facade"
)

// validate asks the host's validators about the content of a write. It fails
// open: whatever they do, the write goes on, and the outcome is reported.
func (f *Files) validate(ctx context.Context, in facade.WriteInput, name string) *facade.Validation {
	v := &facade.Validation{Status: facade.ValidationSkipped, Findings: []facade.Finding{}}
	if !*in.ValidateWithLLM || in.Mode == "binary" || in.InputFormat != "raw_utf8" {
		return v
	}
	candidate := facade.WriteCandidate{Path: shown(name), Content: in.Content, Session: in.SessionID}
	if candidate.Session == "" {
		candidate.Session = facade.Info(ctx).Session
	}
	asked, worked := 0, 0
	for _, validator := range f.opts.Validators {
		if !validator.Accepts(candidate.Path) {
			continue
		}
		if asked++; asked == 1 {
			if old, err := f.before(name, true); err == nil && old != nil {
				candidate.Previous = string(old.data)
				if in.Append {
					candidate.Content = candidate.Previous + in.Content
				}
			}
		}
		findings, err := f.ask(ctx, validator, candidate)
		if err != nil {
			v.Findings = append(v.Findings, facade.Finding{
				Validator: validator.Name(), Severity: "warning", Message: "could not judge: " + cause(err),
			})
			continue
		}
		worked++
		v.Findings = append(v.Findings, findings...)
	}
	v.Status = verdict(asked, worked, v.Findings)
	return v
}

func verdict(asked, worked int, findings []facade.Finding) facade.ValidationStatus {
	switch {
	case asked == 0:
		return facade.ValidationSkipped
	case worked == 0:
		return facade.ValidationUnavailable
	}
	for _, finding := range findings {
		if finding.Severity == "error" {
			return facade.ValidationFailed
		}
	}
	return facade.ValidationPassed
}

// ask runs one validator for a limited time and turns its panic into an error.
// One that ignores the end of its context is left behind.
func (f *Files) ask(ctx context.Context, v facade.WriteValidator, c facade.WriteCandidate) ([]facade.Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, f.opts.ValidatorTimeout)
	defer cancel()
	type answer struct {
		findings []facade.Finding
		err      error
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if r := recover(); r != nil {
				a = answer{err: fmt.Errorf("validator %s failed: %v", v.Name(), r)}
			}
			answers <- a
		}()
		a.findings, a.err = v.ValidateWrite(ctx, c)
	}()
	select {
	case a := <-answers:
		for i := range a.findings {
			if a.findings[i].Validator == "" {
				a.findings[i].Validator = v.Name()
			}
		}
		return a.findings, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
