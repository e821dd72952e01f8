package facade

import "context"

// WriteCandidate is content that is about to be written.
type WriteCandidate struct {
	// Path is relative to the root.
	Path string
	// Content is the whole new content, decoded to UTF-8.
	Content string
	// Previous is the content before; "" for a new file.
	Previous string
	// Session is the session_id of the call, or the session of the host, for
	// validators that remember a conversation.
	Session string
}

// WriteValidator judges content before it is written. Writes go on whatever it
// answers: a failed validation is reported beside the result, for the model to
// act upon, and an error means that the validator could not do its work.
type WriteValidator interface {
	// Name is short, as "python-syntax".
	Name() string
	// Accepts reports whether the validator judges files of that path.
	Accepts(path string) bool
	// ValidateWrite returns what it found; nothing means passed.
	ValidateWrite(ctx context.Context, c WriteCandidate) ([]Finding, error)
}

// ValidationStatus is the outcome of all validators of a write.
type ValidationStatus string

// The outcomes. Failed means that a finding is an error; unavailable, that no
// validator could do its work; skipped, that none applied or that the call
// switched them off.
const (
	ValidationPassed      ValidationStatus = "passed"
	ValidationFailed      ValidationStatus = "failed"
	ValidationSkipped     ValidationStatus = "skipped"
	ValidationUnavailable ValidationStatus = "unavailable"
)

// Validation is the joint verdict of the validators of a write.
type Validation struct {
	// Status is passed, failed, skipped or unavailable.
	Status ValidationStatus `json:"status"`
	// Findings are what the validators saw.
	Findings []Finding `json:"findings"`
}

// Finding is one remark of a validator.
type Finding struct {
	// Validator is the name of the one that found it.
	Validator string `json:"validator"`
	// Severity is error or warning.
	Severity string `json:"severity"`
	// Line is where, from 1; 0 when it is about the whole file.
	Line int `json:"line,omitempty"`
	// Message says what is wrong.
	Message string `json:"message"`
}
