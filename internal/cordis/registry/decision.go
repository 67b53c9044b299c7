package registry

// Decision is what follows from a command or a report. The host does it at once
// and in this order: Events, then Do, then Notices, then Offers, then Answers.
type Decision struct {
	Events  []Event
	Do      []Action
	Notices []Notice
	Offers  []Offer
	Answers []Answer
}

// ActionKind says what an Action orders.
type ActionKind string

// The kinds of actions, and the report that must follow each.
const (
	// ActStart orders the Host half of a run. HostStarted or HostFailed follows,
	// once.
	ActStart ActionKind = "start"
	// ActCancel says that a start that was ordered is not wanted any more. It is a
	// wish: the report of the start follows as if there were none.
	ActCancel ActionKind = "cancel"
	// ActRetract orders that a run be undone: handlers, then the Fiber, to rest.
	// Retracted follows, once. It is not ordered for a run without a Host half.
	ActRetract ActionKind = "retract"
)

// Action is an order to the host about one run.
type Action struct {
	Kind      ActionKind
	Session   Session
	PluginID  PluginID
	PackageID PackageID
	RunID     RunID
	Name      string // of the Package
	HostCode  Source // of ActStart
}

// Answer is the result of the command that was given this Ticket. Each command
// gets exactly one, in its own Decision or a later one. Err is a *Refusal or an
// error of Define's check; Value is then nil.
type Answer struct {
	Ticket Ticket
	Value  Result
	Err    error
}

// Result is what a command answers: Ran, Requested, HostHalf, Accepted,
// RunResponse, StopResult, UndefineResult or ApproveResult.
type Result interface{ result() }

// Ran is the answer to a run that was waited for (spec/cordis.md 3.4).
type Ran struct {
	Status           Status    `json:"status"` // running, also when the Fiber is parked
	PluginID         PluginID  `json:"pluginId"`
	PackageID        PackageID `json:"packageId"`
	PluginRunID      RunID     `json:"pluginRunId"`
	CurrentPackageID PackageID `json:"currentPackageId"`
	NextPackageID    PackageID `json:"nextPackageId,omitempty"`
	Host             RanHost   `json:"host"`
	Client           RanClient `json:"client"`
}

// RanHost is the Host half in a Ran.
type RanHost struct {
	Status     HalfStatus `json:"status"`
	Provides   []string   `json:"provides"` // sorted
	WaitingFor []string   `json:"waitingFor"`
}

// RanClient is the Client half in a Ran: absent.
type RanClient struct {
	Status     HalfStatus `json:"status"`
	WaitingFor []string   `json:"waitingFor"`
}

// Requested is the answer to a run that a page has to carry out.
type Requested struct {
	Status           RequestedStatus `json:"status"`
	PluginID         PluginID        `json:"pluginId"`
	PackageID        PackageID       `json:"packageId"`
	PluginRunID      RunID           `json:"pluginRunId"`
	Mode             Mode            `json:"mode"`
	CurrentPackageID PackageID       `json:"currentPackageId,omitempty"`
	NextPackageID    PackageID       `json:"nextPackageId"`
	RequestID        RequestID       `json:"-"` // not part of the tool's result
}

// RequestedStatus is what a run answers that a page has to carry out.
type RequestedStatus string

// The statuses of a Requested.
const (
	ReturnedAwaiting RequestedStatus = "awaiting-approval"
	ReturnedStarting RequestedStatus = "starting"
	ReturnedRunning  RequestedStatus = "running" // of a Ran, for notices
)

// HostHalf is the answer to a page that has a Host half started (4.3).
type HostHalf struct {
	OK          bool      `json:"ok"` // true
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
	WaitingFor  []string  `json:"waitingFor"`
	StartedHere bool      `json:"startedHere"`
}

// Accepted says whether an answer to a request counted.
type Accepted struct {
	Accepted bool `json:"accepted"`
}

// RunResponse is the answer to a page that has settled a run of its user (5.1).
type RunResponse struct {
	OK               bool      `json:"ok"` // true
	Status           Status    `json:"status"`
	PluginID         PluginID  `json:"pluginId"`
	PackageID        PackageID `json:"packageId"`
	PluginRunID      RunID     `json:"pluginRunId"`
	WaitingFor       []string  `json:"waitingFor"`
	ClientWaitingFor []string  `json:"clientWaitingFor,omitempty"`
	CurrentPackageID PackageID `json:"currentPackageId,omitempty"`
	NextPackageID    PackageID `json:"nextPackageId,omitempty"`
	Mode             Mode      `json:"mode"`
}

// ApproveResult is the answer to an approval or a refusal from a shell.
type ApproveResult struct {
	RequestID   RequestID `json:"requestId"`
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
	Page        PageID    `json:"page,omitempty"` // who carries it out; empty: nobody yet
}

func (Ran) result()            {}
func (Requested) result()      {}
func (HostHalf) result()       {}
func (Accepted) result()       {}
func (RunResponse) result()    {}
func (StopResult) result()     {}
func (UndefineResult) result() {}
func (ApproveResult) result()  {}

func (d *Decision) do(kind ActionKind, p *plugin, run *run) {
	a := Action{
		Kind: kind, Session: p.session, PluginID: p.id, PackageID: run.pkg.id, RunID: run.id, Name: run.pkg.name,
	}
	if kind == ActStart {
		a.HostCode = *run.pkg.code.Host
	}
	d.Do = append(d.Do, a)
}

func (d *Decision) tell(name string, payload any) {
	d.Events = append(d.Events, Event{name, payload})
}

func (d *Decision) answer(t Ticket, v Result) {
	d.Answers = append(d.Answers, Answer{Ticket: t, Value: v})
}

func (d *Decision) refuse(t Ticket, err error) Decision {
	d.Answers = append(d.Answers, Answer{Ticket: t, Err: err})
	return *d
}

// refuseAll tells everybody who waits for a start that it came to nothing.
func (d *Decision) refuseAll(s *start, why *Refusal) {
	for _, t := range s.ran {
		d.refuse(t, why)
	}
	for _, j := range s.joined {
		d.refuse(j.ticket, why)
	}
}

func (d *Decision) notice(p *plugin, run *run, n Notice) {
	d.Notices = append(d.Notices, p.notice(run, n))
}
