package host

import "errors"

// Identities, as spec/cordis.md 2.1 forms them.
type (
	SessionID string
	PluginID  string
	PackageID string
	RunID     string
	RequestID string
)

// Host is the authority of one workspace. Its methods may be called from any
// goroutine.
type Host struct{}

// New starts a host.
func New(c Config) (*Host, error) { return nil, errNotBuilt }

var errNotBuilt = errors.New("not built yet")
