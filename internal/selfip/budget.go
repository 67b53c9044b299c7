package selfip

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/text"
)

// errNoModel says that no model is set up.
var errNoModel = errors.New("no model is set up")

// DefaultDailyTokens is the budget of a library for one local day.
const DefaultDailyTokens = 400_000

// Limits of an answer (spec/selfip.md 25.1), UTF-16 code units.
const (
	shortestAnswer = 10   // what is shorter and not empty is the sign of an accident
	longestAnswer  = 8000 // unless the question says otherwise
)

// The bounds of a pause that a service has asked for.
const (
	shortestPause = time.Minute
	usualPause    = 5 * time.Minute // when it did not say how long
	longestPause  = 6 * time.Hour
)

// ask puts one question to the model within the token budget of the library,
// and books it there (spec/selfip.md 25.1). Evidence goes through the gate before
// it gets here.
//
// Without a model the error is errNoModel. It is a fault of kind Refused with the
// code model-budget when the budget of the day is spent, of kind Busy with the
// code model-paused while the service wants no calls; then none is made, and in
// between many askers there is one call at most. When state.json is damaged or of
// a newer version nothing can be booked: Refused too, with the code
// state-unusable.
//
// What the call may cost at most is booked under the lock before it is made, and
// corrected afterwards: processes cannot overspend together, and a call that is
// killed or breaks off is paid for (29, W42).
func (m *Memory) ask(ctx context.Context, lib *Library, q Question) (Answer, error) {
	if !m.Asks(q.Kind) {
		return Answer{}, errNoModel
	}
	paid, err := m.book(ctx, lib, q)
	if err != nil {
		return Answer{}, err
	}
	a, err := m.Model(ctx, q)
	a, err = examined(q, a, err)
	if err := m.settleCall(context.WithoutCancel(ctx), lib, q, paid, a, err); err != nil {
		return a, err
	}
	lib.tallyTokens(context.WithoutCancel(ctx), paid.day)
	return a, err
}

// booking is what was booked for a call before it was made.
type booking struct {
	day           string
	input, output int
}

// Cost is the tokens of one local day (spec/selfip.md 3.9).
type Cost struct {
	Day    string              `json:"day"` // local date
	Spent  int                 `json:"spent"`
	ByKind map[string]KindCost `json:"byKind"`
}

// KindCost is what the calls of one kind came to.
type KindCost struct {
	Calls  int `json:"calls"`
	Input  int `json:"input"`
	Output int `json:"output"`
}

// LastCall is the latest call of a model.
type LastCall struct {
	At        string `json:"at"`
	Kind      string `json:"kind"`
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	Effort    string `json:"effort"`
	MaxTokens int    `json:"maxTokens"`
	Routed    bool   `json:"routed"` // another model than the one set
}

// Day is the local date of an instant, in the zone of its location: the day that
// tokens are booked on.
func Day(now time.Time) string { return now.Format(time.DateOnly) }

// costOf returns the record of a day, an empty one when the file has another's.
func costOf(s state.State, day string) Cost {
	var c Cost
	if !s.Decode(state.Cost, &c) || c.Day != day {
		return Cost{Day: day, ByKind: map[string]KindCost{}}
	}
	if c.ByKind == nil {
		c.ByKind = map[string]KindCost{}
	}
	for kind, k := range c.ByKind {
		c.ByKind[kind] = KindCost{Calls: counted(k.Calls), Input: counted(k.Input), Output: counted(k.Output)}
	}
	c.Spent = counted(c.Spent)
	return c
}

// mostCounted bounds what the file can say: it may come with a repository, and sums
// must not overflow.
const mostCounted = 2_000_000_000

func counted(n int) int { return min(max(0, n), mostCounted) }

// add books tokens under a kind.
func (c *Cost) add(kind string, by KindCost) {
	k := c.ByKind[kind]
	k.Calls, k.Input, k.Output = k.Calls+by.Calls, max(0, k.Input+by.Input), max(0, k.Output+by.Output)
	c.ByKind[kind] = k
	c.Spent = max(0, c.Spent+by.Input+by.Output)
}

// dailyTokens is the budget: 0 in the settings is the default, less is nothing.
func (m *Memory) dailyTokens() int {
	if m.Settings.DailyTokens == 0 {
		return DefaultDailyTokens
	}
	return max(0, m.Settings.DailyTokens)
}

// book checks the budget and books what the question may cost at most.
func (m *Memory) book(ctx context.Context, lib *Library, q Question) (booking, error) {
	b := booking{input: text.Tokens(q.System) + text.Tokens(q.User), output: max(0, q.MaxTokens)}
	err := lib.changeState(ctx, func(s state.State) (state.State, error) {
		now := m.Now()
		b.day = Day(now)
		if until := pausedUntil(s, now); !until.IsZero() {
			return s, &Pause{For: until.Sub(now), Err: fault.New(fault.Busy, codeModelPaused, entry.Stamp(until))}
		}
		c := costOf(s, b.day)
		if limit := m.dailyTokens(); c.Spent+b.input+b.output > limit {
			return s, fault.New(fault.Refused, codeModelBudget, c.Spent, limit, b.input+b.output)
		}
		c.add(q.Kind, KindCost{Calls: 1, Input: b.input, Output: b.output})
		return s.Set(state.Cost, c).Set(state.LastCall, LastCall{
			At: entry.Stamp(now), Kind: q.Kind, Provider: m.Route.Provider, Model: m.Route.Model, Effort: m.Route.Effort,
			MaxTokens: q.MaxTokens, Routed: m.Route.Routed != "",
		}), nil
	})
	return b, err
}

// examined turns an answer that cannot be used into an error, cuts one that is too
// long, and estimates what nobody has counted.
func examined(q Question, a Answer, err error) (Answer, error) {
	if err != nil {
		return a, err
	}
	a.Text = strings.TrimSpace(a.Text)
	if a.Input == 0 { // a question is never empty
		a.Input = text.Tokens(q.System) + text.Tokens(q.User)
	}
	if a.Output == 0 {
		a.Output = text.Tokens(a.Text)
	}
	longest := q.MaxChars
	if longest <= 0 {
		longest = longestAnswer
	}
	switch n := text.Len(a.Text); {
	case n == 0 && a.Cut:
		return a, fault.New(fault.Failed, codeModelCut)
	case n > 0 && n < shortestAnswer:
		return a, fault.New(fault.Failed, codeModelShort, a.Text)
	case n > longest:
		a.Text, a.Cut = text.Head(a.Text, longest), true
	}
	return a, nil
}

// settleCall puts what a call has cost in the place of what was booked, and counts
// how it went. A failed call whose cost nobody knows stays booked.
func (m *Memory) settleCall(ctx context.Context, lib *Library, q Question, paid booking, a Answer, failed error) error {
	return lib.changeState(ctx, func(s state.State) (state.State, error) {
		if c := costOf(s, paid.day); c.ByKind[q.Kind].Calls > 0 { // else its day is over, and so is its record
			c.add(q.Kind, paid.correction(a, failed))
			s = s.Set(state.Cost, c)
		}
		var last LastCall
		if a.Model != "" && s.Decode(state.LastCall, &last) && last.Kind == q.Kind {
			last.Provider, last.Model, last.Effort, last.Routed = a.Provider, a.Model, a.Effort, a.Routed != ""
			s = s.Set(state.LastCall, last)
		}
		switch {
		case a.Cut:
			s = s.Add(state.Truncated, 1)
		case failed != nil && !a.Unsent:
			s = s.Add(state.Aborted, 1)
		}
		return m.paused(s, failed), nil
	})
}

// correction is what has to be added to what was booked.
func (b booking) correction(a Answer, failed error) KindCost {
	switch {
	case failed == nil, a.Input+a.Output > 0:
		return KindCost{Input: a.Input - b.input, Output: a.Output - b.output}
	case a.Unsent:
		return KindCost{Input: -b.input, Output: -b.output}
	}
	return KindCost{}
}

// paused notes until when the service wants no calls.
func (m *Memory) paused(s state.State, failed error) state.State {
	var p *Pause
	if !errors.As(failed, &p) {
		return s
	}
	wait := p.For
	if wait <= 0 {
		wait = usualPause
	}
	wait = min(max(wait, shortestPause), longestPause)
	return s.Set(state.PausedUntil, m.Now().Add(wait).UnixMilli())
}

// pausedUntil returns the end of a pause, zero when there is none. One that ends
// later than any pause can was noted by a clock that went wrong.
func pausedUntil(s state.State, now time.Time) time.Time {
	until := time.UnixMilli(s.Int(state.PausedUntil))
	if !until.After(now) || until.After(now.Add(longestPause)) {
		return time.Time{}
	}
	return until.In(now.Location())
}

// changeState rewrites state.json under the lock. A damaged file, or one of a
// newer version, is left as it is; that is an error.
func (l *Library) changeState(ctx context.Context, f func(state.State) (state.State, error)) error {
	return l.dir.With(ctx, func(tx *filestore.Tx) error {
		old, err := l.State()
		if err != nil {
			return fault.New(fault.Refused, codeStateUnusable, l.Path(stateFileName)).Because(err)
		}
		next, err := f(old)
		if err != nil {
			return err
		}
		if err := l.furnish(tx); err != nil {
			return err
		}
		return tx.Replace(stateFileName, next.Format(), filestore.NoSync)
	})
}

// Spending is how a library stands with its model.
type Spending struct {
	Cost        Cost // of today
	Limit       int  // tokens a day
	Last        *LastCall
	PausedUntil time.Time // zero: no pause
}

// Spending reads the meter of a library.
func (m *Memory) Spending(s state.State) Spending {
	now := m.Now()
	out := Spending{Cost: costOf(s, Day(now)), Limit: m.dailyTokens(), PausedUntil: pausedUntil(s, now)}
	var last LastCall
	if s.Decode(state.LastCall, &last) {
		out.Last = &last
	}
	return out
}
