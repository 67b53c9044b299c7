package script

import (
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// loaderService is the service loader as plugins of this realm see it.
func (k *kit) loaderService() (jsrun.Value, error) {
	if k.loaderObject != nil {
		return k.loaderObject, nil
	}
	locate := k.function("locate", 1, func(args []jsrun.Value) (jsrun.Value, error) {
		ref, err := k.refOf(args[0])
		if err != nil {
			return nil, err
		}
		id, ok := k.loader.locate(k.twins.fiber(ref))
		if !ok {
			return nil, nil
		}
		return k.vm.FromJSON(id), nil
	})
	unwrap, err := k.eval("(module => module.default ?? module)")
	if err != nil {
		return nil, err
	}
	load, err := k.asyncImport()
	if err != nil {
		return nil, err
	}
	k.loaderObject, err = k.frozen("locate", locate, "import", load, "unwrapExports", unwrap)
	return k.loaderObject, err
}

// asyncImport is import as a loader has it: it returns a promise.
func (k *kit) asyncImport() (jsrun.Value, error) {
	wrap, err := k.eval("(load => async specifier => load(specifier))")
	if err != nil {
		return nil, err
	}
	return k.vm.Apply(wrap, nil, k.function("import", 1, k.importModule))
}

// refOf is the host's object of a Fiber that JavaScript holds.
func (k *kit) refOf(v jsrun.Value) (*jsrun.Object, error) {
	f, err := k.vm.Get(k.context, "refOf")
	if err != nil {
		return nil, err
	}
	ref, err := k.vm.Apply(f, nil, v)
	o, _ := ref.(*jsrun.Object)
	return o, err
}

// cordis is the module that tests of packages import Context from.
func (k *kit) cordis() (jsrun.Value, error) {
	class, err := k.vm.Get(k.context, "Context")
	if err != nil {
		return nil, err
	}
	invalid, err := k.vm.Get(k.context, "ValidationError")
	if err != nil {
		return nil, err
	}
	return k.frozen("Context", class, "ValidationError", invalid)
}
