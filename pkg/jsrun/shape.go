package jsrun

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Shape says what is read of an object by name, as a script does that knows its
// members: it does not matter what made the object, nor whether a member is the
// object's own.
type Shape struct {
	Names []string // members that may be inherited
	Only  bool     // no others are looked at
	Parts map[string]*Shape
	Lists map[string]*Shape // what the elements of these members are
}

// ToJSONAs is ToJSON, but an object in a place that has a Shape is read by it.
func (vm *VM) ToJSONAs(v Value, s *Shape) (out any, err error) {
	w := walker{vm: vm}
	err = vm.try(func() { out = w.shaped(v, s) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// shaped is value, by a Shape if there is one.
func (w *walker) shaped(v Value, s *Shape) any {
	o, ok := v.(*goja.Object)
	if s == nil || !ok {
		return w.value(v)
	}
	return w.inside(o, func() any {
		var keys []string
		if !s.Only {
			keys = w.vm.keysOf(o)
		}
		return w.read(o, keys, s.Names, func(key string, member Value) any {
			if each := s.Lists[key]; each != nil {
				return w.list(member, each)
			}
			return w.shaped(member, s.Parts[key])
		})
	})
}

// list is value, but the elements of a list have a Shape.
func (w *walker) list(v Value, each *Shape) any {
	o, ok := v.(*goja.Object)
	if !ok || !isList(o) {
		return w.value(v)
	}
	return w.inside(o, func() any {
		return w.elements(o, func(v Value) any { return w.shaped(v, each) })
	})
}

// read reads the members of one object, and those names of which it has a value,
// and then looks into them in canonical order, as the rules of the original do:
// accessors are run in that order.
func (w *walker) read(o *goja.Object, keys, names []string, convert func(key string, v Value) any) *jsonvalue.Object {
	members := make([]Value, len(keys), len(keys)+len(names))
	for i, key := range keys {
		members[i] = w.vm.memberOf(o, key)
	}
	for _, name := range names {
		if slices.Contains(keys, name) {
			continue
		}
		if v := o.Get(name); v != nil && !goja.IsUndefined(v) {
			keys = append(keys, name)
			members = append(members, v)
		}
	}
	values := make([]any, len(keys))
	for _, i := range w.vm.readingOrder(keys) {
		values[i] = convert(keys[i], members[i])
	}
	out := &jsonvalue.Object{}
	for i, key := range keys {
		out.Set(key, values[i])
	}
	return out
}
