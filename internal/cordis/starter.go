package cordis

import (
	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
)

// newStarter makes what starts halves: each in a process of its own, with one kept
// ready, or, when the user trusts them, in this one. They belong to the circle.
func (w *Workspace) newStarter(circle *half.Circle, trusted, spare bool, stderr func(line string)) (half.Starter, func(), error) {
	settings := child.Settings{Circle: circle, Machine: child.Machine{Now: w.opts.Now, Random: w.opts.Random}, Memory: halfMemory, Stderr: stderr}
	if trusted {
		s := child.NewInProcess(settings)
		return s, func() { _ = s.Close() }, nil
	}
	program, err := w.opts.Program()
	if err != nil {
		return nil, nil, err
	}
	s := child.NewProcesses(program, spare, settings)
	return s, func() { _ = s.Close() }, nil
}

// counted is how many processes a Starter has; nil when it has none.
func counted(s half.Starter) func() int {
	if p, ok := s.(*child.Processes); ok {
		return p.Running
	}
	return nil
}
