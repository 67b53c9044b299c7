package registry

// HostReport is what the host sees of a Host half that is mounted.
type HostReport struct {
	Waiting    bool     // parked
	WaitingFor []string // in the order of the declaration
	Provides   []string // sorted
}

// HostStarted reports that the Host half of a run is mounted, be it parked.
func (r *Registry) HostStarted(run RunID, h HostReport) Decision { return Decision{} }

// HostFailed reports that the Host half of a run did not come to be mounted, and
// that nothing of it is left. phase is host-load or host-apply.
func (r *Registry) HostFailed(run RunID, phase Phase, f Failure) Decision { return Decision{} }

// HostChanged reports that the Host half of an active run has parked, woken, or
// waits for other services.
func (r *Registry) HostChanged(run RunID, h HostReport) Decision { return Decision{} }

// HostBroke reports that the Host half of an active run failed when it woke, or
// that a set-up it had begun was refused later.
func (r *Registry) HostBroke(run RunID, f Failure) Decision { return Decision{} }

// Retracted reports that a run is undone and at rest.
func (r *Registry) Retracted(run RunID) Decision { return Decision{} }

// ClientChanged reports that the Client half of an active run has parked or woken
// on a page.
func (r *Registry) ClientChanged(s Session, plugin PluginID, run RunID, waitingFor []string) Decision {
	return Decision{}
}

// RenderFailed takes a page's report of a crash while drawing. One about another
// Session's Plugin or another run changes nothing.
func (r *Registry) RenderFailed(s Session, plugin PluginID, run RunID, f RenderFailure) Decision {
	return Decision{}
}

// HandlerFailed reports that a handler of a run threw, or gave what is not
// lossless JSON.
func (r *Registry) HandlerFailed(run RunID, method string, f Failure) Decision { return Decision{} }

// GuardRejected reports that the guard refused something of the Host half.
func (r *Registry) GuardRejected(run RunID, f Failure) Decision { return Decision{} }

// ClientGuardRejected takes a page's report that its guard refused something.
func (r *Registry) ClientGuardRejected(s Session, plugin PluginID, run RunID, f Failure) Decision {
	return Decision{}
}

// CodeFailed reports a failure of the Host half that nobody waits for. where is
// timer, listener, effect, disposer, promise or limit.
func (r *Registry) CodeFailed(run RunID, where string, f Failure) Decision { return Decision{} }
