package sandbox

import (
	"context"
	"errors"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber/timer"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// box is one half while it lives. Its members are of the goroutine that owns the
// runtime, unless they say otherwise.
type box struct {
	limits Limits
	timers *timer.Timers
	run    *jsrun.Run // any goroutine
	peer   *wire.Peer // any goroutine
	desk   *desk      // any goroutine
	tasks  sync.WaitGroup
	ctx    context.Context // ends with the box; any goroutine

	vm        *jsrun.VM
	js        *prelude
	source    wire.Start
	plugin    *plugin
	life      *life // nil: parked, or never loaded
	parked    bool  // it was loaded, and is no more
	handlers  handlers
	holdings  *holdings
	listeners map[uint64]*listener
	gone      []uint64 // listeners that were removed, oldest first
	tools     map[uint64]*tool
	made      map[*jsrun.Object]*tool // definitions of defineTool
	signals   map[wire.Handle][]*borrowed
	heard     []*borrowed    // oldest first
	borrowed  int            // signals
	swept     int            // those after the last sweep
	leaving   map[string]int // own services that are being withdrawn, by name
	lastID    uint64
}

// serve runs a box on a link.
func serve(ctx context.Context, link wire.Link, config Config) error {
	b, err := newBox(ctx, config)
	if err != nil {
		return errors.Join(err, link.Close())
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	b.ctx = ctx
	ready := make(chan struct{})
	b.peer = wire.NewPeer(link, func(r *wire.Request) {
		<-ready
		b.take(r)
	})
	close(ready)
	select {
	case <-b.peer.Done():
	case <-ctx.Done():
	case <-b.run.Done():
		err = b.run.Err()
		b.lastWords(err)
	}
	end()
	return errors.Join(ended(err), b.close())
}

// ended drops the error of a run that was closed on purpose.
func ended(err error) error {
	if errors.Is(err, jsrun.ErrClosed) {
		return nil
	}
	return err
}

// newBox starts the runtime, before anybody asks for it.
func newBox(ctx context.Context, config Config) (*box, error) {
	b := &box{
		limits:    config.Limits.withDefaults(),
		listeners: map[uint64]*listener{},
		tools:     map[uint64]*tool{},
		signals:   map[wire.Handle][]*borrowed{},
		leaving:   map[string]int{},
		made:      map[*jsrun.Object]*tool{},
	}
	b.holdings = newHoldings(b.limits.Handles)
	b.timers = timer.New(&clock{box: b, outer: config.Clock, now: config.Now})
	empty, err := jsrun.Compile("cordis:empty", "")
	if err != nil {
		return nil, err
	}
	run, err := empty.Start(jsrun.WithSetup(ctx), b.jsConfig(config))
	if err != nil {
		return nil, err
	}
	b.run, b.desk = run, newDesk(run)
	if err := run.Do(jsrun.WithSetup(ctx), b.furnish); err != nil {
		return nil, errors.Join(err, run.Close())
	}
	return b, nil
}

func (b *box) jsConfig(config Config) jsrun.Config {
	return jsrun.Config{
		Now: config.Now, Random: config.Random, Without: withheldGlobals(),
		Limits: jsrun.Limits{
			Busy: b.limits.Busy, Heap: b.limits.Heap, Stack: b.limits.Stack,
		},
		Unhandled: b.unhandled,
	}
}

// furnish makes what plugin code finds.
func (b *box) furnish(vm *jsrun.VM) error {
	b.vm = vm
	js, err := newPrelude(vm)
	if err != nil {
		return err
	}
	b.js = js
	return b.globals()
}

// close ends all that belongs to the box.
func (b *box) close() error {
	err := b.run.Close()
	err = errors.Join(err, b.peer.Close())
	if b.life != nil {
		b.life.abandon()
	}
	b.tasks.Wait()
	return err
}

// task runs f on a goroutine that close waits for.
func (b *box) task(f func()) { b.tasks.Go(f) }

// newID names something that the half registers.
func (b *box) newID() uint64 {
	b.lastID++
	return b.lastID
}
