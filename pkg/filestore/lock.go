package filestore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/dshkit/dshkit/pkg/fault"
)

// A hold is the lock of a Dir, held. It is made of two locks. The lock file is
// what other programs see and wait for. The fence is a lock on the folder
// itself: a cleaner that deletes the lock file under its holder lets the next
// one in through a new file, and there the fence stops him. Where a folder
// cannot be locked (Windows, where a file in use cannot be deleted either) the
// lock file has to do.
type hold struct {
	dir   *Dir
	file  *flock.Flock
	fence *flock.Flock // nil where the system has none
	mark  mark
}

// errLeft says that a wait was given up. The goroutine that still waits in the
// system owns the gate, and opens it when its wait ends.
var errLeft = errors.New("left waiting")

// errOver says that the time was up before the system was asked to wait.
var errOver = errors.New("no time left")

// lock takes the lock of the folder, which it creates if need be.
func (d *Dir) lock(ctx context.Context) (*hold, error) {
	if d.opts.ReadOnly {
		return nil, fault.New(fault.Refused, codeReadOnly, d.root)
	}
	started := d.now()
	p := patience{ctx: ctx, wait: d.opts.Wait}
	defer p.end()
	if !p.pass(d.gate) {
		return nil, d.gaveUp(ctx, started)
	}
	h, err := d.enter(&p)
	switch {
	case err == nil:
		return h, nil
	case !errors.Is(err, errLeft):
		<-d.gate
	}
	if p.over() {
		return nil, d.gaveUp(ctx, started)
	}
	return nil, err
}

// patience bounds a wait by a context and a time. The clock is set when there is
// something to wait for: nearly always the lock is free, and a clock costs more
// than the lock.
type patience struct {
	ctx   context.Context
	wait  time.Duration
	bound context.Context // nil: nothing was waited for yet
	stop  context.CancelFunc
}

// begin sets the clock.
func (p *patience) begin() context.Context {
	if p.bound == nil {
		p.bound, p.stop = context.WithTimeout(p.ctx, p.wait)
	}
	return p.bound
}

// shortly is how long a wait does not ask the context. Nearly all waits are
// shorter, and a context that is asked can begin to listen for signals.
const shortly = 50 * time.Millisecond

// receive waits for c, and reports whether the time was over before.
func (p *patience) receive(c <-chan error) (err error, over bool) {
	timer := time.NewTimer(min(shortly, p.wait))
	defer timer.Stop()
	select {
	case err := <-c:
		return err, false
	case <-timer.C:
	}
	p.wait -= min(shortly, p.wait)
	select {
	case err := <-c:
		return err, false
	case <-p.begin().Done():
		return nil, true
	}
}

func (p *patience) end() {
	if p.bound != nil {
		p.stop()
	}
}

// over reports whether the time is up.
func (p *patience) over() bool {
	if p.bound != nil {
		return p.bound.Err() != nil
	}
	return p.ctx.Err() != nil
}

// pass goes through a gate, and reports whether it could in time.
func (p *patience) pass(gate chan<- struct{}) bool {
	if p.over() {
		return false
	}
	select {
	case gate <- struct{}{}:
		return true
	default:
	}
	select {
	case gate <- struct{}{}:
		return true
	case <-p.begin().Done():
		return false
	}
}

// enter takes both locks, behind the gate. A sweeper may take the folders away
// again, so they are made more than once, within reason.
func (d *Dir) enter(p *patience) (*hold, error) {
	if err := d.checkRoot(); err != nil {
		return nil, err
	}
	if err := d.confine(d.Path(d.opts.LockName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for range 100 {
		h, err := d.takeBoth(p)
		if err == nil {
			h.mark.begin(h)
			return h, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, writeFault(d.Path(d.opts.LockName), err)
		}
		if err := d.makeFolder(path.Dir(d.opts.LockName), true); err != nil {
			return nil, err
		}
	}
	return nil, fault.New(fault.Failed, codeUnwritable, d.Path(d.opts.LockName))
}

func (d *Dir) takeBoth(p *patience) (*hold, error) {
	lockPath := d.Path(d.opts.LockName)
	h := &hold{dir: d}
	var err error
	if h.file, err = d.take(p, lockPath, os.O_CREATE|os.O_RDWR|noFollow); err != nil {
		return nil, err
	}
	info, err := h.file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = typeFault(lockPath, info.Mode())
	}
	if err == nil && info.Size() == 0 {
		inheritOwner(lockPath)
	}
	if err == nil {
		h.fence, err = d.take(p, d.root, os.O_RDONLY)
		if err != nil && !p.over() && !errors.Is(err, fs.ErrNotExist) {
			err = nil // no locks on folders here
		}
	}
	if err != nil {
		h.unlock()
		return nil, err
	}
	return h, nil
}

// checkRoot refuses a folder that nobody may write to, for root too.
func (d *Dir) checkRoot() error {
	info, err := os.Stat(d.root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // it is made
	case err != nil:
		return writeFault(d.root, err)
	case isLocked(info):
		return fault.New(fault.Refused, codeReadOnly, d.root)
	}
	return nil
}

// release gives the lock back.
func (h *hold) release() {
	h.mark.end()
	h.unlock()
	<-h.dir.gate
}

func (h *hold) unlock() {
	if h.fence != nil {
		_ = h.fence.Close()
	}
	_ = h.file.Close()
}

// take locks the file at path. The file may be deleted, and made anew by
// another, while this waits: then it holds the lock of a file that no longer
// counts, and takes it again.
func (d *Dir) take(p *patience, path string, flag int) (*flock.Flock, error) {
	for {
		// A fresh value each time: one that holds the lock lets its holder in again.
		lock := flock.New(path, flock.SetFlag(flag), flock.SetPermissions(0o600))
		if err := d.wait(p, lock); err != nil {
			return nil, err
		}
		info, err := lock.Stat()
		now, lerr := os.Stat(path)
		if err == nil && lerr == nil && os.SameFile(info, now) {
			return lock, nil
		}
		_ = lock.Close()
		if p.over() {
			return nil, errOver
		}
	}
}

// wait locks l, or gives up when the time is up. The system cannot be told to
// stop waiting, so it waits in a goroutine, which gives back what it gets too
// late. No more than one waits for a Dir, as it keeps the gate until then.
func (d *Dir) wait(p *patience, l *flock.Flock) error {
	if p.over() {
		return errOver
	}
	if ok, err := l.TryLock(); ok || err != nil {
		return err
	}
	got, left := make(chan error), make(chan struct{})
	go func() {
		err := l.Lock()
		for errors.Is(err, syscall.EINTR) {
			err = l.Lock()
		}
		select {
		case got <- err:
		case <-left:
			_ = l.Close()
			<-d.gate
		}
	}()
	err, over := p.receive(got)
	if over {
		close(left)
		return errLeft
	}
	return err
}

// gaveUp says what was waited for, and for how long.
func (d *Dir) gaveUp(ctx context.Context, started time.Time) error {
	lockPath := d.Path(d.opts.LockName)
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.New(fault.Timeout, codeCancelled, lockPath).Because(ctx.Err())
	}
	waited := d.opts.Wait
	if d.opts.Now != nil {
		waited = d.opts.Now().Sub(started).Round(time.Millisecond)
	}
	return fault.New(fault.Busy, codeBusy, lockPath, waited)
}

func (d *Dir) now() time.Time {
	if d.opts.Now == nil {
		return time.Time{}
	}
	return d.opts.Now()
}
