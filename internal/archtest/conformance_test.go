package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit"
)

// families are the ids of spec/selfip.md 28 and 29, of the fixtures, of
// spec/mnemon.md 21 and of spec/cordis.md 18, 21, 22 and 24, each with the number
// of its last one and the form of its numbers.
var families = []struct {
	name string
	last int
	form string
}{
	{"SM", 73, "%02d"},
	{"CO", 54, "%02d"},
	{"AU", 48, "%02d"},
	{"AR", 25, "%02d"},
	{"MR", 10, "%02d"},
	{"AE", 11, "%02d"},
	{"SV", 13, "%02d"},
	{"OW", 15, "%02d"},
	{"PS", 18, "%02d"},
	{"PR", 12, "%02d"},
	{"PT", 33, "%02d"},
	{"SE", 28, "%02d"},
	{"TS", 15, "%02d"},
	{"VO", 34, "%02d"},
	{"W", 50, "%d"},
	{"fixture", 13, "%02d"},
	{"MN", 125, "%d"},
	{"CR-R", 29, "%d"},
	{"CR-V", 3, "%d"},
	{"CR-C", 10, "%d"},
	{"CR-S", 14, "%d"},
	{"CR-X", 11, "%d"},
	{"CR-K", 25, "%d"},
	{"CR-T", 6, "%d"},
	{"CR-E", 15, "%d"},
	{"CR-G", 17, "%d"},
	{"CR-O", 29, "%d"},
	{"CR-L", 23, "%d"},
	{"CR-B", 13, "%d"},
	{"CR-I", 7, "%d"},
	{"CR-M", 11, "%d"},
	{"CR-SL", 10, "%d"},
	{"CR-H", 4, "%d"},
	{"CR-Z", 7, "%d"},
	{"CR-A", 16, "%d"},
	{"CR-W", 32, "%d"},
	{"CR-N", 17, "%d"},
}

// conformRow is a row of docs/conformance.md.
type conformRow struct{ id, says, tests, state string }

// TestConformance holds docs/conformance.md to its word: every id has one row,
// and the tests that it names exist and speak of the id.
func TestConformance(t *testing.T) {
	root := testkit.Root(t)
	data, err := os.ReadFile(filepath.Join(root, "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range conformProblems(string(data), newTestIndex(root)) {
		t.Error(problem)
	}
}

// TestConformanceCanFail shows the check a page with one mistake of each kind.
func TestConformanceCanFail(t *testing.T) {
	const page = "| SM01 | a | `internal/archtest TestConformance` | green |\n| SM01 | a | b | later |\n" +
		"| SM02 | a | `internal/archtest TestNoSuchTest` | green |\n| SM03 | a | no test | green |\n| SM04 | a | | later |\n" +
		"| XX01 | a | b | later |\n| SM05 | a | b | soon |\n| SM06 | a | `internal/archtest TestArrows/SM06` | green |\n"
	problems := strings.Join(conformProblems(page, newTestIndex(testkit.Root(t))), "\n")
	for _, want := range []string{
		"SM01: TestConformance of internal/archtest does not speak of it", "SM01 has 2 rows", "SM02: there is no TestNoSuchTest in internal/archtest",
		"SM03 is green and names no test", "SM04 has no reason", "XX01 is no id", `SM05: unknown state "soon"`,
		"SM06: TestArrows of internal/archtest has no subtest", "SM07 has 0 rows", "W50 has 0 rows", "fixture13 has 0 rows",
	} {
		if !strings.Contains(problems, want) {
			t.Errorf("not found: %s\nin:\n%s", want, problems)
		}
	}
}

func conformProblems(page string, index *testIndex) []string {
	var problems []string
	rows := map[string]int{}
	for _, row := range conformRows(page) {
		rows[row.id]++
		problems = append(problems, row.problems(index)...)
	}
	for _, f := range families {
		for n := 1; n <= f.last; n++ {
			id := f.name + fmt.Sprintf(f.form, n)
			if rows[id] != 1 {
				problems = append(problems, fmt.Sprintf("%s has %d rows", id, rows[id]))
			}
			delete(rows, id)
		}
	}
	for id := range rows {
		problems = append(problems, id+" is no id")
	}
	return problems
}

func conformRows(page string) []conformRow {
	var rows []conformRow
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) == 4 && cells[0] != "Id" && !strings.HasPrefix(cells[0], "---") {
			rows = append(rows, conformRow{cells[0], cells[1], cells[2], cells[3]})
		}
	}
	return rows
}

var named = regexp.MustCompile("`([a-z0-9/]+) (Test[^`]+)`")

func (r conformRow) problems(index *testIndex) []string {
	var problems []string
	tests := named.FindAllStringSubmatch(r.tests, -1)
	switch {
	case r.state != "green" && r.state != "later" && r.state != "not applicable":
		return []string{fmt.Sprintf("%s: unknown state %q", r.id, r.state)}
	case r.state == "green" && len(tests) == 0:
		return []string{r.id + " is green and names no test"}
	case r.tests == "" || r.says == "":
		return []string{r.id + " has no reason or says nothing"}
	}
	for _, m := range tests {
		if problem := index.problem(r.id, m[1], m[2]); problem != "" {
			problems = append(problems, r.id+": "+problem)
		}
	}
	return problems
}

// testIndex knows the sources of tests, package by package.
type testIndex struct {
	root     string
	packages map[string]map[string]string // source of each function, by folder and name
}

func newTestIndex(root string) *testIndex {
	return &testIndex{root, map[string]map[string]string{}}
}

// subtestFiles are tests with a file for each subtest, and where the files are.
var subtestFiles = map[string]string{
	"TestScripts": "script/*.txtar", "TestPrograms": "programs/*.txtar", "TestPublished": "published/*.json",
	"TestAcceptance": "acceptance/*.txtar",
}

// replays has a subtest for each sample, and says in one place what they show.
const replays = "internal/testkit/replay"

// problem tells what is wrong with a test that a row names, "" when nothing is.
func (x *testIndex) problem(id, folder, test string) string {
	name, sub, _ := strings.Cut(test, "/")
	source, ok := x.functions(folder)[name]
	if !ok {
		return fmt.Sprintf("there is no %s in %s", name, folder)
	}
	if pattern, ok := subtestFiles[name]; ok {
		file, err := os.ReadFile(filepath.Join(x.root, folder, "testdata", strings.Replace(pattern, "*", sub, 1)))
		if err != nil {
			return fmt.Sprintf("%s of %s has no file for %s", name, folder, sub)
		}
		source = string(file)
	} else if sub != "" && folder == replays {
		if _, err := os.Stat(filepath.Join(x.root, "testdata", "cordis-samples", sub)); err != nil {
			return fmt.Sprintf("%s of %s has no sample %s", name, folder, sub)
		}
	} else if sub != "" && !regexp.MustCompile(`"`+regexp.QuoteMeta(sub)+`["\s,]`).MatchString(source) {
		return fmt.Sprintf("%s of %s has no subtest %s", name, folder, sub)
	}
	if !speaksOf(source, id) {
		return fmt.Sprintf("%s of %s does not speak of it", test, folder)
	}
	return ""
}

// functions returns the functions of the test files of a folder, with their
// comments.
func (x *testIndex) functions(folder string) map[string]string {
	if known, ok := x.packages[folder]; ok {
		return known
	}
	found := map[string]string{}
	x.packages[folder] = found
	files, _ := filepath.Glob(filepath.Join(x.root, folder, "*_test.go"))
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, src, parser.ParseComments)
		if err != nil {
			continue // the compiler tells of it
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				begin := f.Pos()
				if f.Doc != nil {
					begin = f.Doc.Pos()
				}
				found[f.Name.Name] = string(src[set.Position(begin).Offset:set.Position(f.End()).Offset])
			}
		}
	}
	return found
}

// anID finds ids and ranges of them ("SE20-SE28").
var anID = regexp.MustCompile(`(fixture|Fixture|CR-[A-Z]{1,2}|[A-Z]{2}|W)(\d{1,3})(?:-[A-Z]*(\d{1,3}))?`)

// speaksOf reports whether a source names an id, alone or in a range.
func speaksOf(source, id string) bool {
	want := anID.FindStringSubmatch(id)
	for _, m := range anID.FindAllStringSubmatch(source, -1) {
		if !strings.EqualFold(m[1], want[1]) {
			continue
		}
		first, _ := strconv.Atoi(m[2]) // digits
		last, err := strconv.Atoi(m[3])
		if err != nil {
			last = first
		}
		if n, _ := strconv.Atoi(want[2]); first <= n && n <= last {
			return true
		}
	}
	return false
}
