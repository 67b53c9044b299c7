package sandbox

import (
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// plugin is what the body returned (7.1).
type plugin struct {
	apply, this jsrun.Value
	config      jsrun.Value // the validator, or nil
	name        string
	inject      []string
	function    bool
}

// shape reads the plugin out of a value.
func (b *box) shape(v jsrun.Value) (*plugin, error) {
	switch {
	case isUndefined(v):
		return nil, b.failure("TypeError", noReturnText)
	case b.js.truth("isClass", v):
		return nil, b.failure("TypeError", classText)
	case b.vm.IsFunc(v):
		return b.functionPlugin(v)
	}
	apply, err := b.vm.Get(v, "apply")
	if err != nil {
		return nil, err
	}
	if !b.vm.IsFunc(apply) {
		return nil, b.failure("TypeError", notPluginText(b.inspected(v)))
	}
	return b.objectPlugin(v, apply)
}

// inspected is a value as the console shows it, cut.
func (b *box) inspected(v jsrun.Value) string {
	text, err := b.vm.Apply(b.js.inspect, nil, b.js.sure("array", v))
	if err != nil {
		return "something else"
	}
	if r := []rune(b.vm.Text(text)); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return b.vm.Text(text)
}

func (b *box) functionPlugin(v jsrun.Value) (*plugin, error) {
	name, err := b.vm.Get(v, "name")
	if err != nil {
		return nil, err
	}
	p := &plugin{apply: v, this: b.js.undefined(), function: true}
	if p.name, _ = b.asText(name); p.name == "" {
		p.name = "<anonymous>"
	}
	return p, nil
}

func (b *box) objectPlugin(v, apply jsrun.Value) (*plugin, error) {
	p := &plugin{apply: apply, this: v}
	name, err := b.ownMember(v, "name")
	if err != nil {
		return nil, err
	}
	p.name, _ = b.asText(name)
	if p.config, err = b.ownMember(v, "Config"); err != nil {
		return nil, err
	}
	inject, err := b.ownMember(v, "inject")
	if err != nil {
		return nil, err
	}
	p.inject, err = b.injects(inject)
	return p, err
}

// ownMember is an own enumerable member: no other is metadata.
func (b *box) ownMember(v jsrun.Value, key string) (jsrun.Value, error) {
	own, err := b.js.call("ownEnumerable", v, b.vm.FromJSON(key))
	if err != nil || !own.ToBoolean() {
		return b.js.undefined(), err
	}
	return b.vm.Get(v, key)
}

// injects reads the declaration: an array of names, or an object with such keys.
func (b *box) injects(v jsrun.Value) ([]string, error) {
	if isNull(v) {
		return nil, nil
	}
	if _, ok := v.(*jsrun.Object); !ok || b.vm.IsFunc(v) {
		return nil, b.failure("TypeError", injectText)
	}
	list := v
	array := b.js.truth("isArray", v)
	if !array {
		var err error
		if list, err = b.js.call("enumerableKeys", v); err != nil {
			return nil, err
		}
	}
	names, err := b.names(list)
	if err == nil && !array && isRequiredOptional(names) {
		b.log("warn", requiredOptionalText)
	}
	return names, err
}

// names reads texts; one that stands twice counts once.
func (b *box) names(list jsrun.Value) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	for i := range b.js.length(list) {
		name, ok := b.asText(b.js.item(list, i))
		if !ok {
			return nil, b.failure("TypeError", injectText)
		}
		if !seen[name] {
			names = append(names, name)
		}
		seen[name] = true
	}
	return names, nil
}

func isRequiredOptional(names []string) bool {
	for _, name := range names {
		if name != "required" && name != "optional" {
			return false
		}
	}
	return len(names) > 0
}

// started is the shape as the host is told it.
func (p *plugin) started() wire.Started {
	return wire.Started{Name: p.name, Inject: p.inject, Function: p.function}
}

// configured calls f with the configuration: what a standard validator makes of
// undefined.
func (p *plugin) configured(b *box, f func(config jsrun.Value, err error)) {
	validate, standard, err := p.validator(b)
	if err != nil || validate == nil {
		f(b.js.undefined(), err)
		return
	}
	result, err := b.vm.Apply(validate, standard, b.js.undefined())
	if err != nil {
		f(nil, err)
		return
	}
	if !isPromise(result) {
		f(b.validated(result))
		return
	}
	b.js.follow(result, func(v jsrun.Value) { f(b.validated(v)) }, func(err error) { f(nil, err) })
}

func (p *plugin) validator(b *box) (validate, standard jsrun.Value, err error) {
	if isNull(p.config) {
		return nil, nil, nil
	}
	if standard, err = b.vm.Get(p.config, "~standard"); err != nil {
		return nil, nil, err
	}
	if validate, err = b.vm.Get(standard, "validate"); err != nil || !b.vm.IsFunc(validate) {
		return nil, nil, err
	}
	return validate, standard, nil
}

// validated reads what the validator gave.
func (b *box) validated(result jsrun.Value) (jsrun.Value, error) {
	issues, err := b.vm.Get(result, "issues")
	if err != nil {
		return nil, err
	}
	if !isNull(issues) {
		return nil, b.failure("TypeError", configText)
	}
	return b.vm.Get(result, "value")
}
