package compose

import (
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

type installedSource struct {
	key             string
	provenance      Provenance
	def             *SourceDefinition
	effectiveDigest string // empty: none
}

type installedStrategy struct {
	key        string
	provenance Provenance
	def        *StrategyDefinition
}

type installedExtension struct {
	key        string
	provenance Provenance
	def        *ExtensionDefinition
}

type installedPlugin struct {
	key        string
	provenance Provenance
	def        *descriptor
}

// A snapshot is everything that is installed at one revision. It is never
// changed. Sources and Strategies stand in the order of their installation,
// extensions and plugins in that of their keys.
type snapshot struct {
	revision   int
	sources    []*installedSource
	strategies []*installedStrategy
	extensions []*installedExtension
	plugins    []*installedPlugin
}

func (s *snapshot) with(b *snapshot) *snapshot {
	next := &snapshot{
		revision:   s.revision + 1,
		sources:    slices.Concat(s.sources, b.sources),
		strategies: slices.Concat(s.strategies, b.strategies),
		extensions: slices.Concat(s.extensions, b.extensions),
		plugins:    slices.Concat(s.plugins, b.plugins),
	}
	slices.SortStableFunc(next.extensions, func(a, b *installedExtension) int {
		return jsonvalue.CompareKeys(a.key, b.key)
	})
	slices.SortStableFunc(next.plugins, func(a, b *installedPlugin) int {
		return jsonvalue.CompareKeys(a.key, b.key)
	})
	return next
}

func (s *snapshot) without(b *snapshot) *snapshot {
	return &snapshot{
		revision:   s.revision + 1,
		sources:    less(s.sources, b.sources),
		strategies: less(s.strategies, b.strategies),
		extensions: less(s.extensions, b.extensions),
		plugins:    less(s.plugins, b.plugins),
	}
}

// less returns the items without those taken; the same pointers, not the same keys.
func less[T any](items, taken []*T) []*T {
	return slices.DeleteFunc(slices.Clone(items), func(item *T) bool { return slices.Contains(taken, item) })
}

// check looks at what concerns several contributions at once.
func (s *snapshot) check() error {
	if err := s.checkSlots(); err != nil {
		return err
	}
	if err := s.checkKeys(); err != nil {
		return err
	}
	return s.checkPlugins()
}

// checkSlots gives each slot of a Strategy one owner. An extension for any
// Strategy owns its slot in all of them, also in those that are not installed.
func (s *snapshot) checkSlots() error {
	for i, e := range s.extensions {
		m := e.def.Manifest
		for _, earlier := range s.extensions[:i] {
			o := earlier.def.Manifest
			if o.Slot != m.Slot || o.StrategyTypeID != m.StrategyTypeID && o.StrategyTypeID != anyOne && m.StrategyTypeID != anyOne {
				continue
			}
			return fmt.Errorf("memory Strategy extension slot conflict: %s/%s (%s, %s)",
				m.StrategyTypeID, m.Slot, earlier.key, e.key)
		}
	}
	return nil
}

// checkKeys finds two of a kind with one type in one batch.
func (s *snapshot) checkKeys() error {
	seen := map[string]bool{}
	for _, key := range s.keys() {
		if seen[key] {
			return fmt.Errorf("memory contribution instanceKey is duplicated: %s", key)
		}
		seen[key] = true
	}
	return nil
}

func (s *snapshot) keys() []string {
	var keys []string
	for _, i := range s.sources {
		keys = append(keys, i.key)
	}
	for _, i := range s.strategies {
		keys = append(keys, i.key)
	}
	for _, i := range s.extensions {
		keys = append(keys, i.key)
	}
	return keys
}

// checkPlugins holds each descriptor against what its Entry contributes.
func (s *snapshot) checkPlugins() error {
	owned := s.byEntry()
	for _, p := range s.plugins {
		items := owned[p.provenance.EntryID]
		if len(items) == 0 {
			return fmt.Errorf("memory plugin descriptor has no contribution: %s", p.key)
		}
		if slices.ContainsFunc(items, func(o ownedItem) bool { return o.packageName != p.def.packageName }) {
			return fmt.Errorf("memory plugin descriptor package does not match an owned contribution: %s", p.key)
		}
		for _, o := range items {
			if !slices.Contains(p.def.roles, o.role) {
				return fmt.Errorf("memory plugin descriptor does not declare active role: %s (%s)", o.role, p.key)
			}
		}
	}
	return nil
}

// ownedItem is what a descriptor has to agree with.
type ownedItem struct{ role, packageName string }

func (s *snapshot) byEntry() map[string][]ownedItem {
	owned := map[string][]ownedItem{}
	add := func(role string, p Provenance) {
		owned[p.EntryID] = append(owned[p.EntryID], ownedItem{role, p.PackageName})
	}
	for _, i := range s.sources {
		add("source", i.provenance)
	}
	for _, i := range s.strategies {
		add("strategy", i.provenance)
	}
	for _, i := range s.extensions {
		add("strategy-extension", i.provenance)
	}
	return owned
}
