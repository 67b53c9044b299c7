package fiber

import (
	"context"
	"strconv"
	"time"
)

// key names the providers of what a Fiber injects, in order. Two loads with the
// same key would be given the same services.
type key string

const (
	parked   key = ""  // something is missing
	loadable key = "+" // nothing is asked for
)

// step is one transition.
type step int

const (
	rest step = iota
	load
	unload
)

// look notes who provides a service now. A Fiber is told of each service that
// changes, one after the other, and compares each time: so those that wait for
// fewer load first. The lock is held.
func (f *Fiber) look(name string) {
	if s := f.tree.services[name]; s != nil && s.fiber.state == Active {
		f.seen[name] = s
		return
	}
	delete(f.seen, name)
}

// refresh compares the providers that were seen with those that f has, and
// begins a transition if they differ. It is called under the lock.
func (f *Fiber) refresh() {
	if f.disposed {
		return
	}
	f.want = parked
	if len(f.seen) == len(f.inject) {
		f.want = f.key(f.seen)
	}
	f.kick()
}

// kick begins a transition if one is due and none is in flight. The lock is held.
func (f *Fiber) kick() {
	if f.flight != nil {
		return
	}
	s := f.next()
	if s == rest {
		f.become(f.resting())
		return
	}
	f.flight = &flight{landed: make(chan struct{})}
	turn := f.tree.turns.join()
	f.start(s)
	j := f.tree.employed()
	go func() {
		defer j.done()
		f.drive(s, turn)
	}()
}

// next is the transition that is due. The lock is held.
func (f *Fiber) next() step {
	switch {
	case f.sweep:
		return unload
	case f.have == f.want:
		return rest
	case f.have != parked && !f.failed:
		return unload
	}
	f.have, f.failed = parked, false // what failed has nothing to unload
	if f.want == parked {
		return rest
	}
	return load
}

// start makes the state of a transition that begins. The lock is held.
func (f *Fiber) start(s step) {
	if s == load {
		f.store = map[string]*service{}
		for _, name := range f.inject {
			f.store[name] = f.seen[name]
		}
		f.become(Loading)
		return
	}
	f.sweep = false
	f.become(Unloading)
}

// resting is the state of a Fiber without a transition. The lock is held.
func (f *Fiber) resting() State {
	switch {
	case f.disposed:
		return Disposed
	case f.err != nil:
		return Failed
	case f.have != parked:
		return Active
	}
	return Pending
}

// become changes the state; who injects from f is looked at again when it turns
// Active or ceases to be. The lock is held.
func (f *Fiber) become(s State) {
	from := f.state
	if from == s {
		return
	}
	f.state = s
	if f.tree.config.Changed != nil {
		f.tree.notes = append(f.tree.notes, note{f, from, s})
	}
	if from != Active && s != Active {
		return
	}
	for _, s := range f.services.list() {
		f.tree.notify(s.name)
	}
}

// drive runs transitions until none is due. Each ends in a turn of its own.
func (f *Fiber) drive(s step, turn *turn) {
	t := f.tree
	for {
		var err error
		if s == load {
			turn, err = f.load(turn)
		} else {
			turn = f.unload(turn)
		}
		turn.wait()
		t.lock()
		f.arrive(s, err)
		if s = f.next(); s == rest {
			f.become(f.resting())
			f.flight.land(&t.turns)
			f.flight = nil
			t.unlock()
			turn.pass()
			return
		}
		after := t.turns.join()
		f.start(s)
		t.unlock()
		turn.pass()
		turn = after
	}
}

// arrive records how a transition ended. The lock is held.
func (f *Fiber) arrive(s step, err error) {
	if s == unload {
		f.store = nil
		if !f.failed {
			f.have = parked
		}
		return
	}
	if f.err = err; err != nil {
		f.failed, f.sweep = true, true
	}
}

// load runs Apply, unless the providers have changed since it became due. It
// returns the turn in which the outcome is to be recorded.
func (f *Fiber) load(turn *turn) (*turn, error) {
	turn.wait()
	ctx, cancel := context.WithCancelCause(context.Background())
	f.tree.lock()
	f.have, f.cancel = f.key(f.store), cancel
	if f.orphaned() && !f.disposed {
		f.discard() // nothing starts below what is disposed of
	}
	stale := f.disposed || f.have != f.want
	f.tree.unlock()
	if stale {
		return turn, nil
	}
	ctx, fr := f.enter(ctx, nil, turn)
	done, over := make(chan arrival), make(chan struct{})
	j := f.tree.spawn(func() {
		a := f.apply(ctx, fr)
		fr.leave()
		select {
		case done <- a:
		case <-over: // given up
			a.turn.pass()
		}
	})
	a := f.applied(done, over, j)
	fr.begin() // what was given up may have its turn still
	f.tree.log(f, "apply", a.err)
	return a.turn, a.err
}

// orphaned says whether a Fiber above is disposed of. The lock is held.
func (f *Fiber) orphaned() bool {
	for p := f.parent; p != nil; p = p.parent {
		if p.disposed {
			return true
		}
	}
	return false
}

// arrival is the end of an Apply.
type arrival struct {
	turn *turn
	err  error
}

// apply runs Apply and waits for its end. It stands in line again before it
// passes its turn, so that quick ones end in the order in which they began; who
// fails at once ends in the same turn, as in the reference.
func (f *Fiber) apply(ctx context.Context, fr *frame) arrival {
	err := protect(func() error { return f.plugin.Apply(ctx, f.context) })
	switch l := asLater(err); {
	case l != nil:
		fr.begin()
		_, err = outcome(ctx, l)
	case err != nil && fr.turn.held():
		turn := fr.turn
		fr.turn = nil // it is not passed yet
		return arrival{turn, err}
	}
	return arrival{f.tree.turns.join(), err}
}

// applied waits for Apply. It waits for ever, unless the Fiber is disposed of
// and a limit is set.
func (f *Fiber) applied(done <-chan arrival, over chan<- struct{}, j *job) arrival {
	limit := f.tree.config.DisposeTimeout
	if limit <= 0 {
		return <-done
	}
	select {
	case a := <-done:
		return a
	case <-f.halt:
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a := <-done:
		return a
	case <-timer.C:
		close(over)
		j.done()
		return arrival{f.tree.turns.join(), &HangError{Label: "apply", After: limit}}
	}
}

// key is that of services which hold all that f injects.
func (f *Fiber) key(services map[string]*service) key {
	k := []byte(loadable)
	for _, name := range f.inject {
		k = append(strconv.AppendInt(k, int64(services[name].fiber.id), 10), '+')
	}
	return key(k)
}
