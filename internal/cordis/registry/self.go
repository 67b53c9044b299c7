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
func (r *Registry) SelfPlugins(s Session) SelfPlugins { return SelfPlugins{} }

// SelfPlugin shows a Plugin of a Session; the Refusal is plugin-missing.
func (r *Registry) SelfPlugin(s Session, plugin PluginID) (SelfPlugin, error) {
	return SelfPlugin{}, &Refusal{}
}

// SelfPackage shows a Package; the Refusal is plugin-missing or package-missing.
// live is asked when the active run is of this Package and has a Host half.
func (r *Registry) SelfPackage(s Session, plugin PluginID, pkg PackageID, live func(RunID) Live) (SelfPackage, error) {
	return SelfPackage{}, &Refusal{}
}
