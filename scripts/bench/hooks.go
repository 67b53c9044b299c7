package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// hook is an event of a session of Claude Code.
func (b *bench) hook(dir, session, event string, more map[string]any) command {
	payload := map[string]any{"session_id": session, "transcript_path": dir + "/none.jsonl", "cwd": dir, "hook_event_name": event}
	for key, value := range more {
		payload[key] = value
	}
	data, _ := json.Marshal(payload) // plain data always encodes
	return command{args: []string{b.binary, "hook", "claude-code"}, input: string(data) + "\n"}
}

// starts measures what a session start costs, and that it does not grow.
func (b *bench) starts() error {
	var times []float64
	for _, size := range b.sizes {
		dir, err := b.workspace(size)
		if err != nil {
			return err
		}
		ms, err := b.multiples(b.rounds, func(round int) []command {
			b.forgetSessions(dir) // the one before has ended and has been learned from
			return []command{b.hook(dir, fmt.Sprint("start", round), "SessionStart", map[string]any{"source": "startup"})}
		})
		if err != nil {
			return err
		}
		peak, err := b.peakOf(b.hook(dir, "peak", "SessionStart", map[string]any{"source": "clear"}))
		if err != nil {
			return err
		}
		b.most("session start", size, ms[0].times, 4, "x", " ("+figure(milliseconds(ms[0].cpu))+" ms)")
		b.most("session start, peak memory", size, peak, 12, " MiB", "")
		times = append(times, ms[0].times)
	}
	if n := len(times); n > 1 {
		b.most(fmt.Sprintf("session start, %s to %s", grouped(b.sizes[n-1]), grouped(b.sizes[0])), 0, times[n-1]/times[0], 1.25, "", "")
	}
	return nil
}

// forgetSessions removes what hooks have noted of sessions.
func (b *bench) forgetSessions(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "self-improvement", "run", "sessions", "*"))
	for _, name := range files {
		_ = os.Remove(name) // what stays makes the next start dearer, no more
	}
}

// goalFor is the goal for a size: that of the next larger size named.
func goalFor(size int, small, middle, large float64) float64 {
	switch {
	case size <= 1000:
		return small
	case size <= 10000:
		return middle
	}
	return large
}

// prompts measures what a prompt costs that is searched for, each another one.
func (b *bench) prompts() error {
	for _, size := range b.sizes {
		dir, err := b.workspace(size)
		if err != nil {
			return err
		}
		ask := func(int) []command {
			said := "Why is it that " + b.words.sentence() + "? It was about " + b.words.query() + "."
			return []command{b.hook(dir, "bench", "UserPromptSubmit", map[string]any{"prompt": said})}
		}
		ms, err := b.multiples(b.rounds, ask)
		if err != nil {
			return err
		}
		b.most("prompt hook with relevance", size, ms[0].times, goalFor(size, 5.5, 7, 12), "x", " ("+figure(milliseconds(ms[0].cpu))+" ms)")
	}
	return nil
}
