package control

import (
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// kept is what a bridge has been shown of others, so that it can be called: until
// the bridge gives it back or leaves.
type kept struct {
	mu sync.Mutex
	by map[wire.Handle]*share
}

type share struct {
	lease *wire.Lease
	times int
}

// keep keeps all that is in a value.
func (k *kept) keep(v any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	wire.EachLease(v, func(h wire.Handle, l *wire.Lease) {
		one := k.by[h]
		if one == nil {
			if k.by == nil {
				k.by = map[wire.Handle]*share{}
			}
			one = &share{}
			k.by[h] = one
		}
		one.times++
		one.lease = l
	})
}

// release takes back what was shown so often.
func (k *kept) release(h wire.Handle, times int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if one := k.by[h]; one != nil {
		if one.times -= times; one.times <= 0 {
			delete(k.by, h)
		}
	}
}

// clear lets go of all.
func (k *kept) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.by)
}

// ReleaseParams give handles back that the bridge was shown.
type ReleaseParams struct {
	Handles []ReleasedHandle `json:"handles"`
}

// ReleasedHandle is one of them, as often as it came; 0 stands for once.
type ReleasedHandle struct {
	Home  string `json:"home"`
	ID    uint64 `json:"id"`
	Times int    `json:"times,omitempty"`
}

func (s *seat) release(p ReleaseParams) {
	for _, r := range p.Handles {
		s.kept.release(wire.Handle{Home: wire.Home(r.Home), ID: r.ID}, max(r.Times, 1))
	}
}
