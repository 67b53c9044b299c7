package jsrun

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/dop251/goja"
)

const (
	firstLook    = 4 * time.Millisecond   // a shorter stretch costs no look at the heap
	everyLook    = 3 * time.Millisecond   // then so often
	stuck        = 2 * time.Second        // until Close gives up
	patience     = 250 * time.Millisecond // for a native call to see the interrupt
	longestSleep = 30 * time.Second       // that one stretch may sleep beyond its limit
	sparing      = 30                     // looks between two collections that a suspicion forces
)

func (l Limits) withDefaults() Limits {
	if l.Busy <= 0 {
		l.Busy = 5 * time.Second
	}
	if l.Heap == 0 {
		l.Heap = 256 << 20
	}
	if l.Stack <= 0 {
		l.Stack = 1000
	}
	if l.Regexp <= 0 {
		l.Regexp = 250 * time.Millisecond
	}
	return l
}

// LimitError says which limit was passed, in which phase (see WithPhase).
type LimitError struct {
	Limit string // "busy", "heap", "stack" or "panic"
	Phase string
	Bound string // the limit, as a person reads it
}

func (e *LimitError) Error() string {
	text := "the script passed its limit (" + e.Limit
	if e.Bound != "" {
		text += ", " + e.Bound
	}
	text += ")"
	if e.Phase != "" {
		text += " in " + e.Phase
	}
	return text
}

// Unwrap makes it an ErrLimit.
func (e *LimitError) Unwrap() error { return ErrLimit }

// watch interrupts a stretch of JavaScript that passes a limit. It looks from
// the goroutines of timers, which exist only while they look.
type watch struct {
	run    *Run
	limits Limits

	mu      sync.Mutex
	timer   *time.Timer     // looks at the heap
	busy    *time.Timer     // the end of the stretch, set when the first look finds it
	ctx     context.Context // of the stretch; nil: none
	stretch int             // counts them
	looks   int             // in this stretch
	spared  int             // looks until the next collection that a suspicion may force
	base    uint64          // the heap when it was first looked at
	slept   time.Duration   // in this stretch
	alarm   chan struct{}   // closed to wake who sleeps
	passed  *LimitError
	stopped bool
}

// begin starts the watch over a stretch.
func (w *watch) begin(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ctx, w.looks, w.spared, w.passed, w.slept = ctx, 0, 0, nil, 0
	w.stretch++
	if w.timer == nil {
		w.timer = time.AfterFunc(firstLook, w.look)
		return
	}
	w.timer.Reset(firstLook)
}

// finish ends it and says which limit was passed.
func (w *watch) finish() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	if w.busy != nil {
		w.busy.Stop()
	}
	w.ctx, w.busy = nil, nil
	if w.passed != nil {
		return w.passed
	}
	return nil
}

// stop interrupts what is under way, for Close.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.wake()
	if w.ctx != nil {
		w.run.vm.rt.Interrupt(ErrClosed)
	}
}

// overrun is the limit that was passed, or nil.
func (w *watch) overrun() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.passed == nil {
		return nil
	}
	return w.passed
}

// said is the limit that the stretch has passed, or ErrClosed.
func (w *watch) said() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.passed != nil {
		return w.passed
	}
	if w.stopped {
		return ErrClosed
	}
	return nil
}

// look is what the timer does.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx == nil || w.passed != nil {
		return
	}
	w.looks++
	if w.looks == 1 {
		w.base = heapBytes()
	}
	if w.looks == 1 && !isSetup(w.ctx) {
		w.allow(w.limits.Busy - firstLook + w.slept)
	}
	if w.stopped {
		w.run.vm.rt.Interrupt(ErrClosed)
	}
	if w.grown() {
		w.pass("heap", fmt.Sprintf("%d MiB", w.limits.Heap>>20))
		return
	}
	w.timer.Reset(everyLook)
}

// allow sets when the stretch has lasted too long.
func (w *watch) allow(d time.Duration) {
	stretch := w.stretch
	w.busy = time.AfterFunc(d, func() { w.late(stretch) })
}

// rest is called before the script sleeps for d. Sleeping is not being busy:
// the limit starts afresh, as long as a stretch does not sleep for too long. The
// channel is closed when it has to wake up.
func (w *watch) rest(d time.Duration) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.slept+d > 0 && w.slept+d <= longestSleep {
		w.slept += d
		if w.busy != nil && w.busy.Stop() {
			w.allow(w.limits.Busy + d)
		}
	}
	if w.alarm == nil {
		w.alarm = make(chan struct{})
	}
	if w.stopped || w.passed != nil {
		w.wake()
		closed := make(chan struct{})
		close(closed)
		return closed
	}
	return w.alarm
}

func (w *watch) wake() {
	if w.alarm != nil {
		close(w.alarm)
		w.alarm = nil
	}
}

// late is called when a stretch has lasted too long.
func (w *watch) late(stretch int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx != nil && w.stretch == stretch && w.passed == nil {
		w.pass("busy", w.limits.Busy.String())
	}
}

// pass interrupts. A native call does not see that until it returns; those who
// wait are told when patience is over.
func (w *watch) pass(limit, bound string) {
	passed := &LimitError{Limit: limit, Bound: bound, Phase: Phase(w.ctx)}
	w.passed = passed
	w.run.vm.rt.Interrupt(passed)
	w.wake()
	if w.busy != nil {
		w.busy.Stop() // a timer that waits holds the runtime
	}
	w.busy = time.AfterFunc(patience, func() { w.run.fail(passed) }) // stuck in a native call
}

// grown says whether the heap grew by more than it may. What is above may be
// garbage, so a collection comes before the verdict, unless it is far above.
func (w *watch) grown() bool {
	if w.spared > 0 {
		w.spared--
	}
	if !over(w.base, w.limits.Heap) {
		return false
	}
	if over(w.base, 2*w.limits.Heap) {
		return true
	}
	if w.spared > 0 {
		return false
	}
	runtime.GC()
	w.spared = sparing
	return over(w.base, w.limits.Heap)
}

func over(base, limit uint64) bool {
	h := heapBytes()
	return h > base && h-base > limit
}

// heapBytes is how many bytes the objects of this process take, dead ones included.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// limitOf is the limit that an error of the engine stands for.
func limitOf(err error, ctx context.Context) error {
	if over, ok := err.(*goja.StackOverflowError); ok && over != nil {
		return &LimitError{Limit: "stack", Phase: Phase(ctx)}
	}
	return err
}
