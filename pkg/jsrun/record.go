package jsrun

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Record says what is read of an object by name, as a script does that knows its
// members: it does not matter what made the object, nor whether a member is the
// object's own.
type Record struct {
	Names []string // members that may be inherited
	Only  bool     // no others are looked at
	Parts map[string]*Record
	Lists map[string]*Record // what the elements of these members are
}

// ToRecord is ToJSON, but an object in the place of a Record is read as one.
func (vm *VM) ToRecord(v Value, r *Record) (out any, err error) {
	w := walker{vm: vm}
	err = vm.try(func() { out = w.record(v, r) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (w *walker) record(v Value, r *Record) any {
	o, ok := v.(*goja.Object)
	if r == nil || !ok {
		return w.value(v)
	}
	return w.inside(o, func() any {
		var keys []string
		if !r.Only {
			keys = w.vm.keysOf(o)
		}
		return w.read(o, keys, r.Names, func(key string, member Value) any {
			if each := r.Lists[key]; each != nil {
				return w.records(member, each)
			}
			return w.record(member, r.Parts[key])
		})
	})
}

func (w *walker) records(v Value, each *Record) any {
	o, ok := v.(*goja.Object)
	if !ok || !isList(o) {
		return w.value(v)
	}
	return w.inside(o, func() any {
		return w.elements(o, func(v Value) any { return w.record(v, each) })
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
