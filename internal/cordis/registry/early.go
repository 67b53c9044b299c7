package registry

import "slices"

// early is a failure that nobody waited for, of a run that was still to succeed.
// Nothing else would ever tell of it: unlike what the guard refuses, it does not
// come back as the failure of the run.
type early struct {
	where   string // empty: the half itself broke
	failure Failure
}

// keep holds a failure until the run has succeeded. With one that fails it is
// forgotten: then the failure of the run is what there is to know.
func (r *Registry) keep(x *run, e early) {
	if len(x.early) < r.limits.Reports && !slices.Contains(x.early, e) {
		x.early = append(x.early, e)
	}
}

// tellOf tells the owner of a failure in code that nobody waits for.
func (r *Registry) tellOf(p *plugin, e early, d *Decision) {
	r.report(p, "code|"+e.where+"|"+e.failure.Message, Notice{
		Topic: TopicCodeFailed, Side: Host, Where: e.where, Message: e.failure.Message, Stack: e.failure.Stack,
	}, d)
}

// tellEarly tells of what came before the run had succeeded.
func (r *Registry) tellEarly(p *plugin, d *Decision) {
	if f := p.run.render; f != nil {
		r.report(p, "render", renderNotice(*f), d)
	}
	kept := p.run.early
	p.run.early = nil
	for _, e := range kept {
		r.tellOf(p, e, d)
	}
}

// breakEarly breaks a run that has just become active, if its half broke on the
// way there.
func (r *Registry) breakEarly(p *plugin, d *Decision) {
	i := slices.IndexFunc(p.run.early, func(e early) bool { return e.where == "" })
	if i < 0 {
		return
	}
	f := p.run.early[i].failure
	p.run.early = slices.DeleteFunc(p.run.early, func(e early) bool { return e.where == "" })
	r.broke(p, f, d)
}
