package registry

// start is a run that is under way to be active. At most one for each Plugin.
type start struct {
	run       *run
	request   *request // whose it is; nil for a tool's or a user's own
	ran       []Ticket // of Run
	joined    []joiner // of RunHostHalf
	byHand    bool     // a user started or joined it at a panel
	ordered   bool     // the host has been told; a report follows
	cancelled bool
}

// joiner is a page that waits for the Host half.
type joiner struct {
	ticket Ticket
	here   bool // startedHere
}

// begin lets a start take its course: an active run goes first.
func (r *Registry) begin(p *plugin, s *start, d *Decision) {
	p.start = s
	r.runs[s.run.id] = p
	if p.run != nil {
		r.withdraw(p, d)
	}
	r.advance(p, d)
}

// withdraw takes the active run away at once, so that nothing reaches it any more,
// and has it undone.
func (r *Registry) withdraw(p *plugin, d *Decision) {
	p.leaving, p.run = p.run, nil
	r.undo(p, d)
}

// undo orders what leaves to be undone. What has no Host half is undone.
func (r *Registry) undo(p *plugin, d *Decision) {
	if p.leaving.pkg.code.Host == nil {
		r.left(p, d)
		return
	}
	d.do(ActRetract, p, p.leaving)
}

// left says that what leaves is at rest.
func (r *Registry) left(p *plugin, d *Decision) {
	old := p.leaving
	p.leaving = nil
	delete(r.runs, old.id)
	if old.announced {
		d.tell(EventDynamicRetract, DynamicRetract{p.id, old.pkg.id, old.id})
	}
}

// Retracted reports that a run is undone and at rest.
func (r *Registry) Retracted(id RunID) Decision {
	var d Decision
	p := r.runs[id]
	if p == nil || p.leaving == nil || p.leaving.id != id {
		return d
	}
	r.left(p, &d)
	r.advance(p, &d)
	return d
}

// advance does what waited for a run to leave: the settlement that withdrew it,
// the start that takes its place, the stop that ends all.
func (r *Registry) advance(p *plugin, d *Decision) {
	if p.leaving != nil {
		return
	}
	r.settled(p, d)
	if p.start != nil && !p.start.ordered {
		r.order(p, d)
	}
	if p.start == nil && p.leaving == nil {
		r.ended(p, d)
	}
}

// order starts the Host half, or passes over one that is not there.
func (r *Registry) order(p *plugin, d *Decision) {
	switch s := p.start; {
	case s.cancelled:
		r.dropStart(p, d)
	case s.run.pkg.code.Host == nil:
		s.run.host = half(HalfAbsent, nil)
		r.started(p, HostReport{}, d)
	default:
		s.ordered = true
		d.do(ActStart, p, s.run)
	}
}

// HostReport is what the host sees of a Host half that is mounted.
type HostReport struct {
	Waiting    bool     // parked
	WaitingFor []string // in the order of the declaration
	Provides   []string // sorted
}

func (h HostReport) half() HalfState {
	if h.Waiting {
		return half(HalfWaiting, h.WaitingFor)
	}
	return half(HalfRunning, h.WaitingFor)
}

// ordered gives the Plugin whose start of this run was ordered and is not yet
// reported.
func (r *Registry) ordered(id RunID) *plugin {
	p := r.runs[id]
	if p == nil || p.start == nil || p.start.run.id != id || !p.start.ordered {
		return nil
	}
	return p
}

// HostStarted reports that the Host half of a run is mounted, be it parked.
func (r *Registry) HostStarted(id RunID, h HostReport) Decision {
	var d Decision
	p := r.ordered(id)
	if p == nil {
		return d
	}
	if p.start.cancelled { // too late: it goes as it came, and no page heard of it
		p.leaving = p.start.run
		r.dropStart(p, &d)
		r.undo(p, &d)
		r.advance(p, &d)
		return d
	}
	p.start.run.host = h.half()
	r.started(p, h, &d)
	return d
}

// started makes the run the active one.
func (r *Registry) started(p *plugin, h HostReport, d *Decision) {
	s := p.start
	p.start, p.run = nil, s.run
	s.run.announced = true
	d.tell(EventDynamicPackage, DynamicPackage{p.id, s.run.pkg.id, s.run.id, s.run.pkg.name})
	p.latest.Host = s.run.host.copy()
	if s.run.pkg.code.Client == nil {
		p.commit(half(HalfAbsent, nil))
	} else {
		p.latest.Status, p.latest.Client = ClientPending, half(HalfPending, nil)
	}
	for _, t := range s.ran {
		d.answer(t, p.ran(h))
	}
	for _, j := range s.joined {
		d.answer(j.ticket, p.hostHalf(j.here))
	}
	if s.byHand && s.run.pkg.code.Client == nil {
		d.notice(p, s.run, Notice{Topic: TopicUserRan})
	}
	r.breakEarly(p, d)
	if p.run == s.run && p.run.committed {
		r.tellEarly(p, d)
	}
}

func (p *plugin) ran(h HostReport) Ran {
	return Ran{
		Status: Running, PluginID: p.id, PackageID: p.run.pkg.id, PluginRunID: p.run.id,
		CurrentPackageID: p.current, NextPackageID: p.next,
		Host:   RanHost{p.run.host.Status, texts(h.Provides), texts(p.run.host.WaitingFor)},
		Client: RanClient{HalfAbsent, []string{}},
	}
}

func (p *plugin) hostHalf(here bool) HostHalf {
	return HostHalf{
		OK: true, PluginID: p.id, PackageID: p.run.pkg.id, PluginRunID: p.run.id,
		WaitingFor: texts(p.run.host.WaitingFor), StartedHere: here,
	}
}

// commit makes the Package of the active run the current one (4.4). A crash while
// drawing that came before stays.
func (p *plugin) commit(client HalfState) {
	p.current, p.next = p.run.pkg.id, ""
	p.run.committed = true
	a := p.latest
	a.ApprovalRequestID, a.RequiresApproval = "", nil
	a.Client = client
	p.stand(a)
}

// stand gives the attempt of the active run the status that its halves have. One
// that has failed keeps it failed.
func (p *plugin) stand(a *Attempt) {
	switch {
	case p.run.broke != nil:
		p.fail(p.run, PhaseHostApply, *p.run.broke)
	case p.run.render != nil:
		p.crashed()
	case a.Client.Status == HalfFailed:
	case a.Host.Status == HalfWaiting || a.Client.Status == HalfWaiting:
		a.Status, a.Error = Waiting, nil
	default:
		a.Status, a.Error = Running, nil
	}
}

// HostFailed reports that the Host half of a run did not come to be mounted, and
// that nothing of it is left. phase is host-load or host-apply.
func (r *Registry) HostFailed(id RunID, phase Phase, f Failure) Decision {
	var d Decision
	p := r.ordered(id)
	if p == nil {
		return d
	}
	s := p.start
	if s.cancelled {
		r.dropStart(p, &d)
		delete(r.runs, id)
		r.advance(p, &d)
		return d
	}
	p.start = nil
	delete(r.runs, id)
	p.fail(s.run, phase, f)
	refused := p.broken(HostHalfFailed, s.run, f)
	d.refuseAll(s, refused)
	switch {
	case s.request != nil:
		r.claim(s.request)
		d.tell(EventResolved, RequestRunResolved{s.request.id, OutcomeFailed})
		d.notice(p, s.run, s.request.failure(refused))
	case s.byHand:
		d.notice(p, s.run, failedNotice(TopicUserRunFailed, "", refused))
	}
	return d
}

// broken is the refusal that says what plugin code threw.
func (p *plugin) broken(reason Reason, run *run, f Failure) *Refusal {
	return &Refusal{
		Reason: reason, Rule: RuleCode, PluginID: p.id, PackageID: run.pkg.id, RunID: run.id, Current: p.current,
		Message: f.Message, Stack: f.Stack,
	}
}

func failedNotice(topic Topic, returned RequestedStatus, why *Refusal) Notice {
	return Notice{Topic: topic, Returned: returned, Reason: why.Reason, Message: why.Error(), Stack: why.Stack}
}

// dropStart ends a start that was cancelled.
func (r *Registry) dropStart(p *plugin, d *Decision) {
	s := p.start
	p.start = nil
	if !s.ordered {
		delete(r.runs, s.run.id)
	}
	d.refuseAll(s, &Refusal{
		Reason: WasCancelled, Rule: RuleStoppedStart, PluginID: p.id, PackageID: s.run.pkg.id, RunID: s.run.id,
	})
}
