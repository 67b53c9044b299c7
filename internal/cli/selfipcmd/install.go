package selfipcmd

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/pkg/fault"
)

// program is our name in the settings of harnesses.
const program = "selfip"

type installOptions struct {
	harness harness.Harness
	scope   install.Scope
	events  []string
	trace   bool
	print   bool // only the fragment to add by hand
	bridge  bool // of DSH: through its bridge
	agent   bool // of Kiro: only what an agent of its CLI 2 needs
	crush   bool // of Crush: the hook, too
	mcp     bool // our MCP server, not the hooks
	skill   bool // the skill that many harnesses read
	agents  bool // the block in AGENTS.md
	remove  bool
}

// shared reports whether something is asked for that is of no one harness.
func (o installOptions) shared() bool { return o.skill || o.agents }

func newInstall(env *cli.Env) *cobra.Command {
	var opts installOptions
	cmd := installCommand(env, "install [HARNESS|git]", &opts)
	cmd.Flags().StringSliceVar(&opts.events, "events", nil, "")
	cmd.Flags().BoolVar(&opts.trace, "trace", false, "")
	cmd.Flags().BoolVar(&opts.print, "print", false, "")
	cmd.Flags().BoolVar(&opts.bridge, "bridge", false, "")
	cmd.Flags().BoolVar(&opts.agent, "agent", false, "")
	cmd.Flags().BoolVar(&opts.crush, "crush-experimental", false, "")
	return cmd
}

func newUninstall(env *cli.Env) *cobra.Command {
	opts := installOptions{remove: true}
	return installCommand(env, "uninstall [HARNESS|git]", &opts)
}

func installCommand(env *cli.Env, use string, opts *installOptions) *cobra.Command {
	var scope string
	cmd := &cobra.Command{
		Use:               use,
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: cli.ArgWords(append(harnessNames(), gitName)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.scope = install.Scope(scope)
			if err := opts.parse(args); err != nil {
				return err
			}
			if len(args) > 0 && args[0] == gitName {
				return runGit(cmd.Context(), env, gitOptions{scope: scope, print: opts.print, remove: opts.remove})
			}
			if opts.agent {
				return printAgent(env)
			}
			return runInstall(cmd.Context(), env, *opts)
		},
	}
	cmd.Flags().StringVar(&scope, "scope", string(install.User), "")
	cli.FlagWords(cmd, "scope", string(install.User), string(install.Project))
	cmd.Flags().BoolVar(&opts.mcp, "mcp", false, "")
	cmd.Flags().BoolVar(&opts.skill, "skill", false, "")
	cmd.Flags().BoolVar(&opts.agents, "agents-md", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy)
}

// parse takes the argument and refuses what does not go together.
func (o *installOptions) parse(args []string) error {
	if len(args) == 0 {
		switch {
		case !o.shared():
			return fault.New(fault.Usage, "install-which", strings.Join(append(harnessNames(), gitName, "--skill", "--agents-md"), ", "))
		case o.mcp || o.agent || o.crush || o.bridge || o.trace || len(o.events) > 0:
			return fault.New(fault.Usage, "install-shared")
		}
		return nil
	}
	o.harness = harness.Harness(args[0])
	git := args[0] == gitName
	switch {
	case o.shared(), git && (o.mcp || o.agent || o.crush):
		return fault.New(fault.Usage, "install-shared")
	case git:
		return nil
	case !o.harness.Known():
		return unknownHarness(args[0])
	case o.agent && o.harness != harness.Kiro, o.crush && o.harness != harness.Crush:
		return fault.New(fault.Usage, "install-other-flag", args[0])
	case o.mcp && (o.agent || o.crush || o.bridge || o.trace || len(o.events) > 0):
		return fault.New(fault.Usage, "install-mcp-flags")
	}
	return nil
}

// printAgent prints the hooks for an agent of Kiro's CLI 2.
func printAgent(env *cli.Env) error {
	binary, err := env.Executable()
	if err != nil {
		return fault.New(fault.Failed, "no-executable").Because(err)
	}
	fragment, refusal := install.KiroAgent(install.Options{Program: program, Binary: binary})
	if refusal != nil {
		return refusal
	}
	plan := install.Plan{Harness: harness.Kiro, Fragment: fragment}
	return env.Report(installReport{harness: harness.Kiro, print: true, plans: []installPlan{{plan, false}}})
}

// harnessNames lists the harnesses that call us, by the words of the command line.
func harnessNames() []string {
	var names []string
	for _, h := range harness.All() {
		names = append(names, string(h))
	}
	return names
}

func unknownHarness(name string) error {
	return fault.New(fault.Usage, "unknown-harness", name, strings.Join(harnessNames(), ", "))
}

func runInstall(ctx context.Context, env *cli.Env, opts installOptions) error {
	steps, err := installSteps(env, opts)
	if err != nil {
		return err
	}
	asked, err := installAsked(env, opts)
	if err != nil {
		return err
	}
	report := installReport{harness: opts.name(), remove: opts.remove, print: opts.print, dryRun: env.Flags.DryRun, shared: opts.shared()}
	if refused := refusedAhead(env, steps, asked, opts); refused != nil {
		steps = []installStep{*refused} // one of several files: the others are left alone, too
	}
	for _, step := range steps {
		how := opts
		how.remove = step.remove
		plan, err := changeTarget(ctx, env, step.Target, asked, how)
		if err != nil {
			return err
		}
		report.plans = append(report.plans, installPlan{plan, step.remove})
		if plan.Refusal != nil {
			break
		}
	}
	if opts.remove && !opts.mcp && !opts.shared() && report.refusal() == nil {
		if report.skills, err = abandonSkills(ctx, env, opts.harness); err != nil {
			return err
		}
	}
	return env.ReportWith(report, report.refusal())
}

// name is what is installed: a harness, or the word for what many read.
func (o installOptions) name() harness.Harness {
	switch {
	case o.skill && o.agents:
		return install.Skill + "," + install.AgentsFile
	case o.skill:
		return install.Skill
	case o.agents:
		return install.AgentsFile
	}
	return o.harness
}

// refusedAhead returns the first of several files whose change is refused, nil
// when all can be changed.
func refusedAhead(env *cli.Env, steps []installStep, asked install.Options, opts installOptions) *installStep {
	if len(steps) < 2 || opts.remove || opts.print {
		return nil
	}
	for i, step := range steps {
		current, err := readSettings(step.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) || step.remove {
			continue // it is told when its turn comes
		}
		if step.Install(current, asked).Refusal != nil {
			return &steps[i]
		}
	}
	return nil
}

// installStep is one file to change.
type installStep struct {
	install.Target
	remove bool
}

// installSteps lists the files to change. DSH can be wired in two ways: what the
// other way left goes first, so that no event arrives twice.
func installSteps(env *cli.Env, opts installOptions) ([]installStep, error) {
	if opts.bridge && opts.harness != harness.DSH {
		return nil, fault.New(fault.Usage, "install-no-bridge", string(opts.harness))
	}
	where := installEnv(env)
	where.Bridge, where.Experimental = opts.bridge, opts.crush || opts.remove
	targets, err := installTargets(opts, where)
	if err != nil {
		return nil, err
	}
	var steps []installStep
	if opts.harness == harness.DSH && !opts.print && !opts.mcp {
		where.Bridge = !opts.bridge
		other, err := install.Targets(opts.harness, opts.scope, where)
		if err != nil {
			return nil, err
		}
		steps = removals(slices.DeleteFunc(other, isBare))
	}
	switch {
	case opts.remove && len(steps) > 0:
		return append(steps, removals(slices.DeleteFunc(targets, isBare))...), nil
	case opts.remove:
		return removals(targets), nil
	}
	for _, t := range targets {
		steps = append(steps, installStep{t, false})
	}
	return steps, nil
}

// installTargets are the files of what is asked for.
func installTargets(opts installOptions, where install.Env) ([]install.Target, error) {
	var targets []install.Target
	if opts.skill {
		skills, err := install.SkillTargets(opts.scope, where, func(dir string) bool { return opts.remove || isDir(dir) })
		if err != nil {
			return nil, err
		}
		targets = skills
	}
	if opts.agents {
		block, err := install.AgentsTargets(where)
		return append(targets, block...), err
	}
	switch {
	case opts.skill:
		return targets, nil
	case opts.mcp:
		return install.MCPTargets(opts.harness, opts.scope, where)
	}
	return install.Targets(opts.harness, opts.scope, where)
}

// removals takes files in the opposite order of their install.
func removals(targets []install.Target) []installStep {
	var steps []installStep
	for _, t := range slices.Backward(targets) {
		steps = append(steps, installStep{t, true})
	}
	return steps
}

// isBare reports whether a file holds nothing of ours.
func isBare(t install.Target) bool {
	current, err := readSettings(t.File)
	return err != nil || len(t.Status(current, program).Entries) == 0
}

// installEnv says where harnesses keep their settings on this machine.
func installEnv(env *cli.Env) install.Env {
	dir := env.Flags.Dir
	if o, err := open(env, dir); err == nil && o.workspace.Root != "" {
		dir = o.workspace.Root
	}
	return install.Env{Home: env.Home(), Dir: dir, Config: configDir(env), Getenv: env.Getenv}
}

// configDir is the folder of the user's settings and of install records, "" when
// nobody knows the user's home.
func configDir(env *cli.Env) string { return env.OwnFolder("XDG_CONFIG_HOME", ".config") }

func installAsked(env *cli.Env, opts installOptions) (install.Options, error) {
	binary, err := env.Executable()
	if err != nil {
		return install.Options{}, fault.New(fault.Failed, "no-executable").Because(err)
	}
	return install.Options{
		Program: program, Binary: binary, Events: opts.events, Trace: opts.trace, Bridge: bridgePresent(env), Print: opts.print,
		Version: version(),
	}, nil
}

// bridgePresent looks for the hooks bridge among the packages of DSH's
// profiles: a row that names a missing package keeps DSH from starting.
func bridgePresent(env *cli.Env) bool {
	home := env.Getenv("DSH_HOME")
	if home == "" {
		home = filepath.Join(env.Home(), ".dsh")
	}
	places, _ := filepath.Glob(filepath.Join(home, "profiles", "*", "node_modules"))
	for _, modules := range append(places, filepath.Join(home, "node_modules")) {
		if isDir(filepath.Join(modules, filepath.FromSlash(install.DSHBridge))) {
			return true
		}
	}
	return false
}
