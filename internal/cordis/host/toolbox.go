package host

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Tool is a tool as a model sees it.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"`
	Plugin      string `json:"plugin,omitempty"` // "" of a tool that a bridge registered
}

// ToolAnswer is what a tool came to. Value is JSON, Meta wire.Undefined{} for
// none.
type ToolAnswer struct {
	Value   any
	Content []any
	Meta    any
}

// toolbox is the tools that can be called, in the order of their registration.
type toolbox struct {
	mu       sync.Mutex
	list     list.List // of *entry
	named    map[string]*list.Element
	revision uint64
	changed  chan struct{}
}

// entry is a tool, and how it is run.
type entry struct {
	definition half.ToolDefinition
	plugin     PluginID
	run        func(ctx context.Context, args any) (half.ToolResult, error)
}

func newToolbox() *toolbox {
	return &toolbox{named: map[string]*list.Element{}, changed: make(chan struct{})}
}

// add makes a tool callable. Each name is taken once; those of the seven tools and
// of the model's own shell of code are taken from the start.
func (b *toolbox) add(t *entry) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := t.definition.Name
	switch {
	case name == "":
		return &wire.Thrown{Name: "Error", Message: "a tool needs a name that is not empty"}
	case name == "run_code":
		return &wire.Thrown{Name: "Error", Message: `the tool name "run_code" is reserved`}
	case tool.Known(name) || b.find(name) != nil:
		return &wire.Thrown{Name: "Error", Message: fmt.Sprintf("tool %q is already registered", name)}
	}
	b.named[name] = b.list.PushBack(t)
	b.move()
	return nil
}

func (b *toolbox) remove(t *entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if place := b.named[t.definition.Name]; place != nil && place.Value == t {
		b.list.Remove(place)
		delete(b.named, t.definition.Name)
	}
	b.move()
}

// move says that something has changed. The lock is held.
func (b *toolbox) move() {
	b.revision++
	close(b.changed)
	b.changed = make(chan struct{})
}

// find is called under the lock.
func (b *toolbox) find(name string) *entry {
	if place := b.named[name]; place != nil {
		return place.Value.(*entry)
	}
	return nil
}

func (b *toolbox) all() []*entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]*entry, 0, b.list.Len())
	for place := b.list.Front(); place != nil; place = place.Next() {
		all = append(all, place.Value.(*entry))
	}
	return all
}

func (b *toolbox) definitions() []half.ToolDefinition {
	list := []half.ToolDefinition{}
	for _, t := range b.all() {
		list = append(list, t.definition)
	}
	return list
}

// register makes a tool an effect of a Fiber, and tells the listeners of
// tools/change, each time.
func (h *Host) register(ctx context.Context, c *fiber.Context, t *entry) (*fiber.Effect, error) {
	return c.Effect(ctx, "tool "+t.definition.Name, func(ctx context.Context) (fiber.Disposer, error) {
		if err := h.tools.add(t); err != nil {
			return nil, err
		}
		h.emitIn(ctx, "tools/change")
		return func(ctx context.Context) error {
			h.tools.remove(t)
			h.emitIn(ctx, "tools/change")
			return nil
		}, nil
	})
}

// Tools are the tools that the Session can call, the seven of cordis not among
// them, in the order of their registration. Whose plugin they are of makes no
// difference, as in the reference.
func (s *Session) Tools() []Tool {
	list := []Tool{}
	for _, t := range s.host.tools.all() {
		d := t.definition
		list = append(list, Tool{d.Name, d.Description, d.Parameters, string(t.plugin)})
	}
	return list
}

// ToolChange gives a number that grows whenever the tools change, and a channel
// that is closed at the next change.
func (h *Host) ToolChange() (revision uint64, changed <-chan struct{}) {
	h.tools.mu.Lock()
	defer h.tools.mu.Unlock()
	return h.tools.revision, h.tools.changed
}

// CallTool calls one of Tools. The error of plugin code is a *wire.Thrown, one of
// the host a fault: tool-missing, invalid-args, aborted-before-dispatch.
func (s *Session) CallTool(ctx context.Context, name string, args any) (ToolAnswer, error) {
	if ctx.Err() != nil {
		return ToolAnswer{}, fault.New(fault.Timeout, codeAborted).Because(context.Cause(ctx))
	}
	s.host.tools.mu.Lock()
	t := s.host.tools.find(name)
	s.host.tools.mu.Unlock()
	if t == nil {
		return ToolAnswer{}, fault.New(fault.NotFound, codeTool, name)
	}
	if err := checkArgs(t.definition.Parameters, args); err != nil {
		return ToolAnswer{}, err
	}
	limit := t.definition.Timeout
	if limit <= 0 {
		limit = s.host.limits.Tool
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &half.LimitError{
		Limit: "time", Phase: fmt.Sprintf("tool %q", name), Bound: limit.String(),
	})
	defer cancel()
	result, err := t.run(ctx, args)
	if err != nil {
		return ToolAnswer{}, toolError(name, cause(ctx, err))
	}
	return ToolAnswer(result), nil
}

// definitions are the tools that a plugin and the provider Tool see: the seven,
// then those of plugins and bridges.
func (h *Host) definitions() []half.ToolDefinition {
	list := []half.ToolDefinition{}
	for _, t := range tool.All(h.config.Language) {
		list = append(list, half.ToolDefinition{Name: string(t.Name), Description: t.Description, Parameters: t.Parameters})
	}
	return append(list, h.tools.definitions()...)
}

// toolError gives what went wrong around the code of a tool a class: what the code
// itself threw, and faults, have theirs.
func toolError(name string, err error) error {
	var (
		thrown *wire.Thrown
		known  *fault.Error
		limit  *half.LimitError
	)
	switch {
	case errors.As(err, &thrown), errors.As(err, &known):
		return err
	case errors.As(err, &limit) && limit.Limit == "time", errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Timeout, codeLate, name).Because(err)
	}
	return fault.New(fault.Plugin, codeBroken, name, err.Error()).Because(err)
}

// listTools is what the provider Tool lists.
func (h *Host) listTools() []any {
	list := []any{}
	for _, d := range h.definitions() {
		list = append(list, jsonvalue.Of("name", d.Name, "description", d.Description, "parameters", d.Parameters))
	}
	return list
}
