package cordis

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Step is one thing to be done with a half that runs: a handler invoked, or a tool
// called.
type Step struct {
	Tool bool
	Name string
	Args any
}

// StepResult is what came of it.
type StepResult struct {
	Step
	Value any
	Text  string // what a tool rendered for a model
	Err   error
}

// ExecOptions say what Exec runs.
type ExecOptions struct {
	Name    string // of the file
	Code    string
	Trusted bool
	Steps   []Step
	For     time.Duration // how long it goes on after the steps

	Line func(host.LogLine) // takes what the half logs
}

// ExecReport is what came of Exec.
type ExecReport struct {
	Run     host.RunAnswer
	Tools   []string
	Results []StepResult
}

// Exec runs one Host half without a host process: it is defined, run, called, and
// undone. A half that does not start, or that breaks later, is an error; what the
// steps came to stands in the report.
func (w *Workspace) Exec(ctx context.Context, o ExecOptions) (report ExecReport, err error) {
	circle := half.NewCircle()
	starter, end, err := w.newStarter(circle, o.Trusted, false, nil)
	if err != nil {
		return report, err
	}
	defer end()
	h, err := host.New(host.Config{
		Workspace: w.opts.Root, Private: w.private(), Environ: w.opts.Environ, Starter: starter, Circle: circle, Grants: w.grants(func(string, ...any) {}),
		Now: w.opts.Now, Language: w.opts.Language, Log: o.Line,
	})
	if err != nil {
		return report, err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		if failed := h.Close(closing); err == nil {
			err = failed
		}
	}()
	s := h.Session("exec")
	defined, err := s.Define(ctx, host.DefineOptions{Prefix: "exec", Name: o.Name, Purpose: o.Name, Host: &o.Code})
	if err != nil {
		return report, err
	}
	report.Run, err = s.Run(ctx, host.RunOptions{Plugin: defined.PluginID, Package: defined.PackageID, Mode: "run"})
	if err != nil {
		return report, err
	}
	for _, t := range s.Tools() {
		report.Tools = append(report.Tools, t.Name)
	}
	for _, step := range o.Steps {
		report.Results = append(report.Results, w.step(ctx, h, s, defined.PluginID, step))
	}
	linger(ctx, o.For)
	return report, s.Rest(ctx, defined.PluginID)
}

// linger waits, unless ctx ends.
func linger(ctx context.Context, wait time.Duration) {
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// step invokes a handler or calls a tool.
func (w *Workspace) step(ctx context.Context, h *host.Host, s *host.Session, plugin host.PluginID, step Step) StepResult {
	r := StepResult{Step: step}
	if !step.Tool {
		a := h.Invoke(ctx, plugin, "", step.Name, step.Args)
		r.Value = a.Value
		if !a.OK {
			r.Err = &InvokeError{a.Code, a.Message}
		}
		return r
	}
	if step.Args == nil {
		step.Args = jsonvalue.Of()
	}
	a, err := s.CallTool(ctx, step.Name, step.Args)
	r.Value, r.Err = a.Value, err
	for _, c := range a.Content {
		if o, ok := jsonvalue.Map(c); ok {
			text, _ := o.Text("text")
			r.Text += text
		}
	}
	return r
}

// InvokeError is why a handler did not answer (spec/cordis.md 11.1).
type InvokeError struct{ Code, Message string }

// Error is the message.
func (e *InvokeError) Error() string { return e.Code + ": " + e.Message }
