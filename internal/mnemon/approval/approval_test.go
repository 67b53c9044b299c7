package approval_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/pkg/fault"
)

func codeOf(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// TestCheck: the word counts for this workspace, this id, this name, this code.
func TestCheck(t *testing.T) {
	a, err := approval.Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	a.Allow("/w", "notes", approval.Approval{Name: "notes-package", Digest: "d1", Grants: []string{"net=api.example.com"}})
	a.Allow("/w", "mine", approval.Approval{Name: "./mine"})
	data, err := a.Format()
	if err != nil {
		t.Fatal(err)
	}
	if a, err = approval.Parse(data); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ workspace, id, name, digest, code string }{
		{"/w", "notes", "notes-package", "d1", ""},
		{"/w", "notes", "notes-package", "d2", "plugin-code-changed"},
		{"/w", "notes", "another", "d1", "plugin-not-allowed"},
		{"/w", "other", "notes-package", "d1", "plugin-not-allowed"},
		{"/v", "notes", "notes-package", "d1", "plugin-not-allowed"},
		{"/w", "mine", "./mine", "any", ""},
	} {
		word, err := a.Check(row.workspace, row.id, row.name, row.digest)
		if codeOf(err) != row.code || (word == nil) != (row.code != "") {
			t.Errorf("%+v: %v, %v", row, word, err)
		}
	}
	a.Withdraw("/w", "notes")
	a.Withdraw("/w", "mine")
	if diff := cmp.Diff(&approval.Approvals{Version: 1, Workspaces: map[string]map[string]*approval.Approval{}}, a); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, code := range map[string]string{"{": "approvals-damaged", `{"version":2}`: "approvals-newer", `{"workspaces":[]}`: "approvals-damaged"} {
		if _, err := approval.Parse([]byte(text)); codeOf(err) != code {
			t.Errorf("%s: %v, want %s", text, err, code)
		}
	}
}

func TestGrants(t *testing.T) {
	home := func(p string) string { return "/home/me/" + p }
	for _, row := range []struct {
		text string
		want approval.Grant
		code string
	}{
		{"fs:read=docs", approval.Grant{Kind: "fs:read", Target: "/home/me/docs"}, ""},
		{"net=api.mem0.ai", approval.Grant{Kind: "net", Target: "api.mem0.ai"}, ""},
		{"run=git", approval.Grant{Kind: "run", Target: "git"}, ""},
		{"env=MEM0_KEY", approval.Grant{Kind: "env", Target: "MEM0_KEY"}, ""},
		{"run=", approval.Grant{}, "grant-unknown"},
		{"fs=docs", approval.Grant{}, "grant-unknown"},
		{"docs", approval.Grant{}, "grant-unknown"},
	} {
		got, err := approval.ParseGrant(row.text, home)
		if codeOf(err) != row.code || got != row.want {
			t.Errorf("%s: %v, %v", row.text, got, err)
		}
	}
	if _, err := approval.ParseGrant("fs:write=docs", nil); codeOf(err) != "grant-relative" {
		t.Error(err)
	}
	word := approval.Approval{Grants: []string{"run=git", "nonsense"}}
	if _, err := word.Granted(); codeOf(err) != "approvals-damaged" {
		t.Error(err)
	}
}
