package selfip

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/answer"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// replacedDir holds the text of playbooks that a retrospective has written anew.
const replacedDir = playbookDir + "/replaced"

// playbook writes a playbook. One of the same slug keeps the record of its uses
// (W18), and its old text lies in replacedDir.
func (s *storing) playbook(c *change, section answer.Section) error {
	steps := gate.Block(section.Text)
	if strings.TrimSpace(steps.Text) == "" {
		s.learned.Aside += steps.Removed
		return nil
	}
	name, titled := s.slugOf(c.lib, section)
	if name == "" || c.asks { // a procedure is not for a list of lines
		s.drawn.left = append(s.drawn.left, section.Name())
		return nil
	}
	old, slug, err := s.bookFor(c.lib, name, titled, steps.Text)
	if err != nil {
		return err
	}
	next := playbook.New(slug, steps.Text, s.drawn.at)
	if old.File != "" {
		next = old.Rewritten(steps.Text, s.drawn.at)
	}
	s.learned.Playbooks = append(s.learned.Playbooks, next.Name())
	c.also(func() error {
		if old.Body != "" && old.Body != next.Body {
			if err := c.keepReplaced(old, s.drawn.at); err != nil {
				return err
			}
		}
		if bytes.Equal(old.Format(), next.Format()) {
			return nil
		}
		return c.tx.Replace(playbookPath(next.File), next.Format())
	})
	return nil
}

// keepReplaced keeps the text of a playbook that is about to get another. Two of
// one instant have two files.
func (c *change) keepReplaced(old playbook.Playbook, at time.Time) error {
	for ; ; at = at.Add(time.Millisecond) {
		err := c.tx.Create(path.Join(replacedDir, old.Name()+"-"+entry.FileStamp(at)+".md"), old.Format())
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// bookFor finds the playbook that these steps are to be written into, and its
// slug; the playbook is empty when it is a new one. Two of one answer have two
// files (case 35). One that no title names is only taken for one that is there
// when it says the same.
func (s *storing) bookFor(l *Library, name string, titled bool, steps string) (old playbook.Playbook, slug string, err error) {
	for n := 1; ; n++ {
		if slug = name; n > 1 {
			slug = name + "-" + strconv.Itoa(n)
		}
		old, err = l.findPlaybook(slug)
		switch {
		case fault.KindOf(err) == fault.NotFound || isMissing(err):
			old, err = playbook.Playbook{}, nil
		case err != nil:
			return playbook.Playbook{}, "", err
		}
		taken := slices.Contains(s.learned.Playbooks, cmp.Or(old.Name(), slug))
		if !taken && (titled || old.File == "" || old.Says(steps)) {
			return old, slug, nil
		}
	}
}

// slugOf is what a playbook is called: by its title, else by its first line, else
// by the time (spec/selfip.md 21.5), unless one of these says the same already;
// "" when the name gives orders or holds a credential.
func (s *storing) slugOf(l *Library, section answer.Section) (slug string, titled bool) {
	slug = playbook.Slug(section.Slug)
	titled = slug != ""
	if !titled {
		first, _, _ := strings.Cut(section.Text, "\n")
		slug = cmp.Or(playbook.Slug(first), l.nameless(gate.Block(section.Text).Text))
	}
	if slug == "" {
		st, _ := l.State() // a damaged one counts nothing
		slug = namelessBook + strconv.FormatInt(st.Int(state.Fallbacks), 10) + "-" + s.drawn.at.Format("150405")
	}
	if !isSafeName(slug) {
		return "", false
	}
	return slug, titled
}

// namelessBook begins the slugs of playbooks that are called by the time.
const namelessBook = "playbook-"

// nameless finds the playbook without a name that says the same, "" when none
// does.
func (l *Library) nameless(steps string) string {
	for _, base := range l.listed(playbookDir, namelessBook) {
		data, err := l.read(path.Join(playbookDir, base))
		if p := playbook.Parse(base, data); err == nil && p.Says(steps) {
			return p.Name()
		}
	}
	return ""
}

// propose writes a proposal, or a lesson that tells of it when one waits already
// (spec/selfip.md 26.1). One that was decided before is not made again.
func (s *storing) propose(c *change) error {
	said := strings.TrimSpace(gate.Block(s.drawn.proposal).Text)
	summary := safeSummary(proposal.Summary([]byte(said)))
	if summary == "" {
		return nil
	}
	decisions, err := c.readDecisions()
	if err != nil {
		return err
	}
	for _, d := range decisions {
		if d.Status() != proposal.Waiting && text.Fold(d.Field("summary")) == text.Fold(summary) {
			s.drawn.left = append(s.drawn.left, summary)
			return nil
		}
	}
	id, content, err := c.proposalID(s.drawn.at, said)
	if err != nil {
		return err
	}
	waiting := slices.DeleteFunc(c.lib.proposals(), func(p proposal.Proposal) bool { return p.ID == id })
	if len(waiting) > 0 {
		return s.overflow(c, len(waiting), summary)
	}
	s.learned.Proposal = id
	c.also(func() error {
		if code := proposal.Code(said); code != "" {
			if err := c.tx.Replace(path.Join(proposalDir, proposal.CodeName(id)), []byte(code)); err != nil {
				return err
			}
		}
		return c.tx.Replace(path.Join(proposalDir, proposal.FileName(id)), content)
	})
	if one, known := decisions.Get(id); !known || one.Field("summary") != summary {
		c.decide(proposal.Proposal{ID: id, Summary: summary}, "", proposal.Waiting, "")
	}
	return nil
}

// proposalID finds an id that no other proposal has: two of one instant must not
// overwrite each other (W50). A file that says the same is of a killed try.
func (c *change) proposalID(at time.Time, said string) (id string, content []byte, err error) {
	content = proposal.Format(entry.Stamp(at), said)
	for ; ; at = at.Add(time.Millisecond) {
		id = entry.FileStamp(at)
		old, err := c.tx.Read(path.Join(proposalDir, proposal.FileName(id)))
		if isMissing(err) || err == nil && bytes.Equal(old, content) {
			return id, content, nil
		}
		if err != nil {
			return "", nil, err
		}
	}
}

// overflow remembers a proposal that there is no room for.
func (s *storing) overflow(c *change, waiting int, summary string) error {
	stamp := entry.Stamp(s.drawn.at)
	said := fmt.Sprintf(phrase.For(s.memory.Settings.Language).Proposal.Overflow, waiting, summary)
	v := gate.Note(said)
	e := entry.Entry{Stamp: stamp, Kind: entry.Lesson, Text: v.Text}.
		With("origin", "retro").With("by", s.drawn.by).With("ttl", strconv.Itoa(v.TTL)).With("vfy", stamp)
	p := partitionOf(e.Kind)
	fresh := len(c.added[p])
	if s.drawn.again {
		s.recall(c, e)
	}
	got, err := c.place(draft{entry: e})
	if err == nil && got.stored() && !got.known {
		c.headAt(p, fresh, "## proposal-skipped @ "+stamp)
	}
	return err
}
