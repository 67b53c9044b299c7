package sandbox

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/fiber/timer"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// The kinds of failures that nobody waits for; those of package half.
const (
	failureGuard    = "guard"
	failureTimer    = "timer"
	failureListener = "listener"
	failureEffect   = "effect"
	failureDisposer = "disposer"
	failurePromise  = "promise"
)

// raise is an error as a value of this runtime.
func (b *box) raise(err error) jsrun.Value {
	if v, ok := b.vm.Thrown(err); ok {
		return v
	}
	if t, ok := errors.AsType[*wire.Thrown](err); ok {
		return b.rebuilt(t)
	}
	if errors.Is(err, fiber.ErrInactive) {
		return b.coded("Error", inactiveText, inactiveCode)
	}
	if f, ok := errors.AsType[*wire.Fault](err); ok {
		if f.Code == wire.CodeInactive {
			return b.coded("Error", inactiveText, inactiveCode)
		}
		return b.coded("Error", f.Message, string(f.Code))
	}
	return b.newError("Error", err.Error())
}

// exception is an error that a host function returns so that it is thrown.
func (b *box) exception(err error) error { return b.vm.Throw(b.raise(err)) }

func (b *box) inactive() error { return b.vm.Throw(b.coded("Error", inactiveText, inactiveCode)) }

// newError is an error whose stack has what is the plugin's own, and nothing of ours.
func (b *box) newError(class, text string) *jsrun.Object {
	o := b.vm.NewError(class, text)
	b.js.sure("hide", o, b.vm.FromJSON("stack"), b.vm.FromJSON(cleanStack(b.vm.Text(o.Get("stack")))))
	return o
}

func (b *box) coded(class, text, code string) jsrun.Value {
	o := b.newError(class, text)
	if code != "" {
		_ = o.Set("code", code)
	}
	return o
}

// rebuilt is what code elsewhere threw, with its stack.
func (b *box) rebuilt(t *wire.Thrown) jsrun.Value {
	if t.Plain {
		return b.vm.FromJSON(t.Message)
	}
	v := b.coded(t.Name, t.Message, t.Code)
	if t.Stack != "" {
		b.js.sure("hide", v, b.vm.FromJSON("stack"), b.vm.FromJSON(t.Stack))
	}
	return v
}

// thrown is an error as it leaves the half. What is no Error is a text. It looks at
// no value of the runtime, for errors come from any goroutine.
func (b *box) thrown(err error) *wire.Thrown {
	if t, ok := errors.AsType[*wire.Thrown](err); ok {
		return t
	}
	if _, ok := asLimit(err); ok { // the end of the half, which the host then waits for
		return &wire.Thrown{Name: wire.LimitName, Message: err.Error(), Code: string(wire.CodeLimit)}
	}
	e, ok := errors.AsType[*jsrun.Error](err)
	if !ok {
		return &wire.Thrown{Name: "Error", Message: err.Error()}
	}
	out := &wire.Thrown{Name: cut(e.Name), Message: cut(e.Message), Stack: cut(cleanStack(cut(e.Stack))), Code: cut(e.Code)}
	_, object := e.Value.(*jsrun.Object)
	if out.Plain = e.Value != nil && !object; !object {
		return out
	}
	class := e.Class
	if out.Message == "" && class != "Error" || !slices.Contains([]string{"", "Object", "Error", "Function"}, class) {
		out.Message = "[object " + cmp.Or(class, "Object") + "]"
	}
	return out
}

// maxTold bounds each text of an error as it leaves the half, in bytes: logs,
// journal, feedback and answers hold it.
const maxTold = 64 << 10

func cut(text string) string {
	if len(text) <= maxTold {
		return text
	}
	end := maxTold
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// asLimit says which limit ended the runtime.
func asLimit(err error) (wire.Limit, bool) {
	l, ok := errors.AsType[*jsrun.LimitError](err)
	if !ok {
		return wire.Limit{}, false
	}
	return wire.Limit{Limit: l.Limit, Phase: l.Phase, Bound: l.Bound}, true
}

// report tells of an error that nobody waits for. A runtime that has ended says
// so itself.
func (b *box) report(r wire.Report, err error) {
	if err == nil || errors.Is(err, jsrun.ErrLimit) || errors.Is(err, jsrun.ErrClosed) || errors.Is(err, context.Canceled) {
		return
	}
	t := b.thrown(err)
	r.Message, r.Stack = t.Message, t.Stack
	b.tell(wire.VerbReport, r)
}

// unhandled is told of rejections that nobody caught.
func (b *box) unhandled(e *jsrun.Error) {
	if e.Message == timer.ErrDisposed.Error() { // the usual end of a wait
		return
	}
	b.report(wire.Report{Kind: failurePromise}, e)
}

// reportTimer tells of what the callback of a timer threw.
func (b *box) reportTimer(err error) { b.report(wire.Report{Kind: failureTimer}, err) }

// reject is a refusal of the guard: thrown, and told (7.6).
func (b *box) reject(guard, text string) error {
	err := b.failure("Error", text)
	b.report(wire.Report{Kind: failureGuard, Guard: guard}, err)
	return err
}
