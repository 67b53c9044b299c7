package compose

// InstalledStrategy is a Strategy that can be chosen.
type InstalledStrategy struct {
	InstanceKey, TypeID string
	Slots               []string // that extensions can fill
}

// Strategies lists what is installed, in the order of installation.
func (c *Core) Strategies() []InstalledStrategy {
	var out []InstalledStrategy
	for _, s := range c.registry.snapshot().strategies {
		out = append(out, InstalledStrategy{s.key, s.def.Manifest.TypeID, s.def.Manifest.ExtensionSlots})
	}
	return out
}
