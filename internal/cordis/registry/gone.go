package registry

// HostGone reports that the Host half of an active run has ended by itself: its
// sandbox died, or was ended because it passed a limit. The attempt has failed,
// the owner is told, and the run is withdrawn, so that it can be run again.
func (r *Registry) HostGone(id RunID, f Failure) Decision {
	var d Decision
	p := r.active(id)
	if p == nil {
		return d
	}
	why := p.broken(HostHalfFailed, p.run, f)
	if !p.run.committed {
		r.breakUnsettled(p, why, &d)
		return d
	}
	p.fail(p.run, PhaseHostApply, f)
	if a := p.attempt(id); a != nil && a.Client.Status != HalfAbsent {
		a.Client = half(HalfStopped, nil) // its page unloads it with the run
	}
	r.report(p, "gone|"+f.Message, failedNotice(TopicRunFailed, ReturnedRunning, why), &d)
	r.withdraw(p, &d)
	r.advance(p, &d)
	return d
}
