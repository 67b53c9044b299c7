package sandbox

import (
	"weak"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// handles say of the disposers that plugin code was given which effects they are
// of. A disposer that the plugin has let go of is forgotten.
type handles struct {
	effects map[weak.Pointer[jsrun.Object]]*fiber.Effect
	swept   int // after the last sweep
}

func newHandles() handles {
	return handles{effects: map[weak.Pointer[jsrun.Object]]*fiber.Effect{}}
}

// add notes a disposer. When there are twice as many as after the last time, those
// that are gone are looked for.
func (h *handles) add(disposer jsrun.Value, e *fiber.Effect) {
	const few = 64
	if len(h.effects) >= max(few, 2*h.swept) {
		for known := range h.effects {
			if known.Value() == nil {
				delete(h.effects, known)
			}
		}
		h.swept = len(h.effects)
	}
	h.effects[weak.Make(disposer.(*jsrun.Object))] = e
}

// find gives the effect of a disposer, nil for another function.
func (h *handles) find(fn jsrun.Value) *fiber.Effect {
	o, ok := fn.(*jsrun.Object)
	if !ok {
		return nil
	}
	return h.effects[weak.Make(o)]
}
