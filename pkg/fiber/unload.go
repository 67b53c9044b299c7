package fiber

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// unload begins to undo all effects, newest first, and waits for all. It returns
// the turn in which the end is to be recorded.
func (f *Fiber) unload(turn *turn) *turn {
	turn.wait()
	f.tree.lock()
	list := f.effects.list()
	slices.Reverse(list)
	cancel := f.cancel
	f.cancel, f.faults = func(error) {}, nil
	f.tree.unlock()
	cancel(ErrInactive)
	if len(list) == 0 {
		return turn
	}
	for _, e := range list {
		f.clear(e)
	}
	var left []*Effect
	for _, e := range list {
		if ended, err := e.outcome(); ended {
			f.fault(e, err)
		} else {
			left = append(left, e)
		}
	}
	f.leave()
	turn.pass()
	f.drain(left)
	return f.left()
}

// leave sees to it that f stands in line again as soon as no effect is left.
func (f *Fiber) leave() {
	f.tree.lock()
	defer f.tree.unlock()
	f.draining, f.exit = f.effects.len > 0, nil
	if !f.draining {
		f.exit = f.tree.turns.join()
	}
}

// left is the turn in which the unload ends.
func (f *Fiber) left() *turn {
	f.tree.lock()
	defer f.tree.unlock()
	if f.exit == nil {
		f.exit = f.tree.turns.join()
	}
	return f.exit
}

// drain waits for effects that are being undone.
func (f *Fiber) drain(left []*Effect) {
	var all sync.WaitGroup
	for _, e := range left {
		all.Add(1)
		f.tree.spawn(func() {
			defer all.Done()
			f.fault(e, e.await())
		})
	}
	all.Wait()
}

// clear begins to undo one effect. It returns when the effect is undone, waits
// for something, or has had its time.
func (f *Fiber) clear(e *Effect) {
	ctx, fr := f.enter(context.Background(), e, nil) // the turn is the whole unload's
	ctx, cancel := context.WithCancelCause(ctx)
	e.hire(func() {
		defer fr.leave()
		defer cancel(nil)
		if started, _ := e.claim(); started {
			e.onGiveUp(cancel)
			_, _ = e.undo(ctx)
		}
	})
	select {
	case <-fr.begun:
	case <-patience(f.tree.turns.patience):
	}
}

// await waits until the effect is undone. After the limit it gives up what
// hangs, and goes on with what is left.
func (e *Effect) await() error {
	limit := e.fiber.tree.config.DisposeTimeout
	if limit <= 0 || e.child != nil {
		<-e.closed
		return e.err
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-e.closed:
		return e.err
	case <-timer.C:
	}
	err := error(&HangError{Label: e.label, After: limit})
	parts, late := e.giveUp(err)
	if late {
		return e.err
	}
	if len(parts) > 0 {
		err = errors.Join(err, e.remains(parts))
	}
	return err
}

// remains undoes what is left of an effect that was given up.
func (e *Effect) remains(parts []part) error {
	left := &Effect{
		fiber: e.fiber, label: e.label, parts: parts, closing: true,
		opened: e.opened, closed: make(chan struct{}), cancel: func(error) {},
	}
	ctx, fr := e.fiber.enter(context.Background(), left, nil)
	ctx, cancel := context.WithCancelCause(ctx)
	left.onGiveUp(cancel)
	left.hire(func() {
		defer fr.leave()
		defer cancel(nil)
		_, _ = left.undo(ctx)
	})
	return left.await()
}

// fault logs and collects what an effect failed with when f unloaded.
func (f *Fiber) fault(e *Effect, err error) {
	if err == nil {
		return
	}
	f.tree.lock()
	f.faults = append(f.faults, err)
	f.tree.unlock()
	f.tree.log(f, e.label, err)
}

// patience is a channel that delivers after d, never for less than nothing.
func patience(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return time.After(d)
}
