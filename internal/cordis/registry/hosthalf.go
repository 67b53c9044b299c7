package registry

import "time"

// HostHalfCommand is a page that wants the Host half of a run started (4.3).
type HostHalfCommand struct {
	Session   Session
	PluginID  PluginID
	PackageID PackageID
	Mode      Mode
	RequestID RequestID // empty: the user ran it by hand
	Future    bool      // approve all later versions too
	Page      PageID
	Now       time.Time // for the lease of the request
}

// RunHostHalf starts the Host half for a page, joins a start of the same run, or
// attaches to the run if it is active. The Answer is a HostHalf.
func (r *Registry) RunHostHalf(t Ticket, c HostHalfCommand) Decision {
	var d Decision
	p, k, err := r.choose(c.Session, c.PluginID, c.PackageID, c.Mode)
	switch {
	case err != nil:
		return d.refuse(t, err)
	case c.RequestID == "":
		r.runByHand(t, p, k, c, &d)
	default:
		r.runRequested(t, p, k, c, &d)
	}
	return d
}

// runRequested carries out a request. The first page that comes starts it and
// holds the lease; whoever comes later shares what it finds.
func (r *Registry) runRequested(t Ticket, p *plugin, k *pkg, c HostHalfCommand, d *Decision) {
	q, err := r.requested(p, k, c)
	if err != nil {
		d.refuse(t, err)
		return
	}
	if q.lease.take(c.Page, c.Now, !q.started()) {
		q.tries[c.Page]++
	}
	q.approve(c.Future)
	switch {
	case p.run != nil && p.run.id == q.run:
		d.answer(t, p.hostHalf(false))
	case p.start != nil:
		p.start.joined = append(p.start.joined, joiner{t, false})
	default:
		p.latest.Status = StartingHost
		r.begin(p, &start{run: newRun(q.run, k, q.mode), request: q, joined: []joiner{{t, true}}}, d)
	}
}

// requested finds the request that a page names, if it is for just this.
func (r *Registry) requested(p *plugin, k *pkg, c HostHalfCommand) (*request, error) {
	q := r.request(c.RequestID)
	refused := &Refusal{PluginID: p.id, PackageID: k.id, RequestID: c.RequestID}
	switch {
	case q == nil:
		refused.Reason, refused.Rule = RequestMissing, RuleRequest
	case q.plugin != p || q.pkg != k || q.mode != c.Mode:
		refused.Reason, refused.Rule = StaleRequest, RuleMismatch
	case p.attempt(q.run) == nil:
		refused.Reason, refused.Rule = StaleRequest, RuleStaleRequest
	default:
		return q, nil
	}
	return nil, refused
}

// runByHand is what a user asked for at a panel. That is an approval too.
func (r *Registry) runByHand(t Ticket, p *plugin, k *pkg, c HostHalfCommand, d *Decision) {
	switch busy := p.busy(); {
	case p.request != nil:
		d.refuse(t, p.refusal(TransitionInFlight, RulePanelPending))
	case busy == RuleStarting && p.start.run.pkg == k && p.start.run.mode == c.Mode:
		p.start.byHand = true
		p.start.joined = append(p.start.joined, joiner{t, true})
	case busy != "":
		d.refuse(t, p.refusal(TransitionInFlight, busy))
	default:
		r.handRun(t, p, k, c.Mode, d)
	}
}

func (r *Registry) handRun(t Ticket, p *plugin, k *pkg, m Mode, d *Decision) {
	if k.code.Client != nil {
		p.approved[k.id] = true
	}
	if p.run != nil && p.run.pkg == k && p.attempt(p.run.id) != nil {
		d.answer(t, p.hostHalf(false))
		if k.code.Client == nil {
			d.notice(p, p.run, Notice{Topic: TopicUserRan})
		}
		return
	}
	a := r.attempt(p, k, m)
	r.begin(p, &start{run: newRun(a.PluginRunID, k, m), byHand: true, joined: []joiner{{t, true}}}, d)
}

// ClientCode is what a page evaluates.
type ClientCode struct {
	Code        Source    `json:"code"`
	Name        string    `json:"name"`
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
}

// ClientCode gives the source of the Client half of exactly this active run.
func (r *Registry) ClientCode(s Session, id PluginID, run RunID) (ClientCode, error) {
	p, err := r.find(s, id)
	switch {
	case err != nil:
		return ClientCode{}, err
	case p.run == nil || p.run.id != run:
		return ClientCode{}, &Refusal{Reason: StaleRun, Rule: RuleSourceRun, PluginID: id, RunID: run}
	case p.run.pkg.code.Client == nil:
		return ClientCode{}, &Refusal{Reason: NoClientHalf, Rule: RuleNoClient, PluginID: id, PackageID: p.run.pkg.id}
	}
	p.run.fetched = true
	return ClientCode{*p.run.pkg.code.Client, p.run.pkg.name, p.id, p.run.pkg.id, run}, nil
}

// Invocable says whether a handler of exactly this run may be called (11.1): the
// Refusal is not-running or stale-run.
func (r *Registry) Invocable(id PluginID, run RunID) error {
	p := r.any(id)
	switch {
	case p == nil || p.run == nil:
		return &Refusal{Reason: NotRunning, Rule: RuleNotRunning, PluginID: id}
	case p.run.id != run:
		return &Refusal{Reason: StaleRun, Rule: RuleStaleRun, PluginID: id, RunID: run}
	}
	return nil
}
