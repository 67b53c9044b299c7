package wire

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrClosed says that the other end is gone.
var ErrClosed = errors.New("the other end of the link is gone")

// maxPending bounds the calls of the other side that have no reply yet.
const maxPending = 4096

// Handler takes what the other side asks for, one request after the other, in
// the order in which they were sent. It must not block: it replies later, from
// any goroutine.
type Handler func(r *Request)

// Peer is one end of a Link in use: it calls, and is called. Its methods may be
// called from any goroutine.
type Peer struct {
	link   Link
	handle Handler
	out    *queue
	ctx    context.Context // ends with the Peer
	end    context.CancelCauseFunc
	ended  sync.WaitGroup // both goroutines
	loans  loans
	taken  receipts

	mu     sync.Mutex
	lastID uint64
	calls  map[uint64]chan<- Frame
	served map[uint64]context.CancelFunc
}

// NewPeer starts to read the link.
func NewPeer(link Link, handle Handler) *Peer {
	p := &Peer{
		link: link, handle: handle, out: newQueue(),
		calls: map[uint64]chan<- Frame{}, served: map[uint64]context.CancelFunc{},
	}
	p.loans.by, p.taken.by = map[Handle]*loan{}, map[Handle]*receipt{}
	p.taken.send = p.giveBack
	p.ctx, p.end = context.WithCancelCause(context.Background())
	p.ended.Go(p.read)
	p.ended.Go(p.write)
	return p
}

// Done is closed when the other end is gone, or this one closed; Err then says
// why.
func (p *Peer) Done() <-chan struct{} { return p.ctx.Done() }

// Err is ErrClosed, joined with what the link failed with, once Done is closed.
func (p *Peer) Err() error { return context.Cause(p.ctx) }

// Close ends the link and returns when nothing of the Peer runs any more. A
// Handler must not call it.
func (p *Peer) Close() error {
	p.stop(nil)
	p.ended.Wait()
	return nil
}

// Flush waits until all that was sent has been handed to the link.
func (p *Peer) Flush(ctx context.Context) error {
	return p.out.drained(ctx, p.ctx)
}

// stop ends all. It may be called from anywhere.
func (p *Peer) stop(err error) {
	p.end(errors.Join(ErrClosed, err))
	_ = p.link.Close()
	p.taken.close()
	p.loans.clear()
}

// Lent is how many things the other side has of this one.
func (p *Peer) Lent() int { return p.loans.len() }

// giveBack tells the other side what is used no more here.
func (p *Peer) giveBack(r Release) {
	if text, err := Marshal(r); err == nil {
		p.out.push(Frame{Kind: KindTell, Verb: VerbRelease, Body: text})
	}
}

// sent is a frame to be sent, with all that it lends.
func (p *Peer) sent(f Frame, list []lent) Frame {
	p.loans.lend(list)
	for _, one := range list {
		f.Lent = append(f.Lent, one.handle)
	}
	return f
}

// unsent takes back what a frame would have lent.
func (p *Peer) unsent(f Frame) {
	for _, h := range f.Lent {
		p.loans.returned([]Returned{{h, 1}})
	}
}

// Call asks, waits for the reply and reads it into a pointer to its type. An
// error of the other side is a *Thrown or a *Fault. When ctx ends first, the
// other side is told and the cause returned.
func (p *Peer) Call(ctx context.Context, chain uint64, verb Verb, body, reply any) error {
	pending, err := p.Begin(ctx, chain, verb, body)
	if err != nil {
		return err
	}
	select {
	case f := <-pending.Reply:
		return pending.Read(f, reply)
	case <-ctx.Done():
		pending.Cancel()
		return context.Cause(ctx)
	case <-p.ctx.Done():
		return pending.last(reply)
	}
}

// last reads a reply that came just before the end.
func (c *Pending) last(reply any) error {
	select {
	case f := <-c.Reply:
		return c.Read(f, reply)
	default:
		return c.peer.Err()
	}
}

// Pending is a call that has been sent. Reply delivers once, unless the Peer ends.
type Pending struct {
	Reply <-chan Frame
	peer  *Peer
	id    uint64
}

// Begin is Call that does not wait for the reply. It waits while the other side
// does not take what was sent before.
func (p *Peer) Begin(ctx context.Context, chain uint64, verb Verb, body any) (*Pending, error) {
	text, list, err := marshal(body)
	if err != nil {
		return nil, err
	}
	reply := make(chan Frame, 1)
	p.mu.Lock()
	p.lastID++
	id := p.lastID
	p.calls[id] = reply
	p.mu.Unlock()
	pending := &Pending{Reply: reply, peer: p, id: id}
	f := p.sent(Frame{Kind: KindCall, ID: id, Chain: chain, Verb: verb, Body: text}, list)
	err = p.out.put(ctx, p.ctx, f)
	if err != nil {
		p.unsent(f)
		p.forget(id)
		return nil, err
	}
	return pending, nil
}

// Read reads what Reply delivered.
func (c *Pending) Read(f Frame, reply any) error {
	if f.Kind != KindError {
		return unmarshal(f.Body, f.Leases, reply)
	}
	var body failed
	if err := Unmarshal(f.Body, &body); err != nil {
		return err
	}
	return body.err()
}

// Cancel tells the other side that nobody waits any longer.
func (c *Pending) Cancel() {
	if c.peer.forget(c.id) {
		c.peer.out.push(Frame{Kind: KindCancel, ID: c.id})
	}
}

func (p *Peer) forget(id uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.calls[id]
	delete(p.calls, id)
	return ok
}

// Tell says something that needs no reply. It waits while the other side does
// not take what was sent before.
func (p *Peer) Tell(ctx context.Context, verb Verb, body any) error {
	text, list, err := marshal(body)
	if err != nil {
		return err
	}
	f := p.sent(Frame{Kind: KindTell, Verb: verb, Body: text}, list)
	if err = p.out.put(ctx, p.ctx, f); err != nil {
		p.unsent(f)
	}
	return err
}

// lastWords is how long is listened to a link that takes nothing any more.
const lastWords = time.Second

func (p *Peer) write() {
	for {
		f, err := p.out.take(p.ctx)
		if err == nil {
			err = p.link.Write(f)
			p.out.written()
		}
		if err != nil {
			// What the other side said before it went may still be on its way.
			time.AfterFunc(lastWords, func() { p.stop(err) })
			return
		}
	}
}

func (p *Peer) read() {
	for {
		f, err := p.link.Read()
		if err == nil {
			f.Leases = p.taken.take(f.Lent)
			err = p.take(f)
		}
		if err != nil {
			p.stop(err)
			return
		}
	}
}

// take hands a frame to whom it is for.
func (p *Peer) take(f Frame) error {
	switch f.Kind {
	case KindReply, KindError:
		p.mu.Lock()
		reply := p.calls[f.ID]
		delete(p.calls, f.ID)
		p.mu.Unlock()
		if reply != nil {
			reply <- f
		}
	case KindCancel:
		p.mu.Lock()
		cancel := p.served[f.ID]
		delete(p.served, f.ID) // nobody waits for the reply
		p.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	case KindTell:
		if f.Verb == VerbRelease {
			return p.takeBack(f)
		}
		p.handle(&Request{Verb: f.Verb, peer: p, body: f.Body, leases: f.Leases, ctx: p.ctx})
	default:
		return p.serve(f)
	}
	return nil
}

func (p *Peer) takeBack(f Frame) error {
	var r Release
	if err := Unmarshal(f.Body, &r); err != nil {
		return err
	}
	p.loans.returned(r.Returned)
	return nil
}

// serve gives a call to the Handler, unless too many wait already.
func (p *Peer) serve(f Frame) error {
	r := &Request{Chain: f.Chain, Verb: f.Verb, peer: p, id: f.ID, body: f.Body, leases: f.Leases}
	full, err := p.admit(r)
	switch {
	case err != nil:
		return err
	case full:
		r.Reply(nil, &Fault{Code: CodeBusy, Message: "too many calls wait for an answer"})
	default:
		p.handle(r)
	}
	return nil
}

func (p *Peer) admit(r *Request) (full bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, twice := p.served[r.id]; twice {
		return false, ErrMalformed
	}
	full = len(p.served) >= maxPending
	r.ctx, p.served[r.id] = context.WithCancel(p.ctx)
	return full, nil
}

// Request is what the other side asks for or tells.
type Request struct {
	Chain uint64
	Verb  Verb
	peer  *Peer
	id    uint64 // 0: told
	body  []byte
	ctx   context.Context

	leases map[Handle]*Lease
}

// Context ends when the caller waits no longer, when the reply is given, and
// with the Peer.
func (r *Request) Context() context.Context { return r.ctx }

// Decode reads the body into a pointer to its type.
func (r *Request) Decode(into any) error { return unmarshal(r.body, r.leases, into) }

// Reply answers, with a body or an error. Of several replies the first counts;
// what was told needs none.
func (r *Request) Reply(body any, err error) {
	p := r.peer
	p.mu.Lock()
	cancel := p.served[r.id]
	delete(p.served, r.id)
	p.mu.Unlock()
	if cancel == nil {
		return
	}
	cancel()
	p.out.push(r.frame(body, err))
}

func (r *Request) frame(body any, err error) Frame {
	if err == nil {
		var text []byte
		var list []lent
		if text, list, err = marshal(body); err == nil {
			return r.peer.sent(Frame{Kind: KindReply, ID: r.id, Body: text}, list)
		}
	}
	text, long := Marshal(failure(err))
	if long != nil {
		text, _ = Marshal(failed{Code: string(CodeTooLarge), Message: ErrTooLarge.Error()})
	}
	return Frame{Kind: KindError, ID: r.id, Body: text}
}
