package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// ArgCount accepts from low to high arguments; a negative high is no bound.
func ArgCount(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return fault.New(fault.Usage, "too-few-arguments", cmd.CommandPath(), low, len(args))
		case high >= 0 && len(args) > high:
			return fault.New(fault.Usage, "too-many-arguments", cmd.CommandPath(), high, len(args))
		}
		return nil
	}
}

// Subcommands is the check of a command that has subcommands and takes no
// argument of its own: a word that is none of them is named, with the nearest.
func Subcommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommand(cmd, args[0])
}

// Group makes cmd one that only holds subcommands: without one it shows its help.
func Group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = Subcommands
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

func unknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(append(names, c.Name()), c.Aliases...)
		}
	}
	if near := text.Nearest(word, names); near != "" {
		return fault.New(fault.Usage, "unknown-command-near", word, cmd.CommandPath(), near)
	}
	return fault.New(fault.Usage, "unknown-command", word, cmd.CommandPath())
}

// parseError classes an error that cobra made before the command ran.
func (r *run) parseError(err error) error {
	path := r.root.Name()
	if cmd := r.command(); cmd != nil {
		path = cmd.CommandPath()
	}
	return fault.New(fault.Usage, "bad-arguments", path).Because(err)
}

// flagError classes an error of the flag parser.
func flagError(cmd *cobra.Command, err error) error {
	var (
		missing *pflag.NotExistError
		valued  *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &missing):
		return unknownFlag(cmd, missing)
	case errors.As(err, &valued):
		return fault.New(fault.Usage, "flag-needs-value", dashed(valued.GetSpecifiedName()))
	case errors.As(err, &invalid):
		return fault.New(fault.Usage, "flag-bad-value", invalid.GetValue(), dashed(invalid.GetFlag().Name), invalid.GetFlag().Value.Type())
	case errors.As(err, &syntax):
		return fault.New(fault.Usage, "flag-bad-syntax", syntax.GetSpecifiedFlag())
	case errors.Is(err, pflag.ErrHelp):
		return err
	}
	return fault.New(fault.Usage, "bad-arguments", cmd.CommandPath()).Because(err)
}

func unknownFlag(cmd *cobra.Command, missing *pflag.NotExistError) error {
	name := missing.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := ""
	if len(name) > 1 {
		near = text.Nearest(name, names)
	}
	if near == "" {
		return fault.New(fault.Usage, "unknown-flag", dashed(name), cmd.CommandPath())
	}
	return fault.New(fault.Usage, "unknown-flag-near", dashed(name), cmd.CommandPath(), dashed(near))
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
