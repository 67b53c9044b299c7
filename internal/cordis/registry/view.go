package registry

// PackageRow is a Package without its source.
type PackageRow struct {
	PackageID     PackageID `json:"packageId"`
	Name          string    `json:"name"`
	Purpose       string    `json:"purpose"`
	HasHostHalf   bool      `json:"hasHostHalf"`
	HasClientHalf bool      `json:"hasClientHalf"`
}

// Row is a Plugin in the inventory (5.2).
type Row struct {
	PluginID         PluginID     `json:"pluginId"`
	AgentID          Session      `json:"agentId"`
	Packages         []PackageRow `json:"packages"`
	CurrentPackageID PackageID    `json:"currentPackageId,omitempty"`
	NextPackageID    PackageID    `json:"nextPackageId,omitempty"`
	ActiveRun        *ActiveRun   `json:"activeRun,omitempty"`
	LatestRun        *Attempt     `json:"latestRun,omitempty"`
}

// Inventory lists all Plugins in the order of their making.
func (r *Registry) Inventory() []Row { return []Row{} }

// Counts is the registry in a few numbers.
type Counts struct {
	Plugins   int `json:"plugins"`
	Running   int `json:"running"`   // active runs
	Approvals int `json:"approvals"` // requests that nobody has settled
}

// Counts counts what there is.
func (r *Registry) Counts() Counts { return Counts{} }

// Reference is a Plugin as a mention shows it (3.9): never its source.
type Reference struct {
	PluginID         PluginID   `json:"pluginId"`
	PackageID        PackageID  `json:"packageId"`
	Name             string     `json:"name"`
	Purpose          string     `json:"purpose"`
	CurrentPackageID PackageID  `json:"currentPackageId,omitempty"`
	NextPackageID    PackageID  `json:"nextPackageId,omitempty"`
	ActiveRun        *ActiveRun `json:"activeRun,omitempty"`
	LatestRun        *Attempt   `json:"latestRun,omitempty"`
}

// Reference shows a Plugin of a Session; the Refusal is plugin-missing.
func (r *Registry) Reference(s Session, plugin PluginID) (Reference, error) {
	return Reference{}, &Refusal{}
}
