package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Run executes the command that env.Args name in the tree that newRoot builds,
// and returns the exit code. Every error becomes one line on standard error;
// with --json also one document on standard output. It recovers a panic.
func Run(env *Env, newRoot func(*Env) *cobra.Command) (code int) {
	growStack(0)
	run := &run{env: env}
	defer func() {
		if p := recover(); p != nil {
			code = run.settle(fault.New(fault.Internal, "panic", fmt.Sprint(p)), debug.Stack())
		}
	}()
	run.root = newRoot(env)
	env.name = run.root.Name()
	run.prepare()

	ctx, stop := context.Background(), func() {}
	if env.Interrupts != nil {
		ctx, stop = env.Interrupts(ctx)
	}
	defer stop()
	return run.settle(run.execute(ctx), nil)
}

// run is one execution of a tree.
type run struct {
	env     *Env
	root    *cobra.Command
	started bool // parsing is over: an error is the command's own
}

// prepare gives the tree our help, our words and our errors.
func (r *run) prepare() {
	root, env := r.root, r.env
	if !root.Runnable() {
		Group(root)
	}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(append([]string{}, env.Args...))
	root.SetIn(env.In)
	root.SetOut(env.Out)
	root.SetErr(env.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { env.noteFailure(env.help(cmd)) })
	root.SetUsageFunc(env.help)
	root.SetHelpCommand(newHelp())
	root.PersistentPreRunE = r.begin
	if len(env.Args) > 0 && isCompletion(env.Args[0]) {
		env.Localize(root)
	}
}

// begin ends the parsing: what follows are errors of the command itself.
func (r *run) begin(cmd *cobra.Command, _ []string) error {
	if err := cmd.ValidateRequiredFlags(); err != nil {
		return err
	}
	if err := cmd.ValidateFlagGroups(); err != nil {
		return err
	}
	if _, err := parseLang(r.env.Flags.Lang); err != nil {
		return err
	}
	r.started = true
	return nil
}

func (r *run) execute(ctx context.Context) error {
	_, err := r.root.ExecuteContextC(ctx)
	if err == nil {
		err = r.env.failed
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && kindOf(err) == fault.Timeout {
		return context.Cause(ctx)
	}
	var known *fault.Error
	if !r.started && !errors.As(err, &known) {
		return r.parseError(err)
	}
	return err
}

// settle reports err and returns its exit code. A reader that went away is no
// error: it has what it wanted.
func (r *run) settle(err error, stack []byte) int {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return 0
	}
	cmd := r.command()
	forgiving := cmd != nil && cmd.Annotations[alwaysZero] != ""
	r.env.printError(err, !forgiving)
	if stack != nil && r.env.Getenv("DSHKIT_DEBUG") != "" {
		_, _ = r.env.Err.Write(stack)
	}
	if forgiving {
		if r.env.Unanswered != nil && !r.env.answered {
			_ = r.env.Answer(r.env.Unanswered(r.env.Args)) // nobody reads it, or it is there
		}
		return 0
	}
	return ExitCode(err)
}

// command returns the command that the arguments name, nil before the tree
// exists.
func (r *run) command() *cobra.Command {
	if r.root == nil {
		return nil
	}
	cmd, _, _ := r.root.Find(r.env.Args)
	return cmd
}

func isCompletion(arg string) bool {
	return arg == cobra.ShellCompRequestCmd || arg == cobra.ShellCompNoDescRequestCmd
}
