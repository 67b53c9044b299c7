package install

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// AgentsFile is the word that stands in a harness's place for the block in
// AGENTS.md, which many read.
const AgentsFile = "agents-md"

// The lines around our block.
const (
	blockBegin = "<!-- selfip:begin -->"
	blockEnd   = "<!-- selfip:end -->"
)

// AgentsTargets is the AGENTS.md of a project (spec/harness-hooks.md 22).
func AgentsTargets(env Env) ([]Target, error) {
	file := filepath.Join(env.Dir, "AGENTS.md")
	if !isAbsolute(file) {
		return nil, fault.New(fault.Refused, codePlace, AgentsFile, file)
	}
	return []Target{{Harness: AgentsFile, Scope: Project, File: file, editor: agentsBlock{}}}, nil
}

// agentsBlock is a stretch of a text between two lines; nothing outside of them
// is touched.
type agentsBlock struct{}

// find returns where the block is: from the first byte of its first line to the
// end of its last one. It is refused when its lines are not one of each in order.
func (agentsBlock) find(t Target, data []byte) (begin, end int, there bool, refusal *fault.Error) {
	at, line := 0, 0
	begin, end = -1, -1
	for row := range bytes.SplitAfterSeq(data, []byte("\n")) {
		line++
		switch strings.TrimRight(string(row), "\r\n") {
		case blockBegin:
			if begin >= 0 {
				return 0, 0, false, fault.New(fault.Refused, codeBlock, t.File, line)
			}
			begin = at
		case blockEnd:
			if begin < 0 || end >= 0 {
				return 0, 0, false, fault.New(fault.Refused, codeBlock, t.File, line)
			}
			end = at + len(row)
		}
		at += len(row)
	}
	if begin >= 0 && end < 0 {
		return 0, 0, false, fault.New(fault.Refused, codeBlock, t.File, line)
	}
	return begin, end, begin >= 0, nil
}

// block is ours as it shall be.
func (agentsBlock) block() string {
	text, err := files.ReadFile("files/agents.md")
	if err != nil {
		panic(err) // a part that was not built in
	}
	return blockBegin + "\n" + strings.TrimSpace(string(text)) + "\n" + blockEnd + "\n"
}

func (a agentsBlock) install(t Target, plan Plan, _ Options) Plan {
	plan.Fragment = []byte(a.block())
	begin, end, there, refusal := a.find(t, plan.Before)
	if refusal != nil {
		return plan.refuse(refusal)
	}
	text := a.block()
	if bytes.Contains(plan.Before, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if !there {
		begin, end = len(plan.Before), len(plan.Before)
		if end > 0 && plan.Before[end-1] != '\n' {
			text = "\n" + text
		}
	} else if end > 0 && plan.Before[end-1] != '\n' {
		text = strings.TrimRight(text, "\r\n")
	}
	plan.fresh, plan.Created = !there, plan.Before == nil
	plan.After, plan.undo = apply(plan.Before, []edit{{begin, end, text}})
	plan.Entries = []EntryRef{{Event: AgentsFile}}
	return plan
}

func (a agentsBlock) uninstall(t Target, plan Plan, _ string, record *Record) Plan {
	begin, end, there, refusal := a.find(t, plan.Before)
	if refusal != nil {
		return plan.refuse(refusal)
	}
	if !there {
		return plan
	}
	after, _ := apply(plan.Before, []edit{{begin, end, ""}})
	return plan.finish(after, record)
}

func (a agentsBlock) status(t Target, s Status, current []byte, _ string) Status {
	begin, end, there, refusal := a.find(t, current)
	s.Trouble = refusal
	if there {
		s.Entries = []EntryRef{{Event: AgentsFile}}
		said := strings.TrimRight(strings.ReplaceAll(string(current[begin:end]), "\r\n", "\n"), "\n")
		s.Stale = said != strings.TrimRight(a.block(), "\n")
	}
	return s
}
