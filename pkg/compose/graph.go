package compose

import (
	"fmt"
	"slices"
	"strings"
)

// checkGraph checks what the descriptors provide and require of each other. A
// plugin without a descriptor has no part in it.
func checkGraph(s *snapshot) error {
	g := graph{byName: map[string][]provider{}}
	g.addImplicit(s)
	for _, p := range s.plugins {
		for _, c := range p.def.provides {
			g.add(c.id, provider{p.def.packageName, c.exclusive})
		}
	}
	if err := g.checkExclusive(); err != nil {
		return err
	}
	for _, p := range s.plugins {
		for _, name := range p.def.requires {
			if _, ok := g.byName[name]; !ok {
				return fmt.Errorf("memory plugin dependency unavailable: %s requires %s", p.def.packageName, name)
			}
		}
	}
	return nil
}

// graph is who provides which capability, in the order they were first named.
type graph struct {
	names  []string
	byName map[string][]provider
}

type provider struct {
	packageName string
	exclusive   bool
}

func (g *graph) add(name string, providers ...provider) {
	if _, ok := g.byName[name]; !ok {
		g.names = append(g.names, name)
	}
	g.byName[name] = append(g.byName[name], providers...)
}

// addImplicit adds what is there without anybody claiming it.
func (g *graph) addImplicit(s *snapshot) {
	if len(s.sources) > 0 {
		g.add("source")
	}
	for _, src := range s.sources {
		g.add("source." + src.def.Manifest.Role)
	}
	if len(s.strategies) > 0 {
		g.add("strategy")
	}
}

func (g *graph) checkExclusive() error {
	for _, name := range g.names {
		providers := g.byName[name]
		if len(providers) < 2 || !slices.ContainsFunc(providers, func(p provider) bool { return p.exclusive }) {
			continue
		}
		packages := make([]string, len(providers))
		for i, p := range providers {
			packages[i] = p.packageName
		}
		return fmt.Errorf("memory plugin capability conflict: %s (%s)", name, strings.Join(packages, ", "))
	}
	return nil
}
