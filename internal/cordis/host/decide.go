package host

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// ticket numbers a command that waits for its answer. The lock is held.
func (h *Host) ticket() (registry.Ticket, chan registry.Answer) {
	h.last++
	t, answer := registry.Ticket(h.last), make(chan registry.Answer, 1)
	h.tickets[t] = answer
	return t, answer
}

// decide has the registry decide, and does what follows.
func (h *Host) decide(f func(r *registry.Registry) registry.Decision) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.carryOut(f(h.registry))
}

// ask gives the registry a command and waits for the answer, which what was
// ordered may have to precede. None of that hangs.
func ask[T registry.Result](h *Host, command func(r *registry.Registry, t registry.Ticket) registry.Decision) (T, error) {
	answer, err := h.order(command)
	if err != nil {
		var none T
		return none, err
	}
	return answered[T](<-answer)
}

func (h *Host) order(command func(r *registry.Registry, t registry.Ticket) registry.Decision) (chan registry.Answer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return nil, fault.New(fault.NoHost, codeClosed)
	}
	t, answer := h.ticket()
	h.carryOut(command(h.registry, t))
	return answer, nil
}

func answered[T registry.Result](a registry.Answer) (T, error) {
	value, _ := a.Value.(T)
	return value, a.Err
}

// carryOut does what was decided. The lock is held.
func (h *Host) carryOut(d registry.Decision) {
	for _, e := range d.Events {
		h.tell(e.Name, e.Payload)
	}
	for _, a := range d.Do {
		h.act(a)
	}
	for _, n := range d.Notices {
		h.notify(n)
	}
	for _, o := range d.Offers {
		h.offer(o)
	}
	for _, a := range d.Answers {
		if answer := h.tickets[a.Ticket]; answer != nil {
			delete(h.tickets, a.Ticket)
			answer <- a
			h.recordUndefined(a)
		}
	}
	h.schedule()
	close(h.changed)
	h.changed = make(chan struct{})
}

// act begins what was ordered. The lock is held.
func (h *Host) act(a registry.Action) {
	switch a.Kind {
	case registry.ActStart:
		run := newActivation(h, a)
		h.runs[a.RunID] = run
		h.job(func() { h.start(run, string(a.HostCode)) })
	case registry.ActCancel:
		if run := h.runs[a.RunID]; run != nil {
			run.cancel(errCancelled)
		}
	case registry.ActRetract:
		run := h.runs[a.RunID]
		h.job(func() { h.retract(run, a.RunID) })
	}
}

// tell keeps an event and hands it to the pages. The lock is held.
func (h *Host) tell(name string, payload any) {
	body := object(payload)
	e := h.events.add(func(seq uint64) Event { return Event{Seq: seq, At: h.config.Now(), Name: name, Payload: body} })
	h.journal(name, body)
	owner := h.concerns(body)
	for _, p := range h.pages {
		if p.options.Events != nil && p.serves(owner) {
			p.options.Events(e)
		}
	}
}

// concerns is the Session that an event is about; the empty one is all of them. The
// lock is held.
func (h *Host) concerns(body *jsonvalue.Object) SessionID {
	if owner, ok := body.Text("agentId"); ok {
		return SessionID(owner)
	}
	id, _ := body.Text("pluginId")
	owner, _ := h.registry.Owner(PluginID(id))
	return owner
}

// object is a payload as JSON.
func object(payload any) *jsonvalue.Object {
	if o, ok := payload.(*jsonvalue.Object); ok {
		return o
	}
	v, err := jsonvalue.From(payload)
	if err != nil {
		return jsonvalue.Of("error", err.Error())
	}
	o, _ := jsonvalue.Map(v)
	return o
}

func (h *Host) journal(kind string, body *jsonvalue.Object) {
	if h.config.Journal != nil {
		h.config.Journal(kind, h.config.Now(), body)
	}
}

// recordUndefined notes that a plugin was removed, not that the host ends and all
// plugins with it. The lock is held.
func (h *Host) recordUndefined(a registry.Answer) {
	if gone, ok := a.Value.(registry.UndefineResult); ok && !h.closing {
		h.journal("undefine", object(gone))
	}
}

// notify puts a message into the queue of a Session. The lock is held.
func (h *Host) notify(n registry.Notice) {
	queue, ok := h.feedback[n.Session]
	if !ok {
		h.forgetOldest()
		queue = feedback.NewQueue(h.limits.Feedback, h.config.Language)
	}
	queue, m := queue.Add(feedback.New(n, h.config.Language, h.config.Now()))
	h.feedback[n.Session] = queue
	h.journal("feedback", object(m).With("agentId", string(n.Session)))
}

// maxUnread is for how many Sessions messages are kept: anybody may name a Session,
// and most are never read again.
const maxUnread = 512

// forgetOldest makes room for the messages of one more Session. The lock is held.
func (h *Host) forgetOldest() {
	if len(h.feedback) < maxUnread {
		return
	}
	var oldest SessionID
	var at time.Time
	for s, q := range h.feedback {
		if newest := q.Newest(); oldest == "" || newest.Before(at) || newest.Equal(at) && s < oldest {
			oldest, at = s, newest
		}
	}
	delete(h.feedback, oldest)
}

// offer hands a request to a page. The lock is held.
func (h *Host) offer(o registry.Offer) {
	pending, ok := h.registry.Request(o.Request.RequestID)
	if p := h.pages[o.Page]; ok && p != nil && p.options.Carry != nil {
		p.options.Carry(requestOf(pending))
	}
}

// schedule sees to it that leases end in time. The lock is held.
func (h *Host) schedule() {
	if h.lease != nil {
		h.lease.Stop()
		h.lease = nil
	}
	at, ok := h.registry.NextExpiry()
	if !ok || h.closing {
		return
	}
	wait := max(at.Sub(h.config.Now()), time.Millisecond)
	h.lease = time.AfterFunc(wait, func() {
		h.decide(func(r *registry.Registry) registry.Decision { return r.Expire(h.config.Now()) })
	})
}

// job runs f on a goroutine that the end of the host waits for. A panic in it is
// the host's own mistake, which shall not end all plugins.
func (h *Host) job(f func()) {
	end := h.jobs.begin()
	go func() {
		defer end()
		defer func() {
			if p := recover(); p != nil {
				h.write("error", "", panicText(p))
			}
		}()
		f()
	}()
}

// until waits for a condition over what the registry says.
func (h *Host) until(ctx context.Context, ready func(r *registry.Registry) bool) error {
	for {
		h.mu.Lock()
		done, changed := ready(h.registry), h.changed
		h.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-h.ctx.Done():
			return context.Cause(h.ctx)
		}
	}
}
