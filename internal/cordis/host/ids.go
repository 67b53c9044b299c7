package host

import (
	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// The identities and values of the registry, which callers of the host need.
type (
	SessionID = registry.Session
	PluginID  = registry.PluginID
	PackageID = registry.PackageID
	RunID     = registry.RunID
	RequestID = registry.RequestID

	// Defined is what cordis_define answers.
	Defined = registry.Defined
	// Undefined is what cordis_undefine answers.
	Undefined = registry.UndefineResult
	// ClientCode is what getClientCode answers.
	ClientCode = registry.ClientCode
	// Resolution is what a page says came of a Client half (spec/cordis.md 4.6).
	Resolution = registry.Resolution
	// RenderFailure is a crash while a page rendered.
	RenderFailure = registry.RenderFailure
	// Row is a plugin in the inventory (spec/cordis.md 5.2).
	Row = registry.Row
	// Message is one message for a Session (spec/cordis.md 14.6).
	Message = feedback.Message
)
