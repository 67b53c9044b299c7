package compose

import (
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// soleStrategy is the Settings.StrategyFallback that lets the only installed
// Strategy stand in for a type that is not there.
const soleStrategy = "sole-strategy"

// diagnostic is a note on a composition; key names the contribution it is on, if
// it is on one.
type diagnostic struct{ code, key, message string }

func (d diagnostic) value() *jsonvalue.Object {
	o := jsonvalue.Of("code", d.code, "message", d.message)
	if d.key != "" {
		o.Set("contributionInstanceKey", d.key)
	}
	return o
}

// selectStrategy returns the Strategy that the settings name. The order of
// installation never decides.
func selectStrategy(s *snapshot, set Settings) (*installedStrategy, []diagnostic, error) {
	if set.StrategyInstanceKey != "" {
		chosen, err := strategyOfKey(s, set.StrategyInstanceKey)
		return chosen, nil, err
	}
	if set.StrategyTypeID != "" {
		return strategyOfType(s, set)
	}
	if len(s.strategies) != 1 {
		return nil, nil, fmt.Errorf("exactly one memory Strategy must be selected; found %d", len(s.strategies))
	}
	return s.strategies[0], nil, nil
}

func strategyOfKey(s *snapshot, name string) (*installedStrategy, error) {
	key, err := instanceKey(name, "strategy")
	if err != nil {
		return nil, err
	}
	for _, i := range s.strategies {
		if i.key == key {
			return i, nil
		}
	}
	return nil, fmt.Errorf("selected memory Strategy instance is unavailable: %s", key)
}

func strategyOfType(s *snapshot, set Settings) (*installedStrategy, []diagnostic, error) {
	typeID, err := id(set.StrategyTypeID, "selected memory Strategy typeId")
	if err != nil {
		return nil, nil, err
	}
	var matches []*installedStrategy
	for _, i := range s.strategies {
		if i.def.Manifest.TypeID == typeID {
			matches = append(matches, i)
		}
	}
	switch {
	case len(matches) == 1:
		return matches[0], nil, nil
	case len(matches) > 1:
		return nil, nil, fmt.Errorf("selected memory Strategy type is ambiguous: %s", typeID)
	case set.StrategyFallback == soleStrategy && len(s.strategies) == 1:
		return s.strategies[0], []diagnostic{fallback(typeID, s.strategies[0])}, nil
	}
	return nil, nil, fmt.Errorf("selected memory Strategy type is unavailable: %s", typeID)
}

func fallback(typeID string, only *installedStrategy) diagnostic {
	return diagnostic{"strategy-fallback", only.key, fmt.Sprintf(
		"Selected Strategy %s is unavailable; composing with the only installed Strategy %s.",
		typeID, only.def.Manifest.TypeID)}
}

// admitExtensions returns the extensions that take part with the Strategy, in the
// order of their keys, and a note on each of the others.
func admitExtensions(s *snapshot, st *installedStrategy) (active []*installedExtension, inactive []diagnostic, err error) {
	strategy := st.def.Manifest
	for _, e := range s.extensions {
		m := e.def.Manifest
		accepted := slices.Contains(strategy.ExtensionSlots, m.Slot)
		switch {
		case m.StrategyTypeID == strategy.TypeID && !accepted:
			return nil, nil, fmt.Errorf("memory Strategy does not support extension slot: %s (%s)", m.Slot, e.key)
		case m.StrategyTypeID == anyOne && !accepted:
			inactive = append(inactive, diagnostic{"strategy-extension-inactive", e.key, fmt.Sprintf(
				"Selected Strategy %s does not accept the %s slot.", strategy.TypeID, m.Slot)})
		case m.StrategyTypeID != strategy.TypeID && m.StrategyTypeID != anyOne:
			inactive = append(inactive, diagnostic{"strategy-extension-inactive", e.key, fmt.Sprintf(
				"Strategy extension targets %s; selected Strategy is %s.", m.StrategyTypeID, strategy.TypeID)})
		default:
			active = append(active, e)
		}
	}
	return active, inactive, nil
}
