package registry

import "strings"

// fail records why the attempt of a run did not come to run, or what broke it.
// The half that the phase names has failed; the other keeps its last word.
func (p *plugin) fail(run *run, phase Phase, f Failure) {
	a := p.attempt(run.id)
	if a == nil {
		return
	}
	a.Status = Failed
	a.Error = p.diagnostic(a, phase, f)
	failed := half(HalfFailed, nil)
	failed.Error = &f.Message
	if strings.HasPrefix(string(phase), string(Host)) {
		a.Host = failed
	} else {
		a.Client = failed
	}
}

func (p *plugin) diagnostic(a *Attempt, phase Phase, f Failure) *Diagnostic {
	return &Diagnostic{
		Phase: phase, Message: f.Message, Stack: f.Stack,
		PluginID: p.id, PackageID: a.PackageID, PluginRunID: a.PluginRunID,
	}
}

// refused records that an attempt ended before it was started, by a person.
func (p *plugin) refused(a *Attempt, status Status, rule Rule) {
	a.Status = status
	why := &Refusal{Rule: rule, PluginID: p.id, PackageID: a.PackageID, RunID: a.PluginRunID}
	a.Error = p.diagnostic(a, PhaseApproval, Failure{Message: why.Error()})
}

// crashed records what the Client half threw while drawing. The run stays active.
func (p *plugin) crashed() {
	a, f := p.attempt(p.run.id), p.run.render
	if a == nil {
		return
	}
	p.fail(p.run, PhaseClientRender, Failure{f.Message, f.Stack})
	abdicated := f.Abdicated
	a.Error.Slot, a.Error.Abdicated = f.Slot, &abdicated
}

// clientPhase says how far the Client half came: the page puts the step before the
// message, and a page that never had the source cannot have run it.
func (r *run) clientPhase(message string) Phase {
	step, _, found := strings.Cut(message, ": ")
	switch {
	case found && step == "activate":
		return PhaseClientApply
	case found && (step == "evaluate" || step == "module-import" || step == "fetch"), !r.fetched:
		return PhaseClientLoad
	}
	return PhaseClientApply
}

// stopHalves says of each half that is there that it is stopped.
func (a *Attempt) stopHalves() {
	for _, h := range []*HalfState{&a.Host, &a.Client} {
		if h.Status != HalfAbsent {
			*h = half(HalfStopped, nil)
		}
	}
}
