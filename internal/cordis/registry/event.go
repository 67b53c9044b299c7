package registry

// Event is told to every page, as it is and without an answer (spec/cordis.md 5.3).
type Event struct {
	Name    string
	Payload any // RequestRun, RequestRunResolved, DynamicPackage, DynamicRetract or DynamicStatus
}

// The names of the events.
const (
	EventRequestRun     = "cordis/request-run"
	EventResolved       = "cordis/request-run-resolved"
	EventDynamicPackage = "cordis/dynamic-package"
	EventDynamicRetract = "cordis/dynamic-retract"
	// EventDynamicStatus is ours: an active run has parked, woken or failed.
	EventDynamicStatus = "cordis/dynamic-status"
)

// RequestRun asks pages to carry out a run. It never holds source.
type RequestRun struct {
	RequestID        RequestID `json:"requestId"`
	AgentID          Session   `json:"agentId"`
	PluginID         PluginID  `json:"pluginId"`
	PackageID        PackageID `json:"packageId"`
	Mode             Mode      `json:"mode"`
	Name             string    `json:"name"`
	Purpose          string    `json:"purpose"`
	RequiresApproval bool      `json:"requiresApproval"`
}

// RequestRunResolved says that a request cannot be answered any more.
type RequestRunResolved struct {
	RequestID RequestID `json:"requestId"`
	Outcome   Outcome   `json:"outcome"`
}

// DynamicPackage says that a run is active now.
type DynamicPackage struct {
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
	Name        string    `json:"name"`
}

// DynamicRetract says that a run was withdrawn.
type DynamicRetract struct {
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
}

// DynamicStatus says that the latest attempt of a Plugin has another status while
// its run stays active.
type DynamicStatus struct {
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
	Status      Status    `json:"status"`
}
