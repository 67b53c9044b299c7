package registry

import "time"

// Resolution is what a page says came of a run.
type Resolution struct {
	OK          bool     `json:"ok"`
	PluginRunID RunID    `json:"pluginRunId,omitempty"`
	WaitingFor  []string `json:"waitingFor,omitempty"`
	Reason      Reason   `json:"reason,omitempty"` // rejected, host-half-failed, client-half-failed
	StartedHere *bool    `json:"startedHere,omitempty"`
	Message     string   `json:"message,omitempty"`
	Stack       string   `json:"stack,omitempty"`
}

// client is the Client half of a resolution that is ok.
func (s Resolution) client() HalfState {
	if len(s.WaitingFor) > 0 {
		return half(HalfWaiting, s.WaitingFor)
	}
	return half(HalfRunning, nil)
}

// withdraws says whether a failure takes the run with it: not that of a page
// which had only attached.
func (s Resolution) withdraws() bool { return s.StartedHere == nil || *s.StartedHere }

// failed is what a resolution that is not ok says has failed.
func (s Resolution) failed() Reason {
	if s.Reason == HostHalfFailed {
		return HostHalfFailed
	}
	return ClientHalfFailed
}

// settlement is a failure that waits for its run to leave.
type settlement struct {
	tickets []Ticket
	request *request // nil: a user's own run
	why     *Refusal
	notice  Notice
}

func (s settlement) failure() Notice {
	if s.request == nil {
		return failedNotice(TopicUserRunFailed, "", s.why)
	}
	return s.request.failure(s.why)
}

// ResolveCommand is a page's answer to a request.
type ResolveCommand struct {
	RequestID  RequestID
	Resolution Resolution
	Page       PageID
	Now        time.Time
}

// ResolveRequest takes the answer of a page to a request (4.6). The first one that
// counts settles it. One does not count that names another run, that contradicts
// what the Host knows, or that is a failure while another page holds the lease.
// The Answer is Accepted, after what had to be undone was undone.
func (r *Registry) ResolveRequest(t Ticket, c ResolveCommand) Decision {
	var d Decision
	q := r.request(c.RequestID)
	if q == nil || !q.counts(c) {
		d.answer(t, Accepted{false})
		return d
	}
	r.claim(q)
	switch res := c.Resolution; {
	case res.OK:
		r.succeed(t, q, res, &d)
	case res.Reason == WasRejected:
		r.reject(q, &d)
		d.answer(t, Accepted{true})
	default:
		r.failRequest(t, q, res, &d)
	}
	return d
}

// counts says whether an answer can settle the request.
func (q *request) counts(c ResolveCommand) bool {
	p, res := q.plugin, c.Resolution
	active := p.run != nil && p.run.id == q.run
	switch {
	case res.OK:
		return active && res.PluginRunID == q.run
	case res.Reason == WasRejected:
		return !q.approved
	case !q.lease.admits(c.Page, c.Now):
		return false
	case res.PluginRunID != "":
		return active && res.PluginRunID == q.run
	case res.Reason == HostHalfFailed:
		return !q.started() // when it is there, it has not failed
	}
	return active
}

func (r *Registry) succeed(t Ticket, q *request, res Resolution, d *Decision) {
	p := q.plugin
	p.commit(res.client())
	d.tell(EventResolved, RequestRunResolved{q.id, q.success()})
	topic := TopicRunSucceeded
	if q.byHand {
		topic = TopicUserRan
	}
	d.notice(p, p.run, Notice{Topic: topic})
	r.tellEarly(p, d)
	d.answer(t, Accepted{true})
}

// reject is a person's no: nothing is kept of it, nothing is run.
func (r *Registry) reject(q *request, d *Decision) {
	p := q.plugin
	if a := p.attempt(q.run); a != nil {
		p.refused(a, Rejected, RuleDeclined)
		a.Client = half(HalfStopped, nil)
	}
	d.tell(EventResolved, RequestRunResolved{q.id, OutcomeRejected})
	d.notice(p, newRun(q.run, q.pkg, q.mode), Notice{Topic: TopicRunRejected})
}

func (r *Registry) failRequest(t Ticket, q *request, res Resolution, d *Decision) {
	p := q.plugin
	run := newRun(q.run, q.pkg, q.mode)
	if p.run != nil && p.run.id == q.run {
		run = p.run
	}
	r.failRun(p, run, res, settlement{tickets: []Ticket{t}, request: q}, d)
}

// failRun records what a page says went wrong, and withdraws the run if it is
// that page's. What follows is done when the run has left.
func (r *Registry) failRun(p *plugin, run *run, res Resolution, s settlement, d *Decision) {
	phase, f := PhaseHostLoad, Failure{res.Message, res.Stack}
	if res.failed() == ClientHalfFailed {
		phase = run.clientPhase(res.Message)
	}
	p.fail(run, phase, f)
	s.why = p.broken(res.failed(), run, f)
	s.notice = p.notice(run, s.failure())
	p.settling = append(p.settling, s)
	if p.run == run && res.PluginRunID == run.id && res.withdraws() {
		if a := p.attempt(run.id); a != nil && a.Host.Status != HalfAbsent {
			a.Host = half(HalfStopped, nil)
		}
		r.withdraw(p, d)
	}
	r.advance(p, d)
}

// settled ends the settlements whose runs have left.
func (r *Registry) settled(p *plugin, d *Decision) {
	done := p.settling
	p.settling = nil
	for _, s := range done {
		d.Notices = append(d.Notices, s.notice)
		if s.request != nil {
			d.tell(EventResolved, RequestRunResolved{s.request.id, OutcomeFailed})
		}
		for _, t := range s.tickets {
			if s.request == nil {
				d.refuse(t, s.why)
			} else {
				d.answer(t, Accepted{true})
			}
		}
	}
}

// SettleUserRun takes what a page says came of a run that its user started by
// hand. The Answer is a RunResponse, or the Refusal whose Reason is that of a run
// response. What is said about a run that is not active changes nothing.
func (r *Registry) SettleUserRun(t Ticket, s Session, id PluginID, res Resolution) Decision {
	var d Decision
	p, err := r.find(s, id)
	if err != nil {
		return d.refuse(t, err)
	}
	if why := p.unsettleable(res); why != nil {
		return d.refuse(t, why)
	}
	if !res.OK {
		r.failRun(p, p.run, res, settlement{tickets: []Ticket{t}}, &d)
		return d
	}
	if p.attempt(p.run.id) != nil {
		p.commit(res.client())
	}
	d.answer(t, p.response(res))
	d.notice(p, p.run, Notice{Topic: TopicUserRan})
	r.tellEarly(p, &d)
	return d
}

// unsettleable says why a user's run cannot be settled so.
func (p *plugin) unsettleable(res Resolution) *Refusal {
	gone := &Refusal{
		Reason: ClientHalfFailed, Rule: RuleNoLongerActive, PluginID: p.id, RunID: res.PluginRunID, Current: p.current,
	}
	if !res.OK {
		gone.Reason, gone.Stack = res.failed(), res.Stack
		if gone.Message = res.Message; res.Message != "" {
			gone.Rule = RuleCode
		}
	}
	switch {
	case p.run == nil || p.run.pkg.code.Client == nil:
		return gone
	case res.PluginRunID != p.run.id && (res.OK || res.PluginRunID != "" || res.Reason == HostHalfFailed):
		return gone
	case p.request != nil && (p.request.run == p.run.id || !p.run.committed):
		return p.refusal(TransitionInFlight, RulePanelPending)
	}
	return nil
}

func (p *plugin) response(res Resolution) RunResponse {
	out := RunResponse{
		OK: true, Status: Running, PluginID: p.id, PackageID: p.run.pkg.id, PluginRunID: p.run.id,
		WaitingFor: texts(p.run.host.WaitingFor), ClientWaitingFor: texts(res.WaitingFor),
		CurrentPackageID: p.current, NextPackageID: p.next, Mode: p.run.mode,
	}
	if a := p.attempt(p.run.id); a != nil {
		out.Status = a.Status
	}
	return out
}
