package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// pages drives the Node process in which real pages live, by lines of JSON.
type pages struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	problems bytes.Buffer
	gone     chan struct{}

	mu       sync.Mutex
	last     float64
	waiting  map[float64]chan *jsonvalue.Object
	logs     []line
	uncaught []any
}

var errNoNode = errors.New("the sample has a page, and Node is not here to open one")

func openPages(o Options) (*pages, error) {
	if o.Node == "" {
		return nil, errNoNode
	}
	p := &pages{cmd: exec.Command(o.Node, o.Pages), waiting: map[float64]chan *jsonvalue.Object{}, gone: make(chan struct{})}
	p.cmd.Stderr = &p.problems
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read(out)
	return p, nil
}

func (p *pages) read(out io.Reader) {
	defer close(p.gone)
	lines := bufio.NewReader(out)
	for {
		data, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		v, err := jsonvalue.Parse(data)
		if o, ok := jsonvalue.Map(v); ok && err == nil {
			p.take(o)
		}
	}
}

func (p *pages) take(o *jsonvalue.Object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if log, ok := o.Map("log"); ok {
		p.logs = append(p.logs, pageLine(log))
	} else if uncaught, ok := o.Map("uncaught"); ok {
		p.uncaught = append(p.uncaught, clean(uncaught))
	} else if answer, ok := p.waiting[number(o, "id")]; ok {
		delete(p.waiting, number(o, "id"))
		answer <- o
	}
}

// do has the pages do something. pairs are the members of the request.
func (p *pages) do(ctx context.Context, verb string, pairs ...any) (any, error) {
	answer := make(chan *jsonvalue.Object, 1)
	p.mu.Lock()
	p.last++
	id := p.last
	p.waiting[id] = answer
	p.mu.Unlock()
	request := jsonvalue.Of(append([]any{"id", id, "do", verb}, pairs...)...)
	if _, err := io.WriteString(p.in, jsonvalue.Format(request)+"\n"); err != nil {
		return nil, fmt.Errorf("pages: %w: %s", err, p.problems.String())
	}
	select {
	case o := <-answer:
		if problem, ok := o.Text("error"); ok {
			return nil, &pageProblem{verb, problem}
		}
		result, _ := o.Get("result")
		return result, nil
	case <-p.gone:
		return nil, fmt.Errorf("pages are gone: %s", p.problems.String())
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// drainUncaught is what nobody caught since the last time.
func (p *pages) drainUncaught() []any {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.uncaught
	p.uncaught = nil
	return list
}

func (p *pages) drainLogs() []line {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.logs
	p.logs = nil
	return list
}

func (p *pages) close() {
	_ = p.in.Close()
	<-p.gone
	_ = p.cmd.Wait()
}

// pageProblem is what a page threw instead of doing something.
type pageProblem struct{ verb, text string }

// Error is the problem with what the page was to do.
func (p *pageProblem) Error() string { return "page: " + p.verb + ": " + p.text }
