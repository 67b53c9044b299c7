package answer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/answer"
	"github.com/dshkit/dshkit/internal/selfip/entry"
)

func diff(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func names(s string) []string { return namesOf(answer.Parse(s, false)) }

// namesOf is what the sections are called, in their order.
func namesOf(a answer.Answer) []string {
	names := make([]string, len(a.Sections))
	for i, s := range a.Sections {
		names[i] = s.Name()
	}
	return names
}

// texts are what the lines of a section say.
func texts(section string) []string {
	var out []string
	entries, _ := answer.Lines(section, entry.Fact)
	for _, e := range entries {
		out = append(out, e.Text)
	}
	return out
}

// TestParserTolerance holds the headings that the original accepts.
func TestParserTolerance(t *testing.T) {
	for id, c := range map[string]struct {
		text string
		want []string
	}{
		"PT01": {"## LESSONS\n- a", []string{"LESSONS"}},
		"PT02": {"### LESSONS\n- a", []string{"LESSONS"}},
		"PT03": {"# LESSONS\n- a", []string{"LESSONS"}},
		"PT04": {"###### LESSONS\n- a", []string{"LESSONS"}},
		"PT05": {"**LESSONS**\n- a", []string{"LESSONS"}},
		"PT06": {"LESSONS:\n- a", []string{"LESSONS"}},
		"PT07": {"LESSONS：\n- a", []string{"LESSONS"}},
		"PT08": {"## LESSONS \n- a", []string{"LESSONS"}},
		"PT09": {"## FACTSCLEAN\n- a\n## HANDOFF\nb", []string{"FACTSCLEAN", "HANDOFF"}},
		"PT10": {"## 教训\n- a", []string{"LESSONS"}},
		"PT11": {"## 经验教训\n- a", []string{"LESSONS"}},
		"PT12": {"## 事实\n- a", []string{"FACTS"}},
		"PT13": {"## 方法\n- a", []string{"METHODS"}},
		"PT14": {"## 资料\n- a", []string{"RESOURCES"}},
		"PT15": {"## 交接\na", []string{"HANDOFF"}},
		"PT16": {"## 提案\na", []string{"PROPOSAL"}},
		"PT17": {"## 假设\n- a", []string{"HYPOTHESES"}},
		"PT20": {"## LESSONS\n- the heading ### 某工具 of a page\n- ### LESSONS", []string{"LESSONS"}},
		"PT21": {"the session went fine\n- a bullet", []string{}},
		"PT22": {"## SOMETHING_ELSE\n- a", []string{}},
		"AR03": {"## PLAYBOOK:x\n1. a", []string{"PLAYBOOK:x"}},
		"AR01": {"PLAYBOOK:my-flow\n1. a", []string{"PLAYBOOK:my-flow"}},
		"AR02": {"PLAYBOOK：中文名\n1. a", []string{"PLAYBOOK:中文名"}},
		"AR04": {"注意：这里有正文\n步骤：\n- a", []string{}},
	} {
		t.Run(id, func(t *testing.T) { diff(t, id, names(c.text), c.want) })
	}
}

// TestTitles holds what a title alone stands for: PT18, PT19, PT30-PT33, AR06.
func TestTitles(t *testing.T) {
	for id, c := range map[string]struct {
		title string
		key   answer.Key
		slug  string
	}{
		"PT18": {"LESSON", answer.Lessons, ""},
		"PT19": {"PLAYBOOK:my-slug", answer.Playbook, "my-slug"},
		"PT30": {"  ", "", ""},
		"PT31": {"***", "", ""},
		"PT32": {"`LESSONS`", answer.Lessons, ""},
		"PT33": {"lessons", answer.Lessons, ""},
		"AR06": {"LESSONS", answer.Lessons, ""},

		"underscore":         {"LESSONS_CLEAN", answer.LessonsClean, ""},
		"number":             {"2. Facts:", answer.Facts, ""},
		"two languages":      {"FACTS（事实）", answer.Facts, ""},
		"playbook, empty":    {"PLAYBOOK:", "", ""},
		"playbook, no colon": {"## PLAYBOOK deploy-check", answer.Playbook, "deploy-check"},
		"playbook, prose":    {"## Playbook for the next deploy", "", ""},
		"playbook, a word":   {"## Playbook notes", "", ""},
		"playbook, under_":   {"playbook: db_restore", answer.Playbook, "db_restore"},
	} {
		t.Run(id, func(t *testing.T) {
			var want []answer.Section
			if c.key != "" {
				want = []answer.Section{{Key: c.key, Slug: c.slug, Text: "- a"}}
			}
			diff(t, id, answer.Parse("## "+c.title+"\n- a", false).Sections, want)
		})
	}
}

// TestStoredAnswers reads five answers: PT23-PT29.
func TestStoredAnswers(t *testing.T) {
	files, err := os.ReadDir("testdata/answers")
	t.Run("PT23", func(t *testing.T) {
		if err != nil {
			t.Errorf("PT23: %v", err)
		}
	})
	t.Run("PT24", func(t *testing.T) { diff(t, "PT24: files", len(files), 5) })
	for id, c := range map[string]struct {
		file string
		want []string
	}{
		"PT25": {"bold.txt", []string{"LESSONS", "METHODS"}},
		"PT26": {"canonical.txt", []string{"LESSONS", "FACTS", "HANDOFF"}},
		"PT27": {"chinese-keys.txt", []string{"LESSONS", "FACTS", "HANDOFF"}},
		"PT28": {"three-signs.txt", []string{"LESSONS", "FACTS", "HANDOFF"}},
		"PT29": {"unfinished.txt", []string{"LESSONS", "FACTSCLEAN"}},
	} {
		t.Run(id, func(t *testing.T) {
			diff(t, id, names(read(t, "answers/"+c.file)), c.want)
			if got := texts(answer.Parse(read(t, "answers/"+c.file), false).Text(answer.Lessons)); len(got) != 1 {
				t.Errorf("%s: lessons %q, want one", id, got)
			}
		})
	}
}

// TestFixture08Sections reads the stored answers as EXPECTED.md says under "Ours"
// (W11: headings in code, repeated sections).
func TestFixture08Sections(t *testing.T) {
	for file, want := range map[string][]string{
		"01-canonical":          {"LESSONS", "FACTS", "HANDOFF"},
		"02-heading-drift":      {"LESSONS", "FACTS", "METHODS"},
		"03-bold-markers":       {"LESSONS", "HANDOFF"},
		"04-colon-keys":         {"FACTS", "LESSONS"},
		"05-chinese-aliases":    {"LESSONS", "METHODS", "RESOURCES", "HANDOFF"},
		"06-playbooks":          {"PLAYBOOK:Deploy Check!", "PLAYBOOK:修复 沙箱/写入", "PLAYBOOK:🚀🚀"},
		"07-duplicate-sections": {"FACTS", "LESSONS"},
		"10-no-structure":       {},
		"11-supersede-proposal": {"SUPERSEDE", "PROPOSAL"},
		"12-sleep":              {"PRINCIPLES", "HYPOTHESES", "FACTSCLEAN", "PREFETCH"},
		"13-poison-only":        {"FACTS"},
	} {
		t.Run(file, func(t *testing.T) { diff(t, file, names(fixture(t, file)), want) })
	}
	t.Run("W11", func(t *testing.T) {
		diff(t, "both blocks", texts(answer.Parse(fixture(t, "07-duplicate-sections"), false).Text(answer.Facts)), []string{"first block", "second block"})
		book := answer.Parse(fixture(t, "06-playbooks"), false).Sections[0].Text
		diff(t, "code", book, "1. dump the config\n\n```sh\n# methods\necho hi\n```")
	})
}

func fixture(t *testing.T, name string) string {
	return read(t, "selfip-fixtures/08-model-outputs/"+name+".txt")
}

// TestW28Truncated: of an answer that was cut the last section is left out and
// named, and the others stay.
func TestW28Truncated(t *testing.T) {
	a := answer.Parse(fixture(t, "08-truncated"), true)
	diff(t, "kept", namesOf(a), []string{"LESSONS", "PLAYBOOK:half", "FACTS"})
	diff(t, "dropped", a.Dropped, []string{"METHODS"})
	only := a.Only(answer.Lessons, answer.Facts)
	diff(t, "of these", namesOf(only), []string{"LESSONS", "FACTS"})
	diff(t, "not of these", only.Dropped, []string{"METHODS", "PLAYBOOK:half"})

	a = answer.Parse(fixture(t, "09-truncated-single"), true)
	diff(t, "a single one", namesOf(a), []string{})
	diff(t, "its name", a.Dropped, []string{"LESSONS"})

	a = answer.Parse("## FACTS\n- whole\n## LESSONS\n- b\n## FACTS\n- cut in the mi", true)
	diff(t, "the cut piece of a repeated section", a.Text(answer.Facts), "- whole")
	a = answer.Parse("## LESSONS\n- whole\n## PLAYBOOK:x\n```sh\n# facts\nrm", true)
	diff(t, "cut inside code", a.Dropped, []string{"PLAYBOOK:x"})
}

// TestCase61Fences: every answer of the case gives the same lines.
func TestCase61Fences(t *testing.T) {
	for _, file := range []string{"1-plain", "2-fenced", "3-numbered", "4-chinese-heads", "5-crlf-bom", "6-repeat"} {
		t.Run(file, func(t *testing.T) {
			a := answer.Parse(read(t, "cases/61-model-answer-in-a-fence/answers/"+file+".md"), false)
			want := []string{"run migrations before deploying", "never share one lock file over the network"}
			if file == "6-repeat" { // the store drops what it holds already
				want = append(want[:1], want...)
			}
			diff(t, "lessons", texts(a.Text(answer.Lessons)), want)
			diff(t, "facts", texts(a.Text(answer.Facts)), []string{"main branch is trunk"})
		})
	}
}

func TestWrappings(t *testing.T) {
	const plain = "## LESSONS\n- a\n## METHODS\n- b:\n```sh\nmake\n```\n## FACTS\n- c"
	for name, s := range map[string]string{
		"thoughts":              "<think>\n## FACTS\n- not this\n</think>\n" + plain,
		"thoughts without tag":  "## FACTS\n- not this\n</think>\n\n" + plain,
		"two thoughts":          "<thinking>x</thinking>\n<THINKING>\ny\n</THINKING>\n" + plain,
		"fence with code":       "```markdown\n" + plain + "\n```\nLet me know!",
		"longer fence":          "Sure:\n````md\n" + plain + "\n````\n",
		"fence without end":     "```\n" + plain,
		"tildes":                "~~~\n" + plain + "\n~~~",
		"bare code in a fence":  "```markdown\n" + strings.ReplaceAll(plain, "```sh", "```") + "\n```\nbye",
		"prose in front":        "Here is what I found.\n\n" + plain,
		"blank lines and signs": strings.ReplaceAll(plain, "## ", "\n\n###  "),
	} {
		t.Run(name, func(t *testing.T) {
			a := answer.Parse(s, false)
			diff(t, "names", namesOf(a), []string{"LESSONS", "METHODS", "FACTS"})
			diff(t, "lessons", texts(a.Text(answer.Lessons)), []string{"a"})
			diff(t, "methods", texts(a.Text(answer.Methods)), []string{"b:; make"})
			diff(t, "facts", texts(a.Text(answer.Facts)), []string{"c"})
		})
	}
	diff(t, "cut in thought", names("<think>\n## FACTS\n- not this"), []string{})
	diff(t, "a tag in a line", names("## LESSONS\n- strip <think> tags -> parse -> works"), []string{"LESSONS"})
}

func TestCodeThatNobodyEnds(t *testing.T) {
	diff(t, "at the end", names("## PLAYBOOK:x\n```sh\nmake\n## HANDOFF\nnext"), []string{"PLAYBOOK:x", "HANDOFF"})
	diff(t, "further code", names("## PLAYBOOK:x\n```sh\nmake\n## PLAYBOOK:y\n```sh\nmake\n```\n## HANDOFF\nnext"),
		[]string{"PLAYBOOK:x", "PLAYBOOK:y", "HANDOFF"})
}

// TestHeadingsOfAPlaybook: what is deeper belongs to it.
func TestHeadingsOfAPlaybook(t *testing.T) {
	a := answer.Parse("## PLAYBOOK:x\n### 工具\n- make\n方法：\n- run it\n### LESSONS\n- a\n## 事实\n- b", false)
	diff(t, "names", namesOf(a), []string{"PLAYBOOK:x", "LESSONS", "FACTS"})
	diff(t, "playbook", a.Text(answer.Playbook), "### 工具\n- make\n方法：\n- run it")
}

func FuzzParse(f *testing.F) {
	for _, dir := range []string{"selfip-fixtures/08-model-outputs/*.txt", "cases/*/answers/*", "answers/*"} {
		files, _ := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(dir)))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data), false)
			f.Add(string(data), true)
		}
	}
	f.Add("```\n```\n## FACTS\n```sh\n<think>\n~~~", false)
	f.Add("- [2026-01-01] (fact) a {imp:99}\n  - b\n\t```\n\tx", true)
	f.Fuzz(func(t *testing.T, s string, cut bool) {
		a := answer.Parse(s, cut)
		seen := map[string]bool{}
		for _, sec := range a.Sections {
			if sec.Key == "" || sec.Text == "" || (sec.Key == answer.Playbook) != (sec.Slug != "") || seen[sec.Name()] {
				t.Fatalf("%q: section %+v, want a key, a text, and each once", s, sec)
			}
			seen[sec.Name()] = true
			entries, _ := answer.Lines(sec.Text, entry.Lesson)
			for _, e := range entries {
				checkEntry(t, s, e)
			}
			answer.OverturnedRows(sec.Text)
		}
		if len(a.Dropped) > 1 || cut && len(a.Dropped) == 0 && len(a.Sections) > 0 {
			t.Fatalf("%q: dropped %q of a cut answer, want its last piece", s, a.Dropped)
		}
		entries, _ := answer.Lines(s, entry.Fact)
		for _, e := range entries {
			checkEntry(t, s, e)
		}
	})
}

// checkEntry holds what is true of every entry that a line gives.
func checkEntry(t *testing.T, s string, e entry.Entry) {
	t.Helper()
	_, known := entry.ParseKind(string(e.Kind))
	again, ok := entry.ParseLine(e.String())
	if !known || e.Text == "" || strings.ContainsAny(e.Text, "\r\n") || !ok || again.Text != e.Text {
		t.Fatalf("%q gives %+v, which reads back as %+v", s, e, again)
	}
	for _, p := range e.Meta {
		if p.Key != "imp" && p.Key != "src" && p.Key != "ttl" || p.Value == "user" {
			t.Fatalf("%q keeps %q", s, p)
		}
	}
}
