package playbook_test

import (
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/playbook"
)

// TestSlug: a title in any script has a name (AR05).
func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"修复沙箱写入": "修复沙箱写入", "Deploy Check!": "deploy-check", "修复 沙箱/写入": "修复-沙箱-写入", "🚀🚀": "", "--a__b--": "a__b",
		"../../etc/passwd": "etc-passwd", "": "", "Ünïcode ５": "ünïcode-５", strings.Repeat("ab ", 30): strings.Repeat("ab-", 20)[:59],
		strings.Repeat("回滚", 30): strings.Repeat("回滚", 18), "a" + strings.Repeat("回滚", 30): "a" + strings.Repeat("回滚", 18)[:105],
	} {
		if got := playbook.Slug(title); got != want {
			t.Errorf("slug of %q: %q, want %q", title, got, want)
		}
	}
}

// TestW18RewrittenKeepsTheRecord: the same slug once more.
func TestW18RewrittenKeepsTheRecord(t *testing.T) {
	now := time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)
	if got, want := string(playbook.New("deploy", "1. go\n", now).Format()), "---\nslug: deploy\nuses: 0\nsuccesses: 0\nfails: 0\nverified_at: 2026-09-15T12:00:00.000+00:00\n---\n# deploy\n\n1. go\n"; got != want {
		t.Errorf("new: %q, want %q", got, want)
	}
	old := playbook.Parse("deploy.md", []byte("---\nuses: 9\nsuccesses: 8\nfails: 1\nverified_at: x\nowner: me\n---\n# old\n"))
	got := string(old.Rewritten("1. anew", now).Format())
	if want := "---\nslug: deploy\nuses: 9\nsuccesses: 8\nfails: 1\nverified_at: 2026-09-15T12:00:00.000+00:00\nowner: me\n---\n# deploy\n\n1. anew\n"; got != want {
		t.Errorf("rewritten: %q, want %q", got, want)
	}
}
