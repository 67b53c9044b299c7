package registry

// RunCommand asks for a run (3.3).
type RunCommand struct {
	Session   Session
	PluginID  PluginID
	PackageID PackageID
	Mode      Mode
	Cancelled bool // the caller has already given up
	ByHand    bool // a user asked for it, from a shell: that approves it, and the owner hears of it as context
}

// Run runs a Package for a model, or for a user who has no page at hand. The
// Answer is Ran once the Host half has come to rest, or Requested at once if a
// page is needed.
func (r *Registry) Run(t Ticket, c RunCommand) Decision {
	var d Decision
	p, k, err := r.plan(c)
	if err != nil {
		return d.refuse(t, err)
	}
	if c.ByHand && k.code.Client != nil {
		p.approved[k.id] = true
	}
	a := r.attempt(p, k, c.Mode)
	if k.code.Client != nil {
		d.answer(t, r.ask(p, k, a, c.ByHand, &d))
		return d
	}
	r.begin(p, &start{run: newRun(a.PluginRunID, k, c.Mode), byHand: c.ByHand, ran: []Ticket{t}}, &d)
	return d
}

// plan goes down the table of 3.3 to row 8.
func (r *Registry) plan(c RunCommand) (*plugin, *pkg, error) {
	p, k, err := r.choose(c.Session, c.PluginID, c.PackageID, c.Mode)
	switch {
	case err != nil:
		return nil, nil, err
	case p.busy() != "":
		return nil, nil, p.refusal(TransitionInFlight, p.busy())
	case c.Cancelled:
		return nil, nil, p.refusal(WasCancelled, RuleCancelled)
	case p.request != nil:
		return nil, nil, p.refusal(TransitionInFlight, RulePending)
	}
	return p, k, nil
}

// choose is rows 1 to 5: does it exist, and does the mode fit.
func (r *Registry) choose(s Session, plugin PluginID, pkg PackageID, m Mode) (*plugin, *pkg, error) {
	p, err := r.find(s, plugin)
	if err != nil {
		return nil, nil, err
	}
	k, err := p.pkg(pkg)
	if err != nil {
		return nil, nil, err
	}
	if rule := p.misfit(k.id, m); rule != "" {
		refused := p.refusal(InvalidMode, rule)
		refused.PackageID = k.id
		return nil, nil, refused
	}
	return p, k, nil
}

func (p *plugin) misfit(pkg PackageID, m Mode) Rule {
	switch {
	case m != ModeRun && m != ModeUpdate:
		return RuleBadMode
	case m == ModeUpdate && p.current == "":
		return RuleNoCurrent
	case m == ModeUpdate && p.current == pkg:
		return RuleAlreadyCurrent
	case m == ModeRun && p.current != "" && p.current != pkg:
		return RuleDiffers
	}
	return ""
}

// busy says why no start can begin: something starts, or is being undone.
func (p *plugin) busy() Rule {
	switch {
	case len(p.ends) > 0:
		return RuleStopping
	case p.start != nil:
		return RuleStarting
	case p.leaving != nil:
		return RuleStopping
	}
	return ""
}

// refusal names the Plugin and what stands in the way.
func (p *plugin) refusal(reason Reason, rule Rule) *Refusal {
	out := &Refusal{Reason: reason, Rule: rule, PluginID: p.id, Current: p.current}
	if p.request != nil {
		out.RequestID = p.request.id
	}
	return out
}

// attempt makes a new attempt the latest one, and its Package the next one.
func (r *Registry) attempt(p *plugin, k *pkg, m Mode) *Attempt {
	p.next = k.id
	p.latest = &Attempt{
		PluginRunID: RunID(number("run", &r.made.run)), PackageID: k.id, Mode: m, Status: StartingHost,
		Host: pendingHalf(k.code.Host), Client: pendingHalf(k.code.Client),
	}
	return p.latest
}

func pendingHalf(code *Source) HalfState {
	if code == nil {
		return half(HalfAbsent, nil)
	}
	return half(HalfPending, nil)
}

func half(s HalfStatus, waitingFor []string) HalfState {
	return HalfState{Status: s, WaitingFor: texts(waitingFor)}
}

// texts copies a list, so that none is nil and none is shared.
func texts(list []string) []string { return append([]string{}, list...) }

// ask arms a request: rows 10 and 11.
func (r *Registry) ask(p *plugin, k *pkg, a *Attempt, byHand bool, d *Decision) Requested {
	q := &request{
		id: RequestID(number("approval", &r.made.request)), plugin: p, pkg: k, run: a.PluginRunID,
		mode: a.Mode, asked: !p.authorised(k), byHand: byHand, tries: map[PageID]int{},
	}
	q.approved = !q.asked
	p.request, r.requests = q, append(r.requests, q)
	asked := q.asked
	a.ApprovalRequestID, a.RequiresApproval = q.id, &asked
	if q.asked {
		a.Status = AwaitingApproval
	}
	d.tell(EventRequestRun, q.event())
	return Requested{
		Status: q.returned(), PluginID: p.id, PackageID: k.id, PluginRunID: a.PluginRunID, Mode: a.Mode,
		CurrentPackageID: p.current, NextPackageID: p.next, RequestID: q.id,
	}
}
