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
func (r *Registry) Inventory() []Row {
	rows := []Row{}
	for _, p := range r.plugins {
		rows = append(rows, p.row())
	}
	return rows
}

func (p *plugin) row() Row {
	row := Row{
		PluginID: p.id, AgentID: p.session, Packages: []PackageRow{},
		CurrentPackageID: p.current, NextPackageID: p.next, ActiveRun: p.active(), LatestRun: p.latest.copy(),
	}
	for _, k := range p.packages {
		row.Packages = append(row.Packages, k.row())
	}
	return row
}

func (p *plugin) active() *ActiveRun {
	if p.run == nil {
		return nil
	}
	return &ActiveRun{p.run.id, p.run.pkg.id}
}

// Plugin shows one Plugin of whatever Session.
func (r *Registry) Plugin(id PluginID) (Row, bool) {
	p := r.any(id)
	if p == nil {
		return Row{}, false
	}
	return p.row(), true
}

// Owner is the Session of a Plugin.
func (r *Registry) Owner(id PluginID) (Session, bool) {
	p := r.any(id)
	if p == nil {
		return "", false
	}
	return p.session, true
}

// Counts is the registry in a few numbers.
type Counts struct {
	Plugins   int `json:"plugins"`
	Running   int `json:"running"`   // active runs
	Approvals int `json:"approvals"` // requests that nobody has settled
}

// Counts counts what there is.
func (r *Registry) Counts() Counts {
	c := Counts{Plugins: len(r.plugins), Approvals: len(r.requests)}
	for _, p := range r.plugins {
		if p.run != nil {
			c.Running++
		}
	}
	return c
}

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
func (r *Registry) Reference(s Session, id PluginID) (Reference, error) {
	p, err := r.find(s, id)
	if err != nil {
		return Reference{}, err
	}
	k := p.reference()
	return Reference{
		PluginID: p.id, PackageID: k.id, Name: k.name, Purpose: k.purpose,
		CurrentPackageID: p.current, NextPackageID: p.next, ActiveRun: p.active(), LatestRun: p.latest.copy(),
	}, nil
}
