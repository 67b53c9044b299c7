package registry

// Summary is a Plugin in the layers of inspect self (3.8).
type Summary struct {
	PluginID         PluginID         `json:"pluginId"`
	Name             string           `json:"name"`
	PackageCount     int              `json:"packageCount"`
	State            State            `json:"state"`
	CurrentPackageID PackageID        `json:"currentPackageId,omitempty"`
	NextPackageID    PackageID        `json:"nextPackageId,omitempty"`
	ActiveRun        *ActiveRun       `json:"activeRun,omitempty"`
	PendingApproval  *PendingApproval `json:"pendingApproval,omitempty"`
}

// PendingApproval is a request that waits for a person.
type PendingApproval struct {
	PluginRunID RunID     `json:"pluginRunId"`
	PackageID   PackageID `json:"packageId"`
	Mode        Mode      `json:"mode"`
}

// SelfPlugins is the first layer: the Plugins of a Session.
type SelfPlugins struct {
	Mode    string    `json:"mode"` // plugins
	Plugins []Summary `json:"plugins"`
}

// SelfPlugin is the second layer: one Plugin with its Packages.
type SelfPlugin struct {
	Mode string `json:"mode"` // plugin
	Summary
	Packages []SelfPackageRow `json:"packages"`
}

// SelfPackageRow is a Package in the second layer.
type SelfPackageRow struct {
	PackageRow
	IsCurrent bool `json:"isCurrent"`
	IsNext    bool `json:"isNext"`
}

// SelfPackage is the third layer: one Package with its source and its runtime.
type SelfPackage struct {
	Mode      string    `json:"mode"` // package
	Plugin    Summary   `json:"plugin"`
	PackageID PackageID `json:"packageId"`
	Name      string    `json:"name"`
	Purpose   string    `json:"purpose"`
	Code      Code      `json:"code"`
	Runtime   Runtime   `json:"runtime"`
}

// Runtime is how a Package does.
type Runtime struct {
	State  State         `json:"state"` // of the Plugin
	Host   HostRuntime   `json:"host"`
	Client ClientRuntime `json:"client"`
}

// HostRuntime is the Host half in a Runtime.
type HostRuntime struct {
	Status     HalfStatus `json:"status"`
	Provides   []string   `json:"provides"`
	WaitingFor []string   `json:"waitingFor"`
	Handlers   []string   `json:"handlers"`
	Error      *string    `json:"error,omitempty"`
}

// ClientRuntime is the Client half in a Runtime.
type ClientRuntime struct {
	Status        HalfStatus     `json:"status"`
	WaitingFor    []string       `json:"waitingFor"`
	Error         *string        `json:"error,omitempty"`
	RenderFailure *RenderFailure `json:"renderFailure,omitempty"`
}

// Live is what the host sees of an active run now.
type Live struct {
	Provides, WaitingFor, Handlers []string
}

// SelfPlugins shows the Plugins of a Session.
func (r *Registry) SelfPlugins(s Session) SelfPlugins {
	out := SelfPlugins{Mode: "plugins", Plugins: []Summary{}}
	for _, p := range r.plugins {
		if p.session == s {
			out.Plugins = append(out.Plugins, p.summary(p.reference()))
		}
	}
	return out
}

// SelfPlugin shows a Plugin of a Session; the Refusal is plugin-missing.
func (r *Registry) SelfPlugin(s Session, id PluginID) (SelfPlugin, error) {
	p, err := r.find(s, id)
	if err != nil {
		return SelfPlugin{}, err
	}
	out := SelfPlugin{Mode: "plugin", Summary: p.summary(p.reference()), Packages: []SelfPackageRow{}}
	for _, k := range p.packages {
		out.Packages = append(out.Packages, SelfPackageRow{k.row(), k.id == p.current, k.id == p.next})
	}
	return out, nil
}

// SelfPackage shows a Package; the Refusal is plugin-missing or package-missing.
// live is asked when the active run is of this Package and has a Host half; nil
// knows nothing.
func (r *Registry) SelfPackage(s Session, id PluginID, pkg PackageID, live func(RunID) Live) (SelfPackage, error) {
	p, err := r.find(s, id)
	if err != nil {
		return SelfPackage{}, err
	}
	k, err := p.pkg(pkg)
	if err != nil {
		return SelfPackage{}, err
	}
	return SelfPackage{
		Mode: "package", Plugin: p.summary(k), PackageID: k.id, Name: k.name, Purpose: k.purpose,
		Code: k.code.copy(), Runtime: p.runtime(k, live),
	}, nil
}

// summary shows the Plugin under the name of one of its Packages.
func (p *plugin) summary(k *pkg) Summary {
	out := Summary{
		PluginID: p.id, Name: k.name, PackageCount: len(p.packages), State: p.state(),
		CurrentPackageID: p.current, NextPackageID: p.next, ActiveRun: p.active(),
	}
	if q := p.request; q != nil && !q.approved {
		out.PendingApproval = &PendingApproval{q.run, q.pkg.id, q.mode}
	}
	return out
}

// state is the Plugin in one word: what its latest attempt says first.
func (p *plugin) state() State {
	if p.latest != nil {
		switch p.latest.Status {
		case AwaitingApproval:
			return StateAwaitingApproval
		case ClientPending, StartingHost:
			return StateClientPending
		case Failed, Rejected, Cancelled:
			return StateFailed
		case Waiting:
			return StateWaiting
		case Running:
			return StateRunning
		}
	}
	switch {
	case p.run != nil:
		return StateRunning
	case p.current == "":
		return StateDefined
	}
	return StateStopped
}

// runtime is how one Package does: what its attempt says, if the latest is its
// own, and what lives now, if the active run is.
func (p *plugin) runtime(k *pkg, live func(RunID) Live) Runtime {
	host, client := p.halves(k)
	out := Runtime{
		State:  p.state(),
		Host:   HostRuntime{host.Status, []string{}, host.WaitingFor, []string{}, host.Error},
		Client: ClientRuntime{Status: client.Status, WaitingFor: client.WaitingFor, Error: client.Error},
	}
	if p.run == nil || p.run.pkg != k {
		return out
	}
	if k.code.Host != nil && live != nil {
		now := live(p.run.id)
		out.Host.Provides, out.Host.WaitingFor, out.Host.Handlers = texts(now.Provides), texts(now.WaitingFor), texts(now.Handlers)
	}
	if f := p.run.render; f != nil {
		crash := *f
		out.Client.RenderFailure = &crash
	}
	return out
}

// halves are where the halves of a Package stand.
func (p *plugin) halves(k *pkg) (host, client HalfState) {
	if p.latest != nil && p.latest.PackageID == k.id {
		return p.latest.Host.copy(), p.latest.Client.copy()
	}
	host, client = restingHalf(k.code.Host), restingHalf(k.code.Client)
	if p.run != nil && p.run.pkg == k && k.code.Host != nil {
		host = p.run.host.copy()
	}
	return host, client
}

func restingHalf(code *Source) HalfState {
	if code == nil {
		return half(HalfAbsent, nil)
	}
	return half(HalfStopped, nil)
}
