package selfip_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

const demo = "---\nslug: demo\nuses: 3\nsuccesses: 2\nfails: 1\nverified_at: 2026-09-14T00:00:00.000+00:00\n---\n# demo\n\n1. 先构建\n2. 再部署\n"

// TestSkills holds what the original's skill provider promises, for files: the
// original lists and loads, ours writes.
func TestSkills(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	m.Skills = selfip.OpenSkills(filestore.Open(t.TempDir(), filestore.Options{}), false)
	if err := os.MkdirAll(r.path("playbooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.path("playbooks/demo.md"), []byte(demo), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(r.dir, ".agents", "skills")
	changes, err := m.Offer(t.Context(), []selfip.SkillFolder{{Path: folder, Confined: true}})
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(folder, "selfip-demo", "SKILL.md"))
	skill := string(data)
	t.Run("AU18", func(t *testing.T) {
		if len(changes) != 1 || changes[0].Fate != selfip.SkillWritten {
			t.Errorf("changes %+v, want one skill written", changes)
		}
	})
	t.Run("AU19", func(t *testing.T) {
		if len(changes) != 1 || changes[0].Name != "selfip-demo" || !strings.Contains(skill, "失败 1") {
			t.Errorf("changes %+v, skill %q, want selfip-demo with its record", changes, skill)
		}
	})
	t.Run("AU20", func(t *testing.T) {
		if !strings.Contains(skill, "# demo\n\n1. 先构建\n2. 再部署\n") {
			t.Errorf("skill %q, want all steps", skill)
		}
	})
	t.Run("AU21", func(t *testing.T) {
		if !strings.Contains(skill, "成功 2") {
			t.Errorf("skill %q, want the successes in its description", skill)
		}
	})
	t.Run("AU22", func(t *testing.T) {
		nowhere := r.own()
		nowhere.Workspace, nowhere.Skills = nil, m.Skills
		if got, err := nowhere.Offer(t.Context(), []selfip.SkillFolder{{Path: folder}}); len(got) != 0 || fault.KindOf(err) != fault.Refused {
			t.Errorf("skills %+v, %v without a workspace, want none and a refusal", got, err)
		}
		if got, err := nowhere.SyncSkills(t.Context()); len(got) != 0 || err != nil {
			t.Errorf("skills %+v, %v without a workspace, want none", got, err)
		}
	})
}

// TestSkillsFollowTheWorker holds that a run of the queue brings the skills up to
// date.
func TestSkillsFollowTheWorker(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	m.Skills = selfip.OpenSkills(filestore.Open(t.TempDir(), filestore.Options{}), false)
	folder := t.TempDir()
	if _, err := m.Offer(t.Context(), []selfip.SkillFolder{{Path: folder}}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(r.path("playbooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.path("playbooks/demo.md"), []byte(demo), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := m.RunQueue(t.Context(), noLog); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "selfip-demo", "SKILL.md")); err != nil {
		t.Errorf("after the worker: %v, want the skill", err)
	}
}
