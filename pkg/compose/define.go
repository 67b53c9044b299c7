package compose

import (
	"errors"
	"fmt"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// apiVersion is what manifests of Sources, Strategies and extensions name.
const apiVersion = "dsh-mnemon/v1"

// anyOne stands for every Strategy as the target of an extension and for every
// role in a Strategy's list of roles.
const anyOne = "*"

// SourceManifest is a validated manifest; Raw is what was kept of it.
type SourceManifest struct {
	TypeID, PackageName, Role, Consistency string
	Capabilities                           []string
	Routes                                 []RouteManifest
	Actions                                []ActionManifest
	Management                             any // nil: none
	Raw                                    *jsonvalue.Object
}

// RouteManifest declares a read. Zero limits are absent.
type RouteManifest struct {
	ID, Description, Capability         string
	InputSchema                         any
	MaxCalls, MaxResults, MaxCharacters int
	Raw                                 *jsonvalue.Object
}

// ActionManifest declares a write.
type ActionManifest struct {
	ID, Description, Capability, Authority string
	InputSchema                            any
	Raw                                    *jsonvalue.Object
}

// StrategyManifest is a validated manifest.
type StrategyManifest struct {
	TypeID, PackageName               string
	SupportedSourceRoles              []string
	MaxSources, MaxRoutes, MaxActions int
	ExtensionSlots                    []string
	Raw                               *jsonvalue.Object
}

// ExtensionManifest is a validated manifest.
type ExtensionManifest struct {
	TypeID, PackageName, StrategyTypeID, Slot string
	Raw                                       *jsonvalue.Object
}

// Checker is a Strategy that may turn out to be malformed when it is defined: a
// createTurn that is no function. Check is asked in its place among the checks.
type Checker interface {
	Check() error
}

// DefineSource validates a definition (3.2). manifest may hold jsonvalue.Foreign;
// create may be nil, which is refused in its place among the checks.
func DefineSource(manifest any, create SourceFactory) (*SourceDefinition, error) {
	raw, err := members(manifest, "memory Source manifest")
	if err != nil {
		return nil, err
	}
	m, err := sourceIdentity(raw)
	if err != nil {
		return nil, err
	}
	if create == nil {
		return nil, fmt.Errorf("memory Source create() is required: %s", m.TypeID)
	}
	if err := m.operations(raw); err != nil {
		return nil, err
	}
	m.Raw, err = cloneObject(raw.With(
		"typeId", m.TypeID, "packageName", m.PackageName, "role", m.Role,
		"capabilities", jsonvalue.Texts(m.Capabilities),
		"routes", routesRaw(m.Routes), "actions", actionsRaw(m.Actions),
	), "memory Source manifest")
	if err != nil {
		return nil, err
	}
	m.Management, _ = m.Raw.Get("management")
	return &SourceDefinition{Manifest: m, Create: create}, nil
}

// sourceIdentity reads what says which Source it is.
func sourceIdentity(raw *jsonvalue.Object) (*SourceManifest, error) {
	if v := member(raw, "apiVersion"); v != apiVersion {
		return nil, fmt.Errorf("unsupported memory Source API: %s", printed(v))
	}
	if member(raw, "kind") != "source" {
		return nil, errors.New("memory Source manifest kind must be source")
	}
	var m SourceManifest
	var err error
	if m.TypeID, err = id(member(raw, "typeId"), "memory Source typeId"); err != nil {
		return nil, err
	}
	if m.PackageName, err = packageName(member(raw, "packageName"), "memory Source"); err != nil {
		return nil, err
	}
	if m.Role, err = id(member(raw, "role"), "memory Source role"); err != nil {
		return nil, err
	}
	m.Consistency, err = consistency(member(raw, "consistency"))
	return &m, err
}

func consistency(v any) (string, error) {
	switch v {
	case "exact-snapshot", "namespace-pinned-live-read":
		return v.(string), nil
	}
	return "", fmt.Errorf("unsupported memory Source consistency: %s", printed(v))
}

// operations reads what the Source can do.
func (m *SourceManifest) operations(raw *jsonvalue.Object) (err error) {
	if m.Routes, err = routes(member(raw, "routes")); err != nil {
		return err
	}
	if m.Actions, err = actions(member(raw, "actions")); err != nil {
		return err
	}
	m.Capabilities, err = capabilities(member(raw, "capabilities"), "memory Source capability")
	return err
}

// DefineStrategy validates a definition (3.8).
func DefineStrategy(manifest any, s Strategy) (*StrategyDefinition, error) {
	raw, err := members(manifest, "memory Strategy manifest")
	if err != nil {
		return nil, err
	}
	m, err := strategyIdentity(raw)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("memory Strategy compose() is required: %s", m.TypeID)
	}
	if c, ok := s.(Checker); ok {
		if err := c.Check(); err != nil {
			return nil, err
		}
	}
	if err := m.limits(raw); err != nil {
		return nil, err
	}
	changed := raw.With(
		"typeId", m.TypeID, "packageName", m.PackageName,
		"supportedSourceRoles", jsonvalue.Texts(m.SupportedSourceRoles),
		"maxSources", float64(m.MaxSources), "maxRoutes", float64(m.MaxRoutes), "maxActions", float64(m.MaxActions),
	)
	if m.ExtensionSlots != nil {
		changed.Set("extensionSlots", jsonvalue.Texts(m.ExtensionSlots))
	}
	if m.Raw, err = cloneObject(changed, "memory Strategy manifest"); err != nil {
		return nil, err
	}
	return &StrategyDefinition{Manifest: m, Strategy: s}, nil
}

func strategyIdentity(raw *jsonvalue.Object) (*StrategyManifest, error) {
	if v := member(raw, "apiVersion"); v != apiVersion {
		return nil, fmt.Errorf("unsupported memory Strategy API: %s", printed(v))
	}
	if member(raw, "kind") != "strategy" {
		return nil, errors.New("memory Strategy manifest kind must be strategy")
	}
	var m StrategyManifest
	var err error
	if m.TypeID, err = id(member(raw, "typeId"), "memory Strategy typeId"); err != nil {
		return nil, err
	}
	if m.PackageName, err = packageName(member(raw, "packageName"), "memory Strategy"); err != nil {
		return nil, err
	}
	if member(raw, "deterministic") != true {
		return nil, errors.New("memory Strategy must declare deterministic: true")
	}
	return &m, nil
}

// limits reads what the Strategy admits.
func (m *StrategyManifest) limits(raw *jsonvalue.Object) (err error) {
	if m.SupportedSourceRoles, err = supportedRoles(member(raw, "supportedSourceRoles")); err != nil {
		return err
	}
	for _, limit := range []struct {
		name string
		to   *int
	}{{"maxSources", &m.MaxSources}, {"maxRoutes", &m.MaxRoutes}, {"maxActions", &m.MaxActions}} {
		if *limit.to, err = positiveInteger(member(raw, limit.name), "memory Strategy "+limit.name, 1000); err != nil {
			return err
		}
	}
	if slots := member(raw, "extensionSlots"); !isUndefined(slots) {
		m.ExtensionSlots, err = uniqueIDs(slots, "memory Strategy extension slot")
	}
	return err
}

// supportedRoles returns the roles; the wildcard stands alone.
func supportedRoles(v any) ([]string, error) {
	const label = "memory Strategy supported Source role"
	roles, _ := v.([]any)
	for _, role := range roles {
		if role != anyOne {
			continue
		}
		if len(roles) > 1 {
			return nil, fmt.Errorf("%ss must list the any-role wildcard alone", label)
		}
		return []string{anyOne}, nil
	}
	return uniqueIDs(v, label)
}

// DefineExtension validates a definition (3.9).
func DefineExtension(manifest any, e Extension) (*ExtensionDefinition, error) {
	raw, err := members(manifest, "memory Strategy extension manifest")
	if err != nil {
		return nil, err
	}
	m, err := extensionIdentity(raw)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, errors.New("memory Strategy extension contribute() is required")
	}
	if err := m.target(raw); err != nil {
		return nil, err
	}
	m.Raw, err = cloneObject(raw.With(
		"packageName", m.PackageName, "typeId", m.TypeID, "strategyTypeId", m.StrategyTypeID, "slot", m.Slot,
	), "memory Strategy extension manifest")
	if err != nil {
		return nil, err
	}
	return &ExtensionDefinition{Manifest: m, Extension: e}, nil
}

func extensionIdentity(raw *jsonvalue.Object) (*ExtensionManifest, error) {
	if v := member(raw, "apiVersion"); v != apiVersion {
		return nil, fmt.Errorf("unsupported memory Strategy extension API: %s", printed(v))
	}
	if member(raw, "kind") != "strategy-extension" {
		return nil, errors.New("memory Strategy extension kind must be strategy-extension")
	}
	var m ExtensionManifest
	var err error
	if m.PackageName, err = packageName(member(raw, "packageName"), "memory Strategy extension"); err != nil {
		return nil, err
	}
	if member(raw, "deterministic") != true {
		return nil, errors.New("memory Strategy extension must declare deterministic: true")
	}
	return &m, nil
}

// target reads which slot of which Strategy the extension fills.
func (m *ExtensionManifest) target(raw *jsonvalue.Object) (err error) {
	if m.TypeID, err = id(member(raw, "typeId"), "memory Strategy extension typeId"); err != nil {
		return err
	}
	if m.StrategyTypeID, err = targetID(member(raw, "strategyTypeId")); err != nil {
		return err
	}
	if m.Slot, err = id(member(raw, "slot"), "memory Strategy extension slot"); err != nil {
		return err
	}
	if m.StrategyTypeID == anyOne && !isStandardSlot(m.Slot) {
		return fmt.Errorf("memory Strategy extension for any Strategy must use a standard slot: %s", m.Slot)
	}
	return nil
}

func targetID(v any) (string, error) {
	if v == anyOne {
		return anyOne, nil
	}
	return id(v, "memory Strategy extension target")
}

func cloneObject(o *jsonvalue.Object, label string) (*jsonvalue.Object, error) {
	v, err := jsonvalue.Clone(o, label)
	if err != nil {
		return nil, err
	}
	return v.(*jsonvalue.Object), nil
}
