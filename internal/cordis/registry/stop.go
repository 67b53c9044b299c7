package registry

import "slices"

// StopCommand names a Plugin to stop or to remove.
type StopCommand struct {
	Session  Session
	PluginID PluginID
	Panel    bool // a person did it: the owner is told
}

// ending is a stop or a removal that waits until all is at rest.
type ending struct {
	ticket     Ticket
	remove     bool
	panel      bool
	wasRunning bool
}

// StopResult is the answer to a stop.
type StopResult struct {
	PluginID PluginID `json:"pluginId"`
}

// UndefineResult is the answer to an undefine.
type UndefineResult struct {
	PluginID   PluginID `json:"pluginId"`
	WasRunning bool     `json:"wasRunning"`
}

// Stop ends what runs, starts or is requested of a Plugin (3.5). The Answer is a
// StopResult when all is at rest, or the Refusal not-running.
func (r *Registry) Stop(t Ticket, c StopCommand) Decision {
	var d Decision
	p, err := r.find(c.Session, c.PluginID)
	switch {
	case err != nil:
		return d.refuse(t, err)
	case p.idle():
		return d.refuse(t, p.refusal(NotRunning, RuleNotRunning))
	}
	r.end(p, ending{ticket: t, panel: c.Panel}, &d)
	return d
}

// Undefine stops a Plugin and forgets it (3.6). From here on it is missing for
// everybody; the Answer, an UndefineResult, comes when all is at rest.
func (r *Registry) Undefine(t Ticket, c StopCommand) Decision {
	var d Decision
	p, err := r.find(c.Session, c.PluginID)
	if err != nil {
		return d.refuse(t, err)
	}
	r.plugins = slices.DeleteFunc(r.plugins, func(other *plugin) bool { return other == p })
	r.end(p, ending{ticket: t, remove: true, panel: c.Panel, wasRunning: p.run != nil}, &d)
	return d
}

// idle says that nothing of the Plugin runs, comes or goes.
func (p *plugin) idle() bool {
	return p.run == nil && p.start == nil && p.leaving == nil && p.request == nil
}

// end cancels the request and the start, and withdraws the run.
func (r *Registry) end(p *plugin, e ending, d *Decision) {
	p.ends = append(p.ends, e)
	if p.request != nil {
		r.cancelRequest(p, d)
	}
	if p.start != nil && !p.start.cancelled {
		p.start.cancelled = true
		p.stopped()
		if p.start.ordered {
			d.do(ActCancel, p, p.start.run)
		}
	}
	if p.run != nil {
		p.stopped()
		r.withdraw(p, d)
	}
	r.advance(p, d)
}

// cancelRequest ends the request of a Plugin. An attempt that nothing was started
// of is cancelled, and stays so.
func (r *Registry) cancelRequest(p *plugin, d *Decision) {
	q := p.request
	started := q.started()
	r.claim(q)
	a := p.attempt(q.run)
	switch {
	case a == nil:
	case q.approved && started:
		p.refused(a, Stopped, RuleStoppedActive)
	case q.approved:
		p.refused(a, Cancelled, RuleStoppedActive)
	default:
		p.refused(a, Cancelled, RuleStoppedApproval)
	}
	if a != nil {
		a.stopHalves()
	}
	d.tell(EventResolved, RequestRunResolved{q.id, OutcomeCancelled})
}

// stopped says that the latest attempt was stopped, unless that was said already.
// What was wrong with a run that was active is over with it.
func (p *plugin) stopped() {
	a := p.latest
	if a.Status == Cancelled || a.Status == Stopped {
		return
	}
	a.Status, a.Error = Stopped, nil
	a.stopHalves()
}

// ended answers the stops when all is at rest.
func (r *Registry) ended(p *plugin, d *Decision) {
	ends := p.ends
	p.ends = nil
	for _, e := range ends {
		switch {
		case e.remove:
			d.answer(e.ticket, UndefineResult{p.id, e.wasRunning})
		default:
			d.answer(e.ticket, StopResult{p.id})
		}
		if e.panel {
			d.notice(p, nil, Notice{Topic: e.topic()})
		}
	}
}

func (e ending) topic() Topic {
	if e.remove {
		return TopicUserRemoved
	}
	return TopicUserStopped
}
