package script

import (
	"runtime"
	"sync"
	"weak"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// shared holds one JavaScript object for one Go object as long as that lives:
// Sources keep what they remember of a composition by its scope.
type shared struct {
	mu     sync.Mutex
	values map[weak.Pointer[jsonvalue.Object]]jsrun.Value
}

func (s *shared) value(vm *jsrun.VM, o *jsonvalue.Object) jsrun.Value {
	if o == nil {
		return vm.Frozen(o)
	}
	key := weak.Make(o)
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.values[key]; ok {
		return v
	}
	if s.values == nil {
		s.values = map[weak.Pointer[jsonvalue.Object]]jsrun.Value{}
	}
	v := vm.Frozen(o)
	s.values[key] = v
	runtime.AddCleanup(o, s.forget, key)
	return v
}

func (s *shared) forget(key weak.Pointer[jsonvalue.Object]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
}
