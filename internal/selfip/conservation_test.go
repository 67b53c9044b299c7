package selfip_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip"
)

// ward plays sessions of a workspace in any order and remembers what was said in
// them.
type ward struct {
	*room
	said    map[string][]string // by session
	learned map[string]bool     // words that were in evidence when it was learned from
	number  int
}

// FuzzNoSessionIsLost holds that what was said in a session is in evidence that
// was learned from, or in a dead letter, whatever ended the session and however
// often the queue was run, refused and torn meanwhile.
func FuzzNoSessionIsLost(f *testing.F) {
	for i := range byte(10) {
		f.Add(noise(i))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) {
			w := &ward{room: newRoom(t), said: map[string][]string{}, learned: map[string]bool{}}
			w.play(rt)
			w.settle(rt)
			w.check(rt)
		})(t, data)
	})
}

func (w *ward) play(rt *rapid.T) {
	session := rapid.SampledFrom([]string{"s1", "s2", "s3"})
	rt.Repeat(map[string]func(*rapid.T){
		"hear": func(t *rapid.T) { w.say(t, session.Draw(t, "session")) },
		"hear meanwhile": func(t *rapid.T) {
			id := session.Draw(t, "session")
			w.run(t, func(string, string) (selfip.Transcript, error) {
				w.say(t, id)
				w.ok(t, w.own().Flush(t.Context(), id))
				return selfip.Transcript{}, fs.ErrNotExist
			})
		},
		"flush": func(t *rapid.T) { w.ok(t, w.own().Flush(t.Context(), session.Draw(t, "session"))) },
		"end": func(t *rapid.T) {
			_, err := w.own().Finish(t.Context(), selfip.Heard{Session: session.Draw(t, "session")})
			w.ok(t, err)
		},
		"start": func(t *rapid.T) {
			_, _, err := w.own().Recover(t.Context(), selfip.Heard{Session: session.Draw(t, "session"), Process: "1@1"})
			w.ok(t, err)
		},
		"learn":  func(t *rapid.T) { w.run(t, noLog) },
		"refuse": func(t *rapid.T) { w.run(t, refusing) },
		"wait":   func(t *rapid.T) { w.now = w.now.Add(31 * time.Minute) },
		"tear": func(t *rapid.T) {
			for _, name := range []string{"logs/pending.md", "run/sessions/" + session.Draw(t, "session") + ".jsonl"} {
				w.tear(t, name)
			}
		},
		"retry": func(t *rapid.T) { _, _ = w.own().Retry(t.Context(), "") }, // there may be no dead letter
	})
}

// say has the user say something in a session.
func (w *ward) say(t *rapid.T, id string) {
	w.number++
	word := fmt.Sprintf("said-%03d-in-%s", w.number, id)
	h := selfip.Heard{Harness: "claude-code", Session: id, Dir: w.dir, Transcript: "/log/" + id, Process: "1@1", Record: said(word)}
	w.ok(t, w.own().Hear(h))
	w.said[id] = append(w.said[id], word)
	w.now = w.now.Add(3 * time.Second)
}

// noLog is a harness whose session logs are gone.
func noLog(string, string) (selfip.Transcript, error) { return selfip.Transcript{}, fs.ErrNotExist }

func (w *ward) run(t *rapid.T, open selfip.Transcripts) {
	_, err := w.own().RunQueue(t.Context(), open)
	w.ok(t, err)
	w.note()
}

// note keeps what the evidence holds that was learned from: a session that goes
// on writes over its snapshot.
func (w *ward) note() {
	for _, name := range w.list("logs") {
		text := w.read("logs/" + name)
		if !strings.Contains(text, "[[SELFIP-RETRO-DONE]]") {
			continue
		}
		for _, words := range w.said {
			for _, word := range words {
				w.learned[word] = w.learned[word] || strings.Contains(text, word)
			}
		}
	}
}

// tear puts half a row behind a file, as a killed process does.
func (w *ward) tear(t *rapid.T, name string) {
	f, err := os.OpenFile(w.path(name), os.O_APPEND|os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	w.ok(t, err)
	_, err = f.WriteString(`{"t":"2026-09-15T12:00:00Z","op":"rec`)
	w.ok(t, errors.Join(err, f.Close()))
}

func (w *ward) ok(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// settle starts another session and works until nothing waits.
func (w *ward) settle(t *rapid.T) {
	for range 8 {
		w.now = w.now.Add(31 * time.Minute)
		_, _, err := w.own().Recover(t.Context(), selfip.Heard{Session: "last", Process: "1@1"})
		w.ok(t, err)
		w.run(t, noLog)
	}
	q, err := w.own().Queue()
	w.ok(t, err)
	if len(q.Waiting) > 0 {
		t.Fatalf("rows still wait: %+v", q.Waiting)
	}
	if running := w.own().Sessions(); len(running) > 0 {
		t.Fatalf("sessions still run: %+v", running)
	}
}

func (w *ward) check(t *rapid.T) {
	q, err := w.own().Queue()
	w.ok(t, err)
	dead := map[string]bool{}
	for _, row := range q.Dead {
		dead[row.Session] = true
	}
	for session, words := range w.said {
		for _, word := range words {
			if !dead[session] && !w.learned[word] {
				t.Errorf("%s: %s is in no evidence that was learned from", session, word)
			}
		}
	}
}
