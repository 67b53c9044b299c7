package sandbox

import (
	"math"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// tool is a definition that harness.defineTool has accepted (7.5).
type tool struct {
	definition      wire.ToolDefinition
	execute, render jsrun.Value
	meta            jsrun.Value // presentationMeta; undefined for none
	this, output    jsrun.Value // the receivers
}

// maxTools bounds how many definitions a half may make.
const maxTools = 4096

// defineTool checks a definition and gives a marked one, which alone can be
// registered.
func (b *box) defineTool(v jsrun.Value) (jsrun.Value, error) {
	if !b.js.truth("isPlain", v) {
		return nil, b.failure("TypeError", toolOptionsText)
	}
	if len(b.made) >= maxTools {
		return nil, b.failure("RangeError", toolsText)
	}
	t := &tool{this: v}
	for _, step := range []func(jsrun.Value, *tool) error{b.toolParameters, b.toolOutput, b.toolCode, b.toolWords, b.toolTimeout} {
		if err := step(v, t); err != nil {
			return nil, err
		}
	}
	marked := b.vm.New()
	d := t.definition
	for _, m := range []struct {
		key   string
		value any
	}{{"name", d.Name}, {"description", d.Description}, {"parameters", d.Parameters}, {"output", d.Output}} {
		_ = marked.Set(m.key, b.vm.FromJSON(m.value))
	}
	b.made[marked] = t
	return marked, nil
}

func (b *box) toolParameters(v jsrun.Value, t *tool) error {
	parameters, err := b.vm.Get(v, "parameters")
	if err == nil {
		t.definition.Parameters, err = b.compileParameters(parameters)
	}
	return err
}

func (b *box) toolOutput(v jsrun.Value, t *tool) error {
	output, err := b.vm.Get(v, "output")
	if err != nil {
		return err
	}
	if !b.js.truth("isPlain", output) {
		return b.failure("TypeError", toolOutputText)
	}
	t.output = output
	if t.render, err = b.vm.Get(output, "render"); err != nil {
		return err
	}
	if !b.vm.IsFunc(t.render) {
		return b.failure("TypeError", toolRenderText)
	}
	if t.meta, err = b.vm.Get(output, "presentationMeta"); err != nil {
		return err
	}
	if !isUndefined(t.meta) && !b.vm.IsFunc(t.meta) {
		return b.failure("TypeError", toolMetaText)
	}
	schema, err := b.vm.Get(output, "schema")
	if err == nil {
		t.definition.Output, err = b.compileOutput(schema)
	}
	return err
}

func (b *box) toolCode(v jsrun.Value, t *tool) (err error) {
	if t.execute, err = b.vm.Get(v, "execute"); err == nil && !b.vm.IsFunc(t.execute) {
		err = b.failure("TypeError", toolExecuteText)
	}
	return err
}

// toolWords reads the name and the description, which may be missing (24#6).
func (b *box) toolWords(v jsrun.Value, t *tool) error {
	name, err := b.vm.Get(v, "name")
	if err != nil {
		return err
	}
	text, ok := b.asText(name)
	if !ok || text == "" {
		return b.failure("TypeError", toolNameText)
	}
	t.definition.Name = text
	description, err := b.vm.Get(v, "description")
	if err != nil || isUndefined(description) {
		return err
	}
	if t.definition.Description, ok = b.asText(description); !ok {
		return b.failure("TypeError", toolTextText)
	}
	return nil
}

func (b *box) toolTimeout(v jsrun.Value, t *tool) error {
	limit, err := b.vm.Get(v, "timeoutMs")
	if err != nil || isUndefined(limit) {
		return err
	}
	ms, ok := asNumber(limit)
	if !ok || !(ms > 0) || math.IsInf(ms, 1) {
		return b.failure("TypeError", toolTimeoutText(t.definition.Name))
	}
	const most = float64(math.MaxInt64 / int64(time.Millisecond))
	t.definition.Timeout = time.Duration(min(ms, most/2) * float64(time.Millisecond))
	return nil
}

// registerTool makes a marked definition callable, as an effect.
func (l *life) registerTool(v jsrun.Value) (jsrun.Value, error) {
	b := l.box
	o, _ := v.(*jsrun.Object)
	t := b.made[o]
	if t == nil {
		return nil, b.failure("TypeError", toolUnmarkedText)
	}
	id := b.newID()
	b.tools[id] = t
	e, err := l.register(registration{
		label: "tool " + t.definition.Name, make: wire.VerbRegister, undo: wire.VerbUnregister, id: id,
		body:   wire.Register{ID: id, Tool: t.definition},
		forget: func() { delete(b.tools, id) },
	})
	if err != nil {
		return nil, err
	}
	return l.disposeOf(e), nil
}

// toolsFacade is ctx.tools: one object for each load.
func (l *life) toolsFacade() jsrun.Value {
	if l.tools != nil {
		return l.tools
	}
	b := l.box
	o := b.vm.New()
	_ = o.Set("register", b.function("register", func(args []jsrun.Value) (jsrun.Value, error) {
		return l.registerTool(b.arg(args, 0))
	}))
	_ = o.Set("schemas", b.function("schemas", func([]jsrun.Value) (jsrun.Value, error) {
		list, err := b.toolViews()
		if err != nil {
			return nil, err
		}
		return b.js.call("array", list...)
	}))
	_ = o.Set("get", b.function("get", func(args []jsrun.Value) (jsrun.Value, error) { return b.toolView(b.arg(args, 0)) }))
	l.tools = o
	return o
}

// sessionTools are the tools that the Session sees.
func (b *box) sessionTools() ([]wire.ToolDefinition, error) {
	var reply wire.Tools
	err := b.request(wire.VerbTools, wire.Empty{}, &reply)
	return reply.Tools, err
}

// toolViews are the tools of the Session without anything that can be called.
func (b *box) toolViews() ([]jsrun.Value, error) {
	tools, err := b.sessionTools()
	var list []jsrun.Value
	for _, t := range tools {
		list = append(list, b.viewOf(t))
	}
	return list, err
}

func (b *box) viewOf(t wire.ToolDefinition) jsrun.Value {
	o := b.vm.New()
	_ = o.Set("name", b.vm.FromJSON(t.Name))
	_ = o.Set("description", b.vm.FromJSON(t.Description))
	_ = o.Set("parameters", b.vm.FromJSON(t.Parameters))
	return o
}

func (b *box) toolView(v jsrun.Value) (jsrun.Value, error) {
	name, _ := b.asText(v)
	tools, err := b.sessionTools()
	for _, t := range tools {
		if t.Name == name {
			return b.viewOf(t), nil
		}
	}
	return nil, err
}
