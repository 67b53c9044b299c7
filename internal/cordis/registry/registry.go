// Package registry holds the Plugins of one host, their Packages, Runs, attempts
// and pointers, what people have approved, and what is under way: the rules of
// spec/cordis.md 2 to 5 as a state machine.
//
// It starts nothing, waits for nothing and knows no clock. It is told what is
// asked (commands) and what has become of what it ordered (reports), and says
// what the host must do, broadcast, tell and answer now (a Decision). A command
// that is refused changes nothing; a report about a run that is gone changes
// nothing. It is for one goroutine at a time, and does not outlive its process.
package registry

import (
	"slices"
	"strconv"
)

// Limits bound what a registry keeps. A zero means the default.
type Limits struct {
	Source   int // bytes of one half: 1 MiB
	Label    int // bytes of a name, and of a purpose: 16 KiB
	Packages int // of one Plugin: 64
	Plugins  int // 256
	Reports  int // failures of one run that are told to its owner: 100
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		at    *int
		value int
	}{{&l.Source, 1 << 20}, {&l.Label, 16 << 10}, {&l.Packages, 64}, {&l.Plugins, 256}, {&l.Reports, 100}} {
		if *d.at <= 0 {
			*d.at = d.value
		}
	}
	return l
}

// Registry is the Plugins of one host.
type Registry struct {
	limits   Limits
	made     counters
	plugins  []*plugin         // those that can be named, in the order of their making
	runs     map[RunID]*plugin // those whose run is ordered, active or leaving
	requests []*request        // those that can be answered, oldest first
	pages    []*page           // in the order of their coming
}

// counters hold the last number of each kind of id. They never go back.
type counters struct{ plugin, pkg, run, request int }

// New is a registry without Plugins.
func New(l Limits) *Registry {
	return &Registry{limits: l.withDefaults(), runs: map[RunID]*plugin{}}
}

// plugin is the record of a Plugin.
type plugin struct {
	id       PluginID
	session  Session
	packages []*pkg // in the order of their definition
	approved map[PackageID]bool
	future   bool // all later versions are approved
	current  PackageID
	next     PackageID
	latest   *Attempt

	request  *request // waits for an answer
	run      *run     // active
	start    *start   // under way
	leaving  *run     // withdrawn, and not yet at rest
	settling []settlement
	ends     []ending // stops and removals that wait until all is at rest
}

// pkg is an immutable Package.
type pkg struct {
	id            PackageID
	name, purpose string
	code          Code
}

func (p *pkg) row() PackageRow {
	return PackageRow{p.id, p.name, p.purpose, p.code.Host != nil, p.code.Client != nil}
}

// run is the physical run of a Plugin.
type run struct {
	id        RunID
	pkg       *pkg
	mode      Mode
	host      HalfState
	broke     *Failure // what the Host half threw when it woke
	announced bool     // pages know of it
	committed bool     // its Package has become the current one
	fetched   bool     // a page has had its Client source
	render    *RenderFailure
	told      map[string]bool // failures that the owner knows of
	early     []early         // failures of before it was the active one, or had succeeded
}

func newRun(id RunID, p *pkg, m Mode) *run {
	return &run{id: id, pkg: p, mode: m, told: map[string]bool{}}
}

// find gives a Plugin of a Session. Those of others are missing.
func (r *Registry) find(s Session, id PluginID) (*plugin, error) {
	for _, p := range r.plugins {
		if p.id == id && p.session == s {
			return p, nil
		}
	}
	return nil, &Refusal{Reason: PluginMissing, Rule: RulePlugin, PluginID: id}
}

// any gives a Plugin of whatever Session.
func (r *Registry) any(id PluginID) *plugin {
	i := slices.IndexFunc(r.plugins, func(p *plugin) bool { return p.id == id })
	if i < 0 {
		return nil
	}
	return r.plugins[i]
}

func (p *plugin) pkg(id PackageID) (*pkg, error) {
	for _, k := range p.packages {
		if k.id == id {
			return k, nil
		}
	}
	return nil, &Refusal{Reason: PackageMissing, Rule: RulePackage, PluginID: p.id, PackageID: id}
}

// reference is the Package that speaks for the Plugin: next, else current, else
// the last one defined.
func (p *plugin) reference() *pkg {
	for _, id := range []PackageID{p.next, p.current} {
		if k, err := p.pkg(id); err == nil {
			return k
		}
	}
	return p.packages[len(p.packages)-1]
}

func (p *plugin) authorised(k *pkg) bool { return p.future || p.approved[k.id] }

// attempt gives the latest attempt if it is of this run.
func (p *plugin) attempt(id RunID) *Attempt {
	if p.latest == nil || p.latest.PluginRunID != id {
		return nil
	}
	return p.latest
}

// active gives the Plugin whose active run this is.
func (r *Registry) active(id RunID) *plugin {
	p := r.runs[id]
	if p == nil || p.run == nil || p.run.id != id {
		return nil
	}
	return p
}

func number(prefix string, last *int) string {
	*last++
	return prefix + "-" + strconv.Itoa(*last)
}
