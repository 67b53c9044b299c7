package cli_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/fault"
)

func TestMain(m *testing.M) {
	testkit.Main(m, map[string]func(*cli.Env) *cobra.Command{"demo": demo})
}

func TestScripts(t *testing.T) { testkit.Scripts(t, "testdata/script") }

func TestTables(t *testing.T) {
	testkit.CheckTables(t, cli.Shared(cli.English), cli.Shared(cli.Chinese),
		"internal/cli", "internal/config", "internal/selfip/scope", "internal/workspace", "pkg/filestore")
	testkit.CheckTables(t, demoEnglish, demoChinese)
}

func TestHelpIsComplete(t *testing.T) { testkit.CheckHelp(t, demo) }

// demo is a program with one command for each way a command can end.
func demo(env *cli.Env) *cobra.Command {
	env.AddTables(demoEnglish, demoChinese)
	root := cli.Group(&cobra.Command{Use: "demo"})
	cli.CommonFlags(env, root)
	root.AddGroup(&cobra.Group{ID: "main"})

	list := &cobra.Command{
		Use: "list [WORD]", Aliases: []string{"ls"}, GroupID: "main", Args: cli.ArgCount(0, 1),
		RunE: func(*cobra.Command, []string) error { return env.Report(rows{{"plain", "1"}, {"记忆", "2"}}) },
	}
	list.Flags().Int("limit", 10, "")
	cli.DryRunFlag(env, list)
	cli.Exits(list, fault.NotFound, fault.Busy)

	group := cli.Group(&cobra.Command{Use: "group", GroupID: "main"})
	group.AddCommand(&cobra.Command{
		Use: "add TEXT", Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			env.Note("added", args[0], env.NewID("x-"), env.Now())
			env.Log().Debug("adding", "length", len(args[0]))
			return nil
		},
	})
	hook := cli.AlwaysZero(&cobra.Command{Use: "hook [EVENT]", Args: cli.ArgCount(0, 1), RunE: fail(env)})
	root.AddCommand(list, group, hook, cli.NewCompletion(env),
		&cobra.Command{Use: "fail KIND", Args: cli.ArgCount(1, 1), RunE: fail(env)},
		&cobra.Command{Use: "wait FILE", Args: cli.ArgCount(1, 1), RunE: wait})
	return root
}

func fail(env *cli.Env) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return fault.New(fault.Busy, "demo-busy", "the\nfile\x1b[31m")
		case args[0] == "panic":
			panic("on purpose")
		case args[0] == "plain":
			return errors.New("plain trouble")
		case args[0] == "path":
			_, err := os.Open("/nowhere/at/all")
			return fault.New(fault.Failed, "demo-busy", "x").Because(fmt.Errorf("more: %w", err))
		case args[0] == "note":
			env.Warn("demo-busy", "a warning")
			return nil
		}
		return fault.New(fault.Kind(args[0]), "demo-busy", args[0])
	}
}

// wait tells that it is there and waits to be stopped.
func wait(cmd *cobra.Command, args []string) error {
	stopped := cmd.Context().Done() // from here on signals are heard
	if err := os.WriteFile(args[0], nil, 0o666); err != nil {
		return err
	}
	<-stopped
	return cmd.Context().Err()
}

// rows is a report.
type rows [][]string

func (r rows) Text(w *cli.Writer) { w.Columns(false, r) }

func (r rows) JSON() any {
	return struct {
		Rows [][]string `json:"rows"`
		None []string   `json:"none"`
		Tag  string     `json:"tag"`
	}{Rows: r, Tag: "<b>&"}
}

var demoEnglish = cli.Table{
	{ID: "added", Text: "added %q as %s at %s"},
	{ID: "demo-busy", Text: "%s is busy"},
	{ID: "help.short", Text: "Show how commands end"},
	{ID: "help.long", Text: "{program} has a command for each way to end."},
	{ID: "help.example", Text: "{program} list"},
	{ID: "help.group.main", Text: "The main commands:"},
	{ID: "help.list.short", Text: "List some rows"},
	{ID: "help.list.example", Text: "{program} list --limit 3\n{program} list --json"},
	{ID: "help.list.flag.limit", Text: "at most `N` rows"},
	{ID: "help.group.short", Text: "Commands in a group"},
	{ID: "help.group.example", Text: "{program} group add x"},
	{ID: "help.group.add.short", Text: "Add a text"},
	{ID: "help.group.add.example", Text: "{program} group add x"},
	{ID: "help.hook.short", Text: "Answer a harness"},
	{ID: "help.hook.example", Text: "{program} hook"},
	{ID: "help.fail.short", Text: "Fail in a given way"},
	{ID: "help.fail.example", Text: "{program} fail busy"},
	{ID: "help.wait.short", Text: "Wait to be stopped"},
	{ID: "help.wait.example", Text: "{program} wait ready"},
}

var demoChinese = cli.Table{
	{ID: "added", Text: "已添加 %q，编号 %s，时间 %s"},
	{ID: "demo-busy", Text: "%s 正忙"},
	{ID: "help.short", Text: "演示命令如何结束"},
	{ID: "help.long", Text: "{program} 对每种结束方式都有一个命令。"},
	{ID: "help.example", Text: "{program} list"},
	{ID: "help.group.main", Text: "主要命令："},
	{ID: "help.list.short", Text: "列出几行"},
	{ID: "help.list.example", Text: "{program} list --limit 3\n{program} list --json"},
	{ID: "help.list.flag.limit", Text: "最多 `N` 行"},
	{ID: "help.group.short", Text: "一组命令"},
	{ID: "help.group.example", Text: "{program} group add x"},
	{ID: "help.group.add.short", Text: "添加一段文字"},
	{ID: "help.group.add.example", Text: "{program} group add x"},
	{ID: "help.hook.short", Text: "回答宿主"},
	{ID: "help.hook.example", Text: "{program} hook"},
	{ID: "help.fail.short", Text: "以指定方式失败"},
	{ID: "help.fail.example", Text: "{program} fail busy"},
	{ID: "help.wait.short", Text: "等待被停止"},
	{ID: "help.wait.example", Text: "{program} wait ready"},
}
