package registry

// PluginID names a Plugin: <prefix>-<n>, n from one counter for all prefixes.
type PluginID string

// PackageID names an immutable Package: pkg-<n>.
type PackageID string

// RunID names an attempt and the physical run that may come of it: run-<n>.
type RunID string

// RequestID names a request for a page: approval-<n>.
type RequestID string

// Session is who owns a Plugin; on the wire it is agentId.
type Session string

// PageID names a page that is connected. The empty PageID is a caller that takes
// no part in leases; it may always answer.
type PageID string

// Ticket is the host's own number for a command that waits for its Answer.
type Ticket uint64

// Mode is what a run is for.
type Mode string

// The modes.
const (
	ModeRun    Mode = "run"    // the first version, the current one again, back to it
	ModeUpdate Mode = "update" // another version than the current one
)

// Status is where an attempt stands.
type Status string

// The statuses of an attempt (spec/cordis.md 2.5).
const (
	AwaitingApproval Status = "awaiting-approval"
	StartingHost     Status = "starting-host"
	ClientPending    Status = "client-pending"
	Running          Status = "running"
	Waiting          Status = "waiting"
	Rejected         Status = "rejected"
	Failed           Status = "failed"
	Cancelled        Status = "cancelled" // its request ended before anything was started
	Stopped          Status = "stopped"
)

// HalfStatus is where one half of an attempt stands.
type HalfStatus string

// The statuses of a half.
const (
	HalfAbsent  HalfStatus = "absent"
	HalfPending HalfStatus = "pending"
	HalfStopped HalfStatus = "stopped"
	HalfRunning HalfStatus = "running"
	HalfWaiting HalfStatus = "waiting"
	HalfFailed  HalfStatus = "failed"
)

// Phase is how far an attempt had come when it failed (spec/cordis.md 14.3).
type Phase string

// The phases.
const (
	PhaseApproval     Phase = "approval"
	PhaseHostLoad     Phase = "host-load"
	PhaseHostApply    Phase = "host-apply"
	PhaseClientLoad   Phase = "client-load"
	PhaseClientApply  Phase = "client-apply"
	PhaseClientRender Phase = "client-render"
)

// State is a Plugin in one word, for inspect self (spec/cordis.md 2.9).
type State string

// The states of a Plugin.
const (
	StateDefined          State = "defined"
	StateAwaitingApproval State = "awaiting-approval"
	StateClientPending    State = "client-pending"
	StateRunning          State = "running"
	StateWaiting          State = "waiting"
	StateFailed           State = "failed"
	StateStopped          State = "stopped"
)

// Outcome is how a request ended.
type Outcome string

// The outcomes of a request.
const (
	OutcomeApproved  Outcome = "approved"  // a person said yes, and it came to run
	OutcomeCompleted Outcome = "completed" // nobody had to be asked, and it came to run
	OutcomeRejected  Outcome = "rejected"
	OutcomeCancelled Outcome = "cancelled"
	OutcomeFailed    Outcome = "failed"
)

// Side is one of the two halves.
type Side string

// The halves of a Package.
const (
	Host   Side = "host"
	Client Side = "client"
)
