package playbook_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/pkg/text"
)

var skillName = regexp.MustCompile(`^selfip-[a-z0-9]+(-[a-z0-9]+)*$`)

func TestSkillName(t *testing.T) {
	for name, want := range map[string]string{
		"deploy":                "selfip-deploy",
		"deploy-check":          "selfip-deploy-check",
		"修复沙箱写入":                "selfip-479280d0",
		"修复-ci-沙箱":              "selfip-ci-8c98adea",
		"Deploy":                "selfip-deploy-",
		"a_b":                   "selfip-a-b-",
		"--":                    "selfip-",
		strings.Repeat("a", 57): "selfip-" + strings.Repeat("a", 57),
		strings.Repeat("a", 58): "selfip-" + strings.Repeat("a", 48) + "-",
	} {
		got := playbook.SkillName(name)
		if !strings.HasPrefix(got, want) || !skillName.MatchString(got) || len(got) > 64 {
			t.Errorf("skill of %q is %q, want %q and more at most, of the form of skills", name, got, want)
		}
	}
}

// TestSkillNameTellsPlaybooksApart holds that every name gives a skill of the
// right form, and two names two skills.
func TestSkillNameTellsPlaybooksApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z_一-龥-]{0,70}`)).Draw(t, "a")
		b := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z_一-龥-]{0,70}`)).Draw(t, "b")
		na, nb := playbook.SkillName(a), playbook.SkillName(b)
		if !skillName.MatchString(na) || len(na) > 64 {
			t.Fatalf("skill of %q is %q", a, na)
		}
		if a != b && na == nb {
			t.Fatalf("%q and %q are both %q", a, b, na)
		}
	})
}

func TestSkill(t *testing.T) {
	now := time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)
	p := playbook.Playbook{File: "selfip-demo.md", Uses: 3, Successes: 2, Fails: 1, VerifiedAt: "2026-09-10T00:00:00.000Z"}
	long := strings.Repeat("\"步骤\\", 400)
	data := p.Skill("zh-CN", "# demo\n\n"+long, now)
	head, body, _ := strings.Cut(string(data), "\n---\n")
	description := regexp.MustCompile(`(?m)^description: "(.*)"$`).FindStringSubmatch(head)
	if description == nil || text.Len(description[1]) > 1024 || !strings.Contains(description[1], "成功 2") {
		t.Errorf("front matter %q, want a description of at most 1024 with the successes", head)
	}
	if !strings.Contains(body, long) || strings.Contains(string(data), "30 天") {
		t.Errorf("skill %q, want all of the text and no word of a review", data)
	}
	if !playbook.IsSkill(data) || playbook.IsSkill([]byte("---\nname: x\n---\nmetadata:\n  generator: selfip\n")) {
		t.Error("only what was made here is known as such")
	}
	if due := p.Skill("en", "x", now.AddDate(0, 1, 0)); !strings.Contains(string(due), "not verified for over 30 days") {
		t.Errorf("skill %q, want it to be verified again", due)
	}
}
