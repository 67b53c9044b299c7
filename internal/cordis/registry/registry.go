// Package registry holds the Plugins of one host, their Packages, Runs, attempts
// and pointers, what people have approved, and what is under way: the rules of
// spec/cordis.md 2 to 5 as a state machine.
//
// It starts nothing, waits for nothing and knows no clock. It is told what is
// asked (commands) and what has become of what it ordered (reports), and says
// what the host must do, broadcast, tell and answer now (a Decision). A command
// that is refused changes nothing; a report about a run that is gone changes
// nothing. It is for one goroutine at a time.
package registry

// Limits bound what a registry keeps. A zero means the default.
type Limits struct {
	Source   int // bytes of one half: 1 MiB
	Packages int // of one Plugin: 64
	Plugins  int // 256
	Reports  int // failures of one run that are told to its owner: 100
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		at    *int
		value int
	}{{&l.Source, 1 << 20}, {&l.Packages, 64}, {&l.Plugins, 256}, {&l.Reports, 100}} {
		if *d.at <= 0 {
			*d.at = d.value
		}
	}
	return l
}

// Registry is the Plugins of one host.
type Registry struct {
	limits Limits
}

// New is a registry without Plugins.
func New(l Limits) *Registry { return &Registry{limits: l.withDefaults()} }
