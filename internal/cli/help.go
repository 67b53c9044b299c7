package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dshkit/dshkit/pkg/fault"
)

// The texts of a command stand in the tables under its path: the command
// "selfip playbook list" has help.playbook.list.short, .long (may be missing),
// .example and .flag.NAME (else flag.NAME); the root has help.short and so on. In them
// {program} stands for the name of the program.
// They are looked up when help is shown, so a tree costs no text.
func helpKey(cmd *cobra.Command) string {
	key := ""
	for c := cmd; c.HasParent(); c = c.Parent() {
		key = "." + c.Name() + key
	}
	return "help" + key
}

// helpText returns a text of cmd, "" when the tables have none.
func (env *Env) helpText(cmd *cobra.Command, part string) string {
	s, _ := env.lookup(env.Lang(), helpKey(cmd)+"."+part)
	return strings.TrimSpace(strings.ReplaceAll(s, "{program}", cmd.Root().Name()))
}

func (env *Env) flagText(cmd *cobra.Command, name string) string {
	for c := cmd; c != nil; c = c.Parent() {
		if s, ok := env.lookup(env.Lang(), helpKey(c)+".flag."+name); ok {
			return s
		}
	}
	s, _ := env.lookup(env.Lang(), "flag."+name)
	return s
}

// Localize writes the texts of the user's language into the tree, for those
// parts of cobra that read them there: completion and its scripts.
func (env *Env) Localize(root *cobra.Command) {
	root.Short = env.helpText(root, "short")
	root.Long = env.helpText(root, "long")
	root.Example = env.helpText(root, "example")
	name := func(f *pflag.Flag) { f.Usage = env.flagText(root, f.Name) }
	root.LocalNonPersistentFlags().VisitAll(name)
	root.PersistentFlags().VisitAll(name)
	for _, c := range root.Commands() {
		env.Localize(c)
	}
}

// help writes the help of cmd to standard output.
func (env *Env) help(cmd *cobra.Command) error {
	w := env.Writer()
	w.helpIntro(cmd)
	w.helpCommands(cmd)
	w.helpFlags("help-flags", cmd, cmd.NonInheritedFlags())
	w.helpFlags("help-common-flags", cmd, cmd.InheritedFlags())
	w.helpExits(cmd)
	return w.Flush()
}

func (w *Writer) helpIntro(cmd *cobra.Command) {
	intro := w.env.helpText(cmd, "long")
	if intro == "" {
		intro = w.env.helpText(cmd, "short")
	}
	w.Line(intro)
	w.heading("help-usage")
	w.Line("  " + useLine(cmd))
	if len(cmd.Aliases) > 0 {
		w.heading("help-aliases")
		w.Line("  " + strings.Join(cmd.Aliases, ", "))
	}
	if example := w.env.helpText(cmd, "example"); example != "" {
		w.heading("help-example")
		for line := range strings.Lines(example) {
			w.Line("  " + strings.TrimRight(line, "\n"))
		}
	}
}

func useLine(cmd *cobra.Command) string {
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() && cmd.Name() == cmd.Use {
		line = cmd.CommandPath() + " COMMAND [flags]"
	}
	return line
}

func (w *Writer) heading(id string) {
	w.Line("")
	w.Line(w.Bold(w.env.Say(id)))
}

// helpCommands lists the subcommands, those of a group under its title.
func (w *Writer) helpCommands(cmd *cobra.Command) {
	for _, g := range cmd.Groups() {
		w.commandList("help.group."+g.ID, cmd, g.ID)
	}
	w.commandList("help-commands", cmd, "")
}

func (w *Writer) commandList(title string, cmd *cobra.Command, group string) {
	var rows [][]string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.GroupID == group {
			rows = append(rows, []string{"  " + c.Name(), w.env.helpText(c, "short")})
		}
	}
	if len(rows) == 0 {
		return
	}
	w.heading(title)
	w.Columns(false, rows)
}

func (w *Writer) helpFlags(title string, cmd *cobra.Command, flags *pflag.FlagSet) {
	var rows [][]string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			rows = append(rows, w.env.flagRow(cmd, f))
		}
	})
	if len(rows) == 0 {
		return
	}
	w.heading(title)
	w.Columns(false, rows)
}

// flagRow returns the flag as typed and its text.
func (env *Env) flagRow(cmd *cobra.Command, f *pflag.Flag) []string {
	spelt := "      --" + f.Name
	if f.Shorthand != "" {
		spelt = "  -" + f.Shorthand + ", --" + f.Name
	}
	shown := *f
	shown.Usage = env.flagText(cmd, f.Name)
	kind, usage := pflag.UnquoteUsage(&shown)
	if kind != "" {
		spelt += " " + kind
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" && f.DefValue != "0s" {
		usage += env.Say("help-default", f.DefValue)
	}
	return []string{spelt, usage}
}

func (w *Writer) helpExits(cmd *cobra.Command) {
	w.heading("help-exits")
	var rows [][]string
	for _, e := range exitsOf(cmd) {
		rows = append(rows, []string{"  " + strconv.Itoa(e), w.env.Say("exit." + strconv.Itoa(e))})
	}
	w.Columns(false, rows)
}

// exitsOf lists the exit codes of cmd in their order.
func exitsOf(cmd *cobra.Command) []int {
	if cmd.Annotations[alwaysZero] != "" {
		return []int{0}
	}
	kinds := append(strings.Fields(cmd.Annotations[exitKinds]),
		"", string(fault.Failed), string(fault.Usage), string(fault.Internal))
	var codes []int
	for _, e := range exits {
		if slices.Contains(kinds, string(e.kind)) {
			codes = append(codes, e.code)
		}
	}
	return codes
}
