package playbook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/pkg/text"
)

// SkillFile is the name of a skill's file in its folder.
const SkillFile = "SKILL.md"

// Bounds of a skill (spec/harness-hooks.md 21).
const (
	skillPrefix    = "selfip-"
	maxSkillName   = 64
	maxDescription = 1024
	maxTopic       = 300 // UTF-16 code units of the first line that a description quotes
)

// ours stands in the front matter of every skill that is made here.
const ours = "  generator: selfip\n"

// SkillName returns what the skill of a playbook is called, and its folder: small
// ASCII letters, digits and single hyphens, at most 64. A name of that form is
// kept; another one keeps what it has of it, and a part of its hash tells it from
// others. The same name always gives the same skill.
func SkillName(name string) string {
	room := maxSkillName - len(skillPrefix)
	plain := hyphenate(name)
	if plain == name && name != "" && len(name) <= room {
		return skillPrefix + name
	}
	sum := sha256.Sum256([]byte(name))
	tail := hex.EncodeToString(sum[:4])
	plain = strings.TrimRight(plain[:min(len(plain), room-len(tail)-1)], "-")
	if plain == "" {
		return skillPrefix + tail
	}
	return skillPrefix + plain + "-" + tail
}

// hyphenate returns the small ASCII letters and digits of s, with a hyphen for
// each run of something else between them.
func hyphenate(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	return b.String()
}

// Skill writes a playbook as a skill. steps is its text, through the gate.
func (p Playbook) Skill(language, steps string, now time.Time) []byte {
	ph := phrase.For(language).Skill
	name := p.Name()
	said := fmt.Sprintf(ph.Description, name, p.Successes, p.Fails)
	if topic := topicOf(steps); topic != "" {
		said += " " + text.Ellipsize(topic, maxTopic)
	}
	if p.Due(now) {
		said += " " + ph.Due
	}
	var b strings.Builder
	b.WriteString(fence + "\n")
	b.WriteString("name: " + SkillName(name) + "\n")
	b.WriteString("description: " + quoted(text.Ellipsize(said, maxDescription)) + "\n")
	b.WriteString("metadata:\n" + ours + "  playbook: " + quoted(p.File) + "\n")
	b.WriteString(fence + "\n" + strings.TrimSpace(steps) + "\n\n" + fmt.Sprintf(ph.Report, name) + "\n")
	return []byte(b.String())
}

// quoted is a string as YAML and JSON both read it.
func quoted(s string) string { return string(text.AppendJSON(nil, text.OneLine(s))) }

// topicOf returns the first line of steps that is neither blank nor a heading.
func topicOf(steps string) string {
	for line := range strings.Lines(steps) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}

// IsSkill reports whether a file was made by Skill.
func IsSkill(data []byte) bool {
	head, _, ok := split(strings.ReplaceAll(string(data), "\r\n", "\n"))
	return ok && strings.Contains(head+"\n", "\nmetadata:\n"+ours)
}
