package sandbox

import (
	"errors"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/gate"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// start evaluates the body and replies with the shape of the plugin (6.1).
func (b *box) start(r *wire.Request, source wire.Start) {
	if b.source.RunID != "" {
		r.Reply(nil, &wire.Fault{Code: wire.CodeOther, Message: "this sandbox has been started already"})
		return
	}
	b.source = source
	stop := b.bound(r, source.EvalTimeout)
	v, err := b.evaluate(source)
	stop()
	if err != nil {
		b.refuseStart(r, err)
		return
	}
	b.js.follow(v, func(v jsrun.Value) {
		p, err := b.shape(v)
		if err != nil {
			b.refuseStart(r, err)
			return
		}
		b.plugin = p
		r.Reply(p.started(), nil)
	}, func(err error) { b.refuseStart(r, err) })
}

// refuseStart replies with what is wrong with the body. A SyntaxError is reported
// as the gate reports one, whoever made it (6.2).
func (b *box) refuseStart(r *wire.Request, err error) {
	out := b.thrown(err)
	if out.Name == "SyntaxError" {
		out.Message = gate.Thrown(gate.Host, out.Message).Error()
	}
	r.Reply(nil, out)
}

// bound ends the runtime when the synchronous part takes too long: no code of
// the plugin can catch that.
func (b *box) bound(r *wire.Request, limit time.Duration) (stop func()) {
	if limit <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(limit, func() {
		r.Reply(nil, &wire.Thrown{Name: "Error", Message: timedOutText(limit), Code: string(wire.CodeLimit)})
		_ = b.run.Close()
	})
	return func() { timer.Stop() }
}

// evaluate runs the body, which is that of an async function.
func (b *box) evaluate(source wire.Start) (jsrun.Value, error) {
	program, err := jsrun.CompileBody("cordis-dyn-"+source.PluginID+".js", source.Code)
	if err != nil {
		if report := gate.Check(gate.Host, source.Code); report != nil {
			err = report
		}
		return nil, err
	}
	v, err := b.vm.Eval(program)
	if errors.Is(err, jsrun.ErrClosed) {
		return nil, errors.New(goneText)
	}
	return v, err
}
