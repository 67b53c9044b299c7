package registry

import "slices"

// request waits for a page to carry out a run. It is claimed once: by an answer
// that counts, by a failure of the Host half, by a stop or a removal.
type request struct {
	id       RequestID
	plugin   *plugin
	pkg      *pkg
	run      RunID
	mode     Mode
	asked    bool // a person had to decide
	approved bool // that is done, or was not needed
	byHand   bool // a user asked for the run, not a model
	lease    lease
	tries    map[PageID]int // how often a page was handed it
}

func (q *request) event() RequestRun {
	return RequestRun{
		RequestID: q.id, AgentID: q.plugin.session, PluginID: q.plugin.id, PackageID: q.pkg.id, Mode: q.mode,
		Name: q.pkg.name, Purpose: q.pkg.purpose, RequiresApproval: !q.approved,
	}
}

// returned is what cordis_run had answered.
func (q *request) returned() RequestedStatus {
	if q.asked {
		return ReturnedAwaiting
	}
	return ReturnedStarting
}

// success is the outcome of a request that came to run.
func (q *request) success() Outcome {
	if q.asked {
		return OutcomeApproved
	}
	return OutcomeCompleted
}

// failure is what the owner is told when the request comes to nothing.
func (q *request) failure(why *Refusal) Notice {
	if q.byHand {
		return failedNotice(TopicUserRunFailed, "", why)
	}
	return failedNotice(TopicRunFailed, q.returned(), why)
}

// started says whether the Host half of the request is active or under way.
func (q *request) started() bool {
	p := q.plugin
	return p.run != nil && p.run.id == q.run || p.start != nil && p.start.run.id == q.run
}

// request finds a request that can be answered.
func (r *Registry) request(id RequestID) *request {
	i := slices.IndexFunc(r.requests, func(q *request) bool { return q.id == id })
	if i < 0 {
		return nil
	}
	return r.requests[i]
}

// claim takes a request away, so that nobody else can answer it.
func (r *Registry) claim(q *request) {
	q.plugin.request = nil
	r.requests = slices.DeleteFunc(r.requests, func(other *request) bool { return other == q })
	if a := q.plugin.attempt(q.run); a != nil {
		a.ApprovalRequestID, a.RequiresApproval = "", nil
	}
}

// approve keeps what a person has allowed. It is done before anything is started,
// so it outlives a failure.
func (q *request) approve(future bool) {
	if !q.asked {
		return
	}
	q.approved = true
	q.plugin.approved[q.pkg.id] = true
	q.plugin.future = q.plugin.future || future
}

// Pending is a request that waits for an answer.
type Pending struct {
	RequestID        RequestID `json:"requestId"`
	AgentID          Session   `json:"agentId"`
	PluginID         PluginID  `json:"pluginId"`
	PackageID        PackageID `json:"packageId"`
	PluginRunID      RunID     `json:"pluginRunId"`
	Mode             Mode      `json:"mode"`
	Name             string    `json:"name"`
	Purpose          string    `json:"purpose"`
	RequiresApproval bool      `json:"requiresApproval"` // still
	Page             PageID    `json:"page,omitempty"`   // who holds the lease
}

func (q *request) pending() Pending {
	return Pending{
		RequestID: q.id, AgentID: q.plugin.session, PluginID: q.plugin.id, PackageID: q.pkg.id, PluginRunID: q.run,
		Mode: q.mode, Name: q.pkg.name, Purpose: q.pkg.purpose, RequiresApproval: !q.approved, Page: q.lease.page,
	}
}

// Request finds a request that can be answered.
func (r *Registry) Request(id RequestID) (Pending, bool) {
	q := r.request(id)
	if q == nil {
		return Pending{}, false
	}
	return q.pending(), true
}

// Requests are those that can be answered, oldest first.
func (r *Registry) Requests() []Pending {
	out := []Pending{}
	for _, q := range r.requests {
		out = append(out, q.pending())
	}
	return out
}
