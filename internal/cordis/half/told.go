package half

import (
	"fmt"
	"sync"
	"time"
)

// maxLines is how many lines of a plugin may wait to be logged. What comes while
// so many wait is counted and dropped, so that a plugin that does nothing but log
// neither grows this process nor holds up its own calls.
const maxLines = 1000

// teller hands the host what the sandbox tells, in order, without holding up the
// link.
type teller struct {
	world World

	mu      sync.Mutex
	queue   []func()
	running sync.WaitGroup
	active  bool
	lines   int // in the queue
	dropped int
}

// log tells a line.
func (t *teller) log(level, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lines >= maxLines {
		t.dropped++
		return
	}
	t.lines++
	t.add(func() {
		t.world.Log(level, text)
		t.logged()
	})
}

// logged makes room, and says what was dropped when all that waited is out.
func (t *teller) logged() {
	t.mu.Lock()
	t.lines--
	dropped := t.dropped
	if t.lines > 0 || dropped == 0 {
		t.mu.Unlock()
		return
	}
	t.dropped = 0
	t.mu.Unlock()
	t.world.Log("warn", fmt.Sprintf("%d lines were dropped: they came too fast", dropped))
}

// report tells a failure. A sandbox says each once, so they need no bound but
// that of a queue.
func (t *teller) report(f Failure) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) < 2*maxLines {
		t.add(func() { t.world.Report(f) })
	}
}

func (t *teller) add(f func()) {
	t.queue = append(t.queue, f)
	if !t.active {
		t.active = true
		t.running.Go(t.run)
	}
}

// caughtTime bounds how long a reply waits for what was told before it, should
// the World be slow to hear, or call the half from where it hears.
const caughtTime = time.Second

// caught waits until all that the sandbox has told so far is told, so that who has
// a reply finds the lines that came before it.
func (t *teller) caught() {
	t.mu.Lock()
	if !t.active {
		t.mu.Unlock()
		return
	}
	reached := make(chan struct{})
	t.add(func() { close(reached) })
	t.mu.Unlock()
	timer := time.NewTimer(caughtTime)
	defer timer.Stop()
	select {
	case <-reached:
	case <-timer.C:
	}
}

// run lasts as long as there is something to tell.
func (t *teller) run() {
	for {
		t.mu.Lock()
		if len(t.queue) == 0 {
			t.active, t.queue = false, nil
			t.mu.Unlock()
			return
		}
		f := t.queue[0]
		t.queue = t.queue[1:]
		t.mu.Unlock()
		f()
	}
}

// drain waits until all has been told.
func (t *teller) drain() { t.running.Wait() }
