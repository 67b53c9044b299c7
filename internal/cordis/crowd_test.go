package cordis_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
)

// crowdSource is a plugin that many use at once. %d is its version.
const crowdSource = `
harness.handle('version', () => %d)
harness.handle('fail', () => { throw new Error('as asked') })
harness.handle('slow', () => new Promise(() => {}))
return { name: 'crowd', inject: ['timer'], apply(ctx) {
  ctx.provide('crowd', { version: () => %[1]d })
  ctx.on('crowd/fall', (value, next) => next())
  ctx.interval(() => {}, 1)
} }`

// crowd is a host in this process and those who use it.
type crowd struct {
	t      *testing.T
	space  *cordis.Workspace
	served chan error
	over   context.Context
	end    context.CancelFunc
	users  sync.WaitGroup
	rounds atomic.Int64

	mu      sync.Mutex
	worked  map[string]int
	refused map[string]error // the last refusal
}

// TestCrowd has many clients, two Sessions, pages, bridges, waiters and one who
// does not read trouble one host at once, which then has to stop: it ends in time
// and leaves no goroutine and no socket.
func TestCrowd(t *testing.T) {
	before := runtime.NumGoroutine()
	c := gather(t)
	for range 3 {
		c.user(control.Client, c.invoke)
	}
	c.user(control.Client, c.live("one"))
	c.user(control.Client, c.live("one")) // against the other
	c.user(control.Client, c.live("two"))
	c.user(control.Client, c.inspect)
	c.user(control.Client, c.wait)
	c.user(control.Page, c.come)
	c.user(control.Bridge, c.fall)
	c.mute()
	c.until("rounds", func() bool { return c.rounds.Load() >= 30 })
	c.stop()
	for _, method := range []string{
		"define", "run", "stop", "undefine", "invoke", "inventory", "inspectSelf", "mention", "status", "logs", "feedback",
		"syncInspectManifest", "stopFromPanel", "provide", "callService",
	} {
		if c.worked[method] == 0 {
			t.Errorf("%s has never worked: %v", method, c.refused[method])
		}
	}
	c.until("the end of all goroutines", func() bool { return runtime.NumGoroutine() <= before })
}

func gather(t *testing.T) *crowd {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &crowd{t: t, worked: map[string]int{}, refused: map[string]error{}, served: make(chan error, 1), space: cordis.Open(cordis.Options{
		Root: root, Version: "test", Language: "en", Now: time.Now, Random: func() float64 { return 0.5 },
		Explain: func(err error) string { return err.Error() },
	})}
	c.over, c.end = context.WithCancel(context.Background())
	ready := make(chan struct{})
	go func() {
		c.served <- c.space.Serve(context.Background(), cordis.ServeOptions{Trusted: true, Ready: func(control.Card) { close(ready) }})
	}()
	select {
	case <-ready:
	case err := <-c.served:
		t.Fatal(err)
	}
	return c
}

// stop has the host end while all that goes on.
func (c *crowd) stop() {
	if _, err := c.space.Stop(context.Background()); err != nil {
		c.t.Errorf("stop: %v", err)
	}
	select {
	case err := <-c.served:
		if err != nil {
			c.t.Errorf("serve: %v", err)
		}
	case <-time.After(time.Minute):
		c.t.Fatal("the host does not end")
	}
	c.end()
	c.users.Wait()
	if _, err := os.Lstat(c.space.Path(control.SocketName)); err == nil {
		c.t.Error("the socket is left")
	}
}

// until waits for a condition.
func (c *crowd) until(what string, ready func() bool) {
	c.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			c.t.Fatalf("no %s:\n%s", what, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// user connects again and again, until the host is gone, and does something.
func (c *crowd) user(role control.Role, work func(ask asker)) {
	c.users.Go(func() {
		for c.over.Err() == nil {
			conn, _, err := c.space.Connect(c.over, role, control.Handlers{Request: slow})
			if err != nil {
				return // the host is gone
			}
			work(func(method string, params any, result any) {
				ctx, cancel := context.WithTimeout(c.over, time.Minute)
				defer cancel()
				err := conn.Call(ctx, method, params, result)
				if errors.Is(err, context.DeadlineExceeded) {
					c.t.Errorf("%s hangs", method)
				}
				c.note(method, err)
			})
			_ = conn.Close()
		}
	})
}

// note counts what worked.
func (c *crowd) note(method string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.worked[method]++
	} else {
		c.refused[method] = err
	}
}

// asker calls a method; what it is refused is as it should be.
type asker func(method string, params any, result any)

type params map[string]any

// slow answers what a bridge is asked, when it is asked no more.
func slow(string) (control.Handler, error) {
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, nil
}

// live is the life of a plugin that everybody else uses meanwhile. The numbers of
// plugins are not known: whatever there is will do.
func (c *crowd) live(session string) func(asker) {
	return func(ask asker) {
		var p struct {
			Plugin  string `json:"pluginId"`
			Package string `json:"packageId"`
		}
		selector, mode := params{"session": session, "idPrefix": "crowd"}, "run"
		for version := range 4 {
			selector["name"], selector["purpose"], selector["host"] = "Crowd", "be used", fmt.Sprintf(crowdSource, version)
			ask("define", selector, &p)
			ask("run", params{"session": session, "pluginId": p.Plugin, "packageId": p.Package, "mode": mode}, nil)
			selector, mode = params{"session": session, "pluginId": p.Plugin}, "update"
		}
		ask("stop", params{"session": session, "pluginId": p.Plugin}, nil)
		ask("undefine", params{"session": session, "pluginId": p.Plugin}, nil)
		c.rounds.Add(1)
	}
}

// plugins are those that there are now.
func plugins(ask asker) (ids []string) {
	var all struct{ Rows []struct{ PluginID string } }
	ask("inventory", nil, &all)
	for _, row := range all.Rows {
		ids = append(ids, row.PluginID)
	}
	return ids
}

func (c *crowd) invoke(ask asker) {
	for _, id := range plugins(ask) {
		for _, method := range []string{"version", "fail", "none"} {
			ask("invoke", params{"pluginId": id, "method": method}, nil)
		}
	}
}

func (c *crowd) inspect(ask asker) {
	for _, id := range plugins(ask) {
		ask("inspectSelf", params{"session": "one", "pluginId": id}, nil)
		ask("mention", params{"session": "two", "texts": []string{"see @" + id}}, nil)
		ask("status", nil, nil)
		ask("logs", nil, nil)
	}
}

func (c *crowd) wait(ask asker) {
	for _, session := range []string{"one", "two"} {
		ask("feedback", params{"session": session, "waitMs": 20}, nil)
	}
}

// come is a page that comes, says what it has, and goes.
func (c *crowd) come(ask asker) {
	ask("syncInspectManifest", params{"providers": []any{}}, nil)
	for _, id := range plugins(ask) {
		ask("stopFromPanel", params{"agentId": "one", "pluginId": id}, nil)
	}
}

// fall is a bridge that goes in the middle of a waterfall: its innermost function
// never answers.
func (c *crowd) fall(ask asker) {
	ask("provide", params{"name": "horn", "value": 1}, nil)
	ask("callService", params{"name": "crowd", "method": "version"}, nil)
	short, cancel := context.WithTimeout(c.over, 20*time.Millisecond)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		ask("waterfall", params{"event": "crowd/fall", "args": []any{1}, "inner": params{"$": "func", "id": 1, "name": "inner"}}, nil)
	}()
	select {
	case <-done:
	case <-short.Done():
	}
}

// mute follows the events and reads nothing.
func (c *crowd) mute() {
	conn, err := net.Dial("unix", c.space.Path(control.SocketName))
	if err != nil {
		c.t.Fatal(err)
	}
	c.users.Go(func() {
		defer conn.Close()
		_, err := io.WriteString(conn, `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"role":"client"}}`+"\n"+
			`{"jsonrpc":"2.0","id":2,"method":"events","params":{"follow":true}}`+"\n")
		if err != nil {
			c.t.Errorf("mute: %v", err)
		}
		<-c.over.Done()
	})
}
