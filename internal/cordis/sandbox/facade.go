package sandbox

import (
	"reflect"
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// isVerb says whether ctx has a verb of that name that needs no declaration.
func isVerb(name string) bool {
	return slices.Contains([]string{"effect", "on", "once", "provide"}, name)
}

// timerVerbs are those of the timer, which ctx has too.
func timerVerbs() []string {
	return []string{"timeout", "interval", "setTimeout", "setInterval", "throttle", "debounce"}
}

func isTimerVerb(name string) bool { return slices.Contains(timerVerbs(), name) }

// isWithheld says whether the core has such a member, which dynamic code may not
// have (7.3), whatever services there are.
func isWithheld(name string) bool {
	return slices.Contains([]string{
		"root", "parent", "scope", "fiber", "reflect", "registry", "events", "logger", "extend", "isolate", "intercept",
		"plugin", "inject", "set", "mixin", "accessor", "emit", "parallel", "serial", "bail", "waterfall", "constructor", "then",
	}, name)
}

// isHidden says whether a service is the runner's own: no plugin shall approve
// itself.
func isHidden(name string) bool { return name == "dynamicCordisRunner" || name == "cordisInspect" }

// facade is the ctx of one load.
func (b *box) facade(l *life) jsrun.Value {
	get := b.function("get", func(args []jsrun.Value) (jsrun.Value, error) { return l.read(b.vm.Text(b.arg(args, 0))) })
	has := b.function("has", func(args []jsrun.Value) (jsrun.Value, error) {
		return b.vm.FromJSON(l.has(b.vm.Text(b.arg(args, 0)))), nil
	})
	set := b.function("set", func(args []jsrun.Value) (jsrun.Value, error) {
		return nil, b.reject("read-only", readOnlyText(b.vm.Text(b.arg(args, 0))))
	})
	return b.js.sure("facade", get, has, set)
}

func (l *life) declares(name string) bool { return slices.Contains(l.box.plugin.inject, name) }

func (l *life) has(name string) bool {
	switch {
	case name == "tools", name == "get", isVerb(name):
		return true
	case isTimerVerb(name):
		return l.declares("timer")
	}
	return l.declares(name)
}

// read is the value of a member of ctx.
func (l *life) read(name string) (jsrun.Value, error) {
	switch {
	case name == "tools":
		return l.toolsFacade(), nil
	case name == "get":
		return l.method(name, func(args []jsrun.Value) (jsrun.Value, error) { return l.get(args) }), nil
	case isVerb(name):
		return l.method(name, l.verb(name)), nil
	case isTimerVerb(name):
		return l.method(name, func(args []jsrun.Value) (jsrun.Value, error) {
			if !l.declares("timer") {
				return nil, l.box.reject("undeclared", undeclaredText("timer"))
			}
			return l.timed(name, args)
		}), nil
	case name == "constructor" && l.box.vm.Awaits():
		return nil, nil
	case isWithheld(name):
		return nil, l.box.reject("withheld", withheldText(name))
	case l.declares(name):
		return l.injected(name)
	}
	return nil, l.refuse(name)
}

// method is one function for each name, however often it is read.
func (l *life) method(name string, f func(args []jsrun.Value) (jsrun.Value, error)) jsrun.Value {
	if known, ok := l.methods[name]; ok {
		return known
	}
	fn := l.box.function(name, f)
	l.methods[name] = fn
	return fn
}

func (l *life) verb(name string) func(args []jsrun.Value) (jsrun.Value, error) {
	switch name {
	case "on":
		return func(args []jsrun.Value) (jsrun.Value, error) { return l.listen("on", false, args) }
	case "once":
		return func(args []jsrun.Value) (jsrun.Value, error) { return l.listen("once", true, args) }
	case "provide":
		return l.provide
	}
	return func(args []jsrun.Value) (jsrun.Value, error) {
		setup := l.box.arg(args, 0)
		if !l.box.vm.IsFunc(setup) {
			return nil, l.box.failure("TypeError", wantsFunctionText("effect"))
		}
		label, ok := l.box.asText(l.box.arg(args, 1))
		if !ok {
			label = "anonymous"
		}
		return l.effect(label, setup)
	}
}

// refuse is why a member cannot be read.
func (l *life) refuse(name string) error {
	if !isHidden(name) {
		var found wire.Found
		if err := l.box.request(wire.VerbLive, wire.Name{Name: name}, &found); err != nil {
			return err
		}
		if found.OK {
			return l.box.reject("undeclared", undeclaredText(name))
		}
	}
	return l.box.reject("withheld", withheldText(name))
}

// get is ctx.get: a live service, or undefined.
func (l *life) get(args []jsrun.Value) (jsrun.Value, error) {
	name, ok := l.box.asText(l.box.arg(args, 0))
	switch {
	case !ok, isHidden(name), l.box.leaving[name] > 0:
		return nil, nil
	case name == "tools":
		return l.toolsFacade(), nil
	case name == "timer":
		return l.timerService(), nil
	}
	return l.ask(wire.VerbService, name)
}

// injected is a declared service; undefined while the provider is away.
func (l *life) injected(name string) (jsrun.Value, error) {
	switch {
	case name == "timer":
		return l.timerService(), nil
	case isHidden(name):
		return nil, nil
	}
	return l.ask(wire.VerbInjected, name)
}

func (l *life) ask(verb wire.Verb, name string) (jsrun.Value, error) {
	var found wire.Found
	if err := l.box.request(verb, wire.Name{Name: name}, &found); err != nil {
		return nil, err
	}
	if !found.OK {
		return nil, nil
	}
	return l.seen(name, found.Value)
}

// sight is a service as it was last seen.
type sight struct {
	value any
	here  jsrun.Value
}

// seen is the same object as long as the service is the same.
func (l *life) seen(name string, value any) (jsrun.Value, error) {
	if last, ok := l.sights[name]; ok && reflect.DeepEqual(last.value, value) {
		return last.here, nil
	}
	here, err := importer{box: l.box, service: name}.value(value)
	if err == nil {
		l.sights[name] = sight{value, here}
	}
	return here, err
}
