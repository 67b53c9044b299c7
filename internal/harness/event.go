package harness

import "github.com/dshkit/dshkit/pkg/text"

// Kind is what an event means to us (spec/harness-hooks.md 2.1).
type Kind string

// The kinds of events.
const (
	Start         Kind = "start"          // a session begins, resumes, was cleared or compacted: see Source
	Prompt        Kind = "prompt"         // a person's words
	ToolOK        Kind = "tool-ok"        // a tool answered
	ToolFailed    Kind = "tool-failed"    // a tool answered with a failure
	AgentError    Kind = "agent-error"    // the agent itself failed: the model's service, a limit
	Stop          Kind = "stop"           // the turn is over
	SubagentStart Kind = "subagent-start" // a delegated session begins
	SubagentStop  Kind = "subagent-stop"  // a delegated session is over
	Compact       Kind = "compact"        // the conversation is about to be shortened
	Idle          Kind = "idle"           // the agent waits for a person
	End           Kind = "end"            // the session is over
	Feedback      Kind = "feedback"       // a person judged a reply; the judgement is Prompt, its identity Tool.ID
	Ignore        Kind = "ignore"         // nothing for us
)

// Event is one payload understood. Its texts come from outside and are valid
// UTF-8 without NUL; whoever stores them passes them through the gate first.
type Event struct {
	Harness    Harness
	Name       string // the harness's own name of the event
	Kind       Kind
	Session    string
	Parent     string // the session that delegated, where it is told
	Agent      string // the delegated agent's id
	Delegated  bool   // from a delegated session: no injection, errors roll up
	Source     string // of Start: startup, resume, clear, compact, fork
	Reason     string // of End, Compact, AgentError and a SubagentStop that is not well, in the harness's words
	Dir        string // the session's directory, as the harness writes it
	Transcript string // the session's log, as the harness writes it; may be ""
	Prompt     string // the person's words, without our own and the harness's text, at most maxText bytes
	Reply      string // the agent's last words, of Stop and SubagentStop, at most maxText bytes
	Tool       Tool
	Error      string // of AgentError
	StopActive bool   // this stop was already held up once: never hold it up again
}

// Tool is a tool call with its answer.
type Tool struct {
	ID     string
	Name   string
	Input  string // the command, the path, the files touched
	Output string // at most maxText bytes
	Error  string // of a failure, at most maxText bytes
	Failed bool
}

// Decode reads a payload of the harness h. What cannot be understood is left
// empty, and an event that is not for us has Kind Ignore. For a harness that is
// not Known the kind is always Ignore.
func Decode(h Harness, p Payload) Event {
	ev := Event{
		Harness:    h,
		Name:       p.text("hook_event_name"),
		Kind:       Ignore,
		Session:    p.text("session_id"),
		Dir:        p.text("cwd"),
		Transcript: p.text("transcript_path"),
	}
	d := dialectOf(h)
	if d == nil || p.Empty() {
		return ev
	}
	d.event(p, &ev)
	ev.bound()
	return ev
}

// maxName bounds an identity and the name of a tool, in UTF-16 code units.
const maxName = 256

// bound cuts what is longer than anybody needs: a pasted log, a tool name that
// somebody else's server made up.
func (ev *Event) bound() {
	ev.Prompt, ev.Reply = clip(ev.Prompt), clip(ev.Reply)
	ev.Session, ev.Agent = text.Head(ev.Session, maxName), text.Head(ev.Agent, maxName)
	ev.Tool.ID, ev.Tool.Name = text.Head(ev.Tool.ID, maxName), text.Head(ev.Tool.Name, maxName)
}

// readCommon reads the events that Claude Code, Codex and the bridges of DSH
// have in common, under Claude's names.
func readCommon(p Payload, ev *Event, wrappers []string) {
	if agent := p.text("agent_id"); agent != "" {
		ev.Agent, ev.Delegated, ev.Parent = agent, true, ev.Session
	}
	switch ev.Name {
	case "SessionStart":
		ev.Kind, ev.Source = Start, p.text("source")
	case "UserPromptSubmit":
		readPrompt(p.words("prompt"), ev, wrappers)
	case "PostToolUse":
		ev.Kind, ev.Tool = ToolOK, readTool(p)
	case "Stop":
		ev.Kind, ev.Reply, ev.StopActive = Stop, p.words("last_assistant_message"), p.flag("stop_hook_active")
	case "SubagentStart":
		ev.Kind = SubagentStart
	case "SubagentStop":
		ev.Kind, ev.Reply, ev.StopActive = SubagentStop, p.words("last_assistant_message"), p.flag("stop_hook_active")
	case "PreCompact":
		ev.Kind, ev.Reason = Compact, p.text("trigger")
	case "SessionEnd":
		ev.Kind, ev.Reason = End, p.text("reason")
	}
}

// readPrompt keeps a person's words; a prompt that was only ours is no event.
func readPrompt(said string, ev *Event, wrappers []string) {
	if ev.Prompt = humanWords(said, wrappers); ev.Prompt != "" {
		ev.Kind = Prompt
	}
}

// readTool reads a call and its answer.
func readTool(p Payload) Tool {
	name := p.text("tool_name")
	return Tool{
		ID:     p.text("tool_use_id"),
		Name:   name,
		Input:  toolInput(p.doc.Get("tool_input")),
		Output: toolOutput(p.doc.Get("tool_response")),
	}
}

// delegatedBy makes the event one of the session parent, which delegated it to
// the session that it names; "" leaves it as it is.
func (ev *Event) delegatedBy(parent string) {
	if parent != "" {
		ev.Agent, ev.Session, ev.Parent, ev.Delegated = ev.Session, parent, parent, true
	}
}

// delegatedKind turns the start and the end of a delegated session into what they
// are for the session that delegated. Its turns are nobody's.
func (ev *Event) delegatedKind() {
	switch ev.Kind {
	case Start:
		ev.Kind, ev.Source = SubagentStart, ""
	case End:
		ev.Kind, ev.Reason = SubagentStop, ""
	case Prompt, Stop, Compact, Idle, Feedback:
		ev.Kind, ev.Reply = Ignore, ""
	}
}

// fail marks the tool event as a failure whose message is text.
func (ev *Event) fail(text string) {
	ev.Kind, ev.Tool.Failed, ev.Tool.Error = ToolFailed, true, clip(text)
}
