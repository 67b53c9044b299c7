package page

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const usage = `usage: page NAME open [idle] [loads|vanishes|fails TEXT|waits SERVICE...]
       page NAME approve|decline REQUEST [future]
       page NAME run PLUGIN PACKAGE MODE
       page NAME half PLUGIN PACKAGE MODE [REQUEST]
       page NAME code PLUGIN RUN TEXT
       page NAME loaded REQUEST RUN [SERVICE...]
       page NAME failed REQUEST RUN TEXT
       page NAME invoke PLUGIN RUN METHOD JSON
       page NAME crash PLUGIN RUN SLOT TEXT
       page NAME refused PLUGIN RUN TEXT
       page NAME state PLUGIN RUN [SERVICE]...
       page NAME offers PROVIDER METHOD JSON
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
	given := args
	args = append(args, "", "", "", "") // what is left out is empty
	switch verb {
	case "half":
		half, err := p.Half(ctx, control.DefaultSession, args[0], args[1], args[2], args[3])
		ts.Setenv("RUN", string(half.PluginRunID))
		return err
	case "code":
		code, err := p.Code(ctx, control.DefaultSession, args[0], args[1])
		if err == nil && !strings.Contains(string(code.Code), args[2]) {
			ts.Fatalf("page: the source is %q", code.Code)
		}
		return err
	case "loaded":
		return p.Answer(ctx, args[0], args[1], Outcome{WaitingFor: given[2:]})
	case "failed":
		return p.Answer(ctx, args[0], args[1], Outcome{Failure: args[2]})
	case "invoke":
		return invoke(ctx, p, args)
	case "refused":
		return p.Refused(ctx, control.DefaultSession, args[0], args[1], args[2])
	case "state":
		return p.State(ctx, control.DefaultSession, args[0], args[1], given[2:])
	case "offers":
		data, err := jsonvalue.Parse([]byte(args[2]))
		ts.Check(err)
		return p.Offer(ctx, args[0], args[1], data)
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

// invoke calls a handler as a Client half does. It fails when the handler did.
func invoke(ctx context.Context, p *Page, args []string) error {
	value, err := jsonvalue.Parse([]byte(args[3]))
	if err != nil {
		return err
	}
	answer, err := p.Invoke(ctx, args[0], args[1], args[2], value)
	if err == nil && !answer.OK {
		err = fmt.Errorf("%s: %s", answer.Code, answer.Message)
	}
	return err
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
