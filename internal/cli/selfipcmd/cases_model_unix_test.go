//go:build unix

package selfipcmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit/modelstub"
)

// command gives a box a model that is a shell script.
func (b *box) modelCommand(script string) {
	b.t.Helper()
	path := filepath.Join(b.root, "model.sh")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		b.t.Fatal(err)
	}
	b.vars["SELFIP_MODEL_PROVIDER"] = "command"
	b.vars["SELFIP_MODEL_COMMAND"] = path
}

// session is a session that has something to learn from and has ended.
func (b *box) session(id string) {
	b.t.Helper()
	b.hook("claude-code", b.event(id, "UserPromptSubmit", "prompt", "the build host is called alpha, remember that"))
	end := b.event(id, "SessionEnd", "reason", "other")
	lay(b.t, end["transcript_path"].(string), `{"type":"user","text":"the build host of `+id+` is called alpha, remember that"}`+"\n")
	b.hook("claude-code", end)
}

// meter is what status tells of the model.
func (b *box) meter() (m selfipcmd.MeterJSON, store selfipcmd.StoreJSON) {
	b.t.Helper()
	var s selfipcmd.StatusJSON
	b.json(&s, "status")
	return s.Model, s.Stores[0]
}

// TestBudgetSpentOnReasoning gives the three answers of case 63 to a session each.
func TestBudgetSpentOnReasoning(t *testing.T) {
	for _, row := range []struct {
		id, file  string
		rows      int // that wait, each with one attempt
		truncated int64
		spent     int
	}{
		{"case63 a", "model-a.json", 1, 1, 2400},
		{"case63 b", "model-b.json", 1, 1, 2400},
		{"case63 c", "model-c.json", 0, 0, 902},
	} {
		t.Run(row.id, func(t *testing.T) {
			b := newBox(t)
			b.session("s1")
			answer, err := filepath.Abs(caseDir("63-budget-spent-on-reasoning", row.file))
			if err != nil {
				t.Fatal(err)
			}
			b.modelCommand("#!/bin/sh\ncat >/dev/null\ncat " + answer + "\n")
			b.run("queue", "run")
			meter, store := b.meter()
			if meter.Spent != row.spent || meter.ByKind["session-retro"].Calls != 1 || store.RetroTruncated != row.truncated {
				t.Errorf("%s: meter %+v, truncated %d; want %d spent and %d", row.id, meter, store.RetroTruncated, row.spent, row.truncated)
			}
			var q selfipcmd.QueueJSON
			b.json(&q, "queue", "list")
			if len(q.Rows) != row.rows || row.rows > 0 && q.Rows[0].Attempts != 1 {
				t.Errorf("%s: rows %+v, want %d with an attempt", row.id, q.Rows, row.rows)
			}
			if lessons := b.file("memory/lessons.md"); lessons != "" {
				t.Errorf("%s: lessons\n%s\nwant none", row.id, lessons)
			}
		})
	}
}

// TestRateLimitIsNoStorm runs the queue ten times against a model that always says
// 429, and once when that is over (case 68).
func TestRateLimitIsNoStorm(t *testing.T) {
	const name = "68-rate-limit-becomes-a-storm"
	t.Run("case68", func(t *testing.T) {
		b := newBox(t)
		for i := range 5 {
			b.session(fmt.Sprintf("s%d", i))
		}
		calls := filepath.Join(b.root, "calls")
		b.vars["CALLS"] = calls
		b.modelCommand(caseFile(t, name, "model.sh"))
		made := func() int {
			data, err := os.ReadFile(calls)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Count(string(data), "x")
		}
		for range 10 {
			b.run("queue", "run")
		}
		if n := made(); n != 1 {
			t.Errorf("case68: %d calls in ten runs, want 1", n)
		}
		attempts := func() map[string]int {
			out := map[string]int{}
			var q selfipcmd.QueueJSON
			b.json(&q, "queue", "list")
			for _, row := range q.Rows {
				out[row.Key] = row.Attempts
			}
			return out
		}
		sent := 0
		for _, n := range attempts() {
			sent += n
		}
		if len(attempts()) != 5 || sent > 1 {
			t.Errorf("case68: attempts %v, want five rows and no more attempts than calls", attempts())
		}
		b.clock = b.clock.Add(31 * time.Minute)
		b.run("queue", "run")
		if n := made(); n != 2 {
			t.Errorf("case68: %d calls, want one more after the pause", n)
		}
		if meter, _ := b.meter(); meter.Spent != 0 || meter.PausedUntil == nil {
			t.Errorf("case68: meter %+v, want nothing spent and a pause", meter)
		}
	})
	t.Run("case68 the queue of the case", func(t *testing.T) {
		b := caseBox(t, name)
		calls := filepath.Join(b.root, "calls")
		b.vars["CALLS"] = calls
		b.modelCommand(caseFile(t, name, "model.sh"))
		b.run("queue", "run")
		data, _ := os.ReadFile(calls)
		if n := strings.Count(string(data), "x"); n > 1 {
			t.Errorf("case68: %d calls, want at most one", n)
		}
	})
}

// TestModelThatHangs stands between a session and its learning for its time limit,
// says so, and leaves the row (case 08).
func TestModelThatHangs(t *testing.T) {
	t.Run("case08", func(t *testing.T) {
		b := newBox(t)
		b.session("s1")
		stub := modelstub.New(t, modelstub.Hang())
		b.vars["SELFIP_MODEL_PROVIDER"], b.vars["SELFIP_MODEL_URL"], b.vars["SELFIP_MODEL_NAME"] = "openai", stub.OpenAI(), "small"
		b.vars["SELFIP_MODEL_TIMEOUT"] = "100ms"
		b.run("queue", "run")
		var q selfipcmd.QueueJSON
		b.json(&q, "queue", "list")
		if len(q.Rows) != 1 || q.Rows[0].Attempts != 1 || !strings.Contains(q.Rows[0].LastError, "gave no answer within") {
			t.Errorf("case08: rows %+v, want one with an attempt and the reason", q.Rows)
		}
		if meter, store := b.meter(); meter.Spent < 3000 || store.RetroAborted != 1 {
			t.Errorf("case08: meter %+v, aborted %d; want the call paid for and counted", meter, store.RetroAborted)
		}
	})
}

// TestRepositoryChoosesNoModel lays a hostile settings file into a workspace, as a
// cloned repository would: nothing of it is executed and nothing is sent.
func TestRepositoryChoosesNoModel(t *testing.T) {
	b := newBox(t)
	b.session("s1")
	bait := filepath.Join(b.root, "executed")
	stub := modelstub.New(t)
	settings, _ := json.Marshal(map[string]any{
		"modelProvider": "command", "modelCommand": []string{"/usr/bin/touch", bait}, "modelUrl": stub.OpenAI(), "modelName": "x",
		"modelKeyEnv": "SECRET_KEY", "modelKeyFile": "/etc/passwd",
	})
	lay(t, b.path("settings.json"), string(settings))
	b.vars["SECRET_KEY"] = "sk-0123456789abcdef"
	r := b.run("queue", "run")
	if _, err := os.Stat(bait); err == nil || stub.Calls() > 0 {
		t.Errorf("executed %v, %d calls", err == nil, stub.Calls())
	}
	if n := strings.Count(r.err, "is ignored here"); n != 6 {
		t.Errorf("%d warnings, want 6:\n%s", n, r.err)
	}
	b.vars["SELFIP_MODEL_PROVIDER"] = "openai" // the user's own choice, and still not that address or key
	b.vars["SELFIP_MODEL_NAME"] = "small"
	b.vars["OPENAI_API_KEY"] = ""
	var d struct{ Findings []selfipcmd.FindingJSON }
	if err := json.NewDecoder(strings.NewReader(b.run("--json", "doctor").out)).Decode(&d); err != nil { // the error follows
		t.Fatal(err)
	}
	said := ""
	for _, f := range d.Findings {
		if f.Subject == "model" {
			said = fmt.Sprint(f.Level, " ", f.Args)
		}
	}
	if !strings.HasPrefix(said, "trouble") || !strings.Contains(said, "api.openai.com") {
		t.Errorf("doctor says %q, want that the key of api.openai.com is missing", said)
	}
}

// TestNoKeyInTheLibrary has a service repeat the key and a secret, and looks for
// both in everything that is left behind.
func TestNoKeyInTheLibrary(t *testing.T) {
	b := newBox(t)
	b.session("s1")
	const key = "sk-proj-0123456789abcdefghijklmnop"
	stub := modelstub.New(t,
		modelstub.Status(400, "bad key "+key+" and ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
		modelstub.Good("## LESSONS\n- the key is "+key+" -> found in the log -> rotate it\n"),
	)
	b.vars["SELFIP_MODEL_PROVIDER"], b.vars["SELFIP_MODEL_URL"], b.vars["SELFIP_MODEL_NAME"] = "openai", stub.OpenAI(), "small"
	b.vars["SELFIP_MODEL_KEY_ENV"], b.vars["MINE"] = "MINE", key
	said := b.run("--verbose", "queue", "run").err
	b.session("s2")
	said += b.run("--verbose", "queue", "run").err + b.ok("status") + b.run("doctor").out + b.ok("config", "show")
	if strings.Contains(said, key) || strings.Contains(said, "ghp_abc") {
		t.Errorf("the output holds a key:\n%s", said)
	}
	for name, content := range b.tree(b.ws) {
		if strings.Contains(fmt.Sprint(content), key) || strings.Contains(fmt.Sprint(content), "ghp_abc") {
			t.Errorf("%s holds a key", name)
		}
	}
	if got := stub.Requests()[0].Header.Get("Authorization"); got != "Bearer "+key {
		t.Errorf("the service got %q", got)
	}
}

// TestWorkerGetsTheOneKey looks at what a worker is given of the environment.
func TestWorkerGetsTheOneKey(t *testing.T) {
	b := newBox(t)
	delete(b.vars, "SELFIP_BACKGROUND")
	b.clock = time.Now()
	dump := filepath.Join(b.root, "environment")
	b.modelCommand("#!/bin/sh\nenv > " + dump + ".new\nmv " + dump + ".new " + dump + "\ncat >/dev/null\nprintf '## FACTS\\n- the build host is called alpha\\n'\n")
	b.vars["SELFIP_MODEL_KEY_ENV"], b.vars["MINE"] = "MINE", "the one"
	b.vars["ANTHROPIC_API_KEY"], b.vars["AWS_SECRET_ACCESS_KEY"] = "another", "a third"
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "the build host is called alpha, remember that"))
	end := b.event("s1", "SessionEnd", "reason", "other")
	cmd := b.command("hook", "claude-code")
	cmd.Stdin = strings.NewReader(jsonLine(t, end))
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	await(t, 20*time.Second, "the call of the model", func() bool { _, err := os.Stat(dump); return err == nil })
	await(t, 20*time.Second, "what the worker learns", func() bool { return strings.Contains(b.file("memory/facts.md"), "alpha") })
	b.workersEnded()
	data, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		got[strings.TrimSpace(line)] = true
	}
	want := map[string]bool{"MINE=the one": true, "SELFIP_HOOK_ACTIVE=1": true, "ANTHROPIC_API_KEY=another": false, "AWS_SECRET_ACCESS_KEY=a third": false}
	for line, there := range want {
		if got[line] != there {
			t.Errorf("%q is there: %v, want %v", line, got[line], there)
		}
	}
	if rows := b.queueKeys("list"); len(rows) > 0 {
		t.Errorf("rows %q are left", rows)
	}
}
