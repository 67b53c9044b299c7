package selfip_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/text"
)

// A month of use: the sessions of a busy team, with what they say, store, correct
// and repeat. The use cases do all of it, on a clock that is moved.
type month struct {
	t        *testing.T
	room     *room
	sessions int
	notes    int // stored in each session
	n        int // notes so far

	asked, found, called int // questions about planted entries; found by a search; shown to the prompt
	blocks, golden, held int // blocks; golden entries that should be in them; that were
	longest              int // block
	work                 []float64
}

// Words of the notes. They make some thousand subjects.
var (
	services = strings.Fields("billing search export import mailer gateway ledger catalog checkout identity scheduler reports webhook archive media pricing")
	things   = strings.Fields("port timeout retry queue cache schema token index bucket endpoint migration runner replica cron alias quota")
	places   = strings.Fields("staging production local ci canary sandbox eu-west us-east")
)

// golden are preferences that every session should be told: as many as their
// part of the block has room for, with their metadata.
var golden = []string{
	"commit messages are written in English", "never push to main without a review", "用户偏好先写方案再改代码", "run make lint before each commit",
}

// planted are facts that one question needs and no other.
func plantedFact(i int) (said, question string) {
	s, th := services[i%len(services)], things[(i/len(services))%len(things)]
	return fmt.Sprintf("the %s of the %s service is value-%04d, set in conf/%s.yaml", th, s, i, s), fmt.Sprintf("what is the %s of the %s service?", th, s)
}

const plantedFacts = 60

func (mo *month) note(i int) selfip.Note {
	s, th, p := services[i*7%len(services)], things[i*11%len(things)], places[i*13%len(places)]
	switch i % 10 {
	case 0:
		return selfip.Note{Kind: entry.Lesson, Text: fmt.Sprintf("deploying %s to %s fails with E%04d -> the %s was stale -> clear it first", s, p, i, th)}
	case 1:
		return selfip.Note{Kind: entry.Method, Text: fmt.Sprintf("to reset the %s of %s on %s run ./ops/reset-%d.sh", th, s, p, i)}
	case 2:
		return selfip.Note{Kind: entry.Resource, Text: fmt.Sprintf("runbook %d | https://wiki.acme.example/%s/%d | %s of %s", i, s, i, th, s)}
	case 3: // said before, in other words
		j := max(0, i-17-i%5*10)
		return selfip.Note{Kind: entry.Lesson, Text: fmt.Sprintf("Deploying %s to %s fails with E%04d → the %s was stale → clear it first.", services[j*7%len(services)], places[j*13%len(places)], j/10*10, things[j*11%len(things)])}
	case 4:
		return selfip.Note{Kind: entry.Fact, Text: fmt.Sprintf("%s 在 %s 的 %s 由 %d 号任务维护", s, p, th, i), Source: "web"}
	}
	return selfip.Note{Kind: entry.Fact, Text: fmt.Sprintf("job %d keeps the %s of %s on %s below %d percent", i, th, s, p, i%90)}
}

// session is one session: it starts, asks, stores, repairs something, ends, and
// a worker comes.
func (mo *month) session(i int) {
	r, m := mo.room, mo.room.own()
	m.Settings.KeepDays = 10
	id := fmt.Sprintf("s%04d", i)
	mo.block(m.StartText(id, selfip.Startup), i)
	r.hear(m, id, said("fix the build"))
	mo.ask(m, id, i)
	for range mo.notes {
		r.tool(m, mo.note(mo.n))
		mo.n++
	}
	if i%9 == 5 {
		_, _ = m.Forget(r.t.Context(), fmt.Sprintf("job %d keeps", max(0, mo.n-37)/10*10+5), selfip.Author{Origin: "command"})
	}
	r.hear(m, id, mended()...)
	r.end(m, id)
	r.learn(m)
	if _, err := m.Tend(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

// block looks at what a session is given at its start.
func (mo *month) block(said string, i int) {
	mo.longest = max(mo.longest, text.Len(said))
	if i == 0 {
		return
	}
	mo.blocks++
	for _, g := range golden {
		mo.golden++
		if strings.Contains(said, g) {
			mo.held++
		}
	}
}

// ask puts the question that a planted fact answers.
func (mo *month) ask(m *selfip.Memory, session string, i int) {
	fact, question := plantedFact(i % plantedFacts)
	mo.asked++
	for _, h := range m.Search(question, 5) {
		if h.Text == fact {
			mo.found++
		}
	}
	answer := m.PromptText(session, question)
	if strings.Contains(answer, fact) {
		mo.called++
	}
	if n := text.Len(answer); n > m.Settings.InjectChars {
		mo.t.Errorf("session %d: a prompt got %d characters", i, n)
	}
}

func (mo *month) run() {
	r := mo.room
	m := r.own()
	for _, g := range golden {
		r.remember(m, selfip.Note{Kind: entry.Preference, Text: g, Importance: 10, Source: "user"})
	}
	for i := range plantedFacts {
		fact, _ := plantedFact(i)
		r.remember(m, selfip.Note{Kind: entry.Fact, Text: fact, Source: "user"})
	}
	step := 30 * 24 * time.Hour / time.Duration(mo.sessions)
	for i := range mo.sessions {
		before := allocated()
		mo.session(i)
		mo.work = append(mo.work, allocated()-before)
		r.now = r.now.Add(step)
	}
}

// allocated is the memory that was asked for so far, in MiB: a measure of work
// that does not depend on how busy the machine is.
func allocated() float64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return float64(s.TotalAlloc) / (1 << 20)
}

// remember stores what the user says.
func (r *room) remember(m *selfip.Memory, n selfip.Note) {
	r.t.Helper()
	if _, err := m.Remember(r.t.Context(), n, selfip.Author{Origin: "command"}); err != nil {
		r.t.Fatal(err)
	}
}

// TestMonth: 500 sessions and 5,000 entries. What a session is given stays within
// its budget and relevant, files stay bounded, and the last sessions cost little
// more than the first.
func TestMonth(t *testing.T) {
	mo := &month{t: t, room: newRoom(t), sessions: 500, notes: 10}
	if testing.Short() {
		mo.sessions = 60
		mo.room.chars = 20_000
	}
	mo.run()
	m := mo.room.own()

	if mo.longest > m.Settings.InjectChars {
		t.Errorf("the longest block has %d characters, want at most %d", mo.longest, m.Settings.InjectChars)
	}
	if share := float64(mo.held) / float64(mo.golden); share < 0.99 {
		t.Errorf("golden entries in the block: %d of %d", mo.held, mo.golden)
	}
	if share := float64(mo.found) / float64(mo.asked); share < 0.95 {
		t.Errorf("planted entries among the first five hits: %d of %d", mo.found, mo.asked)
	}
	if share := float64(mo.called) / float64(mo.asked); share < 0.9 {
		t.Errorf("planted entries shown to the prompt that asks for them: %d of %d", mo.called, mo.asked)
	}
	mo.bounded(m)
	mo.growth()

	days := m.Figures(m.Workspace, 31)
	injected, last := 0, days[len(days)-1]
	for _, d := range days {
		injected += d.Injected
	}
	if last.Live < mo.sessions*mo.notes/2 || injected < mo.sessions*500 {
		t.Errorf("figures: %d entries at the end, %d characters given, want more", last.Live, injected)
	}
	t.Logf("%d sessions: longest block %d, golden %d/%d, found %d/%d, called for %d/%d, entries %d, injected %d",
		mo.sessions, mo.longest, mo.held, mo.golden, mo.found, mo.asked, mo.called, mo.asked, last.Live, injected)
}

// bounded looks at the sizes of files after the month.
func (mo *month) bounded(m *selfip.Memory) {
	t, r := mo.t, mo.room
	for _, p := range selfip.Partitions {
		if n := text.Len(r.read(p.File)); n > m.Settings.FileChars {
			t.Errorf("%s has %d characters, want at most %d", p.File, n, m.Settings.FileChars)
		}
	}
	perDay := mo.sessions/30 + 1
	logs := 0
	for _, name := range r.list("logs") {
		if strings.HasPrefix(name, "session-") {
			logs++
			if s := snapshot.StateOf(r.read("logs/" + name)); s != snapshot.Done {
				t.Errorf("%s was not learned from: %v", name, s)
			}
		}
	}
	if logs > 12*perDay {
		t.Errorf("%d session logs, want those of 12 days at most: %d", logs, 12*perDay)
	}
	for folder, most := range map[string]int64{"run": 4 << 20, "logs": 8 << 20, "memory": int64(mo.n) * 600} {
		var size int64
		err := filepath.WalkDir(r.path(folder), func(_ string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				info, err := d.Info()
				if err == nil {
					size += info.Size()
				}
			}
			return err
		})
		if err != nil || size > most {
			t.Errorf("%s holds %d bytes (%v), want at most %d", folder, size, err, most)
		}
		t.Logf("%s: %d bytes", folder, size)
	}
}

// growth compares the work of the last sessions with that of the first full
// quarter. The library grows by the factor of four between them: work that grows
// with it would be four times as much, quadratic work sixteen times.
func (mo *month) growth() {
	quarter := len(mo.work) / 4
	sum := func(list []float64) (n float64) {
		for _, v := range list {
			n += v
		}
		return n
	}
	first, last := sum(mo.work[quarter/2:quarter+quarter/2]), sum(mo.work[len(mo.work)-quarter:])
	mo.t.Logf("allocated in the second eighth and the third: %.0f MiB, in the last quarter: %.0f MiB", first, last)
	if last > 5*first {
		mo.t.Errorf("the last quarter took %.0f MiB of allocations, an early one %.0f: more than the library grew", last, first)
	}
}
