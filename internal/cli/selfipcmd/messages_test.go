package selfipcmd_test

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/text"
)

func TestMessagesAreComplete(t *testing.T) {
	dirs := slices.DeleteFunc(spokenDirs(t), func(dir string) bool {
		return dir == "internal/selfip/block" // its notes are not ids but the ends of some: see families
	})
	testkit.CheckTables(t, selfipcmd.English, selfipcmd.Chinese, dirs...)
}

func TestMessagesHelpIsComplete(t *testing.T) {
	testkit.CheckHelp(t, func(env *cli.Env) *cobra.Command {
		asked := env.Language
		root := selfipcmd.New(env)
		env.Language = asked // not that of the settings of whoever runs the test
		if !root.Runnable() {
			cli.Group(root) // as cli.Run does
		}
		return root
	})
}

// sentencesOf is a table as a map, the shared one below it.
func sentencesOf(lang cli.Lang, own cli.Table) map[string]string {
	all := map[string]string{}
	for _, m := range slices.Concat(cli.Shared(lang), own) {
		all[m.ID] = m.Text
	}
	return all
}

// TestMessagesOverrideNothing holds that one thing has one sentence.
func TestMessagesOverrideNothing(t *testing.T) {
	for _, shared := range cli.Shared(cli.English) {
		if slices.ContainsFunc(selfipcmd.English, func(m cli.Message) bool { return m.ID == shared.ID }) {
			t.Errorf("%q stands in the shared table and here", shared.ID)
		}
	}
}

// TestMessagesOfCodes holds that each constant has a sentence that takes the
// arguments that the comment behind the constant names.
func TestMessagesOfCodes(t *testing.T) {
	said := sentencesOf(cli.English, selfipcmd.English)
	n := 0
	for _, dir := range spokenDirs(t) {
		for _, c := range codes(t, dir) {
			n++
			switch sentence, ok := said[c.id]; {
			case !ok:
				t.Errorf("%s: %q has no sentence", c.at, c.id)
			case c.comment != "" && !slices.Equal(verbsOf(c.comment), verbsOf(sentence)):
				t.Errorf("%s: %q takes %q by its comment, %q by its sentence %q", c.at, c.id, verbsOf(c.comment), verbsOf(sentence), sentence)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d codes found, want 100 or more: the search is broken", n)
	}
}

// verbsOf lists the verbs of a sentence by the argument they take, as "1q".
func verbsOf(sentence string) []string {
	verb := regexp.MustCompile(`%(\[(\d+)\])?[-+# 0]*[\d.]*([a-zA-Z%])`)
	var list []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(sentence, -1) {
		if m[3] == "%" {
			continue
		}
		if n, err := strconv.Atoi(m[2]); err == nil {
			next = n
		}
		list = append(list, fmt.Sprint(next)+m[3])
		next++
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestMessagesFitTheirCalls holds that a sentence takes as many arguments as the
// commands give it. One that names an index may leave arguments out.
func TestMessagesFitTheirCalls(t *testing.T) {
	said := sentencesOf(cli.English, selfipcmd.English)
	calls := spokenCalls(t, commandDir)
	for _, c := range calls {
		sentence := said[c.id]
		if c.part || c.args < 0 || !strings.Contains(sentence, "%") {
			continue
		}
		want := len(verbsOf(sentence))
		if c.args < want || c.args > want && !strings.Contains(sentence, "%[") {
			t.Errorf("%s gives %q %d arguments, its sentence takes %d: %q", c.at, c.id, c.args, want, sentence)
		}
	}
	if len(calls) < 80 {
		t.Errorf("%d calls found, want 80 or more: the search is broken", len(calls))
	}
}

// families lists what may follow a first part of an id, by that part.
func families(t *testing.T) map[string][]string {
	const selfipDir = "internal/selfip"
	return map[string][]string{
		"kind-":          append(valuesOf(t, selfipDir+"/entry", "Kind"), ""), // a line may have none
		"library-":       valuesOf(t, selfipDir, "Label"),
		"mark-":          {"external", "induced", "expired"},
		"standing-":      valuesOf(t, selfipDir, "Standing"),
		"origin-":        append(strings.Fields("tool command retro sleep import panel hand"), origins(t)...),
		"source-":        strings.Fields("user agent web tool doc retro none unknown"),
		"trust-":         strings.Fields("trusted induced external"),
		"record-":        valuesOf(t, "pkg/transcript", "Kind"),
		"op-":            append(strings.Fields("remember forget restore replace retro import undo use release"), operations(t)...),
		"by-":            append(strings.Fields("tool command retro sleep import"), append(origins(t), "")...),
		"why-":           valuesOf(t, selfipDir+"/block", "Why"),
		"block-":         append(valuesOf(t, selfipDir+"/block", "Note"), "blocked"),
		"panel-scope-":   valuesOf(t, selfipDir+"/scope", "Scope"),
		"panel-section-": strings.Fields("facts lessons methods resources principles hypotheses"),
		"panel-said-":    strings.Fields("accepted rejected added withdrawn scope"),
		"scope-meaning-": valuesOf(t, selfipDir+"/scope", "Scope"),
		"layer-":         valuesOf(t, "internal/config", "Layer"),
		"standing-row-":  valuesOf(t, "pkg/retro", "Standing"),
		"skill-":         strings.Fields("written same removed foreign edited unsafe"),
		"decided-":       strings.Fields("pending waiting accepted rejected"),
		"reason-":        append(valuesOf(t, "pkg/retro", "Reason"), ""), // the originals write none
		"compact-why-":   valuesOf(t, selfipDir+"/compact", "Rejection"),
		"prune-":         valuesOf(t, selfipDir, "Prunable"),
		"level-":         strings.Fields("ok note trouble"),
		"awake-":         valuesOf(t, selfipDir, "Awake"),
		"refused-":       valuesOf(t, selfipDir+"/sleep", "Why"),
		"hypothesis-":    valuesOf(t, selfipDir+"/sleep", "State"),
		"schedule-how-":  strings.Fields("cron systemd launchd"),
	}
}

// operations returns what the use cases write into the journal as their name.
func operations(t *testing.T) []string {
	var ops []string
	inspect(t, "internal/selfip", func(n ast.Node, _ func(ast.Node) string) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			if i, ok := map[string]int{"update": 2, "changeAll": 1}[sel.Sel.Name]; ok && i < len(call.Args) {
				if op := literal(call.Args[i]); op != "" {
					ops = append(ops, op)
				}
			}
		}
	})
	if len(ops) < 5 {
		t.Fatalf("operations %q, want 5 or more: the search is broken", ops)
	}
	return ops
}

// origins returns who commands and use cases say they are.
func origins(t *testing.T) []string {
	var found []string
	for _, dir := range []string{commandDir, "internal/selfip"} {
		inspect(t, dir, func(n ast.Node, _ func(ast.Node) string) {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return
			}
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Origin" && literal(kv.Value) != "" {
				found = append(found, literal(kv.Value))
			}
		})
	}
	if len(found) < 3 {
		t.Fatalf("origins %q, want 3 or more: the search is broken", found)
	}
	return found
}

// TestMessagesOfFamilies holds that every id that a command puts together has a
// sentence, and that no command puts together ids that this test does not know.
func TestMessagesOfFamilies(t *testing.T) {
	said := sentencesOf(cli.English, selfipcmd.English)
	known := families(t)
	for first, rest := range known {
		for _, last := range rest {
			if _, ok := said[first+last]; !ok {
				t.Errorf("%q has no sentence", first+last)
			}
		}
	}
	for _, c := range spokenCalls(t, commandDir) {
		if c.part && known[c.id] == nil {
			t.Errorf("%s puts together ids that begin with %q: add them to this test", c.at, c.id)
		}
	}
}

// TestMessagesAreUsed holds that no sentence outlives its use.
func TestMessagesAreUsed(t *testing.T) {
	used := strewn(t, spokenDirs(t))
	for first, rest := range families(t) {
		for _, last := range rest {
			used[first+last] = true
		}
	}
	for _, m := range selfipcmd.English {
		id := strings.TrimSuffix(m.ID, ".hint")
		if !strings.HasPrefix(id, "help.") && !used[id] {
			t.Errorf("nothing says %q", m.ID)
		}
	}
	paths := map[string]bool{}
	for _, cmd := range everyCommand(selfipcmd.New(cli.System())) {
		paths["help"+strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "selfip"), " ", ".")] = true
	}
	part := regexp.MustCompile(`\.(short|long|example|flag\.[A-Za-z-]+)$`)
	for _, m := range selfipcmd.English {
		if strings.HasPrefix(m.ID, "help.") && !paths[part.ReplaceAllString(m.ID, "")] {
			t.Errorf("%q is the help of no command", m.ID)
		}
	}
}

func everyCommand(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		all = append(all, everyCommand(c)...)
	}
	return all
}

// TestMessagesHintsAreSafe holds that whoever follows a hint word by word loses
// nothing, and that a hint, which gets the program first, names its arguments.
func TestMessagesHintsAreSafe(t *testing.T) {
	harmful := regexp.MustCompile(`(?i)\b(delete|remove|rm|erase|wipe|reset|init|initiali[sz]e|reinstall|truncate|overwrite|chmod|sudo|disable|drop)\b|删|清空|重置|初始化|重建|覆盖|关闭`)
	bare := regexp.MustCompile(`%[^\[%]`)
	for _, m := range slices.Concat(selfipcmd.English, selfipcmd.Chinese) {
		if !strings.HasSuffix(m.ID, ".hint") {
			continue
		}
		if harmful.MatchString(m.Text) {
			t.Errorf("%s: %q proposes what can cost something", m.ID, m.Text)
		}
		if bare.MatchString(m.Text) {
			t.Errorf("%s: %q has a verb without an index", m.ID, m.Text)
		}
		// What a fault names may come from outside and would stand in a command line.
		if regexp.MustCompile(`%\[[2-9]`).MatchString(m.Text) {
			t.Errorf("%s: %q repeats an argument of the fault", m.ID, m.Text)
		}
	}
}

// TestMessagesMarks holds that a reader of a search sees the marks of the
// injected block.
func TestMessagesMarks(t *testing.T) {
	for lang, own := range map[cli.Lang]cli.Table{cli.English: selfipcmd.English, cli.Chinese: selfipcmd.Chinese} {
		said, block := sentencesOf(lang, own), phrase.For(string(lang)).Block
		for id, want := range map[string]string{"mark-external": block.External, "mark-induced": block.Induced, "mark-expired": block.Expired} {
			if said[id] != want {
				t.Errorf("%s: %s is %q, the block says %q", lang, id, said[id], want)
			}
		}
	}
	if got := sentencesOf(cli.Chinese, selfipcmd.Chinese)["global-prefix"]; got != "[全局] " {
		t.Errorf("global-prefix is %q, spec/selfip.md 27.1 has %q", got, "[全局] ")
	}
}

// TestMessagesNameTheKinds holds that the refusal of a kind lists all of them:
// its sentence takes the kind alone.
func TestMessagesNameTheKinds(t *testing.T) {
	for _, table := range []cli.Table{selfipcmd.English, selfipcmd.Chinese} {
		for _, m := range table {
			for _, k := range entry.Kinds {
				if m.ID == "unknown-kind" && !strings.Contains(m.Text, string(k)) {
					t.Errorf("%q does not name %q", m.Text, k)
				}
			}
		}
	}
	if got := fmt.Sprintf(sentencesOf(cli.English, selfipcmd.English)["unknown-kind"], "x", "more"); strings.Contains(got, "EXTRA") {
		t.Errorf("unknown-kind with two arguments is %q", got)
	}
}

// proper are the words that an English sentence may begin with in capitals.
var proper = []string{"Codex", "NUL"}

func TestMessagesStyle(t *testing.T) {
	for _, m := range selfipcmd.FaultsEnglish {
		first, _ := utf8.DecodeRuneInString(m.Text)
		word, _, _ := strings.Cut(m.Text, " ")
		if unicode.IsUpper(first) && !slices.Contains(proper, word) {
			t.Errorf("%s: %q begins with a capital", m.ID, m.Text)
		}
		if strings.HasSuffix(m.Text, ".") {
			t.Errorf("%s: %q ends with a full stop", m.ID, m.Text)
		}
	}
	halfWidth := regexp.MustCompile(`\p{Han} ?[,:;?!()]|[,:;?!()] ?\p{Han}|\p{Han}\.`)
	joined := regexp.MustCompile(`\p{Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Han}`)
	for _, m := range selfipcmd.Chinese {
		if strings.HasSuffix(m.ID, ".example") {
			continue
		}
		if halfWidth.MatchString(m.Text) {
			t.Errorf("%s: %q has punctuation of half width", m.ID, m.Text)
		}
		if joined.MatchString(m.Text) {
			t.Errorf("%s: %q has no blank between Chinese and Latin", m.ID, m.Text)
		}
	}
}

// TestMessagesNameTheProgram holds that only help speaks of {program}: nobody puts
// a name in its place elsewhere.
func TestMessagesNameTheProgram(t *testing.T) {
	for _, m := range slices.Concat(selfipcmd.English, selfipcmd.Chinese) {
		if !strings.HasPrefix(m.ID, "help.") && strings.Contains(m.Text, "{program}") {
			t.Errorf("%s: %q is shown as it stands", m.ID, m.Text)
		}
	}
}

// TestMessagesHelpFits holds that help needs no wider window than usual, that its
// sentences end and that its summaries do not.
func TestMessagesHelpFits(t *testing.T) {
	for _, m := range slices.Concat(selfipcmd.English, selfipcmd.Chinese) {
		if !strings.HasPrefix(m.ID, "help.") {
			continue
		}
		for line := range strings.SplitSeq(m.Text, "\n") {
			if w := text.Width(strings.ReplaceAll(line, "{program}", "selfip")); w > 80 {
				t.Errorf("%s: %q is %d columns wide, want 80 at most", m.ID, line, w)
			}
		}
		ends := strings.HasSuffix(m.Text, ".") || strings.HasSuffix(m.Text, "。")
		if long := strings.HasSuffix(m.ID, ".long"); ends != long && !strings.HasSuffix(m.ID, ".example") {
			t.Errorf("%s: %q ends with a full stop: %v, want %v", m.ID, m.Text, ends, long)
		}
	}
}

// TestMessagesExamplesWork holds that every example is a command line that the
// program takes: the command exists, so do its flags, and the arguments count.
func TestMessagesExamplesWork(t *testing.T) {
	n := 0
	for _, m := range slices.Concat(selfipcmd.English, selfipcmd.Chinese) {
		if !strings.HasSuffix(m.ID, ".example") {
			continue
		}
		for line := range strings.SplitSeq(m.Text, "\n") {
			n++
			if err := tryExample(m.ID, line); err != nil {
				t.Errorf("%s: %q: %v", m.ID, line, err)
			}
		}
	}
	if n < 80 {
		t.Errorf("%d examples tried, want 80 or more", n)
	}
}

func tryExample(id, line string) error {
	words := shellWords(line)
	if words[0] != "{program}" {
		return fmt.Errorf("begins with %q, not with the program", words[0])
	}
	root := selfipcmd.New(cli.System())
	cmd, rest, err := root.Find(words[1:])
	if err != nil {
		return err
	}
	if path := "help" + strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "selfip"), " ", "."); id != "help.example" && !strings.HasPrefix(path+".example", strings.TrimSuffix(id, "example")) {
		return fmt.Errorf("is an example of %q", cmd.CommandPath())
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// shellWords splits a command line as a shell does, up to where input or output
// is redirected.
func shellWords(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		if m[2] == "<" || m[2] == ">" {
			break
		}
		words = append(words, m[1]+m[2])
	}
	return words
}
