package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

// The two versions of a plugin that uses a little of everything.
const (
	firstVersion = `let n = 0
harness.handle('count', ({ by }) => { n += by; return { n, version: 1 } })
return { name: 'cycle', inject: ['timer'], apply(ctx) {
  ctx.interval(() => { n++ }, 50)
  ctx.on('cycle/ping', () => {})
  ctx.effect(() => () => console.log('undone'))
} }`
	secondVersion = `harness.handle('count', async ({ by }) => ({ n: by, version: 2 }))
return { name: 'cycle', apply(ctx) { ctx.effect(() => () => {}) } }`
)

// workers go through cycles at the same time, each for a Session of its own.
const workers = 4

// warm is after how many cycles the figures are those that count.
const warm = 100

// cycles goes through all cycles, and gives the figures after the first ones.
func (h *host) cycles() (first figures, err error) {
	begin := time.Now()
	if err := h.through(min(warm, h.options.cycles)); err != nil {
		return first, err
	}
	if first, err = h.calm(); err != nil {
		return first, err
	}
	h.print(fmt.Sprintf("after %d cycles", min(warm, h.options.cycles)), first)
	step := max((h.options.cycles-warm)/5, 1)
	for done := warm; done < h.options.cycles; {
		n := min(step, h.options.cycles-done)
		if err := h.through(n); err != nil {
			return first, err
		}
		done += n
		if err := h.settle(fmt.Sprintf("after %d cycles", done), first); err != nil {
			return first, err
		}
	}
	fmt.Fprintf(h.out, "%d cycles in %s\n", h.options.cycles, time.Since(begin).Round(time.Second))
	return first, nil
}

// calm are the figures when nothing moves any more.
func (h *host) calm() (f figures, err error) {
	still := 0
	err = soon(time.Minute, func() error {
		next, err := h.look()
		if err != nil {
			return err
		}
		if still++; next.goroutines != f.goroutines || next.processes != f.processes || next.descriptors != f.descriptors {
			f, still = next, 0
		}
		if still < 25 {
			return errors.New("the host does not come to rest")
		}
		return nil
	})
	return f, err
}

// through goes through n cycles.
func (h *host) through(n int) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	failed := make([]error, workers)
	for w := range workers {
		wg.Go(func() {
			for failed[w] == nil && next.Add(1) <= int64(n) {
				failed[w] = h.cycle(fmt.Sprintf("session-%d", w))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// cycle is the life of a plugin, over a connection of its own.
func (h *host) cycle(session string) error {
	c, err := h.dial(control.Client, control.Handlers{})
	if err != nil {
		return err
	}
	defer c.Close()
	p, err := h.define(c, object{"session": session, "idPrefix": "cycle", "host": firstVersion})
	if err != nil {
		return err
	}
	if err := h.activate(c, session, p, "run", 1); err != nil {
		return err
	}
	p, err = h.define(c, object{"session": session, "pluginId": p.Plugin, "host": secondVersion})
	if err != nil {
		return err
	}
	if err := h.activate(c, session, p, "update", 2); err != nil {
		return err
	}
	if err := h.call(c, "stop", object{"session": session, "pluginId": p.Plugin}, nil); err != nil {
		return err
	}
	return h.call(c, "undefine", object{"session": session, "pluginId": p.Plugin}, nil)
}

// made is what define answers.
type made struct {
	Plugin  string `json:"pluginId"`
	Package string `json:"packageId"`
}

func (h *host) define(c *control.Conn, params object) (p made, err error) {
	params["name"], params["purpose"] = "Endurance", "last"
	return p, h.call(c, "define", params, &p)
}

// run activates a package.
func (h *host) run(c *control.Conn, session string, p made, mode string) error {
	return h.call(c, "run", object{"session": session, "pluginId": p.Plugin, "packageId": p.Package, "mode": mode}, nil)
}

// activate runs a version and calls it.
func (h *host) activate(c *control.Conn, session string, p made, mode string, version int) error {
	if err := h.run(c, session, p, mode); err != nil {
		return err
	}
	var got struct {
		OK      bool
		Message string
		Value   struct{ Version int }
	}
	if err := h.call(c, "invoke", object{"pluginId": p.Plugin, "method": "count", "args": object{"by": 1}}, &got); err != nil {
		return err
	}
	if !got.OK || got.Value.Version != version {
		return fmt.Errorf("%s: invoke: %+v, want version %d", p.Plugin, got, version)
	}
	return nil
}
