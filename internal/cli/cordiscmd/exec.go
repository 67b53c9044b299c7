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
	"github.com/dshkit/dshkit/pkg/fault"
	ptext "github.com/dshkit/dshkit/pkg/text"
)

type execOptions struct {
	file    string
	trusted bool
	stay    time.Duration
	steps   []cordis.Step
}

// stepFlag adds what it is given to the steps, so that handlers and tools are
// called in the order in which they are named.
type stepFlag struct {
	steps *[]cordis.Step
	tool  bool
	env   *cli.Env
}

// String is the value when none was given.
func (stepFlag) String() string { return "" }

// Type is what help calls the value.
func (stepFlag) Type() string { return "string" }

// Set reads NAME or NAME JSON.
func (f stepFlag) Set(s string) error {
	name, doc, given := strings.Cut(strings.TrimSpace(s), " ")
	step := cordis.Step{Tool: f.tool, Name: name}
	if name == "" {
		return errors.New("no name")
	}
	if given {
		v, err := jsonArgument(f.env, strings.TrimSpace(doc))
		if err != nil {
			return errors.New("no JSON after the name")
		}
		step.Args = v
	}
	*f.steps = append(*f.steps, step)
	return nil
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
	flags.Var(stepFlag{&o.steps, false, env}, "invoke", "")
	flags.Var(stepFlag{&o.steps, true, env}, "call", "")
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Plugin, fault.Timeout)
}

func runExec(ctx context.Context, env *cli.Env, o execOptions) error {
	code, err := readSource(env, o.file)
	if err != nil {
		return err
	}
	w, err := open(env)
	if err != nil {
		return err
	}
	report, err := w.Exec(ctx, cordis.ExecOptions{
		Name: filepath.Base(o.file), Code: code, Trusted: o.trusted, Steps: o.steps, For: o.stay,
		Line: func(l host.LogLine) { fmt.Fprintln(env.Err, ptext.Clean(l.Text)) },
	})
	if err != nil {
		return explained(env, thrown(err))
	}
	return env.ReportAs(execReport{env, report}, failedStep(report))
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
