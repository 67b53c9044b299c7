package selfip_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// stateFile is what the tests look at of logs/state.json.
type stateFile struct {
	Cost        *selfip.Cost     `json:"cost"`
	LastCall    *selfip.LastCall `json:"lastCall"`
	Truncated   int              `json:"retroTruncated"`
	Aborted     int              `json:"retroAborted"`
	PausedUntil int64            `json:"modelPausedUntil"`
}

func (r *room) state() stateFile {
	r.t.Helper()
	var s stateFile
	if text := r.read("logs/state.json"); text != "" {
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			r.t.Fatal(err)
		}
	}
	return s
}

// model gives a memory a model that says the same to everything.
func (r *room) model(say selfip.Answer, err error) (*selfip.Memory, *atomic.Int64) {
	m, calls := r.own(), new(atomic.Int64)
	m.Route = selfip.Route{Provider: "openai", Model: "small", Effort: "off"}
	m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) {
		calls.Add(1)
		return say, err
	}
	return m, calls
}

func question(kind string) selfip.Question {
	return selfip.Question{Kind: kind, System: "12 characters", User: "three more", MaxTokens: 3000}
}

const goodAnswer = "## LESSONS\n- a lesson that is long enough\n"

func TestCallIsBooked(t *testing.T) {
	r := newRoom(t)
	say := selfip.Answer{Text: goodAnswer, Input: 1000, Output: 200, Provider: "openai", Model: "small", Effort: "off"}
	m, _ := r.model(say, nil)
	a, err := m.AskModel(t.Context(), m.Workspace, question(selfip.ErrorRetro))
	if err != nil || a.Text != "## LESSONS\n- a lesson that is long enough" {
		t.Fatalf("%q, %v", a.Text, err)
	}
	if _, err := m.AskModel(t.Context(), m.Workspace, question(selfip.SleepCall)); err != nil {
		t.Fatal(err)
	}
	t.Run("AU17", func(t *testing.T) {
		want := &selfip.Cost{Day: "2026-09-15", Spent: 2400, ByKind: map[string]selfip.KindCost{
			"error-retro": {Calls: 1, Input: 1000, Output: 200}, "sleep": {Calls: 1, Input: 1000, Output: 200},
		}}
		if diff := cmp.Diff(want, r.state().Cost); diff != "" {
			t.Errorf("AU17: cost (-want +got):\n%s", diff)
		}
	})
	t.Run("CO13", func(t *testing.T) {
		want := &selfip.LastCall{
			At: "2026-09-15T12:00:00.000+00:00", Kind: "sleep", Provider: "openai", Model: "small", Effort: "off", MaxTokens: 3000,
		}
		if diff := cmp.Diff(want, r.state().LastCall); diff != "" {
			t.Errorf("CO13: lastCall (-want +got):\n%s", diff)
		}
	})
}

func TestSpentBudgetMakesNoCall(t *testing.T) {
	for _, row := range []struct {
		id, state string
		budget    int
		kind      fault.Kind
		code      string
		calls     int64
	}{
		{"AU14", `{"cost":{"day":"2026-09-15","spent":9999999,"byKind":{}}}`, 0, fault.Refused, "model-budget", 0},
		{"the day before", `{"cost":{"day":"2026-09-14","spent":9999999,"byKind":{}}}`, 0, "", "", 1},
		{"just enough", `{"cost":{"day":"2026-09-15","spent":396990}}`, 0, "", "", 1},
		{"not quite", `{"cost":{"day":"2026-09-15","spent":396995}}`, 0, fault.Refused, "model-budget", 0},
		{"more than can be counted", `{"cost":{"day":"2026-09-15","spent":9223372036854775807}}`, 0, fault.Refused, "model-budget", 0},
		{"less than nothing", `{"cost":{"day":"2026-09-15","spent":-1000000,"byKind":{"sleep":{"calls":1,"input":-5,"output":9223372036854775807}}}}`, 0, "", "", 1},
		{"nothing allowed", `{}`, -1, fault.Refused, "model-budget", 0},
		{"a budget of one's own", `{}`, 3100, "", "", 1},
		{"a damaged file", `{"cost":`, 0, fault.Refused, "state-unusable", 0},
		{"case108 a newer file", `{"version":99}`, 0, fault.Refused, "state-unusable", 0},
		{"fixture 01", `{"cost":{"day":"2026-09-15","spent":5200,"byKind":{"sleep":{"calls":1,"input":400,"output":100}}},"zeta":1}`, 0, "", "", 1},
	} {
		t.Run(row.id, func(t *testing.T) {
			r := newRoom(t)
			r.write("logs/state.json", row.state)
			m, calls := r.model(selfip.Answer{Text: goodAnswer, Input: 10, Output: 5}, nil)
			m.Settings.DailyTokens = row.budget
			_, err := m.AskModel(t.Context(), m.Workspace, question(selfip.ErrorRetro))
			if fault.KindOf(err) != row.kind || fault.CodeOf(err) != row.code || calls.Load() != row.calls {
				t.Errorf("%s: %v, %d calls; want kind %q, code %q, %d calls", row.id, err, calls.Load(), row.kind, row.code, row.calls)
			}
			if row.calls == 1 && r.state().Cost.Spent < 15 {
				t.Errorf("%s: spent %d, want what the call cost", row.id, r.state().Cost.Spent)
			}
			if row.calls == 0 && r.read("logs/state.json") != row.state {
				t.Errorf("%s: the file has become %s", row.id, r.read("logs/state.json"))
			}
		})
	}
}

// TestFailedCallIsPaid: what breaks off or is killed costs what it may have cost.
func TestFailedCallIsPaid(t *testing.T) {
	broken := errors.New("connection reset")
	const booked = 3000 + 5 + 4
	for _, row := range []struct {
		id                 string
		say                selfip.Answer
		err                error
		code               string
		spent              int
		truncated, aborted int
	}{
		{"W42 broken off, nobody has counted", selfip.Answer{}, broken, "", booked, 0, 1},
		{"W42 broken off, half counted", selfip.Answer{Input: 900}, broken, "", 900, 0, 1},
		{"never got there", selfip.Answer{Unsent: true}, broken, "", 0, 0, 0},
		{"case63 a: all tokens went into reasoning", selfip.Answer{Cut: true, Input: 900, Output: 1500}, nil, "model-cut", 2400, 1, 0},
		{"AU41 case63 b: half a bullet", selfip.Answer{Text: "## LESSONS\n- never sha", Cut: true, Input: 900, Output: 1500}, nil, "", 2400, 1, 0},
		{"case63 c: nothing to say", selfip.Answer{Input: 900, Output: 2}, nil, "", 902, 0, 0},
		{"AU43 too short to be one", selfip.Answer{Text: " ok ", Input: 900, Output: 2}, nil, "model-short", 902, 0, 1},
		{"nobody has counted", selfip.Answer{Text: "十个汉字也算一个回答了"}, nil, "", 5 + 4 + 11, 0, 0},
		{"the answer alone is counted", selfip.Answer{Text: "十个汉字也算一个回答了", Output: 3}, nil, "", 5 + 4 + 3, 0, 0},
		{"the question alone is counted", selfip.Answer{Text: "十个汉字也算一个回答了", Input: 900}, nil, "", 900 + 11, 0, 0},
		{"too long", selfip.Answer{Text: "## LESSONS " + fmt.Sprintf("%09000d", 1), Input: 1, Output: 1}, nil, "", 2, 1, 0},
	} {
		t.Run(row.id, func(t *testing.T) {
			r := newRoom(t)
			m, _ := r.model(row.say, row.err)
			a, err := m.AskModel(t.Context(), m.Workspace, question(selfip.SessionRetro))
			if (err == nil) != (row.err == nil && row.code == "") || fault.CodeOf(err) != row.code {
				t.Fatalf("%s: error %v, want code %q", row.id, err, row.code)
			}
			if s := r.state(); s.Cost.Spent != row.spent || s.Truncated != row.truncated || s.Aborted != row.aborted {
				t.Errorf("%s: spent %d, truncated %d, aborted %d; want %d, %d, %d", row.id, s.Cost.Spent, s.Truncated, s.Aborted, row.spent, row.truncated, row.aborted)
			}
			if len(a.Text) > 8000 {
				t.Errorf("%s: the answer has %d characters", row.id, len(a.Text))
			}
		})
	}
	t.Run("W42 killed", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) { panic("killed") }
		func() {
			defer func() { _ = recover() }()
			_, _ = m.AskModel(t.Context(), m.Workspace, question(selfip.SessionRetro))
		}()
		if s := r.state(); s.Cost.Spent != booked || s.LastCall.Kind != "session-retro" {
			t.Errorf("W42: spent %d, want %d; last call %+v", s.Cost.Spent, booked, s.LastCall)
		}
	})
	t.Run("W42 cancelled", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		ctx, cancel := context.WithCancel(t.Context())
		m.Model = func(ctx context.Context, _ selfip.Question) (selfip.Answer, error) {
			cancel()
			return selfip.Answer{Input: 900}, context.Cause(ctx)
		}
		if _, err := m.AskModel(ctx, m.Workspace, question(selfip.SessionRetro)); !errors.Is(err, context.Canceled) {
			t.Errorf("W42: %v", err)
		}
		if s := r.state(); s.Cost.Spent != 900 {
			t.Errorf("W42: spent %d, want 900: it is settled all the same", s.Cost.Spent)
		}
	})
}

// TestNoTwoOverspend lets many processes ask for the last tokens of the day, and
// lets no call end before all of them have asked.
func TestNoTwoOverspend(t *testing.T) {
	r := newRoom(t)
	const asking, each = 12, 3009
	var calls atomic.Int64
	decided, release := make(chan struct{}, asking), make(chan struct{})
	var wg sync.WaitGroup
	for range asking {
		wg.Go(func() {
			m := r.own()
			m.Settings.DailyTokens = 3 * each
			m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) {
				calls.Add(1)
				decided <- struct{}{}
				<-release
				return selfip.Answer{Text: goodAnswer, Input: 9, Output: 3000}, nil
			}
			_, err := m.AskModel(t.Context(), m.Workspace, question(selfip.ErrorRetro))
			if err == nil {
				return
			}
			if fault.CodeOf(err) != "model-budget" {
				t.Errorf("%v", err)
			}
			decided <- struct{}{}
		})
	}
	for range asking {
		<-decided
	}
	close(release)
	wg.Wait()
	if s := r.state(); calls.Load() != 3 || s.Cost.Spent != 3*each || s.Cost.ByKind["error-retro"].Calls != 3 {
		t.Errorf("%d calls, cost %+v; want 3 and %d", calls.Load(), s.Cost, 3*each)
	}
}

// TestServiceWantsNoCalls: one refusal for now keeps everybody away until its time
// is over (case 68).
func TestServiceWantsNoCalls(t *testing.T) {
	for _, row := range []struct {
		id    string
		asked time.Duration // of the service
		pause time.Duration
	}{
		{"case68", 2 * time.Minute, 2 * time.Minute},
		{"at once", time.Second, time.Minute},
		{"it did not say", 0, 5 * time.Minute},
		{"for weeks", 1000 * time.Hour, 6 * time.Hour},
	} {
		t.Run(row.id, func(t *testing.T) {
			r := newRoom(t)
			busy := fault.New(fault.Busy, "model-busy")
			m, calls := r.model(selfip.Answer{Unsent: true}, &selfip.Pause{For: row.asked, Err: busy})
			for i := range 10 {
				_, err := m.AskModel(t.Context(), m.Workspace, question(selfip.SessionRetro))
				if fault.KindOf(err) != fault.Busy {
					t.Errorf("%s: run %d: %v", row.id, i, err)
				}
			}
			if got := m.Spending(mustState(t, m)).PausedUntil; !got.Equal(r.now.Add(row.pause)) {
				t.Errorf("%s: paused until %v, want %v", row.id, got, r.now.Add(row.pause))
			}
			r.now = r.now.Add(row.pause)
			_, _ = m.AskModel(t.Context(), m.Workspace, question(selfip.SleepCall))
			if s := r.state(); calls.Load() != 2 || s.Cost.Spent != 0 || s.Aborted != 0 {
				t.Errorf("%s: %d calls, spent %d, aborted %d; want 2, 0, 0", row.id, calls.Load(), s.Cost.Spent, s.Aborted)
			}
		})
	}
	t.Run("case85 a pause noted by a clock that was ahead", func(t *testing.T) {
		r := newRoom(t)
		r.write("logs/state.json", fmt.Sprintf(`{"modelPausedUntil":%d}`, r.now.AddDate(70, 0, 0).UnixMilli()))
		m, calls := r.model(selfip.Answer{Text: goodAnswer}, nil)
		if _, err := m.AskModel(t.Context(), m.Workspace, question(selfip.SessionRetro)); err != nil || calls.Load() != 1 {
			t.Errorf("case85: %v, %d calls", err, calls.Load())
		}
	})
}

func mustState(t *testing.T, m *selfip.Memory) state.State {
	t.Helper()
	s, err := m.Workspace.State()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestModelIsUsedForWhatIsAllowed holds the switch of the user.
func TestModelIsUsedForWhatIsAllowed(t *testing.T) {
	r := newRoom(t)
	m, _ := r.model(selfip.Answer{Text: goodAnswer}, nil)
	m.Settings.ModelUse = []string{selfip.UseRetro, selfip.UseSleep}
	for kind, want := range map[string]bool{
		selfip.ErrorRetro: true, selfip.SessionRetro: true, selfip.ManualRetro: true, selfip.SleepCall: true, selfip.CompactCall: false,
	} {
		_, err := m.AskModel(t.Context(), m.Workspace, question(kind))
		if m.Asks(kind) != want || errors.Is(err, selfip.ErrNoModel) == want {
			t.Errorf("%s: asks %v, error %v; want %v", kind, m.Asks(kind), err, want)
		}
	}
	m.Settings.ModelUse = nil
	m.Model = nil
	if _, err := m.AskModel(t.Context(), m.Workspace, question(selfip.SleepCall)); !errors.Is(err, selfip.ErrNoModel) {
		t.Errorf("without a model: %v", err)
	}
}

// TestBudgetDay books by the local date, also on days with 23 or 25 hours.
func TestBudgetDay(t *testing.T) {
	for _, row := range caseRows(t, "82-day-with-25-hours", "cases.tsv") {
		t.Run("case82 "+row[0]+" "+row[1], func(t *testing.T) {
			zone, err := time.LoadLocation(row[0])
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(time.RFC3339, row[2])
			if err != nil {
				t.Fatal(err)
			}
			r := newRoom(t)
			r.now = at.In(zone)
			m, _ := r.model(selfip.Answer{Text: goodAnswer, Input: 7, Output: 3}, nil)
			for range 2 {
				if _, err := m.AskModel(t.Context(), m.Workspace, question(selfip.SleepCall)); err != nil {
					t.Fatal(err)
				}
			}
			if got := r.state().Cost; got.Day != row[3] || got.Spent != 20 {
				t.Errorf("case82: booked on %s: %d, want %s: 20", got.Day, got.Spent, row[3])
			}
			r.now = r.now.Add(25 * time.Hour)
			if got := m.Spending(mustState(t, m)).Cost.Spent; got != 0 {
				t.Errorf("case82: %d of the budget are gone 25 hours later, want 0", got)
			}
		})
	}
	t.Run("a call over midnight", func(t *testing.T) {
		r := newRoom(t)
		r.now = time.Date(2026, 9, 15, 23, 59, 59, 0, time.UTC)
		m := r.own()
		m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) {
			r.now = r.now.Add(time.Minute)
			return selfip.Answer{Text: goodAnswer, Input: 7, Output: 3}, nil
		}
		if _, err := m.AskModel(t.Context(), m.Workspace, question(selfip.SleepCall)); err != nil {
			t.Fatal(err)
		}
		if got := r.state().Cost; got.Day != "2026-09-15" || got.Spent != 10 {
			t.Errorf("cost %+v, want 10 on the day on which the call began", got)
		}
	})
}

// caseRows returns the rows of a table of a case, without remarks.
func caseRows(t *testing.T, name, file string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(readFile(t, filepath.Join("testdata", "cases", name, file))) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSpace(line), "\t"))
		}
	}
	if len(rows) == 0 {
		t.Fatalf("case %s has no rows in %s", name, file)
	}
	return rows
}

// TestMeterAddsUp calls at random, with every kind of end, and holds that the
// record of the day is the sum of what the calls cost.
func TestMeterAddsUp(t *testing.T) {
	kinds := []string{selfip.ErrorRetro, selfip.SessionRetro, selfip.ManualRetro, selfip.SleepCall, selfip.CompactCall}
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		want := selfip.Cost{Day: "2026-09-15", ByKind: map[string]selfip.KindCost{}}
		for range rapid.IntRange(1, 5).Draw(rt, "calls") {
			kind := rapid.SampledFrom(kinds).Draw(rt, "kind")
			in, out := rapid.IntRange(1, 4000).Draw(rt, "in"), rapid.IntRange(0, 3000).Draw(rt, "out")
			say, err := selfip.Answer{Text: goodAnswer, Input: in, Output: out}, error(nil)
			end := rapid.SampledFrom([]string{"good", "cut", "broken", "unsent", "unknown"}).Draw(rt, "end")
			if out == 0 && (end == "good" || end == "cut") { // an answer that nobody has counted is estimated
				out = text.Tokens(strings.TrimSpace(goodAnswer))
			}
			switch end {
			case "cut":
				say.Cut = true
			case "broken":
				err = errors.New("broken")
			case "unsent":
				say, err = selfip.Answer{Unsent: true}, errors.New("refused")
				in, out = 0, 0
			case "unknown":
				say, err = selfip.Answer{}, errors.New("killed")
				in, out = 9, 3000
			}
			m, _ := r.model(say, err)
			if _, got := m.AskModel(t.Context(), m.Workspace, question(kind)); (got == nil) != (err == nil) {
				rt.Fatalf("%v, want %v", got, err)
			}
			k := want.ByKind[kind]
			want.ByKind[kind] = selfip.KindCost{Calls: k.Calls + 1, Input: k.Input + in, Output: k.Output + out}
			want.Spent += in + out
		}
		if diff := cmp.Diff(&want, r.state().Cost); diff != "" {
			rt.Fatalf("cost (-want +got):\n%s", diff)
		}
	})
}
