package page

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
)

const usage = `usage: page NAME open [idle] [loads|vanishes|fails TEXT|waits SERVICE...]
       page NAME approve|decline REQUEST [future]
       page NAME run PLUGIN PACKAGE MODE
       page NAME crash PLUGIN RUN SLOT TEXT
       page NAME await EVENT
       page NAME vanish`

// patience is how long a script waits for what a page does.
const patience = 30 * time.Second

// open pages, by script and name.
var (
	openMu sync.Mutex
	opened = map[*testscript.TestScript]map[string]*Page{}
)

// Command is the word "page" of test scripts: a page at the host of the folder
// that the script is in.
func Command(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("%s", usage)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := command(ctx, ts, args[0], args[1], args[2:])
	if (err != nil) != neg {
		ts.Fatalf("page %s: %v", strings.Join(args, " "), err)
	}
}

func command(ctx context.Context, ts *testscript.TestScript, name, verb string, args []string) error {
	if verb == "open" {
		return openIn(ctx, ts, name, args)
	}
	openMu.Lock()
	p := opened[ts][name]
	openMu.Unlock()
	if p == nil {
		ts.Fatalf("page: %s is not open", name)
	}
	args = append(args, "", "", "", "") // what is left out is empty
	switch verb {
	case "approve":
		return p.Approve(ctx, args[0], args[1] == "future")
	case "decline":
		return p.Decline(ctx, args[0])
	case "run":
		_, err := p.Run(ctx, control.DefaultSession, args[0], args[1], args[2])
		return err
	case "crash":
		return p.Crash(ctx, control.DefaultSession, args[0], args[1], host.RenderFailure{Slot: args[2], Message: args[3], Abdicated: true})
	case "await":
		return p.Await(ctx, func(e control.EventParams) bool { return e.Name == args[0] })
	case "vanish":
		p.Vanish()
	default:
		ts.Fatalf("%s", usage)
	}
	return nil
}

func openIn(ctx context.Context, ts *testscript.TestScript, name string, args []string) error {
	o := Options{Name: name}
	if len(args) > 0 && args[0] == "idle" {
		o.Idle, args = true, args[1:]
	}
	outcome := Outcome{}
	if len(args) > 0 {
		switch args[0] {
		case "loads":
		case "vanishes":
			outcome.Vanish = true
		case "fails":
			outcome.Failure = strings.Join(args[1:], " ")
		case "waits":
			outcome.WaitingFor = args[1:]
		default:
			ts.Fatalf("%s", usage)
		}
	}
	o.Script = func(host.ClientCode) Outcome { return outcome }
	p, err := Open(ctx, ts.MkAbs("."), o)
	if err != nil {
		return err
	}
	openMu.Lock()
	defer openMu.Unlock()
	if opened[ts] == nil {
		opened[ts] = map[string]*Page{}
	}
	opened[ts][name] = p
	ts.Defer(func() {
		_ = p.Close() // what went wrong is seen in the host
		openMu.Lock()
		defer openMu.Unlock()
		delete(opened, ts)
	})
	return nil
}
