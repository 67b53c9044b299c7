package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/workspace"
	"github.com/dshkit/dshkit/pkg/fault"
)

// tree makes folders (a path that ends in a slash), links ("a -> b") and files
// ("path: content") below a fresh folder, and returns that. {} in a content
// stands for the folder.
func tree(t *testing.T, lines ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		line = strings.ReplaceAll(line, "{}", root)
		var err error
		if link, to, ok := strings.Cut(line, " -> "); ok {
			err = os.Symlink(to, filepath.Join(root, link))
		} else if path, content, ok := strings.Cut(line, ": "); ok {
			path = filepath.Join(root, path)
			if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
				err = os.WriteFile(path, []byte(content+"\n"), 0o666)
			}
		} else {
			err = os.MkdirAll(filepath.Join(root, line), 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// worktree is what git leaves of "git worktree add ../wt" and of a submodule.
var worktree = []string{
	"main/.git/HEAD: ref: refs/heads/main",
	"main/sub/",
	"main/.git/worktrees/wt/gitdir: {}/wt/.git",
	"main/.git/worktrees/wt/commondir: ../..",
	"main/.git/worktrees/wt/HEAD: ref: refs/heads/x",
	"wt/.git: gitdir: {}/main/.git/worktrees/wt",
	"wt/deep/er/",
}

var submodule = []string{
	"main/.git/HEAD: ref: refs/heads/main",
	"main/.git/modules/lib/HEAD: x",
	"main/lib/.git: gitdir: ../.git/modules/lib",
	"main/lib/src/",
}

const mark = "self-improvement"

func TestResolve(t *testing.T) {
	shared := workspace.Options{Mark: mark, MainCheckout: true}
	for _, row := range []struct {
		id    string
		tree  []string
		start string
		opt   workspace.Options
		want  string
	}{
		{"plain-folder", []string{"p/sub/"}, "p/sub", shared, "p/sub"},
		{"nearest-upward", []string{"p/self-improvement/", "p/a/b/"}, "p/a/b", shared, "p"},
		{"nearest-of-two", []string{"p/self-improvement/", "p/a/self-improvement/", "p/a/b/"}, "p/a/b", shared, "p/a"},
		{"a-file-is-no-store", []string{"p/self-improvement/", "p/a/self-improvement: x"}, "p/a", shared, "p"},
		{"top-of-git", []string{"p/.git/HEAD: x", "p/a/b/"}, "p/a/b", shared, "p"},
		{"not-above-git", []string{"self-improvement/", "p/.git/HEAD: x", "p/a/"}, "p/a", shared, "p"},
		{"empty-git-folder-is-none", []string{"self-improvement/", "p/.git/", "p/a/"}, "p/a", shared, "."},
		{"separate-git-folder", []string{"g/HEAD: x", "p/.git: gitdir: ../g", "p/a/"}, "p/a", shared, "p"},
		{"worktree", worktree, "wt/deep/er", shared, "main"},
		{"worktree-by-itself", worktree, "wt/deep/er", workspace.Options{Mark: mark}, "wt"},
		{"worktree-with-a-store-of-its-own", append([]string{"wt/self-improvement/"}, worktree...), "wt/deep", shared, "wt"},
		{"worktree-that-moved", append([]string{"main/.git/worktrees/wt/gitdir: {}/elsewhere/.git"}, without(worktree, "gitdir: {}/wt")...), "wt/deep", shared, "wt"},
		{"git-file-of-a-stranger", append([]string{"evil/.git: gitdir: {}/main/.git/worktrees/wt"}, worktree...), "evil", shared, "evil"},
		{"submodule", submodule, "main/lib/src", shared, "main"},
		{"submodule-with-a-store", append([]string{"main/lib/self-improvement/"}, submodule...), "main/lib/src", shared, "main/lib"},
		{"bare-beside-worktrees", []string{
			"p/.bare/HEAD: x", "p/.git: gitdir: ./.bare",
			"p/.bare/worktrees/wt/gitdir: {}/p/wt/.git", "p/.bare/worktrees/wt/commondir: ../..",
			"p/wt/.git: gitdir: {}/p/.bare/worktrees/wt",
		}, "p/wt", shared, "p"},
		{"bare-alone", []string{
			"git/r.git/HEAD: x", "git/r.git/worktrees/wt/gitdir: {}/wt/.git", "git/r.git/worktrees/wt/commondir: ../..",
			"wt/.git: gitdir: {}/git/r.git/worktrees/wt",
		}, "wt", shared, "wt"},
		{"worktree-of-a-submodule", []string{
			"main/.git/HEAD: x", "main/.git/modules/lib/HEAD: x",
			"main/.git/modules/lib/worktrees/wt/gitdir: {}/wt/.git", "main/.git/modules/lib/worktrees/wt/commondir: ../..",
			"wt/.git: gitdir: {}/main/.git/modules/lib/worktrees/wt",
		}, "wt", shared, "main"},
		{"broken-git-file", []string{"p/.git: nonsense", "p/a/"}, "p/a", shared, "p/a"},
		{"case32/through-a-link", []string{"real/self-improvement/", "real/sub/", "link -> real"}, "link/sub", shared, "real"},
		{"case32/with-dots", []string{"real/self-improvement/", "real/sub/"}, "real/sub/../sub/..", shared, "real"},
		{"case30", []string{"$(touch pwned) '\"`\u200d项目/self-improvement/"}, "$(touch pwned) '\"`\u200d项目", shared, "$(touch pwned) '\"`\u200d项目"},
	} {
		t.Run(row.id, func(t *testing.T) {
			root := tree(t, row.tree...)
			w, err := workspace.Resolve(root+"/"+row.start, row.opt)
			if want := filepath.Join(root, row.want); err != nil || w.Root != want || w.Note != "" {
				t.Errorf("Resolve(%q) = %+v, %v; want root %q", row.start, w, err, want)
			}
			if got, err := w.ForWriting(); got != w.Root || err != nil {
				t.Errorf("ForWriting = %q, %v", got, err)
			}
		})
	}
}

func without(lines []string, part string) []string {
	var kept []string
	for _, l := range lines {
		if !strings.Contains(l, part) {
			kept = append(kept, l)
		}
	}
	return kept
}

func TestCase34HomeAndRoot(t *testing.T) {
	root := tree(t, "home/u/p/", "home/u/self-improvement/", "home/u/dot/.git/HEAD: x", "home/u/.git/HEAD: x", "link -> home/u")
	home := root + "/home/u"
	for _, row := range []struct {
		id, start, home string
		explicit        bool
		want, note      string
	}{
		{"root", "/", home, false, "", workspace.NoteRoot},
		{"root-named", "/", home, true, "/", ""},
		{"home", home, home, false, "", workspace.NoteHome},
		{"home-through-a-link", root + "/link", home, false, "", workspace.NoteHome},
		{"home-is-a-link", home, root + "/link", false, "", workspace.NoteHome},
		{"above-home", root + "/home", home, false, "", workspace.NoteHome},
		{"home-named", home, home, true, home, ""},
		{"not-up-to-home", home + "/p", home, false, home + "/p", ""},
		{"named-not-up-to-home", home + "/p", home, true, home + "/p", ""},
		{"home-is-a-checkout", home + "/p", home, false, home + "/p", ""},
		{"checkout-in-home", home + "/dot", home, false, home + "/dot", ""},
		{"case19/no-home", home + "/p", "", false, home, ""},
		{"home-is-root", home + "/dot", "/", false, home + "/dot", ""},
	} {
		t.Run(row.id, func(t *testing.T) {
			w, err := workspace.Resolve(row.start, workspace.Options{Mark: mark, Home: row.home, Explicit: row.explicit, MainCheckout: true})
			if err != nil || w.Root != row.want || w.Note != row.note {
				t.Fatalf("Resolve(%q) = %+v, %v; want %q, note %q", row.start, w, err, row.want, row.note)
			}
			_, err = w.ForWriting()
			if refused := row.want == ""; refused != (fault.KindOf(err) == fault.Refused) {
				t.Errorf("ForWriting: %v, want refusal %v", err, refused)
			}
		})
	}
}

func TestResolveErrors(t *testing.T) {
	root := tree(t, "loop -> loop", "dangling -> nowhere", "file: x", "a/")
	deleted := root + "/a"
	if err := os.Remove(deleted); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		id, start, code string
		kind            fault.Kind
	}{
		{"case32/loop", root + "/loop", "workspace-loop", fault.NotFound},
		{"case32/dangling", root + "/dangling", "workspace-missing", fault.NotFound},
		{"case34/deleted", deleted, "workspace-missing", fault.NotFound},
		{"file", root + "/file", "workspace-not-folder", fault.Usage},
		{"below-a-file", root + "/file/x", "workspace-not-folder", fault.Usage},
		{"long-name", root + "/" + strings.Repeat("x", 300), "workspace-unusable", fault.Failed},
		{"relative", "x", "workspace-missing", fault.NotFound},
		{"empty", "", "workspace-missing", fault.NotFound},
	} {
		w, err := workspace.Resolve(row.start, workspace.Options{Mark: mark})
		if fault.CodeOf(err) != row.code || fault.KindOf(err) != row.kind || w != (workspace.Workspace{}) {
			t.Errorf("%s: Resolve(%q) = %+v, %v; want %s of kind %s", row.id, row.start, w, err, row.code, row.kind)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	dir := b.TempDir()
	deep := filepath.Join(dir, "a/b/c")
	_ = os.MkdirAll(deep, 0o777)
	_ = os.MkdirAll(filepath.Join(dir, mark), 0o777)
	for b.Loop() {
		_, _ = workspace.Resolve(deep, workspace.Options{Mark: mark, Home: "/root", MainCheckout: true})
	}
}
