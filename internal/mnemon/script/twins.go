package script

import (
	"runtime"
	"sync"
	"weak"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// twins knows of each Fiber the one object that plugins of a runtime know it by,
// and the reverse, as long as somebody holds them: a realm lives longer than the
// plugins that come and go in it. It holds nothing itself, or what it waits for
// would never be gone.
type twins struct {
	mu      sync.Mutex
	objects map[weak.Pointer[fiber.Fiber]]weak.Pointer[jsrun.Object]
	fibers  map[weak.Pointer[jsrun.Object]]weak.Pointer[fiber.Fiber]
}

// pair is what twins forgets together.
type pair struct {
	fiber  weak.Pointer[fiber.Fiber]
	object weak.Pointer[jsrun.Object]
}

func (t *twins) add(f *fiber.Fiber, o *jsrun.Object) {
	p := pair{weak.Make(f), weak.Make(o)}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.objects == nil {
		t.objects = map[weak.Pointer[fiber.Fiber]]weak.Pointer[jsrun.Object]{}
		t.fibers = map[weak.Pointer[jsrun.Object]]weak.Pointer[fiber.Fiber]{}
	}
	t.objects[p.fiber], t.fibers[p.object] = p.object, p.fiber
	runtime.AddCleanup(o, t.forget, p)
}

func (t *twins) forget(p pair) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.fibers, p.object)
	if t.objects[p.fiber] == p.object { // it may have another by now
		delete(t.objects, p.fiber)
	}
}

func (t *twins) object(f *fiber.Fiber) *jsrun.Object {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.objects[weak.Make(f)].Value()
}

func (t *twins) fiber(o *jsrun.Object) *fiber.Fiber {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fibers[weak.Make(o)].Value()
}
