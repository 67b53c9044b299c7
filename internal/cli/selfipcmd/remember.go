package selfipcmd

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
)

type rememberOptions struct {
	note selfip.Note
}

func newRemember(env *cli.Env) *cobra.Command {
	var opts rememberOptions
	var kind string
	cmd := &cobra.Command{
		Use:  "remember [KIND:] TEXT...",
		Args: cli.ArgCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if opts.note.Kind, opts.note.Text, err = parseNote(kind, strings.Join(args, " ")); err != nil {
				return err
			}
			if err := checkNote(opts.note); err != nil {
				return err
			}
			return runRemember(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().StringVarP(&kind, "kind", "k", "", "")
	cli.FlagWords(cmd, "kind", kindNames()...)
	cmd.Flags().IntVarP(&opts.note.Importance, "importance", "i", 0, "")
	cmd.Flags().StringVar(&opts.note.Source, "source", "", "")
	cli.FlagWords(cmd, "source", sources...)
	cmd.Flags().StringVar(&opts.note.Replaces, "replaces", "", "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy, fault.Pending, fault.Damaged)
}

// parseNote splits "lesson: text" as the slash command does: the kind before a
// half-width or full-width colon. A flag wins over a prefix, which is then text.
func parseNote(flag, s string) (entry.Kind, string, error) {
	if flag != "" {
		kind, ok := entry.ParseKind(flag)
		if !ok {
			return "", "", unknownKind(flag)
		}
		return kind, s, nil
	}
	if i := strings.IndexAny(s, ":："); i >= 0 {
		if kind, ok := entry.ParseKind(s[:i]); ok {
			_, colon := utf8.DecodeRuneInString(s[i:])
			return kind, strings.TrimSpace(s[i+colon:]), nil
		}
	}
	return entry.Fact, s, nil
}

func kindNames() []string {
	names := make([]string, len(entry.Kinds))
	for i, k := range entry.Kinds {
		names[i] = string(k)
	}
	return names
}

func unknownKind(s string) error {
	return fault.New(fault.Usage, "unknown-kind", s, strings.Join(kindNames(), ", "))
}

// sources are the words that --source takes.
var sources = []string{"user", "agent", "web", "tool", "doc"}

func checkNote(n selfip.Note) error {
	if n.Source != "" && !slices.Contains(sources, n.Source) {
		return fault.New(fault.Usage, "unknown-source", n.Source)
	}
	if n.Importance != 0 && (n.Importance < 1 || n.Importance > 10) {
		return fault.New(fault.Usage, "bad-importance", n.Importance)
	}
	return nil
}

func runRemember(ctx context.Context, env *cli.Env, opts rememberOptions) error {
	o, err := openedForChange(env)
	if err != nil {
		return err
	}
	m, by := o.memory, author(env)
	if opts.note.Source == "" {
		opts.note.Source = "user"
		if by.Origin == "tool" {
			opts.note.Source = "agent"
		}
	}
	got, err := m.Remember(ctx, opts.note, by)
	if err == nil {
		err = awaits(got)
	}
	if err != nil {
		return err
	}
	if dir := o.workspace.Root; o.settings.Background && dir != "" && !env.Flags.DryRun && m.CompactDue() {
		startWorker(env, dir)
	}
	return env.Report(rememberReport{got})
}

// awaits says of a note that was not stored that the user decides, or has.
func awaits(got selfip.Remembered) error {
	switch {
	case got.Waiting:
		return fault.New(fault.Pending, "awaits-word", got.ID)
	case got.Unwanted:
		return fault.New(fault.Refused, "rejected-before", got.ID)
	}
	return nil
}

// author says who runs the command: an agent, when the process was started by
// one, else a person.
func author(env *cli.Env) selfip.Author {
	for _, sign := range []string{"CLAUDECODE", "CODEX_THREAD_ID", "CODEX_SANDBOX", "AI_AGENT", "GEMINI_CLI", "COPILOT_CLI", "CURSOR_AGENT", "QWEN_CODE", "OPENCODE", "DSH_SESSION_ID"} {
		if env.Getenv(sign) != "" {
			return selfip.Author{Origin: "tool"}
		}
	}
	return selfip.Author{Origin: "command"}
}

// isAgent reports whether an agent started the process, and so reads what it says.
func isAgent(env *cli.Env) bool { return author(env).Origin == "tool" }

type rememberReport struct{ selfip.Remembered }

// RememberJSON is what remember and quarantine release write with --json.
type RememberJSON struct {
	OK        bool        `json:"ok"`
	ID        string      `json:"id"`
	Kind      entry.Kind  `json:"kind"`
	Text      string      `json:"text"` // as stored
	File      string      `json:"file"`
	Scope     string      `json:"scope"` // workspace or global: where it was stored
	Change    string      `json:"change"`
	Duplicate bool        `json:"duplicate"`
	Redacted  int         `json:"redacted"`
	Replaced  []EntryJSON `json:"replaced"`
	Detail    string      `json:"detail,omitempty"`
}

func (r rememberReport) JSON() any {
	out := RememberJSON{
		OK: true, ID: r.ID, Kind: r.Kind, Text: r.Remembered.Text, File: r.File, Scope: string(r.Library),
		Change: r.Change, Duplicate: r.Repeated, Redacted: redactions(r.Remembered), Replaced: entriesJSON(r.Replaced),
	}
	if r.Degraded != nil {
		out.Detail = r.Degraded.Error()
	}
	return out
}

func (r rememberReport) Text(w *cli.Writer) {
	id := "remembered"
	if r.Repeated {
		id = "remembered-again"
	}
	w.Say(id, r.ID, r.Phrase(w), r.Remembered.Text)
	for _, e := range r.Replaced {
		w.Say("replaced", e.ID, e.Text)
	}
	if n := redactions(r.Remembered); n > 0 {
		w.Say("redacted", n)
	}
	if r.Archived > 0 {
		w.Say("import-archived", r.Archived)
	}
	if r.Degraded != nil {
		w.Say("degraded", r.Degraded)
	}
}

// Phrase says in which library and of which kind.
func (r rememberReport) Phrase(w *cli.Writer) string {
	return w.Phrase("kind-in-library", w.Word("kind-", string(r.Kind)), w.Phrase("library-"+string(r.Library)))
}

func redactions(r selfip.Remembered) int {
	n := 0
	for _, hit := range r.Redactions {
		n += hit.Count
	}
	return n
}
