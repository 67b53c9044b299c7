package cli

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dshkit/dshkit/pkg/text"
)

// Generate returns the files that are made from the tree of one program, by
// their path from the root of the repository: the reference and the table of
// exit codes in both languages, and the completion scripts in English.
func Generate(env *Env, newRoot func(*Env) *cobra.Command) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, lang := range Langs {
		own := *env
		own.lang, own.tables = lang, nil
		root := newRoot(&own)
		r := &run{env: &own, root: root}
		own.name = root.Name()
		r.prepare()
		root.InitDefaultHelpCmd()
		own.Localize(root)
		suffix := ".md"
		if lang != English {
			suffix = "." + string(lang) + ".md"
		}
		files["docs/reference/"+own.name+suffix] = own.reference(root)
		files["docs/reference/exit-codes"+suffix] = own.exitTable()
		if lang != English {
			continue
		}
		if err := completions(files, root); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func completions(files map[string][]byte, root *cobra.Command) error {
	for _, shell := range Shells {
		var b bytes.Buffer
		if err := complete(&b, root, shell); err != nil {
			return err
		}
		name := root.Name() + "." + shell
		if shell == "powershell" {
			name = root.Name() + ".ps1"
		}
		files["completions/"+name] = b.Bytes()
	}
	return nil
}

// reference renders the help of a tree as Markdown, a section per command.
func (env *Env) reference(root *cobra.Command) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n<!-- %s -->\n", env.Say("reference-title", env.name), env.Say("reference-generated"))
	env.section(&b, root)
	return b.Bytes()
}

func (env *Env) section(b *bytes.Buffer, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n", cmd.CommandPath())
	for _, part := range []string{"short", "long"} {
		if s := env.helpText(cmd, part); s != "" {
			fmt.Fprintf(b, "%s\n\n", prose(s))
		}
	}
	fmt.Fprintf(b, "```sh\n%s\n```\n", useLine(cmd))
	if example := env.helpText(cmd, "example"); example != "" {
		fmt.Fprintf(b, "\n%s\n\n```sh\n%s\n```\n", env.Say("help-example"), example)
	}
	flags := cmd.NonInheritedFlags()
	if !cmd.HasParent() {
		flags = cmd.PersistentFlags()
	}
	env.flagTable(b, cmd, flags)
	var codes []string
	for _, code := range exitsOf(cmd) {
		codes = append(codes, strconv.Itoa(code))
	}
	fmt.Fprintf(b, "\n%s %s\n", env.Say("help-exits"), strings.Join(codes, ", "))
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			env.section(b, c)
		}
	}
}

// prose renders a help as Markdown. Rows that were broken for the terminal become
// one, or a page would show a blank inside a Chinese sentence; an empty row ends a
// paragraph; indented rows become a block, or it would show them as one sentence.
func prose(s string) string {
	var b strings.Builder
	before, block, ended := "", false, false
	for line := range strings.SplitSeq(s, "\n") {
		row, indented := strings.CutPrefix(line, "  ")
		if row == "" {
			ended = true
			continue
		}
		switch {
		case indented && block:
			b.WriteString("\n")
		case indented:
			b.WriteString("\n\n```text\n")
		case block:
			b.WriteString("\n```\n\n")
		case ended:
			b.WriteString("\n\n")
		default:
			b.WriteString(seam(before, row))
		}
		b.WriteString(row)
		before, block, ended = row, indented, false
	}
	if block {
		b.WriteString("\n```")
	}
	return b.String()
}

// seam is what stands between two rows of one sentence: nothing between Chinese
// and Chinese, nor beside a wide punctuation mark.
func seam(before, after string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	if before == "" || isWideMark(last) || isWideMark(first) || text.IsCJK(last) && text.IsCJK(first) {
		return ""
	}
	return " "
}

func isWideMark(r rune) bool { return r >= 0x3001 && r <= 0x303f || r >= 0xff00 && r <= 0xffef }

func (env *Env) flagTable(b *bytes.Buffer, cmd *cobra.Command, flags *pflag.FlagSet) {
	head := false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !head {
			fmt.Fprintf(b, "\n| %s | %s |\n| --- | --- |\n", env.Say("reference-flag"), env.Say("reference-meaning"))
			head = true
		}
		row := env.flagRow(cmd, f)
		fmt.Fprintf(b, "| `%s` | %s |\n", strings.TrimSpace(row[0]), strings.ReplaceAll(row[1], "|", `\|`))
	})
}

// exitTable renders the table of exit codes as Markdown.
func (env *Env) exitTable() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n<!-- %s -->\n\n%s\n\n", env.Say("reference-exits"), env.Say("reference-generated"), env.Say("reference-exits-intro"))
	fmt.Fprintf(&b, "| %s | %s |\n| --- | --- |\n", env.Say("reference-code"), env.Say("reference-meaning"))
	for _, e := range exits {
		code := strconv.Itoa(e.code)
		fmt.Fprintf(&b, "| %s | %s |\n", code, env.Say("exit."+code))
	}
	return b.Bytes()
}
