package sandbox

import (
	"context"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// desk is where work for the goroutine that owns the runtime is handed in. It is
// done in its order, each piece as one stretch. While a call out of the half
// blocks that goroutine, pieces of the same chain are done within it, and all
// others wait.
type desk struct {
	run *jsrun.Run

	mu      sync.Mutex
	chains  map[uint64][]*piece // what waits, by chain, oldest first
	bells   []chan struct{}     // of the calls that block, outermost first
	lastNew uint64
}

// piece is one piece of work.
type piece struct {
	chain uint64
	do    func(vm *jsrun.VM)
	taken bool
}

func newDesk(run *jsrun.Run) *desk { return &desk{run: run, chains: map[uint64][]*piece{}} }

// scope is the async context of a piece: it follows its awaits.
type scope struct{ chain uint64 }

// newChain is the id of what the half begins itself. Those of the host are odd.
func (d *desk) newChain() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lastNew += 2
	return d.lastNew
}

// put hands in a piece. The phase names it in an error about a limit.
func (d *desk) put(chain uint64, phase string, do func(vm *jsrun.VM)) {
	if chain == 0 {
		chain = d.newChain()
	}
	p := &piece{chain: chain, do: do}
	d.mu.Lock()
	d.chains[chain] = append(d.chains[chain], p)
	for _, bell := range d.bells {
		ring(bell)
	}
	d.mu.Unlock()
	d.run.Begin(jsrun.WithPhase(context.Background(), phase), func(vm *jsrun.VM) (jsrun.Value, error) {
		if d.take(p) {
			p.perform(vm)
		}
		return nil, nil
	}, func(*jsrun.VM, jsrun.Value) error { return nil })
}

func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// take says whether the piece is still to be done, and takes it.
func (d *desk) take(p *piece) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.taken {
		return false
	}
	p.taken = true
	d.trim(p.chain)
	return true
}

// next takes the oldest piece of a chain, or gives nil.
func (d *desk) next(chain uint64) *piece {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.trim(chain)
	if len(d.chains[chain]) == 0 {
		return nil
	}
	p := d.chains[chain][0]
	p.taken = true
	d.trim(chain)
	return p
}

// trim drops what has been taken from the beginning of a chain. The lock is held.
func (d *desk) trim(chain uint64) {
	list := d.chains[chain]
	for len(list) > 0 && list[0].taken {
		list[0] = nil
		list = list[1:]
	}
	if len(list) == 0 {
		delete(d.chains, chain)
		return
	}
	d.chains[chain] = list
}

// perform does the piece in its chain.
func (p *piece) perform(vm *jsrun.VM) {
	before := vm.Async()
	vm.SetAsync(scope{p.chain})
	defer vm.SetAsync(before)
	p.do(vm)
}

// chainOf is the chain of what runs.
func chainOf(vm *jsrun.VM) uint64 {
	s, _ := vm.Async().(scope)
	return s.chain
}

// nap is how long a wait may last before the limits are told of it, and how much
// they are told at a time.
const nap = 50 * time.Millisecond

// block waits on the owner's goroutine and lets in pieces of the chain. It ends
// when done delivers, the limit is passed or the run ends.
func block[T any](vm *jsrun.VM, d *desk, chain uint64, done <-chan T, limit time.Duration) (out T, err error) {
	bell := d.enter()
	defer d.leave()
	late := time.NewTimer(limit)
	defer late.Stop()
	tick := time.NewTicker(nap)
	defer tick.Stop()
	for {
		for p := d.next(chain); p != nil; p = d.next(chain) {
			p.perform(vm)
		}
		select {
		case out = <-done:
			return out, nil
		case <-bell:
		case <-tick.C:
			vm.Rest(nap)
		case <-d.run.Done():
			return out, wire.ErrClosed
		case <-late.C:
			return out, slowError(limit)
		}
	}
}

func (d *desk) enter() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	bell := make(chan struct{}, 1)
	d.bells = append(d.bells, bell)
	return bell
}

// blocked says whether the owner waits within a piece, so that nothing that it
// has left to later can come to its turn.
func (d *desk) blocked() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.bells) > 0
}

func (d *desk) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bells = d.bells[:len(d.bells)-1]
}
