package registry

// HostChanged reports that the Host half of an active run has parked, woken, or
// waits for other services.
func (r *Registry) HostChanged(id RunID, h HostReport) Decision {
	var d Decision
	if p := r.active(id); p != nil {
		p.run.host, p.run.broke = h.half(), nil
		r.change(p, &d, func(a *Attempt) { a.Host = h.half() })
	}
	return d
}

// ClientChanged reports that the Client half of an active run has parked or woken
// on a page.
func (r *Registry) ClientChanged(s Session, id PluginID, run RunID, waitingFor []string) Decision {
	var d Decision
	p := r.activeOf(s, id, run)
	if p == nil || !p.run.committed || p.run.render != nil {
		return d
	}
	r.change(p, &d, func(a *Attempt) { a.Client = Resolution{WaitingFor: waitingFor}.client() })
	return d
}

// activeOf gives a Plugin of a Session whose active run this is.
func (r *Registry) activeOf(s Session, id PluginID, run RunID) *plugin {
	if p := r.active(run); p != nil && p.session == s && p.id == id {
		return p
	}
	return nil
}

// change puts a new state of a half into the attempt of the active run, and says
// so when that gives it another status.
func (r *Registry) change(p *plugin, d *Decision, set func(*Attempt)) {
	a := p.attempt(p.run.id)
	if a == nil {
		return
	}
	set(a)
	if !p.run.committed {
		return
	}
	before := a.Status
	p.stand(a)
	p.tellStatus(before, d)
}

func (p *plugin) tellStatus(before Status, d *Decision) {
	if a := p.latest; a.Status != before {
		d.tell(EventDynamicStatus, DynamicStatus{p.id, p.run.pkg.id, p.run.id, a.Status})
	}
}

// HostBroke reports that the Host half of an active run failed when it woke, or
// that a set-up it had begun was refused later. A run whose Client half is still
// to come fails with it and is withdrawn; one that has succeeded stays active.
func (r *Registry) HostBroke(id RunID, f Failure) Decision {
	var d Decision
	if p := r.ordered(id); p != nil {
		r.keep(p.start.run, early{failure: f})
	}
	if p := r.active(id); p != nil {
		r.broke(p, f, &d)
	}
	return d
}

func (r *Registry) broke(p *plugin, f Failure, d *Decision) {
	failed := half(HalfFailed, nil)
	failed.Error = &f.Message
	p.run.host, p.run.broke = failed, &f
	why := p.broken(HostHalfFailed, p.run, f)
	if !p.run.committed {
		r.breakUnsettled(p, why, d)
		return
	}
	if a := p.attempt(p.run.id); a != nil {
		before := a.Status
		p.fail(p.run, PhaseHostApply, f)
		p.tellStatus(before, d)
	}
	r.report(p, "host|"+f.Message, failedNotice(TopicRunFailed, ReturnedRunning, why), d)
}

// breakUnsettled ends a run that can no longer succeed.
func (r *Registry) breakUnsettled(p *plugin, why *Refusal, d *Decision) {
	s := settlement{why: why}
	if q := p.request; q != nil && q.run == p.run.id {
		r.claim(q)
		s.request = q
	}
	p.fail(p.run, PhaseHostApply, Failure{why.Message, why.Stack})
	s.notice = p.notice(p.run, s.failure())
	p.settling = append(p.settling, s)
	r.withdraw(p, d)
	r.advance(p, d)
}

// RenderFailed takes a page's report of a crash while drawing. One about another
// Session's Plugin or another run changes nothing. The first of a run is told to
// the owner, once the run has settled.
func (r *Registry) RenderFailed(s Session, id PluginID, run RunID, f RenderFailure) Decision {
	var d Decision
	p := r.activeOf(s, id, run)
	if p == nil || p.run.pkg.code.Client == nil {
		return d
	}
	p.run.render = &f
	if !p.run.committed {
		return d
	}
	if a := p.attempt(run); a != nil {
		before := a.Status
		p.crashed()
		p.tellStatus(before, &d)
	}
	r.report(p, "render", renderNotice(f), &d)
	return d
}

func renderNotice(f RenderFailure) Notice {
	return Notice{
		Topic: TopicRenderFailed, Slot: f.Slot, Message: f.Message, Stack: f.Stack, Abdicated: f.Abdicated, Side: Client,
	}
}

// HandlerFailed reports that a handler of a run threw, or gave what is not
// lossless JSON.
func (r *Registry) HandlerFailed(id RunID, method string, f Failure) Decision {
	return r.reportOf(r.active(id), "handler|"+method+"|"+f.Message,
		Notice{Topic: TopicHandlerFailed, Side: Host, Method: method, Message: f.Message, Stack: f.Stack})
}

// GuardRejected reports that the guard refused something of the Host half.
func (r *Registry) GuardRejected(id RunID, f Failure) Decision {
	return r.reportOf(r.active(id), "guard|host|"+f.Message,
		Notice{Topic: TopicGuardRejected, Side: Host, Message: f.Message, Stack: f.Stack})
}

// ClientGuardRejected takes a page's report that its guard refused something.
func (r *Registry) ClientGuardRejected(s Session, id PluginID, run RunID, f Failure) Decision {
	return r.reportOf(r.activeOf(s, id, run), "guard|client|"+f.Message,
		Notice{Topic: TopicGuardRejected, Side: Client, Message: f.Message, Stack: f.Stack})
}

// CodeFailed reports a failure of the Host half that nobody waits for. where is
// timer, listener, effect, disposer, promise or limit. One of a run that is still
// to succeed is told when it has.
func (r *Registry) CodeFailed(id RunID, where string, f Failure) (d Decision) {
	e := early{where, f}
	if p := r.ordered(id); p != nil {
		r.keep(p.start.run, e)
	}
	if p := r.active(id); p != nil && p.run.committed {
		r.tellOf(p, e, &d)
	} else if p != nil {
		r.keep(p.run, e)
	}
	return d
}

func (r *Registry) reportOf(p *plugin, key string, n Notice) (d Decision) {
	if p != nil {
		r.report(p, key, n, &d)
	}
	return d
}

// report tells the owner of a failure of an active run, once for each key and only
// when the run has succeeded before: until then the failure of the run itself is
// the answer. The owner is told when the last one has been told.
func (r *Registry) report(p *plugin, key string, n Notice, d *Decision) {
	told := p.run.told
	if !p.run.committed || told[key] || len(told) >= r.limits.Reports {
		return
	}
	told[key] = true
	n.Last = len(told) == r.limits.Reports
	d.notice(p, p.run, n)
}
