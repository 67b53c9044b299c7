package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// gitEnglish holds what is said of git.
var gitEnglish = cli.Table{
	{ID: "merged", Text: "merged %s; entries: %d, theirs: %d, withdrawn by them: %d, removed by them: %d, changed on both sides: %d"},
	{ID: "merge-unwritten", Text: "cannot write %s"},
	{ID: "git-installed", Text: "git merges the memory files with selfip now, as %s says"},
	{ID: "git-removed", Text: "git merges the memory files like any others now; changed: %s and the settings of git"},
	{ID: "git-same", Text: "nothing to change in %s and the settings of git"},
	{ID: "git-commit", Text: "commit %s; everybody who works on the repository runs install git once"},
	{ID: "no-git", Text: "the program git is not on the path"},
	{ID: "no-repository", Text: "%s is in no git repository"},
	{ID: "no-repository.hint", Text: "name a workspace in one with -C"},
	{ID: "doctor-no-driver", Text: "%s wants memory files merged by selfip, and git does not know how: run install git"},
	{ID: "doctor-driver", Text: "git merges memory files with: %s"},

	{ID: "help.merge-driver.short", Text: "Merge two sides of a memory file, for git"},
	{ID: "help.merge-driver.long", Text: "Joins two versions of a memory file entry by entry, without marks of conflict.\n" +
		"No entry and no withdrawal of either side is lost; what both have changed is\n" +
		"joined. What one side removed and the other left as it was is removed. The\n" +
		"result goes into OURS. Git calls this after install git."},
	{ID: "help.merge-driver.example", Text: "{program} merge-driver base.md ours.md theirs.md"},
}
