package wire

import "time"

// Verb names what a frame asks for. Each has a body, a struct of this file.
type Verb string

// What the host asks of a sandbox. The reply is the type that stands after the
// arrow; Empty stands for none.
const (
	VerbStart       Verb = "start"        // Start -> Started
	VerbLoad        Verb = "load"         // Empty -> Empty
	VerbBeginUnload Verb = "begin-unload" // Empty -> Empty, when all disposers have been started
	VerbEndUnload   Verb = "end-unload"   // Empty -> Empty, when all have ended
	VerbInvoke      Verb = "invoke"       // Invoke -> Value
	VerbExecute     Verb = "execute"      // Execute -> ToolResult
	VerbFire        Verb = "fire"         // Fire -> Value
	VerbPing        Verb = "ping"         // Empty -> anything, at once, whatever the script does
)

// What each side may ask of the other.
const (
	VerbCall  Verb = "call"  // CallFunc -> Value, of a Func that lives at the other side or beyond it
	VerbAwait Verb = "await" // AwaitPromise -> Value, when it has settled
	VerbAbort Verb = "abort" // tell Abort: a Signal of the teller's has been aborted

	VerbRelease Verb = "release" // tell Release: what is used no more; Peers do it by themselves
)

// What a sandbox asks of the host.
const (
	VerbService    Verb = "service"    // Name -> Found
	VerbInjected   Verb = "injected"   // Name -> Found
	VerbLive       Verb = "live"       // Name -> Found, without a value
	VerbProvide    Verb = "provide"    // Provide -> Empty
	VerbWithdraw   Verb = "withdraw"   // ID -> Empty
	VerbOn         Verb = "on"         // On -> Empty
	VerbOff        Verb = "off"        // ID -> Empty
	VerbRegister   Verb = "register"   // Register -> Empty
	VerbUnregister Verb = "unregister" // ID -> Empty
	VerbTools      Verb = "tools"      // Empty -> Tools
	VerbNext       Verb = "next"       // ID (the Next of a Fire) -> Value
	VerbLog        Verb = "log"        // tell Log
	VerbReport     Verb = "report"     // tell Report
	VerbHandlers   Verb = "handlers"   // tell Handlers, whenever they change
	VerbLimit      Verb = "limit"      // tell Limit: the last thing that such a sandbox says
)

// Empty is a body that says nothing.
type Empty struct{}

// Value is a body that is one value.
type Value struct{ Value any }

// ID is a body that names what the sandbox has registered, or a Next.
type ID struct{ ID uint64 }

// Name is a body that names a service.
type Name struct{ Name string }

// Found is a service, if there is one.
type Found struct {
	Value any
	OK    bool
}

// Start is the text of one activation.
type Start struct {
	PluginID, PackageID, RunID string
	Code                       string
	EvalTimeout                time.Duration // of the synchronous part of the evaluation
}

// Started says what the evaluation returned.
type Started struct {
	Name     string
	Inject   []string
	Function bool // the function form, which declares nothing
}

// Invoke calls a handler.
type Invoke struct {
	Method string
	Args   any
}

// Execute runs a tool of the sandbox; Args have been checked. The end of the
// call's ctx aborts the signal that execute is given.
type Execute struct {
	Tool uint64
	Args any
}

// ToolResult is what a tool came to.
type ToolResult struct {
	Value   any
	Content []any
	Meta    any // Undefined for none
}

// Fire calls a listener. Next is 0 but in a waterfall. One that gave a promise
// gives a Promise at once, and what that fails with is told by a Report; in a
// waterfall the reply comes when it has settled.
type Fire struct {
	Listener uint64
	Args     []any
	Next     uint64
}

// CallFunc calls a Func.
type CallFunc struct {
	Func Func
	Args []any
}

// AwaitPromise waits for a Promise.
type AwaitPromise struct{ Promise Promise }

// Abort says that a Signal has been aborted.
type Abort struct {
	Signal Handle
	Reason string
}

// Provide makes a service.
type Provide struct {
	ID    uint64
	Name  string
	Value any
}

// On registers a listener.
type On struct {
	ID            uint64
	Event         string
	Prepend, Once bool
}

// Register makes a tool callable.
type Register struct {
	ID   uint64
	Tool ToolDefinition
}

// ToolDefinition is a tool as the registry knows it; Parameters and Output are
// JSON Schemas of the enforced subset.
type ToolDefinition struct {
	Name, Description  string
	Parameters, Output any
	Timeout            time.Duration // 0: the default
}

// Tools are the tools that the Session sees.
type Tools struct{ Tools []ToolDefinition }

// Log is a line that the plugin wrote. Text has no prefix and no line end.
type Log struct{ Level, Text string }

// Report is a failure that nobody waits for. The kinds are those of package half.
type Report struct{ Kind, Guard, Message, Stack string }

// Handlers are the methods that can be invoked, in the order of their
// registration.
type Handlers struct{ Methods []string }

// Limit says which limit of the sandbox was passed, where.
type Limit struct{ Limit, Phase, Bound string }
