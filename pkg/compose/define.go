package compose

import "github.com/dshkit/dshkit/pkg/jsonvalue"

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
	TypeID, PackageName              string
	SupportedSourceRoles             []string
	MaxSources, MaxRoutes, MaxActions int
	ExtensionSlots                   []string
	Raw                              *jsonvalue.Object
}

// ExtensionManifest is a validated manifest.
type ExtensionManifest struct {
	TypeID, PackageName, StrategyTypeID, Slot string
	Raw                                       *jsonvalue.Object
}

// DefineSource validates a definition (3.2). manifest may hold jsonvalue.Foreign;
// create may be nil, which is refused in its place among the checks.
func DefineSource(manifest any, create SourceFactory) (*SourceDefinition, error) { panic("not built") }

// DefineStrategy validates a definition (3.8).
func DefineStrategy(manifest any, s Strategy) (*StrategyDefinition, error) { panic("not built") }

// DefineExtension validates a definition (3.9).
func DefineExtension(manifest any, e Extension) (*ExtensionDefinition, error) { panic("not built") }

// DefinePlugin validates a descriptor (3.1) and returns it as it is kept.
func DefinePlugin(descriptor any) (*jsonvalue.Object, error) { panic("not built") }

// ViewExtensionValue validates the value of a standard slot (13, newer wording).
func ViewExtensionValue(slot string, value any) (any, error) { panic("not built") }
