package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// crowd is all that works in one library, and what it was told.
type crowd struct {
	options options
	ws      string
	env     []string
	until   time.Time

	mu       sync.Mutex
	marks    []*mark
	sessions []string
	started  int
	killed   int
	refused  int
	counts   map[string]*count
	changes  []string // ids of acknowledged changes
	trouble  []string // processes that failed where they should not

	live, withdrawn, rows int
}

type count struct{ started, acked int }

// mark is a word that stands in one entry of the library, whoever stored it.
type mark struct {
	word      string
	acked     int  // notes that were acknowledged
	inFlight  int  // processes that store it now
	unknown   int  // notes whose process was killed
	chosen    bool // somebody forgets it: nobody stores it again
	forgotten bool // acknowledged
	doubtful  bool // the process that forgets it was killed
}

func newCrowd(o options, dir string) (*crowd, error) {
	c := &crowd{options: o, ws: filepath.Join(dir, "ws"), counts: map[string]*count{}}
	home := filepath.Join(dir, "home")
	for _, d := range []string{c.ws, home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	c.env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC", "SELFIP_BACKGROUND=false", "SELFIP_LOCK_WAIT=20s",
		// A small file: entries move to the archive all the time.
		"SELFIP_FILE_CHARS=12000", "SELFIP_KEEP_DAYS=1",
	}
	return c, nil
}

// actor does one thing, again and again.
type actor func(c *crowd, r *rand.Rand)

// torture lets everybody work until the time is over.
func (c *crowd) torture() {
	actors := []actor{note, note, note, again, forget, forget, worker, worker, compaction, sleeper, search, status}
	for range c.options.sessions {
		actors = append(actors, session)
	}
	c.until = time.Now().Add(c.options.time)
	var wg sync.WaitGroup
	for i, act := range actors {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(c.options.seed, uint64(i)))
			for time.Now().Before(c.until) {
				act(c, r)
			}
		})
	}
	wg.Wait()
}

// done is what came of a process.
type done struct {
	ok     bool // it ended by itself, with exit code 0
	killed bool
	code   int
	out    []byte
	err    string
}

// exec runs a process to its end, or kills it on the way.
func (c *crowd) exec(r *rand.Rand, stdin, verb string, args ...string) done {
	cmd := exec.Command(c.options.binary, append([]string{verb}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.ws, c.env, strings.NewReader(stdin)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Start(); err != nil {
		return c.count(verb, done{err: err.Error(), code: -1})
	}
	if r != nil && r.Float64() < c.options.kill {
		// Some are killed as they start, some in the milliseconds in which they
		// work, some while they wait for others or do what takes long.
		mean := []time.Duration{3 * time.Millisecond, 15 * time.Millisecond, 100 * time.Millisecond}[r.IntN(3)]
		wait := time.Duration(r.ExpFloat64() * float64(mean))
		timer := time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	d := done{ok: err == nil, out: out.Bytes(), err: errOut.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		d.code, d.killed = exit.ExitCode(), exit.ExitCode() < 0
	}
	return c.count(verb, d)
}

func (c *crowd) count(verb string, d done) done {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts[verb] == nil {
		c.counts[verb] = &count{}
	}
	c.started++
	c.counts[verb].started++
	switch {
	case d.ok:
		c.counts[verb].acked++
	case d.killed:
		c.killed++
	default:
		c.refused++
		if !slices.Contains(expected[verb], d.code) {
			c.trouble = append(c.trouble, fmt.Sprintf("%s ended with %d: %s", verb, d.code, strings.TrimSpace(d.err)))
		}
	}
	return d
}

// expected are the exit codes, beside 0, that a verb may end with among so many:
// no such entry any more, somebody else is at it, the lock was not free in time.
var expected = map[string][]int{
	"remember": {6}, "forget": {4, 6}, "queue": {6}, "compact": {6, 5}, "sleep": {6, 5}, "search": {}, "status": {}, "hook": {},
}

func (c *crowd) verbs() (names []string) {
	for name := range c.counts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// newMark makes a word that nobody has used, and that begins with prefix.
func (c *crowd) newMark(prefix string) *mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := &mark{word: fmt.Sprintf("%s%07dq", prefix, len(c.marks)), inFlight: 1}
	c.marks = append(c.marks, m)
	return m
}

// note stores an entry, and now and then the same in other words, which a
// compaction takes for the same.
func note(c *crowd, r *rand.Rand) {
	m := c.newMark("mark")
	kinds := []string{"fact", "lesson", "method", "resource"}
	kind := kinds[r.IntN(len(kinds))]
	c.remember(r, m, kind, fmt.Sprintf("the value of %s is %d", m.word, len(m.word)))
	if r.IntN(4) == 0 && c.take(m) {
		c.remember(r, m, kind, fmt.Sprintf("The value of %s is %d.", m.word, len(m.word)))
	}
}

// again stores what somebody has stored already.
func again(c *crowd, r *rand.Rand) {
	m := c.pick(r, func(m *mark) bool { return !m.chosen && m.acked > 0 && !strings.HasPrefix(m.word, "said") })
	if m == nil {
		time.Sleep(5 * time.Millisecond)
		return
	}
	if c.take(m) {
		c.remember(r, m, "fact", fmt.Sprintf("the value of %s is %d", m.word, len(m.word)))
	}
}

// pick chooses a mark, nil when none fits.
func (c *crowd) pick(r *rand.Rand, fits func(*mark) bool) *mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range 20 {
		if len(c.marks) == 0 {
			return nil
		}
		if m := c.marks[r.IntN(len(c.marks))]; fits(m) {
			return m
		}
	}
	return nil
}

// take notes that a process is going to store a mark, unless it is being
// forgotten.
func (c *crowd) take(m *mark) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.chosen {
		return false
	}
	m.inFlight++
	return true
}

func (c *crowd) remember(r *rand.Rand, m *mark, kind, said string) {
	d := c.exec(r, "", "remember", "--json", "--kind", kind, said)
	var got struct {
		Change string `json:"change"`
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m.inFlight--
	switch {
	case d.ok && json.Unmarshal(d.out, &got) == nil:
		m.acked++
		if got.Change != "" { // a repetition that brings nothing is no change
			c.changes = append(c.changes, got.Change)
		}
	case d.killed:
		m.unknown++
	}
}

// forget withdraws an entry that nobody stores at this moment.
func forget(c *crowd, r *rand.Rand) {
	m := c.pick(r, func(m *mark) bool {
		fits := !m.chosen && m.inFlight == 0 && m.acked > 0
		m.chosen = m.chosen || fits
		return fits
	})
	if m == nil {
		time.Sleep(5 * time.Millisecond)
		return
	}
	d := c.exec(r, "", "forget", "--json", m.word)
	var got struct {
		Changes []string `json:"changes"`
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case d.ok && json.Unmarshal(d.out, &got) == nil:
		m.forgotten = true
		c.changes = append(c.changes, got.Changes...)
	case d.killed:
		m.doubtful = true
	case d.code == 4:
		c.trouble = append(c.trouble, "forget finds no entry with "+m.word)
	}
	time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
}

// session is one conversation, in which the user states rules.
func session(c *crowd, r *rand.Rand) {
	c.mu.Lock()
	id := fmt.Sprintf("s%05d", len(c.sessions))
	c.sessions = append(c.sessions, id)
	c.mu.Unlock()
	think := func() { time.Sleep(time.Duration(50+r.IntN(300)) * time.Millisecond) }
	c.hook(r, id, "SessionStart", `"source":"startup"`)
	for range 1 + r.IntN(2) {
		m := c.newMark("said")
		think()
		d := c.hook(r, id, "UserPromptSubmit", fmt.Sprintf(`"prompt":"From now on always deploy with tool-%s."`, m.word))
		c.mu.Lock()
		m.inFlight, m.chosen = 0, true // they are not forgotten: nobody knows when they are learned
		if d.ok && d.err == "" {
			m.acked++
		} else {
			m.unknown++
		}
		c.mu.Unlock()
	}
	think()
	if r.IntN(3) > 0 {
		c.hook(r, id, "SessionEnd", `"reason":"exit"`)
	}
}

func (c *crowd) hook(r *rand.Rand, session, event, more string) done {
	payload := fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q,%s}`, session, c.ws, event, more)
	return c.exec(r, payload, "hook", "claude-code")
}

func worker(c *crowd, r *rand.Rand) {
	c.exec(r, "", "queue", "run")
	time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
}

func compaction(c *crowd, r *rand.Rand) {
	c.exec(r, "", "compact", "--local")
	time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
}

func sleeper(c *crowd, r *rand.Rand) {
	c.exec(r, "", "sleep")
	time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond)
}

func search(c *crowd, r *rand.Rand) {
	if m := c.pick(r, func(*mark) bool { return true }); m != nil {
		c.exec(r, "", "search", "value", m.word)
	}
	time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
}

func status(c *crowd, r *rand.Rand) {
	c.exec(r, "", "status", "--json")
	time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond)
}
