package selfip_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/transcript"
)

func broke(text string) transcript.Record {
	return transcript.Record{Kind: transcript.Fault, Text: text}
}

// errs tells of an error of the agent, and reports whether a worker is to wait.
func (r *room) errs(m *selfip.Memory, session, text string) bool {
	r.t.Helper()
	if err := m.Hear(selfip.Heard{Harness: "claude-code", Session: session, Dir: r.dir, Record: broke(text)}); err != nil {
		r.t.Fatal(err)
	}
	start, err := m.AskErrorRetro(session)
	if err != nil {
		r.t.Fatal(err)
	}
	return start
}

// waits moves the clock instead of waiting, and notes for how long.
func (r *room) waits(waited *[]time.Duration) selfip.Wait {
	return func(_ context.Context, d time.Duration) error {
		*waited = append(*waited, d)
		r.now = r.now.Add(d)
		return nil
	}
}

// wait is one retro of an error that a worker waits for.
func (r *room) wait(m *selfip.Memory, session string) (selfip.Learned, bool, time.Duration) {
	r.t.Helper()
	var waited []time.Duration
	got, done, err := m.ErrorRetro(r.t.Context(), session, r.waits(&waited))
	if err != nil {
		r.t.Fatal(err)
	}
	var sum time.Duration
	for _, d := range waited {
		sum += d
	}
	return got, done, sum
}

// TestErrorRetro: six seconds after the first error, a minute apart, three in a
// session; an error too soon is put off, not dropped (W44).
func TestErrorRetro(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	k := answers(m, "## LESSONS\n- 服务过载 -> 并发太高 -> 降低并发\n")
	same(t, "the first starts a worker", r.errs(m, "s1", "529 overloaded"), true)
	r.now = r.now.Add(2 * time.Second)
	same(t, "the second does not", r.errs(m, "s1", "529 overloaded again"), false)
	got, done, waited := r.wait(m, "s1")
	same(t, "done", done, true)
	same(t, "after the first error", waited, 4*time.Second)
	same(t, "kind", got.Kind, selfip.ErrorRetro)
	same(t, "by", got.By, "acme/small-1")
	has(t, "lessons", r.read("memory/lessons.md"), r.stamped("## error-retro @ NOW"), "降低并发")
	same(t, "asked", len(k.asked), 1)
	same(t, "asked as", k.asked[0].Kind, selfip.ErrorRetro)
	has(t, "both errors", k.asked[0].User, "代理出错: 529 overloaded\n", "529 overloaded again")
	_, done, _ = r.wait(m, "s1")
	same(t, "a second worker finds nothing", done, false)

	t.Run("W44", func(t *testing.T) {
		r.now = r.now.Add(10 * time.Second)
		same(t, "W44: an error too soon starts a worker", r.errs(m, "s1", "too soon"), true)
		_, done, waited := r.wait(m, "s1")
		same(t, "W44: done", done, true)
		same(t, "W44: a minute after the one before", waited, 50*time.Second)
	})
	r.now = r.now.Add(2 * time.Minute)
	same(t, "the third", r.errs(m, "s1", "third"), true)
	_, done, waited = r.wait(m, "s1")
	same(t, "done", done, true)
	same(t, "after", waited, 6*time.Second)
	r.now = r.now.Add(2 * time.Minute)
	same(t, "there is no fourth", r.errs(m, "s1", "fourth"), false)
	same(t, "another session has its own", r.errs(m, "s2", "first"), true)
	same(t, "calls", len(k.asked), 3)
}

// TestErrorRetroIsNotLearnedTwice: the retro of the session's end knows what was
// learned, and says it once.
func TestErrorRetroIsNotLearnedTwice(t *testing.T) {
	t.Run("model", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		k := answers(m, "## LESSONS\n- The service is overloaded -> too many calls -> lower the concurrency\n",
			"## LESSONS\n- Service is overloaded -> too many calls -> lower concurrency\n- a new one -> of the end -> kept\n")
		r.errs(m, "s1", "529 overloaded")
		r.wait(m, "s1")
		r.end(m, "s1")
		r.learn(m)
		has(t, "the question of the end", k.asked[1].User, "本次会话先前已沉淀的内容", "- The service is overloaded")
		wantWords(t, "lessons", words(r.read("memory/lessons.md")), []string{
			"The service is overloaded -> too many calls -> lower the concurrency", "a new one -> of the end -> kept",
		})
	})
	t.Run("engine", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		r.hear(m, "s1", said("记住：预发主机叫 alpha"))
		r.hear(m, "s1", mended()[1:]...)
		r.errs(m, "s1", "529 overloaded")
		got, done, _ := r.wait(m, "s1")
		same(t, "done", done, true)
		same(t, "by", got.By, "local")
		same(t, "entries", len(got.Entries), 2)
		same(t, "no hand-off in the middle", r.read("logs/handoff-latest.md"), "")
		before := len(lines(r.read("memory/lessons.md")+r.read("memory/facts.md"), "- ["))
		r.end(m, "s1")
		r.learn(m)
		same(t, "entries", len(lines(r.read("memory/lessons.md")+r.read("memory/facts.md"), "- [")), before)
		has(t, "hand-off at the end", r.read("logs/handoff-latest.md"), "529 overloaded")
	})
}

// TestErrorRetroAcrossProcesses: of many processes that hear errors and wait, one
// does the retro.
func TestErrorRetroAcrossProcesses(t *testing.T) {
	r := newRoom(t)
	var calls, done atomic.Int64
	open := func() *selfip.Memory {
		m := r.own()
		m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) {
			calls.Add(1)
			return selfip.Answer{Text: "## LESSONS\n- 服务过载 -> 并发太高 -> 降低并发\n", Provider: "acme", Model: "m"}, nil
		}
		return m
	}
	r.errs(open(), "s1", "529")
	r.now = r.now.Add(6 * time.Second)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			m := open()
			_, ok, err := m.ErrorRetro(t.Context(), "s1", nil)
			if err != nil {
				t.Error(err)
			}
			if ok {
				done.Add(1)
			}
		})
	}
	all.Wait()
	same(t, "calls", calls.Load(), 1)
	same(t, "done", done.Load(), 1)
}

// TestErrorRetroEnds: a session that has ended, a worker that is stopped or
// killed, a model that fails, a clock that was set back.
func TestErrorRetroEnds(t *testing.T) {
	t.Run("the session ends first", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		k := answers(m, "## HANDOFF\n做到一半，明天继续\n")
		r.errs(m, "s1", "529")
		r.end(m, "s1")
		_, done, _ := r.wait(m, "s1")
		same(t, "done", done, false)
		same(t, "calls", len(k.asked), 0)
		r.learn(m)
		same(t, "the end is learned from", k.asked[0].Kind, selfip.SessionRetro)
	})
	t.Run("interrupted while it waits", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		r.errs(m, "s1", "529")
		stop := errors.New("stopped")
		_, done, err := m.ErrorRetro(t.Context(), "s1", func(context.Context, time.Duration) error { return stop })
		if done || !errors.Is(err, stop) {
			t.Errorf("done %v, %v; want the interrupt", done, err)
		}
		_, done, _ = r.wait(m, "s1")
		same(t, "it still waits for another worker", done, true)
	})
	t.Run("the worker was killed", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		r.errs(m, "s1", "529")
		r.now = r.now.Add(20 * time.Second)
		same(t, "not late yet", r.errs(m, "s1", "529"), false)
		r.now = r.now.Add(20 * time.Second)
		same(t, "the next error starts another", r.errs(m, "s1", "529"), true)
		ran := r.learn(m) // and so does whoever works on the queue
		same(t, "learned", len(ran.Learned), 1)
		same(t, "kind", ran.Learned[0].Kind, selfip.ErrorRetro)
	})
	t.Run("a model that fails", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		failing(m, fault.New(fault.Timeout, "model-timeout"))
		r.hear(m, "s1", mended()...)
		r.errs(m, "s1", "529")
		got, done, _ := r.wait(m, "s1")
		same(t, "done", done, true)
		same(t, "by", got.By, "local")
		same(t, "told", fmt.Sprint(got.Instead), "model-timeout")
	})
	t.Run("a clock that was set back", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		r.errs(m, "s1", "529")
		r.now = r.now.Add(-2 * time.Hour)
		_, done, waited := r.wait(m, "s1")
		same(t, "done", done, true)
		same(t, "waited", waited, 0)
	})
	t.Run("nothing is asked where nothing is learned", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		m.Settings.Writes = selfip.WritesOff
		same(t, "start", r.errs(m, "s1", "529"), false)
	})
}

// TestErrorRetroLimitsHoldAtTheTime: the limits count when the time has come, too:
// a hook that was held up notes its wish after others were fulfilled.
func TestErrorRetroLimitsHoldAtTheTime(t *testing.T) {
	late := func(r *room, m *selfip.Memory, retros int) {
		r.t.Helper()
		r.errs(m, "s1", "529")
		for range retros {
			r.wait(m, "s1")
			r.now = r.now.Add(2 * time.Minute)
			r.errs(m, "s1", "529")
		}
		r.wait(m, "s1")
		r.now = r.now.Add(10 * time.Second)
		file := "run/sessions/" + r.list("run/sessions")[0]
		r.write(file, r.read(file)+fmt.Sprintf(`{"t":%q,"op":"due","due":%[1]q}`+"\n", r.now.Add(-8*time.Second).Format(time.RFC3339)))
	}
	t.Run("three in a session", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		k := answers(m, "## HANDOFF\n做到一半，明天继续\n")
		late(r, m, 2)
		r.now = r.now.Add(2 * time.Minute)
		_, done, _ := r.wait(m, "s1")
		same(t, "a fourth", done, false)
		same(t, "learned by the queue", len(r.learn(m).Learned), 0)
		same(t, "an error starts a worker", r.errs(m, "s1", "529"), false)
		same(t, "calls", len(k.asked), 3)
	})
	t.Run("a minute apart", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		answers(m, "## HANDOFF\n做到一半，明天继续\n")
		late(r, m, 0)
		same(t, "too soon for the queue", len(r.learn(m).Learned), 0)
		_, done, waited := r.wait(m, "s1")
		same(t, "done", done, true)
		same(t, "waited", waited, 50*time.Second)
	})
}

// TestManualRetro: a session that waits leaves the queue, one that another process
// works on is refused, and a model that fails does not keep the user waiting.
func TestManualRetro(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	r.ended(m, "s1")
	failing(m, fault.New(fault.Timeout, "model-timeout"))
	got, err := m.Retro(t.Context(), "", nil)
	if err != nil || got.By != "local" || got.Instead == nil || got.Kind != selfip.ManualRetro {
		t.Fatalf("%+v, %v; want the engine in place of the model", got, err)
	}
	same(t, "queue", r.read("logs/pending.md"), "")
	has(t, "lesson", r.read("memory/lessons.md"), "## manual-retro @ ", "docker compose up -d redis")

	r.now = r.now.Add(time.Minute)
	r.ended(m, "s2")
	var second error
	m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) {
		_, second = r.own().Retro(t.Context(), "s2", nil)
		return selfip.Answer{Text: "## HANDOFF\n做到一半，明天继续", Provider: "acme", Model: "m"}, nil
	}
	if _, err := m.Retro(t.Context(), "s2", nil); err != nil {
		t.Fatal(err)
	}
	same(t, "a second process", fault.CodeOf(second), "row-taken")

	t.Run("what cannot be stored stays", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		r.ended(m, "s1")
		r.write("memory", "a file where the folder should be")
		if _, err := m.Retro(t.Context(), "s1", nil); err == nil {
			t.Fatal("stored in a place that takes no files")
		}
		q, _ := m.Queue()
		if len(q.Waiting) != 1 || q.Waiting[0].Claim != "" || q.Waiting[0].Attempts != 0 {
			t.Errorf("queue %+v, want the row as it was", q.Waiting)
		}
	})
}

// TestForeignRecords: what happened in folders of others is left out, unless the
// user names the file.
func TestForeignRecords(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	m.Here = func(dir string) bool { return dir == r.dir }
	log := func(string, string) (selfip.Transcript, error) {
		return selfip.Transcript{
			Records: func(yield func(transcript.Record, error) bool) {
				for _, rec := range []transcript.Record{
					{Kind: transcript.Prompt, Text: "记住：预发主机叫 alpha", Dir: r.dir},
					{Kind: transcript.Prompt, Text: "记住：生产主机叫 omega", Dir: "/somewhere/else"},
					{Kind: transcript.Prompt, Text: "记住：测试主机叫 beta"},
				} {
					if !yield(rec, nil) {
						return
					}
				}
			},
			Skipped: func() []string { return nil },
		}, nil
	}
	if err := m.Hear(selfip.Heard{Harness: "claude-code", Session: "s1", Dir: r.dir, Transcript: "/log", Record: said("开始")}); err != nil {
		t.Fatal(err)
	}
	r.end(m, "s1")
	ran, err := m.RunQueue(t.Context(), log)
	if err != nil {
		t.Fatal(err)
	}
	facts := r.read("memory/facts.md")
	has(t, "own", facts, "alpha", "beta")
	hasNot(t, "foreign", facts, "omega")
	has(t, "told", strings.Join(ran.Learned[0].Left, "\n"), "其他目录中的记录：1")
	given, _ := log("", "")
	if _, err := m.RetroOf(t.Context(), "given", given); err != nil {
		t.Fatal(err)
	}
	has(t, "named by the user", r.read("memory/facts.md"), "omega")
}
