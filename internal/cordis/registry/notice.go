package registry

// Topic is what a Notice is about (spec/cordis.md 14.4, 14.5).
type Topic string

// The topics. The first seven wake the owner, the others wait for its next step.
const (
	TopicRunSucceeded  Topic = "run-succeeded"
	TopicRunRejected   Topic = "run-rejected"
	TopicRunFailed     Topic = "run-failed"
	TopicHandlerFailed Topic = "handler-failed"
	TopicGuardRejected Topic = "guard-rejected"
	TopicRenderFailed  Topic = "render-failed"
	TopicCodeFailed    Topic = "code-failed" // ours: a timer, a listener, a promise nobody waits for

	TopicUserRan       Topic = "user-ran"
	TopicUserRunFailed Topic = "user-run-failed"
	TopicUserStopped   Topic = "user-stopped"
	TopicUserRemoved   Topic = "user-removed"
)

// Steers says whether the topic wakes the owner.
func (t Topic) Steers() bool {
	switch t {
	case TopicUserRan, TopicUserRunFailed, TopicUserStopped, TopicUserRemoved:
		return false
	}
	return true
}

// Notice is something that the owner of a Plugin must be told. A field that is not
// of its topic is empty.
type Notice struct {
	Topic     Topic
	Session   Session
	PluginID  PluginID
	PackageID PackageID
	RunID     RunID
	Mode      Mode
	Current   PackageID       // empty: none
	Next      PackageID       // empty: none
	Returned  RequestedStatus // what cordis_run had answered
	Reason    Reason          // host-half-failed or client-half-failed
	Message   string
	Stack     string
	Slot      string
	Abdicated bool
	Side      Side   // of guard-rejected and code-failed
	Method    string // of handler-failed
	Where     string // of code-failed: timer, listener, promise, disposer, effect, limit
	Last      bool   // the run has failed so often that this is the last one told
}

// notice says of which run it is, and where the pointers stand.
func (p *plugin) notice(run *run, n Notice) Notice {
	n.Session, n.PluginID, n.Current, n.Next = p.session, p.id, p.current, p.next
	if run != nil {
		n.PackageID, n.RunID, n.Mode = run.pkg.id, run.id, run.mode
	}
	return n
}
