package selfipcmd

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/model"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Bounds of a hook (spec/harness-hooks.md 1.4, 1.5). A hook waits for the lock
// only as long as nobody notices.
const (
	payloadWait = 1500 * time.Millisecond
	hookWait    = 25 * time.Millisecond
)

func newHook(env *cli.Env) *cobra.Command {
	env.Unanswered = unanswered
	cmd := &cobra.Command{
		Use:               "hook HARNESS [EVENT]",
		ValidArgsFunction: cli.ArgWords(harnessNames()),
		Args:              cli.ArgCount(1, -1), // Codex appends its payload as an argument
		RunE: func(cmd *cobra.Command, args []string) error {
			if !harness.Harness(args[0]).Known() {
				return unknownHarness(args[0])
			}
			return runHook(context.WithoutCancel(cmd.Context()), env, harness.Harness(args[0]), args[1:])
		},
	}
	return cli.AlwaysZero(cmd)
}

// unanswered is the reply to a command line that could not be read: one that says
// nothing, as the harness that it names wants it. To Cursor an empty one is an
// error.
func unanswered(args []string) []byte {
	for _, word := range args {
		if h := harness.Harness(word); h.Known() {
			return harness.Nothing(harness.Event{Harness: h})
		}
	}
	return harness.Nothing(harness.Event{})
}

// runHook serves one event: it writes down what it was told, then answers. What
// goes wrong is recorded and told on standard error; the answer is then the one
// that says nothing.
func runHook(ctx context.Context, env *cli.Env, hint harness.Harness, rest []string) error {
	if env.Carry != nil {
		env.Carry() // a harness that ends tells its hooks to end, before they have written a row
	}
	if env.Getenv(model.GuardVariable) != "" {
		env.Debug("not served: called from a process of ours", "variable", model.GuardVariable)
		return env.Answer(harness.Nothing(harness.Event{Harness: hint, Name: first(rest)}))
	}
	data, err := hookInput(env, hint, rest)
	if err != nil {
		env.Note("no-payload", err)
	}
	payload := harness.ParsePayload(data).Named(first(rest))
	h := harness.Detect(string(hint), payload, env.Getenv)
	if h == "" {
		h = hint
	}
	ev := harness.Decode(h, payload)
	if ev.Name == "" {
		ev.Name = first(rest)
	}
	if h != hint && installed(env, h, ev.Dir) {
		env.Debug("not served: the payload is of another harness, which has a hook of its own", "called", hint, "payload", h, "event", ev.Name)
		return env.Answer(harness.Nothing(ev)) // the caller's own entry serves this event
	}
	s := serving{env: env, event: safeNames(ev)}
	env.Debug("event", "harness", h, "name", s.event.Name, "kind", s.event.Kind, "session", s.event.Session, "delegated", s.event.Delegated)
	said := s.serve(ctx)
	if err := env.Answer(harness.Reply(ev, said, env.Say("reply-cut"))); err != nil {
		return err
	}
	return s.failure
}

// safeNames is an event with names that may be written down and be part of the
// names of files.
func safeNames(ev harness.Event) harness.Event {
	for _, name := range []*string{
		&ev.Name, &ev.Session, &ev.Parent, &ev.Agent, &ev.Source, &ev.Reason, &ev.Tool.ID, &ev.Tool.Name,
	} {
		*name = selfip.SafeName(*name)
	}
	return ev
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// kiroVariable is where the IDE of Kiro puts its payload in version 0.12, which
// leaves standard input open and silent.
const kiroVariable = "USER_PROMPT"

// hookInput reads the payload: from standard input, from the argument that
// Codex's notify appends, or from Kiro's variable.
func hookInput(env *cli.Env, h harness.Harness, rest []string) ([]byte, error) {
	if n := len(rest); h == harness.Codex && n > 0 && len(rest[n-1]) > 0 && rest[n-1][0] == '{' {
		return []byte(rest[n-1]), nil
	}
	if said := env.Getenv(kiroVariable); h == harness.Kiro && strings.HasPrefix(said, "{") {
		return []byte(said[:min(len(said), harness.MaxPayload)]), nil
	}
	if env.In == nil || env.IsTerminal != nil && env.IsTerminal(env.In) {
		return nil, fault.New(fault.NotFound, "payload-none")
	}
	return harness.ReadPayload(cli.Timed(env.In, payloadWait), harness.MaxPayload)
}

// serving is one event on its way through.
type serving struct {
	env     *cli.Env
	event   harness.Event
	memory  *selfip.Memory
	worker  bool     // may be started
	also    []string // variables that a worker needs for its model
	failure error    // the first thing that went wrong
}

// serve does what the event asks for and returns the text for the agent.
func (s *serving) serve(ctx context.Context) (said string) {
	defer s.recovered(&said)
	o, err := openAt(s.env, s.event.Dir, false)
	if err != nil {
		s.fail(err)
		return ""
	}
	if o.workspace.Note != "" { // no project: nothing to know, nothing to learn
		return ""
	}
	s.memory, s.worker, s.also = o.memory, o.settings.Background, o.modelVariables()
	s.memory.Hurry(hookWait)
	s.memory.Noticed = s.noticed
	s.heartbeat()
	switch s.event.Kind {
	case harness.Start:
		return s.start(ctx)
	case harness.Prompt:
		return s.prompt(ctx)
	case harness.ToolOK, harness.ToolFailed:
		s.tool()
	case harness.AgentError:
		s.hear(transcript.Record{Kind: transcript.Fault, Text: s.event.Error})
		s.flush(ctx)
		s.agentError()
	case harness.Feedback:
		s.hear(transcript.Record{Kind: transcript.Feedback, ID: s.event.Tool.ID, Text: s.event.Prompt})
	case harness.Stop:
		s.stop(ctx)
	case harness.SubagentStop:
		s.delegatedEnd()
	case harness.Compact:
		s.flush(ctx)
		s.memory.Forgotten(s.event.Session)
	case harness.Idle: // nobody waits until it has been idle for long: sleep is rare enough, and disturbs nobody
		if !s.event.Delegated {
			s.wake()
		}
	case harness.End:
		s.end(ctx)
	}
	return ""
}

// fail keeps and records what went wrong.
func (s *serving) fail(err error) {
	if err == nil {
		return
	}
	if s.failure == nil {
		s.failure = err
	}
	recordFailure(s.env, s.memory, s.event, err)
}

func (s *serving) heard() selfip.Heard {
	return selfip.Heard{
		Harness: string(s.event.Harness), Session: s.event.Session, Dir: s.event.Dir, Transcript: s.event.Transcript,
		Agent: s.event.Agent, Reason: s.event.Reason,
	}
}

func (s *serving) hear(r transcript.Record) {
	if s.event.Session == "" {
		return
	}
	h := s.heard()
	h.Record = r
	s.fail(s.memory.Hear(h))
}

func (s *serving) flush(ctx context.Context) {
	if s.event.Session != "" && !s.event.Delegated {
		s.fail(s.memory.Flush(ctx, s.event.Session))
	}
}

// start begins a session: what earlier ones left is taken up, and the whole
// block is shown, unless the transcript holds it already.
func (s *serving) start(ctx context.Context) string {
	if s.event.Delegated || s.event.Session == "" {
		return ""
	}
	h := s.heard()
	h.Process = s.env.Caller()
	s.fail(s.memory.Begin(h))
	_, _, err := s.memory.Recover(ctx, h)
	s.fail(err)
	s.wake()
	if harness.StartIsLate(s.event.Harness) || !harness.Injects(s.event) {
		return ""
	}
	return s.memory.StartText(s.event.Session, selfip.Beginning(s.event.Source))
}

// prompt notes what the person says and shows what it calls for.
func (s *serving) prompt(ctx context.Context) string {
	s.hear(transcript.Record{Kind: transcript.Prompt, Text: s.event.Prompt})
	if s.event.Delegated || s.event.Session == "" || !harness.Injects(s.event) {
		return ""
	}
	said := s.memory.PromptText(s.event.Session, s.event.Prompt)
	if s.memory.IndexWanted && s.failure == nil {
		s.work()
	}
	return said
}

// tool notes a call and how it went. Of a delegated session only failures count.
func (s *serving) tool() {
	t := s.event.Tool
	if s.event.Delegated && !t.Failed {
		return
	}
	said := t.Output
	if t.Failed {
		said = t.Error
	}
	s.hear(transcript.Record{Kind: transcript.Result, ID: t.ID, Tool: t.Name, Input: t.Input, Text: said, Failed: t.Failed})
}

func (s *serving) stop(ctx context.Context) {
	if s.event.Delegated {
		return
	}
	if s.event.Reply != "" {
		s.hear(transcript.Record{Kind: transcript.Reply, Text: s.event.Reply})
	}
	s.flush(ctx)
}

// agentError has a worker look back on the session soon: the first error of
// several starts the clock (spec/selfip.md 21.1).
func (s *serving) agentError() {
	if s.event.Delegated || s.event.Session == "" {
		return
	}
	start, err := s.memory.AskErrorRetro(s.event.Session)
	s.fail(err)
	if start && s.worker {
		startApart(s.env, s.event.Dir, s.also, "retro", "--after-error", "--detach", "--session="+s.event.Session)
	}
}

// delegatedEnd notes how a delegated session ended, if the harness tells of an end
// other than well.
func (s *serving) delegatedEnd() {
	if s.event.Session != "" && s.event.Reason != "" {
		s.fail(s.memory.DelegatedEnd(s.heard()))
	}
}

// end finishes the session and starts a worker for its retrospective.
func (s *serving) end(ctx context.Context) {
	if s.event.Delegated || s.event.Session == "" {
		return
	}
	queued, err := s.memory.Finish(ctx, s.heard())
	s.fail(err)
	if queued || err != nil {
		s.work()
	}
}

// wake starts a worker when there is work in the queue, or when a sleep is due.
func (s *serving) wake() {
	if s.memory.HasWork() || s.memory.SleepDue() {
		s.work()
	}
}

// work starts a worker, unless the settings say that there shall be none.
func (s *serving) work() {
	if s.worker {
		startWorker(s.env, s.event.Dir, s.also...)
	}
}
