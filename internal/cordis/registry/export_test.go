package registry

// Held counts what the registry holds beyond its Plugins: runs that are ordered,
// active or leaving.
func (r *Registry) Held() int { return len(r.runs) }

// Words are the two tables of sentences.
func Words() (en, zh map[Rule]string) { return english(), chinese() }
