package registry

import "time"

// LeaseTime is how long a page may work on a request before it must renew.
const LeaseTime = 15 * time.Second

// Offer hands a request to one page, which carries it out: approved by a shell, or
// left behind by another page.
type Offer struct {
	Page    PageID
	Request RequestRun
	Until   time.Time
}

// PageJoined says that a page is there, for these Sessions; nil means all. What
// waits for a page is offered to it.
func (r *Registry) PageJoined(p PageID, sessions []Session, now time.Time) Decision {
	return Decision{}
}

// PageLeft says that a page is gone. What it held is offered to another one.
func (r *Registry) PageLeft(p PageID, now time.Time) Decision { return Decision{} }

// Pages is how many pages are there.
func (r *Registry) Pages() int { return 0 }

// Approve is a person's yes from a shell: the grant is kept, and the request is
// offered to a page, now or when one comes. The Answer is an ApproveResult.
func (r *Registry) Approve(t Ticket, id RequestID, future bool, now time.Time) Decision {
	return Decision{}
}

// Decline is a person's no from a shell. The Answer is an ApproveResult.
func (r *Registry) Decline(t Ticket, id RequestID) Decision { return Decision{} }

// Renew prolongs the lease of a page that works on a request. It is false when
// the page does not hold it.
func (r *Registry) Renew(id RequestID, p PageID, now time.Time) (until time.Time, ok bool) {
	return time.Time{}, false
}

// Expire offers what pages have held for too long to others.
func (r *Registry) Expire(now time.Time) Decision { return Decision{} }

// NextExpiry is when Expire has something to do next.
func (r *Registry) NextExpiry() (time.Time, bool) { return time.Time{}, false }

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

// Approvals are the requests that wait for an answer, oldest first.
func (r *Registry) Approvals() []Pending { return []Pending{} }
