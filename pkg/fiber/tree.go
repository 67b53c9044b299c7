package fiber

import (
	"context"
	"sync"
	"time"
)

// defaultPatience is how long code holds its turn if nothing else is said.
const defaultPatience = 100 * time.Millisecond

// tree is what all Fibers below one root share.
type tree struct {
	config Config
	turns  turns

	mu       sync.Mutex
	root     *Fiber
	services map[string]*service
	users    rows[*Fiber] // who injects a service, in the order of mounting
	promised rows[*Fiber] // who says that it provides one, in the order of mounting
	past     rows[*Fiber] // who provides one or did
	hooks    map[string]*hooks
	waits    map[*Fiber]map[*Fiber]int // who waits for whom
	serial   int
	running  int           // goroutines of the kernel
	idle     chan struct{} // closed when there are none
	notes    []note        // changes of states that nobody was told yet
	telling  bool
}

// note is one change of a state.
type note struct {
	fiber    *Fiber
	from, to State
}

// New makes a tree and returns the Context of its root. The root is Active at
// once. Dispose of its Fiber ends the tree.
func New(config Config) *Context {
	t := &tree{
		config:   config,
		services: map[string]*service{},
		users:    rows[*Fiber]{},
		promised: rows[*Fiber]{},
		past:     rows[*Fiber]{},
		hooks:    map[string]*hooks{},
		waits:    map[*Fiber]map[*Fiber]int{},
		idle:     make(chan struct{}),
	}
	close(t.idle)
	if t.turns.patience = config.Patience; config.Patience == 0 {
		t.turns.patience = defaultPatience
	}
	t.root = t.fiber(nil, Plugin{})
	t.root.state, t.root.want, t.root.have = Active, loadable, loadable
	return t.root.context
}

// fiber makes a Fiber that nobody knows of yet. It is called under the lock.
func (t *tree) fiber(parent *Fiber, p Plugin) *Fiber {
	f := &Fiber{
		tree: t, id: t.serial, plugin: p, parent: parent,
		children: map[*Fiber]struct{}{},
		provided: map[string]bool{},
		named:    rows[*service]{},
		seen:     map[string]*service{},
		cancel:   func(error) {},
		halt:     make(chan struct{}),
	}
	t.serial++
	f.context = &Context{fiber: f}
	seen := map[string]bool{}
	for _, name := range p.Inject {
		if !seen[name] {
			f.inject = append(f.inject, name)
		}
		seen[name] = true
	}
	return f
}

func (t *tree) lock() { t.mu.Lock() }

// unlock releases the lock and tells what has changed.
func (t *tree) unlock() {
	if len(t.notes) == 0 || t.telling {
		t.mu.Unlock()
		return
	}
	t.telling = true
	for len(t.notes) > 0 {
		n := t.notes[0]
		t.notes = t.notes[1:]
		t.mu.Unlock()
		if err := protect(func() error { t.config.Changed(n.fiber, n.from, n.to); return nil }); err != nil {
			t.log(n.fiber, "changed", err)
		}
		t.mu.Lock()
	}
	t.telling = false
	t.mu.Unlock()
}

// log tells an error that nobody waits for. It is not called under the lock.
func (t *tree) log(f *Fiber, label string, err error) {
	if err != nil && t.config.Log != nil {
		t.config.Log(f, label, err)
	}
}

// job is a goroutine of the kernel, until it ends or is given up.
type job struct {
	tree *tree
	once sync.Once
}

// spawn runs f on a goroutine that the end of the tree waits for.
func (t *tree) spawn(f func()) *job {
	j := t.employ()
	go func() {
		defer j.done()
		f()
	}()
	return j
}

func (t *tree) employ() *job {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.employed()
}

// employed is employ under the lock.
func (t *tree) employed() *job {
	if t.running == 0 {
		t.idle = make(chan struct{})
	}
	t.running++
	return &job{tree: t}
}

// done says that the goroutine has ended or is no longer waited for.
func (j *job) done() {
	j.once.Do(func() {
		j.tree.mu.Lock()
		defer j.tree.mu.Unlock()
		if j.tree.running--; j.tree.running == 0 {
			close(j.tree.idle)
		}
	})
}

// drained waits until no goroutine of the kernel runs.
func (t *tree) drained(ctx context.Context) error {
	for {
		t.mu.Lock()
		idle, running := t.idle, t.running
		t.mu.Unlock()
		if running == 0 {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
