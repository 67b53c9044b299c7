package testkit

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
)

// CheckHelp holds that every command of a program has a summary, an example and
// a text for each flag in both languages, can be run, and names its own errors.
func CheckHelp(t *testing.T, newRoot func(*cli.Env) *cobra.Command) {
	t.Helper()
	for _, lang := range cli.Langs {
		env := cli.System()
		env.Language = func() string { return string(lang) }
		for _, problem := range cli.CheckTree(env, newRoot(env)) {
			t.Errorf("%s: %s", lang, problem)
		}
	}
}
