package sandbox

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// execution is one call of a tool.
type execution struct {
	box     *box
	tool    *tool
	request *wire.Request
	args    jsrun.Value
	release func() // follows no cancellation any more
}

// execute runs a tool and replies with what it came to.
func (b *box) execute(r *wire.Request, asked wire.Execute) {
	t := b.tools[asked.Tool]
	if t == nil {
		r.Reply(nil, &wire.Fault{Code: wire.CodeNoMethod, Message: goneText})
		return
	}
	x := &execution{box: b, tool: t, request: r, args: b.js.sure("deepFreeze", b.vm.FromJSON(asked.Args))}
	exec := b.vm.New()
	_ = exec.Set("signal", x.signal())
	v, err := b.vm.Apply(t.execute, t.this, x.args, exec)
	if err != nil {
		x.fail(b.thrown(err))
		return
	}
	b.js.follow(v, x.finish, func(err error) { x.fail(b.thrown(err)) })
}

// signal aborts when the caller waits no longer.
func (x *execution) signal() jsrun.Value {
	signal, abort := x.box.signal()
	stop := context.AfterFunc(x.request.Context(), func() {
		x.box.desk.put(x.request.Chain, "a signal", func(*jsrun.VM) { abort("") })
	})
	x.release = func() {
		stop()
		x.box.holdings.forget(signal)
	}
	return signal
}

func (x *execution) fail(err error) {
	x.release()
	x.request.Reply(nil, err)
}

// refuse is a failure of the output.
func (x *execution) refuse(text string) {
	x.fail(&wire.Thrown{Name: outputErrorName, Message: text, Code: invalidOutput})
}

// finish takes what execute gave: a lossless copy that the output schema accepts.
func (x *execution) finish(v jsrun.Value) {
	value, err := x.box.lossless(v, "harness.defineTool execute result")
	if err != nil {
		x.fail(x.box.thrown(err))
		return
	}
	if text := violations(x.tool.definition.Output, value); text != "" {
		x.refuse(outputText(x.tool.definition.Name, text))
		return
	}
	shown := x.box.js.sure("deepFreeze", x.box.vm.FromJSON(value))
	content, text := x.render(shown)
	if text != "" {
		x.refuse(text)
		return
	}
	meta, text := x.meta(shown)
	if text != "" {
		x.refuse(text)
		return
	}
	x.release()
	x.request.Reply(wire.ToolResult{Value: value, Content: content, Meta: meta}, nil)
}

// render shows the value; it must be blocks, each with a type.
func (x *execution) render(value jsrun.Value) (content []any, problem string) {
	v, err := x.box.vm.Apply(x.tool.render, x.tool.output, x.args, value)
	if err != nil {
		return nil, partText("render", err.Error())
	}
	blocks, err := x.box.lossless(v, "output.render result")
	list, ok := jsonvalue.Array(blocks)
	if err == nil && (!ok || !areBlocks(list)) || err != nil && !x.box.js.truth("isArray", v) {
		return nil, renderText(x.echo(v))
	}
	if err != nil {
		return nil, partText("render", err.Error())
	}
	return list, ""
}

// echo is a value as JSON, or as the console shows it.
func (x *execution) echo(v jsrun.Value) string {
	if out, err := x.box.lossless(v, ""); err == nil {
		return jsonvalue.Format(out)
	}
	return x.box.inspected(v)
}

func areBlocks(list []any) bool {
	for _, item := range list {
		block, ok := jsonvalue.Map(item)
		if !ok {
			return false
		}
		if _, ok := block.Text("type"); !ok {
			return false
		}
	}
	return true
}

func (x *execution) meta(value jsrun.Value) (meta any, problem string) {
	if isUndefined(x.tool.meta) {
		return wire.Undefined{}, ""
	}
	v, err := x.box.vm.Apply(x.tool.meta, x.tool.output, x.args, value)
	if err == nil {
		meta, err = x.box.lossless(v, "output.presentationMeta result")
	}
	if err != nil {
		return nil, partText("presentationMeta", err.Error())
	}
	return meta, ""
}
