package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

// member is a plugin that ticks, answers, and calls its neighbour, if that is
// there. The first number is its own, the second that of the neighbour.
const member = `let ticks = 0
const me = 'member%d', other = 'member%d'
harness.handle('ticks', () => ticks)
harness.handle('ask', ({ depth }) => ask(depth))
harness.handle('slow', () => new Promise(() => {}))
let ctx
function ask(depth) {
  const next = depth > 0 ? ctx.get(other) : undefined
  return next === undefined ? [me] : [me, ...next.ask(depth - 1)]
}
return { name: me, inject: ['timer'], apply(c) {
  ctx = c
  ctx.provide(me, { ask })
  ctx.on('crowd/ping', () => { ticks++ })
  ctx.interval(() => { ticks++ }, 20)
} }`

// shared has a Client half, so that a page has to take part when it runs.
const shared = `return { name: 'shared', apply(ctx) { ctx.effect(() => () => {}) } }`

// crowd is many plugins at once, and those who trouble them.
type crowd struct {
	*host
	members []made
	counts  [troubles]atomic.Int64
	failed  atomic.Pointer[error]
	ending  chan struct{}
	wg      sync.WaitGroup
}

// What is counted.
const (
	asked = iota
	answered
	killedPlugins
	broughtBack
	killedClients
	lostPages
	carried
	troubles
)

const crowdSession = "crowd"

// crowd makes the plugins, troubles them for a while and removes them.
func (h *host) crowd() error {
	c := &crowd{host: h, ending: make(chan struct{})}
	begin := time.Now()
	if err := c.gather(); err != nil {
		return err
	}
	fmt.Fprintf(h.out, "%d plugins run after %s\n", len(c.members), time.Since(begin).Round(100*time.Millisecond))
	for n, work := range []func(*rand.Rand, *control.Conn) error{c.ask, c.ask, c.ask, c.bringBack, c.killPlugin, c.killClient, c.losePage} {
		c.wg.Go(func() { c.trouble(rand.New(rand.NewPCG(h.seed, uint64(n))), work) })
	}
	time.AfterFunc(h.options.time, func() { close(c.ending) })
	c.wg.Wait()
	if err := c.failed.Load(); err != nil {
		return *err
	}
	if f, err := h.look(); err == nil {
		h.print(fmt.Sprintf("with %d plugins", len(c.members)), f)
	}
	fmt.Fprintf(h.out, "%d questions, %d answered; %d plugins killed, %d brought back; %d clients killed; %d pages lost, %d requests carried out\n",
		c.count(asked), c.count(answered), c.count(killedPlugins), c.count(broughtBack), c.count(killedClients), c.count(lostPages), c.count(carried))
	return c.scatter()
}

func (c *crowd) count(what int) int64 { return c.counts[what].Load() }

// trouble does something again and again.
func (c *crowd) trouble(chance *rand.Rand, work func(*rand.Rand, *control.Conn) error) {
	conn, err := c.dial(control.Client, control.Handlers{})
	if err == nil {
		defer conn.Close()
	}
	for err == nil {
		select {
		case <-c.ending:
			return
		case <-time.After(time.Duration(chance.IntN(20)) * time.Millisecond):
			err = work(chance, conn)
		}
	}
	c.failed.CompareAndSwap(nil, &err)
}

// gather defines and runs all members.
func (c *crowd) gather() error {
	for n := range c.plugins {
		p, err := c.define(c.conn, object{"session": crowdSession, "idPrefix": "member", "host": fmt.Sprintf(member, n, (n+1)%c.plugins)})
		if err != nil {
			return err
		}
		c.members = append(c.members, p)
		if err := c.run(c.conn, crowdSession, p, "run"); err != nil {
			return err
		}
	}
	return nil
}

// scatter removes whatever is defined.
func (c *crowd) scatter() error {
	var all struct {
		Rows []struct{ PluginID, AgentID string }
	}
	if err := c.call(c.conn, "inventory", nil, &all); err != nil {
		return err
	}
	for _, row := range all.Rows {
		if err := c.call(c.conn, "undefine", object{"session": row.AgentID, "pluginId": row.PluginID}, nil); err != nil {
			return err
		}
	}
	return nil
}

func (c *crowd) any(chance *rand.Rand) made { return c.members[chance.IntN(len(c.members))] }

// ask has a member ask its neighbours. Any may be gone; the call ends all the same.
func (c *crowd) ask(chance *rand.Rand, conn *control.Conn) error {
	var got struct{ OK bool }
	err := c.call(conn, "invoke", object{"pluginId": c.any(chance).Plugin, "method": "ask", "args": object{"depth": chance.IntN(6)}}, &got)
	c.counts[asked].Add(1)
	if got.OK {
		c.counts[answered].Add(1)
	}
	return err
}

// bringBack runs a member that does not run.
func (c *crowd) bringBack(_ *rand.Rand, conn *control.Conn) error {
	var all struct {
		Rows []struct {
			PluginID  string
			ActiveRun *struct{ PluginRunID string }
		}
	}
	if err := c.call(conn, "inventory", nil, &all); err != nil {
		return err
	}
	for n, p := range c.members {
		if all.Rows[n].PluginID == p.Plugin && all.Rows[n].ActiveRun == nil {
			if c.run(conn, crowdSession, p, "run") == nil { // its process may be killed too
				c.counts[broughtBack].Add(1)
			}
		}
	}
	return nil
}

// killPlugin kills a process of the host. When plugins run in the host itself,
// one is stopped in the midst of its calls instead.
func (c *crowd) killPlugin(chance *rand.Rand, conn *control.Conn) error {
	time.Sleep(time.Duration(chance.IntN(400)) * time.Millisecond) // they shall do something too
	c.counts[killedPlugins].Add(1)
	if c.trusted {
		_ = c.call(conn, "stop", object{"session": crowdSession, "pluginId": c.any(chance).Plugin}, nil) // it may not run
		return nil
	}
	if pids := c.processes(); len(pids) > 0 {
		_ = syscall.Kill(pids[chance.IntN(len(pids))], syscall.SIGKILL) // it may have ended
	}
	return nil
}

// killClient kills a command in the middle of a call.
func (c *crowd) killClient(chance *rand.Rand, _ *control.Conn) error {
	cmd := exec.Command(c.binary, "-C", c.dir, "invoke", c.any(chance).Plugin, "slow")
	cmd.Env = c.cmd.Env
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(time.Duration(10+chance.IntN(90)) * time.Millisecond)
	_ = cmd.Process.Kill() // it may have ended, for its plugin was gone
	_ = cmd.Wait()
	c.counts[killedClients].Add(1)
	return nil
}
