package cordiscmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fault"
	ptext "github.com/dshkit/dshkit/pkg/text"
)

type execOptions struct {
	file    string
	trusted bool
	stay    time.Duration
	steps   []givenStep
}

// givenStep is NAME or NAME JSON as it was given.
type givenStep struct {
	text string
	tool bool
}

// stepFlag adds what it is given to the steps, so that handlers and tools are
// called in the order in which they are named.
type stepFlag struct {
	steps *[]givenStep
	tool  bool
}

// String is the value when none was given.
func (stepFlag) String() string { return "" }

// Type is what help calls the value.
func (stepFlag) Type() string { return "string" }

// Set takes NAME or NAME JSON; it is read later, so that what is wrong with it can be
// told.
func (f stepFlag) Set(s string) error {
	if s = strings.TrimSpace(s); s == "" {
		return errors.New("no name")
	}
	*f.steps = append(*f.steps, givenStep{s, f.tool})
	return nil
}

// readSteps reads the JSON of the steps.
func readSteps(env *cli.Env, given []givenStep) (steps []cordis.Step, err error) {
	for _, g := range given {
		name, doc, more := strings.Cut(g.text, " ")
		step := cordis.Step{Tool: g.tool, Name: name}
		if more {
			if step.Args, err = jsonArgument(env, strings.TrimSpace(doc)); err != nil {
				return nil, badStep(g.text, err)
			}
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// badStep names the step whose JSON is none.
func badStep(text string, err error) error {
	if known, ok := errors.AsType[*fault.Error](err); ok && known.Code == "bad-input" {
		return fault.New(fault.Usage, "bad-step", text, known.Args[0])
	}
	return err
}

func newExec(env *cli.Env) *cobra.Command {
	var o execOptions
	cmd := &cobra.Command{Use: "exec FILE", Args: cli.ArgCount(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if o.file = args[0]; o.stay < 0 {
			return fault.New(fault.Usage, "bad-timeout", o.stay.String())
		}
		return runExec(cmd.Context(), env, o)
	}}
	flags := cmd.Flags()
	flags.BoolVar(&o.trusted, "trusted", false, "")
	flags.DurationVar(&o.stay, "for", 0, "")
	flags.Var(stepFlag{&o.steps, false}, "invoke", "")
	flags.Var(stepFlag{&o.steps, true}, "call", "")
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Plugin, fault.Timeout, fault.Damaged)
}

func runExec(ctx context.Context, env *cli.Env, o execOptions) error {
	steps, err := readSteps(env, o.steps)
	if err != nil {
		return err
	}
	code, err := readSource(env, o.file)
	if err != nil {
		return err
	}
	w, err := open(env)
	if err != nil {
		return err
	}
	report, err := w.Exec(ctx, cordis.ExecOptions{
		Name: filepath.Base(o.file), Code: code, Trusted: o.trusted, Steps: steps, For: o.stay,
		Line: func(l host.LogLine) { fmt.Fprintln(env.Err, ptext.Printable(l.Text)) },
	})
	if err != nil {
		writeStack(env, err)
		return explained(env, thrown(err))
	}
	return env.ReportAs(execReport{env, report}, failedStep(report))
}

// writeStack shows where a half threw that did not start.
func writeStack(env *cli.Env, err error) {
	if r, ok := errors.AsType[*registry.Refusal](err); ok && r.Stack != "" {
		fmt.Fprintln(env.Err, ptext.Printable(strings.TrimRight(r.Stack, "\n")))
	}
}

// failedStep is the fault of the first step that failed.
func failedStep(r cordis.ExecReport) error {
	for _, s := range r.Results {
		var invoke *cordis.InvokeError
		switch {
		case s.Err == nil:
		case errors.As(s.Err, &invoke) && invoke.Code == "method-not-found":
			return fault.New(fault.NotFound, invoke.Code, invoke.Message)
		case errors.As(s.Err, &invoke):
			return fault.New(fault.Plugin, "handler-error", string(r.Run.PluginID), s.Name, invoke.Message)
		default:
			return thrown(s.Err)
		}
	}
	return nil
}

// ExecJSON is what exec writes with --json.
type ExecJSON struct {
	Status  string         `json:"status"` // running, or waiting for what the half injects
	Waiting []string       `json:"waitingFor"`
	Provide []string       `json:"provides"`
	Tools   []string       `json:"tools"`
	Results []ExecStepJSON `json:"results"` // of --invoke and --call, in their order
}

// ExecStepJSON is what a handler or a tool came to.
type ExecStepJSON struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Value any    `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
}

type execReport struct {
	env *cli.Env
	cordis.ExecReport
}

func (r execReport) JSON() any {
	doc := ExecJSON{Status: r.Run.Status, Tools: r.Tools, Results: []ExecStepJSON{}}
	if h := r.Run.Host; h != nil {
		doc.Status, doc.Waiting, doc.Provide = h.Status, h.WaitingFor, h.Provides
	}
	for _, s := range r.Results {
		step := ExecStepJSON{Name: s.Name, OK: s.Err == nil}
		if s.Err != nil {
			step.Error = r.env.Sentence(thrown(s.Err))
		} else {
			step.Value = control.Value{V: s.Value} // null too
		}
		doc.Results = append(doc.Results, step)
	}
	return doc
}

func (r execReport) Text(w *cli.Writer) {
	if h := r.Run.Host; h != nil && h.Status == "waiting" {
		w.Say("exec-waiting", strings.Join(h.WaitingFor, ", "))
	}
	for _, s := range r.Results {
		switch {
		case s.Err != nil: // the error is told at the end
		case s.Tool && s.Text != "":
			w.Line(s.Text)
		default:
			writeValue(w, s.Value)
		}
	}
}
