package registry

import (
	"slices"
	"time"
)

// LeaseTime is how long a page may work on a request before it must renew.
const LeaseTime = 15 * time.Second

// lease says which page works on a request. Without a page nobody does.
type lease struct {
	page  PageID
	until time.Time
}

func (l lease) live(now time.Time) bool { return l.page != "" && now.Before(l.until) }

// take gives the lease to a page that comes to work. One that another page holds
// passes on only while nothing was started. It says whether the page is new.
func (l *lease) take(p PageID, now time.Time, free bool) bool {
	if p == "" || l.live(now) && l.page != p && !free {
		return false
	}
	fresh := l.page != p
	*l = lease{p, now.Add(LeaseTime)}
	return fresh
}

// admits says whether a failure that this page reports counts.
func (l lease) admits(p PageID, now time.Time) bool {
	return p == "" || p == l.page || !l.live(now)
}

// page is a page that is connected.
type page struct {
	id       PageID
	sessions []Session // nil: all
}

func (p *page) serves(s Session) bool { return p.sessions == nil || slices.Contains(p.sessions, s) }

// Offer hands a request to one page, which carries it out: approved by a shell, or
// left behind by another page.
type Offer struct {
	Page    PageID     `json:"page"`
	Request RequestRun `json:"request"`
	Until   time.Time  `json:"until"`
}

// PageJoined says that a page is there, for these Sessions; nil means all. What
// waits for a page is offered to it. A page that is there already may change its
// Sessions so.
func (r *Registry) PageJoined(id PageID, sessions []Session, now time.Time) Decision {
	var d Decision
	if i := r.pageIndex(id); i >= 0 {
		r.pages[i] = &page{id, slices.Clone(sessions)}
	} else {
		r.pages = append(r.pages, &page{id, slices.Clone(sessions)})
	}
	r.offerAll(now, &d)
	return d
}

// PageLeft says that a page is gone. What it held is offered to another one.
func (r *Registry) PageLeft(id PageID, now time.Time) Decision {
	var d Decision
	if i := r.pageIndex(id); i >= 0 {
		r.pages = slices.Delete(r.pages, i, i+1)
	}
	for _, q := range r.requests {
		if q.lease.page == id {
			q.lease = lease{}
		}
		delete(q.tries, id)
	}
	r.offerAll(now, &d)
	return d
}

func (r *Registry) pageIndex(id PageID) int {
	return slices.IndexFunc(r.pages, func(p *page) bool { return p.id == id })
}

// Pages are the pages that are there, in the order of their coming.
func (r *Registry) Pages() []PageID {
	out := []PageID{}
	for _, p := range r.pages {
		out = append(out, p.id)
	}
	return out
}

// offerAll offers what was approved and is in nobody's hands.
func (r *Registry) offerAll(now time.Time, d *Decision) {
	for _, q := range r.requests {
		r.offer(q, now, d)
	}
}

// offer hands a request to the page that has had it the least often, the oldest of
// these.
func (r *Registry) offer(q *request, now time.Time, d *Decision) {
	if !q.approved || q.lease.live(now) {
		return
	}
	var best *page
	for _, p := range r.pages {
		if p.serves(q.plugin.session) && (best == nil || q.tries[p.id] < q.tries[best.id]) {
			best = p
		}
	}
	if best == nil {
		q.lease = lease{}
		return
	}
	q.tries[best.id]++
	q.lease = lease{best.id, now.Add(LeaseTime)}
	d.Offers = append(d.Offers, Offer{best.id, q.event(), q.lease.until})
}

// Approve is a person's yes from a shell: the grant is kept, and the request is
// offered to a page, now or when one comes. The Answer is an ApproveResult.
func (r *Registry) Approve(t Ticket, id RequestID, future bool, now time.Time) Decision {
	var d Decision
	q := r.request(id)
	if q == nil {
		return d.refuse(t, &Refusal{Reason: RequestMissing, Rule: RuleRequest, RequestID: id})
	}
	q.approve(future)
	if a := q.plugin.attempt(q.run); a != nil {
		decided := false
		a.RequiresApproval = &decided
		if a.Status == AwaitingApproval {
			a.Status = StartingHost
		}
	}
	r.offer(q, now, &d)
	d.answer(t, q.decided())
	return d
}

// Decline is a person's no from a shell. The Answer is an ApproveResult.
func (r *Registry) Decline(t Ticket, id RequestID) Decision {
	var d Decision
	q := r.request(id)
	switch {
	case q == nil:
		return d.refuse(t, &Refusal{Reason: RequestMissing, Rule: RuleRequest, RequestID: id})
	case q.approved:
		return d.refuse(t, &Refusal{Reason: StaleRequest, Rule: RuleDecided, RequestID: id, PluginID: q.plugin.id})
	}
	r.claim(q)
	r.reject(q, &d)
	d.answer(t, q.decided())
	return d
}

func (q *request) decided() ApproveResult {
	return ApproveResult{q.id, q.plugin.id, q.pkg.id, q.run, q.lease.page}
}

// Renew prolongs the lease of a page that works on a request. It is false when
// the page does not hold it any more.
func (r *Registry) Renew(id RequestID, p PageID, now time.Time) (until time.Time, ok bool) {
	q := r.request(id)
	if q == nil || q.lease.page != p || !q.lease.live(now) {
		return time.Time{}, false
	}
	q.lease.until = now.Add(LeaseTime)
	return q.lease.until, true
}

// Expire offers what pages have held for too long to others.
func (r *Registry) Expire(now time.Time) Decision {
	var d Decision
	for _, q := range r.requests {
		if q.lease.page != "" && !q.lease.live(now) {
			r.offer(q, now, &d)
		}
	}
	return d
}

// NextExpiry is when Expire has something to do next.
func (r *Registry) NextExpiry() (at time.Time, ok bool) {
	for _, q := range r.requests {
		if q.lease.page != "" && (!ok || q.lease.until.Before(at)) {
			at, ok = q.lease.until, true
		}
	}
	return at, ok
}
