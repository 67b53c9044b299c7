package jsrun

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// shared are the frozen objects that stand for Go's, by pointer. An entry lives
// as long as the Go object: neither side keeps the other.
type shared struct {
	mu      sync.Mutex
	objects map[weak.Pointer[jsonvalue.Object]]*Object
}

// Shared is the frozen object of this runtime for that very pointer: as long as
// the Go object lives, each call gives the same one, so that a script can tell
// by identity that two values are one.
func (vm *VM) Shared(o *jsonvalue.Object) Value {
	if o == nil {
		return vm.FromJSON(nil)
	}
	key := weak.Make(o)
	s := vm.shared
	s.mu.Lock()
	known := s.objects[key]
	s.mu.Unlock()
	if known != nil {
		return known
	}
	made := vm.Frozen(o).(*Object)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects == nil {
		s.objects = map[weak.Pointer[jsonvalue.Object]]*Object{}
	}
	s.objects[key] = made
	holder := weak.Make(s) // the run may be gone long before the object
	runtime.AddCleanup(o, func(key weak.Pointer[jsonvalue.Object]) {
		if s := holder.Value(); s != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.objects, key)
		}
	}, key)
	return made
}

// readingOrder is the canonical order of keys. The keys of an object repeat, so
// what was found once is kept.
func (vm *VM) readingOrder(keys []string) []int {
	if len(keys) == 1 {
		return first
	}
	name := strings.Join(keys, "\x00")
	if order, ok := vm.orders[name]; ok {
		return order
	}
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return jsonvalue.CompareKeys(keys[a], keys[b]) })
	if len(keys) <= 64 && len(name) <= 2048 {
		if vm.orders == nil || len(vm.orders) >= keptOrders {
			vm.orders = map[string][]int{}
		}
		vm.orders[name] = order
	}
	return order
}

const keptOrders = 1024

var first = []int{0}
