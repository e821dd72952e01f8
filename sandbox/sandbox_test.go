package sandbox

import (
	"errors"
	"strings"
	"testing"
)

func TestNamed(t *testing.T) {
	if s, err := Named(t.Context(), "none"); err != nil || s.Name() != "none" {
		t.Errorf("none gives %v, %v", s, err)
	}
	if s, err := Named(t.Context(), "docker"); err == nil || s != nil || !strings.Contains(err.Error(), "bubblewrap") {
		t.Errorf("docker gives %v, %v", s, err)
	}
}

func TestFailClosed(t *testing.T) {
	err := Require(t.Context(), None{}, FileWrites, Network)
	e, ok := errors.AsType[*UnavailableError](err)
	if !ok || len(e.Missing) != 1 || len(e.Missing[0].Findings) != 2 {
		t.Fatalf("Require gives %v", err)
	}
	if !strings.Contains(e.Error(), "none") || e.Fix() == "" {
		t.Errorf("the error is %q, its fix %q", e.Error(), e.Fix())
	}
	if err := Require(t.Context(), None{}, Capability("magic")); err == nil {
		t.Error("an unknown capability is held")
	}
}

func TestReportHolds(t *testing.T) {
	r := contained0("", "")
	if !r.Holds(FileWrites, ProcessTree) || r.Holds(Memory) || r.Holds(FileWrites, Capability("magic")) {
		t.Errorf("the report is %+v", r)
	}
	if r = contained0("broken", "mend"); r.Holds(FileWrites) {
		t.Errorf("the report of what does not work is %+v", r)
	}
}

func contained0(cause, fix string) Report {
	return Report{Sandbox: "x", Findings: append(findings(cause, fix, FileWrites, ProcessTree), findings("no control group", "make one", Memory)...)}
}
