package half

import (
	"context"
	"errors"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// beat asks the sandbox from time to time whether it lives: nobody else would
// notice one that is frozen while nobody calls it.
func (h *attached) beat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pulse = time.AfterFunc(h.limits.Pulse, func() {
		h.probe()
		if h.peer.Err() == nil {
			h.pulse.Reset(h.limits.Pulse)
		}
	})
}

// probe ends the half unless it answers in time. Any answer will do.
func (h *attached) probe() {
	frozen := &LimitError{Limit: "frozen", Bound: h.limits.Grace.String()}
	ctx, cancel := context.WithTimeoutCause(context.Background(), h.limits.Grace, frozen)
	defer cancel()
	err := h.peer.Call(ctx, 0, wire.VerbPing, wire.Empty{}, &wire.Empty{})
	if errors.Is(err, frozen) {
		frozen.Phase = h.phase()
		h.end(frozen)
	}
}
