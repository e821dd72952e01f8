//go:build !linux

package proc

// Without /proc, processes that left the group are neither found nor reported.

func awaitExit(int) {}

func killProcess(Survivor) {}

func (p *Process) family() []Survivor { return nil }

func (p *Process) sweep() []Survivor { return nil }

// KillMarked finds nothing on this system.
func KillMarked(string) []Survivor { return nil }
