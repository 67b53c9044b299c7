package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Play plays a sample and returns what its steps came to, as recordings have it.
func Play(ctx context.Context, o Options, s Sample) (list []Recorded, err error) {
	if s.UsesPage() && o.Node == "" {
		return nil, errNoNode
	}
	w, err := open(ctx, o, s.Config)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	p := &player{world: w, sample: s, results: map[string]any{}, running: map[string]chan outcome{}, cancels: map[string]context.CancelFunc{}}
	defer func() {
		for _, end := range p.ends {
			end()
		}
	}()
	for i, step := range s.Steps {
		if err := p.step(ctx, step); err != nil {
			return p.recorded, fmt.Errorf("step %d (%s): %w", i, text(step, "do"), err)
		}
	}
	if rest, err := p.uncaught(); err == nil && len(rest) > 0 {
		p.recorded = append(p.recorded, Recorded{"process-level failures left over", "", rest})
	}
	return p.recorded, nil
}

type player struct {
	*world
	sample   Sample
	results  map[string]any
	recorded []Recorded
	running  map[string]chan outcome
	cancels  map[string]context.CancelFunc
	ends     []context.CancelFunc // of all steps, for the end of the sample
}

// outcome is what a step came to: what is recorded of it, and what later steps
// refer to.
type outcome struct {
	show, value any
	err         error // the world broke
}

// nothing is the outcome of a step that records none.
type nothing struct{}

func (p *player) step(ctx context.Context, step *jsonvalue.Object) error {
	var o outcome
	if name := text(step, "background"); name != "" {
		p.background(ctx, name, step)
		o = outcome{show: "started"}
	} else {
		o = p.do(ctx, step)
	}
	if o.err != nil {
		return o.err
	}
	if id := text(step, "id"); id != "" {
		p.results[id] = o.value
		if _, isObject := jsonvalue.Map(o.show); o.value == nil && isObject {
			p.results[id] = o.show
		}
	}
	silent, _ := step.Truth("silent")
	if _, none := o.show.(nothing); !none && !silent {
		p.recorded = append(p.recorded, Recorded{or(text(step, "id"), text(step, "do")), text(step, "note"), o.show})
	}
	return nil
}

func (p *player) background(ctx context.Context, name string, step *jsonvalue.Object) {
	done := make(chan outcome, 1)
	p.running[name] = done
	resolved, _ := jsonvalue.Map(reference(step, p.results))
	if verb := text(step, "do"); verb == "run" || verb == "inspectQuery" {
		ctx = p.cancellable(ctx, resolved)
	}
	go func() { done <- p.act(ctx, resolved) }()
	p.headStart(ctx)
}

// headStart lets a step in the background reach the host before the next one
// does, which is to find it in flight: it is sent, and questions after it are
// answered.
func (p *player) headStart(ctx context.Context) {
	time.Sleep(time.Millisecond)
	for range 3 {
		_, _ = p.ask(ctx, "status", struct{}{}) // the next step will say what is wrong
	}
}

// join waits for a step in the background, for a while.
func (p *player) join(ctx context.Context, step *jsonvalue.Object) outcome {
	name := text(step, "of")
	within := patience
	if ms, ok := step.Number("within"); ok {
		within = time.Duration(ms) * time.Millisecond
	}
	select {
	case o := <-p.running[name]:
		delete(p.running, name)
		return o
	case <-time.After(within):
		return outcome{show: "still pending"}
	case <-ctx.Done():
		return outcome{err: ctx.Err()}
	}
}

func (p *player) do(ctx context.Context, step *jsonvalue.Object) outcome {
	resolved, _ := jsonvalue.Map(reference(step, p.results))
	if text(step, "do") == "join" {
		return p.join(ctx, resolved)
	}
	return p.act(p.cancellable(ctx, resolved), resolved)
}

// cancellable gives a step that has an id a context that "abort" ends.
func (p *player) cancellable(ctx context.Context, step *jsonvalue.Object) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	p.ends = append(p.ends, cancel)
	if id := text(step, "id"); id != "" {
		p.cancels[id] = cancel
	}
	if first, _ := step.Truth("abortFirst"); first {
		cancel()
	}
	return ctx
}

func (p *player) act(ctx context.Context, step *jsonvalue.Object) outcome {
	f, ok := acts()[text(step, "do")]
	if !ok {
		return outcome{err: fmt.Errorf("unknown step %q", text(step, "do"))}
	}
	return f(ctx, p, step)
}

// failed is the outcome of a call that was refused; an error that is neither a
// fault nor thrown by plugin code means that the world broke.
func failed(err error) outcome {
	var thrown *wire.Thrown
	switch {
	case err == nil:
		return outcome{show: nothing{}}
	case errors.Is(err, context.Canceled):
		return outcome{show: jsonvalue.Of("error", "cancelled")}
	case fault.CodeOf(err) == "" && !errors.As(err, &thrown):
		return outcome{err: err}
	}
	o := jsonvalue.Of("error", Gist(words(err)))
	if name, code := info(err); code != "" {
		o.Set("info", jsonvalue.Of("name", name, "code", code))
	}
	return outcome{show: o}
}

// words are the sentence of an error: what was thrown, or the key of a fault.
func words(err error) string {
	var (
		thrown *wire.Thrown
		known  *fault.Error
	)
	switch {
	case errors.As(err, &thrown):
		return thrown.Message
	case errors.As(err, &known):
		return sentence(known)
	}
	return err.Error()
}

// info is the name and the code that the reference gives an error of a tool.
func info(err error) (name, code string) {
	var thrown *wire.Thrown
	if errors.As(err, &thrown) {
		switch thrown.Code {
		case "INVALID_TOOL_OUTPUT":
			return "ToolOutputError", thrown.Code
		case "":
			return "", ""
		}
		return thrown.Name, thrown.Code
	}
	switch fault.CodeOf(err) {
	case "invalid-args":
		return "ToolArgsError", "INVALID_ARGS"
	case "invalid-tool-output":
		return "ToolOutputError", "INVALID_TOOL_OUTPUT"
	case "tool-missing", "tool-unknown":
		return "ToolNotFoundError", "UNKNOWN_TOOL"
	case "aborted-before-dispatch":
		return "AbortError", "ABORTED_BEFORE_DISPATCH"
	}
	return "", ""
}
