package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/similar"
)

// finish lets one worker do in peace what is left: sessions end, the queue is
// worked on, what is said twice is said once.
func (c *crowd) finish() error {
	for _, id := range c.sessions {
		c.hook(nil, id, "SessionEnd", `"reason":"exit"`)
	}
	for range 200 {
		d := c.exec(nil, "", "queue", "run", "--json")
		var got struct {
			Learned, Dead, Failed []json.RawMessage
			Recovered             int
		}
		if err := json.Unmarshal(d.out, &got); !d.ok || err != nil {
			return fmt.Errorf("the last worker: exit %d, %v, %s", d.code, err, d.err)
		}
		if len(got.Dead) > 0 { // a row whose workers were killed five times
			if d := c.exec(nil, "", "queue", "retry"); !d.ok {
				return fmt.Errorf("queue retry: exit %d, %s", d.code, d.err)
			}
			continue
		}
		if len(got.Learned)+len(got.Failed)+got.Recovered == 0 {
			break
		}
	}
	if d := c.exec(nil, "", "queue", "retry"); !d.ok {
		return fmt.Errorf("queue retry: exit %d, %s", d.code, d.err)
	}
	for _, args := range [][]string{{"queue", "run"}, {"compact", "--local"}, {"sleep"}} {
		if d := c.exec(nil, "", args[0], args[1:]...); !d.ok {
			return fmt.Errorf("%q: exit %d, %s", args, d.code, d.err)
		}
	}
	return nil
}

// line is an entry on disk.
type line struct {
	entry    entry.Entry
	file     string
	archived bool
}

// markPattern finds the mark in an entry.
var markPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(mark|said)\d{7}q`) })

// check compares what was acknowledged with what is there.
func (c *crowd) check() (wrong []string) {
	byMark, bad := c.lines()
	wrong = append(append(wrong, c.trouble...), bad...)
	told, bad := c.journal()
	wrong = append(wrong, bad...)
	for _, m := range c.marks {
		wrong = append(wrong, m.judge(byMark[m.word], told[m.word])...)
	}
	return append(wrong, c.leftovers()...)
}

// lines reads every entry of the library, by the mark in it.
func (c *crowd) lines() (byMark map[string][]line, bad []string) {
	byMark = map[string][]line{}
	for _, pattern := range []string{"memory/*.md", "memory/archive/*.md"} {
		names, _ := filepath.Glob(filepath.Join(c.ws, selfip.FolderName, filepath.FromSlash(pattern)))
		for _, name := range names {
			if !isPartition(name) {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				bad = append(bad, err.Error())
			}
			f := entry.ParseFile(data)
			for _, d := range f.Damage {
				bad = append(bad, fmt.Sprintf("%s: line %d is damaged: %s", name, d.Line, d.Reason))
			}
			for _, l := range f.Lines {
				if !l.OK {
					if l.Raw != "" && !strings.HasPrefix(l.Raw, "#") {
						bad = append(bad, fmt.Sprintf("%s: line %d is torn: %q", name, l.Number, l.Raw))
					}
					continue
				}
				word := markPattern().FindString(l.Entry.Text)
				if word == "" {
					bad = append(bad, fmt.Sprintf("%s: line %d has no mark: %q", name, l.Number, l.Raw))
				}
				byMark[word] = append(byMark[word], line{l.Entry, filepath.Base(name), strings.Contains(pattern, "archive")})
				if l.Entry.Live() {
					c.live++
				} else {
					c.withdrawn++
				}
			}
		}
	}
	return byMark, bad
}

// isPartition reports whether a file holds entries: a partition, or a segment of
// the archive.
func isPartition(name string) bool {
	base := filepath.Base(name)
	for _, p := range selfip.Partitions {
		if base == p.Name+".md" || strings.HasPrefix(base, p.Name+"-") {
			return true
		}
	}
	return false
}

// journal reads the changes of all marks, and looks for each acknowledged one.
func (c *crowd) journal() (told map[string]int, bad []string) {
	told, times := map[string]int{}, map[string]int{}
	names, _ := filepath.Glob(filepath.Join(c.ws, selfip.FolderName, "logs", "journal*.jsonl"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			bad = append(bad, err.Error())
		}
		for n, row := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
			var j selfip.Journal
			if err := json.Unmarshal(row, &j); err != nil {
				bad = append(bad, fmt.Sprintf("%s: row %d: %v", filepath.Base(name), n+1, err))
				continue
			}
			c.rows++
			times[j.ID]++
			for _, ch := range j.Changes {
				told[markPattern().FindString(ch.After+ch.Before)]++
			}
		}
	}
	for _, id := range c.changes {
		if times[id] != 1 {
			bad = append(bad, fmt.Sprintf("change %s was acknowledged and stands in the journal %d times", id, times[id]))
		}
	}
	return told, bad
}

// judge says what is wrong with a mark, given the lines that have it.
func (m *mark) judge(lines []line, told int) (wrong []string) {
	said := map[string]bool{} // what is said of it, live
	standing := map[string]int{}
	withdrawn := 0
	for _, l := range lines {
		if !l.entry.Live() {
			withdrawn++
			continue
		}
		// What stands in a partition stands for its archived twin too.
		said[string(l.entry.Kind)+similar.FormOf(l.entry.Text).Key()] = true
		if !l.archived {
			standing[l.entry.Key()]++
		}
	}
	complain := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("%s: "+format+"; acknowledged %d, killed %d, forgotten %v, doubtful %v; lines %v",
			append(append([]any{m.word}, args...), m.acked, m.unknown, m.forgotten, m.doubtful, lines)...))
	}
	for key, n := range standing {
		if n > 1 {
			complain("entry %s stands %d times", key, n)
		}
	}
	switch {
	case m.forgotten && len(said) > 0:
		complain("forgotten, and live")
	case m.forgotten && withdrawn == 0:
		complain("forgotten, and gone")
	case m.forgotten || m.doubtful:
	case m.acked > 0 && len(said) == 0:
		complain("not there")
	}
	if m.acked > 0 && told == 0 {
		complain("the journal knows nothing of it")
	}
	if strings.HasPrefix(m.word, "said") && len(said) > 1 {
		complain("learned in %d ways", len(said))
	}
	return wrong
}

// leftovers are rows that still wait, claims, and temporary files.
func (c *crowd) leftovers() (wrong []string) {
	root := filepath.Join(c.ws, selfip.FolderName)
	for _, name := range []string{"logs/pending.md", "logs/pending-dead.md", "logs/pending-bad.md"} {
		if data, _ := os.ReadFile(filepath.Join(root, name)); len(bytes.TrimSpace(data)) > 0 {
			wrong = append(wrong, name+" is not empty: "+string(data[:min(len(data), 300)]))
		}
	}
	for _, pattern := range []string{"memory/.*", "memory/*.tmp*", "run/sessions/*", "run/claims/*"} {
		names, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, name := range names {
			wrong = append(wrong, name+" was left behind")
		}
	}
	return wrong
}
