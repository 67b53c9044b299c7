package selfipcmd

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/retro"
)

func newStatus(env *cli.Env) *cobra.Command {
	var plot bool
	var html string // a file
	days := 30
	cmd := &cobra.Command{
		Use:  "status",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case days < 1 || days > maxPlotDays:
				return fault.New(fault.Usage, "bad-plot-days", days, maxPlotDays)
			case plot:
				return runPlot(env, days)
			case html != "":
				return runPanelReport(env, html)
			}
			return runStatus(env)
		},
	}
	cmd.Flags().BoolVar(&plot, "plot", false, "")
	cmd.Flags().IntVar(&days, "days", days, "")
	cmd.Flags().StringVar(&html, "html", "", "")
	return cmd
}

func runStatus(env *cli.Env) error {
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		return err
	}
	o.warn(env)
	return env.Report(statusOf(env, o))
}

// statusOf looks at everything that a status tells.
func statusOf(env *cli.Env, o *opened) statusReport {
	m := o.memory
	r := statusReport{opened: o, say: env.Sentence}
	b := m.Inject(selfip.InjectOptions{})
	r.injected, r.blocked = b.Chars, b.Blocked
	if m.Workspace != nil {
		h := m.Health(m.Workspace)
		r.workspace = &h
		var err error
		if r.queue, err = m.Queue(); err != nil {
			r.errors = append(r.errors, err)
		}
		if r.failures, err = failures(env, o); err != nil {
			r.errors = append(r.errors, err)
		}
	}
	if m.Global != nil {
		h := m.Health(m.Global)
		r.global = &h
	}
	return r
}

type statusReport struct {
	*opened
	say      func(error) string
	injected int
	blocked  int
	queue    selfip.Queued
	failures []selfip.Failure
	errors   []error

	workspace, global *selfip.Health
}

// StatusJSON is what status --json writes (spec/selfip.md 27.3).
type StatusJSON struct {
	Name            string        `json:"name"`
	Now             string        `json:"now"`
	Stores          []StoreJSON   `json:"stores"`          // the workspace's
	GlobalLibraries []StoreJSON   `json:"globalLibraries"` // read or not
	TrackedSessions []SessionJSON `json:"trackedSessions"`
	Model           MeterJSON     `json:"model"`
	Failures        []FailureJSON `json:"failures"` // of hooks and workers, newest last
	ReadErrors      []string      `json:"readErrors"`
}

// StoreJSON is the state of one library.
type StoreJSON struct {
	Label     string         `json:"label"`
	Dir       string         `json:"dir"`
	Config    *ConfigJSON    `json:"config,omitempty"` // of the workspace
	Scope     string         `json:"scope,omitempty"`
	Read      bool           `json:"read"` // the scope reads this library
	Entries   map[string]int `json:"entries"`
	Live      int            `json:"live"`
	Withdrawn int            `json:"withdrawn"`
	Archived  int            `json:"archived"`
	Expired   int            `json:"expired"`

	MemoryCacheChars int `json:"memoryCacheChars,omitempty"`
	InjectionChars   int `json:"injectionChars,omitempty"`
	InjectionBlocked int `json:"injectionBlocked"`

	Proposals        ProposalsJSON `json:"proposals"`
	Candidates       int           `json:"candidates"` // that wait for the user's word
	HandoffChars     int           `json:"handoffChars"`
	PrefetchChars    int           `json:"prefetchChars"`
	SessionSnapshots []string      `json:"sessionSnapshots"`
	Quarantined      int           `json:"quarantined"`
	Queue            *QueueCounts  `json:"queue,omitempty"`

	PendingDead     int64           `json:"pendingDead"`
	EvictedEntries  int64           `json:"evictedEntries"`
	Truncations     int64           `json:"truncations"`
	FallbackParses  int64           `json:"fallbackParses"`
	RetroTruncated  int64           `json:"retroTruncated"`
	RetroAborted    int64           `json:"retroAborted"`
	RecoverySkipped int64           `json:"recoverySkipped"`
	Compacted       int64           `json:"compacted"`
	CompactRejected int64           `json:"compactRejected"`
	RetrosRun       int64           `json:"retrosRun"`
	SleepsRun       int64           `json:"sleepsRun"`
	LastFallbackAt  *string         `json:"lastFallbackAt"`
	LastCall        json.RawMessage `json:"lastCall"`
	Cost            json.RawMessage `json:"cost"`
	SleptAt         *string         `json:"sleptAt"` // UTC

	CompactedAt map[string]string `json:"compactedAt"` // by file, UTC

	Damage []string `json:"damage"`
}

// ProposalsJSON is the proposals that wait.
type ProposalsJSON struct {
	Pending []string      `json:"pending"`
	Summary []SummaryJSON `json:"pendingSummary"`
	Decided []string      `json:"decided"` // "<id>=<status>"
}

// SummaryJSON is what one proposal is about.
type SummaryJSON struct {
	ID      string `json:"id"`
	Summary string `json:"summary"`
}

// QueueCounts is how the rows of the queue stand.
type QueueCounts struct {
	Waiting int `json:"waiting"` // all rows
	Due     int `json:"due"`
	Dead    int `json:"dead"`
	Bad     int `json:"bad"`
}

// FailureJSON is something that went wrong where nobody was looking.
type FailureJSON = selfip.Failure

// shownFailures is how many of them a status shows.
const shownFailures = 10

func (r statusReport) JSON() any {
	out := StatusJSON{
		Name: "selfip", Now: entry.Stamp(r.memory.Now()), Stores: []StoreJSON{}, GlobalLibraries: []StoreJSON{},
		TrackedSessions: []SessionJSON{}, Model: r.meter(), Failures: orNone(tail(r.failures, shownFailures)), ReadErrors: []string{},
	}
	for _, err := range append(r.errors, r.settings.ReadErrors...) {
		out.ReadErrors = append(out.ReadErrors, r.say(err))
	}
	if r.workspace != nil {
		s := r.store(*r.workspace, r.memory.Scope.ReadWorkspace)
		c := configReport{opened: r.opened}.JSON().(ConfigJSON)
		s.Config, s.Scope = &c, r.settings.Scope
		s.MemoryCacheChars, s.InjectionChars, s.InjectionBlocked = r.injected, r.injected, r.blocked
		counts := r.counts()
		s.Queue = &counts
		out.Stores = append(out.Stores, s)
		out.TrackedSessions = sessionsJSON(r.workspace.Sessions)
	}
	if r.global != nil {
		s := r.store(*r.global, r.memory.Scope.ReadGlobal)
		out.GlobalLibraries = append(out.GlobalLibraries, s)
	}
	return out
}

func tail[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

func (r statusReport) counts() QueueCounts {
	c := QueueCounts{Waiting: len(r.queue.Waiting), Dead: len(r.queue.Dead), Bad: r.queue.Bad}
	for _, row := range r.queue.Waiting {
		if row.Standing(r.memory.Now(), retro.DefaultLimits()) == retro.Due {
			c.Due++
		}
	}
	return c
}

func (r statusReport) store(h selfip.Health, read bool) StoreJSON {
	s := StoreJSON{
		Label: string(h.Library), Dir: h.Path, Read: read, Entries: h.Count.Partitions, Live: h.Count.Live,
		Withdrawn: h.Count.Withdrawn, Archived: h.Count.Archived, Expired: h.Expired, InjectionBlocked: h.Blocked,
		Proposals: ProposalsJSON{[]string{}, []SummaryJSON{}, orNone(h.Decided)}, HandoffChars: h.Handoff, PrefetchChars: h.Prefetch,
		Candidates: h.Waiting, SessionSnapshots: orNone(h.Snapshots), Quarantined: h.Aside, Damage: []string{},
	}
	for _, p := range h.Proposals {
		s.Proposals.Pending = append(s.Proposals.Pending, p.ID)
		s.Proposals.Summary = append(s.Proposals.Summary, SummaryJSON{p.ID, p.Summary})
	}
	for _, d := range h.Count.Damage {
		s.Damage = append(s.Damage, r.say(d.Err))
	}
	if h.StateErr != nil {
		s.Damage = append(s.Damage, r.say(h.StateErr))
	}
	s.counters(h.State)
	return s
}

// counters copies what the state file holds.
func (s *StoreJSON) counters(st state.State) {
	for key, to := range map[string]*int64{
		state.PendingDead: &s.PendingDead, state.Evicted: &s.EvictedEntries, state.Truncations: &s.Truncations,
		state.Fallbacks: &s.FallbackParses, state.Truncated: &s.RetroTruncated, state.Aborted: &s.RetroAborted,
		state.Skipped: &s.RecoverySkipped, state.Compacted: &s.Compacted, state.Rejected: &s.CompactRejected, state.Retros: &s.RetrosRun,
		state.Sleeps: &s.SleepsRun,
	} {
		*to = st.Int(key)
	}
	var at string
	if st.Decode(state.LastFallback, &at) {
		s.LastFallbackAt = &at
	}
	s.LastCall, s.Cost = rawOrNull(st, state.LastCall), rawOrNull(st, state.Cost)
	if ms := st.Int(state.SleptAt); ms != 0 {
		at := inUTC(ms)
		s.SleptAt = &at
	}
	var compacted map[string]int64
	st.Decode(state.CompactedAt, &compacted)
	s.CompactedAt = map[string]string{}
	for file, ms := range compacted {
		s.CompactedAt[file] = inUTC(ms)
	}
}

// inUTC is a time of the state file, milliseconds since 1970.
func inUTC(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z07:00") }

func rawOrNull(st state.State, key string) json.RawMessage {
	var raw json.RawMessage
	if !st.Decode(key, &raw) {
		return json.RawMessage("null")
	}
	return raw
}

func (r statusReport) Text(w *cli.Writer) {
	w.Say("status-scope", r.settings.Scope, originPhrase(w, r.settings.Origin("scope")))
	if r.workspace == nil {
		w.Say("status-no-workspace")
	} else {
		r.library(w, *r.workspace, r.memory.Scope.ReadWorkspace)
	}
	if r.global != nil {
		r.library(w, *r.global, r.memory.Scope.ReadGlobal)
	}
	w.Say("status-injection", r.injected, r.settings.InjectChars, r.blocked)
	if r.workspace == nil {
		return
	}
	c := r.counts()
	w.Say("status-queue", c.Waiting, c.Due, c.Dead, c.Bad)
	if n := r.workspace.Waiting; n > 0 {
		w.Say("candidates-head", n)
	}
	r.writeMeter(w)
	w.Say("status-proposals", len(r.workspace.Proposals), r.workspace.Aside, r.workspace.Handoff)
	for _, s := range r.workspace.Sessions {
		state := "session-running"
		if s.Ended {
			state = "session-ended"
		}
		w.Say("status-session", s.Session, w.Phrase(state), s.Prompts, s.ToolCalls, s.ToolErrors, s.Shown)
	}
	for _, f := range tail(r.failures, 3) {
		w.Say("status-failure", f.Time, f.Where, f.Error)
	}
	for _, err := range append(r.errors, r.settings.ReadErrors...) {
		w.Say("status-error", err)
	}
}

func (r statusReport) library(w *cli.Writer, h selfip.Health, read bool) {
	id := "status-library"
	if !read {
		id = "status-library-unread"
	}
	w.Say(id, w.Phrase("library-"+string(h.Library)), h.Count.Live, h.Path)
	p := h.Count.Partitions
	if h.Exists {
		w.Say("status-counts", p["facts"], p["lessons"], p["methods"], p["resources"], h.Count.Withdrawn, h.Count.Archived, h.Expired)
	}
	if h.FromAhead > 0 {
		w.Say("status-skew", h.FromAhead)
	}
	for _, d := range h.Count.Damage {
		w.Say("status-error", d.Err)
	}
	if h.StateErr != nil {
		w.Say("status-error", h.StateErr)
	}
	if ms := h.State.Int(state.SleptAt); ms > 0 {
		w.Say("status-slept", entry.Stamp(time.UnixMilli(ms).In(r.memory.Now().Location())))
	}
	if n := h.State.Int(state.Evicted); n > 0 {
		w.Say("status-evicted", strconv.FormatInt(n, 10))
	}
}
