package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// playbookEnglish is what playbooks say: the name and its uses; the file.
var playbookEnglish = cli.Table{
	{ID: "no-playbooks", Text: "there are no playbooks"},
	{ID: "playbook-row", Text: "%s  uses: %d, successes: %d, failures: %d"},
	{ID: "playbook-row-due", Text: "%s  uses: %d, successes: %d, failures: %d, to be verified again"},
	{ID: "skill-written", Text: "written: %s"},
	{ID: "skill-same", Text: "as it was: %s"},
	{ID: "skill-removed", Text: "removed: %s"},
	{ID: "skill-foreign", Text: "left alone, it is not ours or cannot be written: %s"},
	{ID: "skill-edited", Text: "left alone, it was changed by hand: %s"},
	{ID: "skill-unsafe", Text: "left out, its name cannot be shown to an agent: %s"},
	{ID: "skills-none", Text: "there are no playbooks; the first one will be exported when it is written"},
	{ID: "skills-none-left", Text: "no playbook is exported"},

	{ID: "no-playbook", Text: "there is no playbook %q"},
	{ID: "no-playbook.hint", Text: "%[1]s playbook lists them"},
	{ID: "no-skill-folder", Text: "no harness with a folder of skills is installed"},
	{ID: "no-skill-folder.hint", Text: "install one, or name a folder with --to"},
	{ID: "bad-skills", Text: "%s cannot be read: it is no record of skills"},

	{ID: "help.playbook.short", Text: "Playbooks and how their uses went"},
	{ID: "help.playbook.long", Text: "Alone it lists the playbooks of the workspace, the proven ones first. They\n" +
		"stand in self-improvement/playbooks, one file each, and can be written by\n" +
		"hand."},
	{ID: "help.playbook.example", Text: "{program} playbook\n{program} playbook use deploy success"},
	{ID: "help.playbook.list.short", Text: "List the playbooks"},
	{ID: "help.playbook.list.example", Text: "{program} playbook list --json"},
	{ID: "help.playbook.show.short", Text: "Show a playbook"},
	{ID: "help.playbook.show.long", Text: "Shows the record and the steps of the playbook with this name. Lines that read\n" +
		"like an instruction against the user are left out. Nothing is changed."},
	{ID: "help.playbook.show.example", Text: "{program} playbook show deploy"},
	{ID: "help.playbook.use.short", Text: "Record how the use of a playbook went"},
	{ID: "help.playbook.use.long", Text: "Counts a success or a failure in the head of the playbook with this name. Its\n" +
		"steps stay as they are."},
	{ID: "help.playbook.use.example", Text: "{program} playbook use deploy success\n{program} playbook use deploy fail"},
	{ID: "help.playbook.export.short", Text: "Offer the playbooks as skills"},
	{ID: "help.playbook.export.long", Text: "Writes each playbook as a skill, selfip-NAME/SKILL.md, into the folders of this\n" +
		"workspace where the installed harnesses look for skills, or into a named one.\n" +
		"From then on the skills follow: they are written anew when a playbook changes,\n" +
		"and removed when it goes or the harness is uninstalled. A file that is not ours\n" +
		"or was changed by hand is left alone. With --off the skills are removed."},
	{ID: "help.playbook.export.example", Text: "{program} playbook export\n{program} playbook export --to ~/skills\n{program} playbook export --off"},
	{ID: "help.playbook.export.flag.to", Text: "into this `FOLDER` of skills"},
	{ID: "help.playbook.export.flag.off", Text: "remove the skills and offer no more"},
}
