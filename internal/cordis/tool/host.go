package tool

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/inspect"
)

// Host is what the tools need of a host. Each method acts for one Session, to
// which a Plugin of another one does not exist. An error is a fault with a code
// of spec/cordis.md 17.3 in kebab case.
type Host interface {
	// Providers are the manifests of the Host and of the Client, as
	// inspect.Registry.List has them.
	Providers(ctx context.Context) []any
	// Query asks a provider; a question to the Client waits until ctx ends.
	Query(ctx context.Context, session string, q inspect.Question) (any, error)
	// Self is one of the three layers of spec/cordis.md 3.8. Empty ids are not
	// given; a packageID comes with a pluginID.
	Self(ctx context.Context, session, pluginID, packageID string) (any, error)
	// Define records a Package.
	Define(ctx context.Context, session string, d Definition) (Defined, error)
	// Run activates a Package, or asks for the approval of it.
	Run(ctx context.Context, session string, r Running) (Ran, error)
	// Stop ends the run of a Plugin and its pending request. One that has neither
	// is no error.
	Stop(ctx context.Context, session, pluginID string) error
	// Undefine removes a Plugin and says whether it ran.
	Undefine(ctx context.Context, session, pluginID string) (wasRunning bool, err error)
}

// Definition is what cordis_define was asked. One of Prefix and PluginID is set
// by the kind of its selector; New says which.
type Definition struct {
	New              bool
	Prefix, PluginID string
	Name, Purpose    string
	Host, Client     *string // nil: the Package lacks that half; an empty one is there
}

// Mode is how a Package is activated.
type Mode string

// The modes.
const (
	ModeRun    Mode = "run"
	ModeUpdate Mode = "update"
)

// Running is what cordis_run was asked.
type Running struct {
	PluginID, PackageID string
	Mode                Mode
}

// Defined is what cordis_define answers.
type Defined struct {
	PluginID      string `json:"pluginId"`
	PackageID     string `json:"packageId"`
	Name          string `json:"name"`
	Purpose       string `json:"purpose"`
	HasHostHalf   bool   `json:"hasHostHalf"`
	HasClientHalf bool   `json:"hasClientHalf"`
}

// Status is how far cordis_run came.
type Status string

// What cordis_run answers.
const (
	StatusRunning  Status = "running"
	StatusAwaiting Status = "awaiting-approval"
	StatusStarting Status = "starting"
)

// Ran is what cordis_run answers (spec/cordis.md 3.4): with Host and Client when
// it is running, with Mode otherwise.
type Ran struct {
	Status           Status      `json:"status"`
	PluginID         string      `json:"pluginId"`
	PackageID        string      `json:"packageId"`
	PluginRunID      string      `json:"pluginRunId"`
	Mode             Mode        `json:"mode,omitempty"`
	CurrentPackageID string      `json:"currentPackageId,omitempty"`
	NextPackageID    string      `json:"nextPackageId,omitempty"`
	Host             *HostHalf   `json:"host,omitempty"`
	Client           *ClientHalf `json:"client,omitempty"`
}

// HostHalf is the state of a Host half. An absent list is [].
type HostHalf struct {
	Status     string   `json:"status"`
	Provides   []string `json:"provides"`
	WaitingFor []string `json:"waitingFor"`
}

// ClientHalf is the state of a Client half. An absent list is [].
type ClientHalf struct {
	Status     string   `json:"status"`
	WaitingFor []string `json:"waitingFor"`
}

// Providers is what cordis_inspect_list answers.
type Providers struct {
	Providers []any `json:"providers"`
}

// Answered is what cordis_inspect_query answers.
type Answered struct {
	Platform inspect.Platform `json:"platform"`
	Provider string           `json:"provider"`
	Method   string           `json:"method"`
	Data     any              `json:"data"`
}

// Stopped is what cordis_stop answers.
type Stopped struct {
	PluginID string `json:"pluginId"`
}

// Undefined is what cordis_undefine answers.
type Undefined struct {
	PluginID   string `json:"pluginId"`
	WasRunning bool   `json:"wasRunning"`
}
