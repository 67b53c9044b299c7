package script_test

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit"
)

// The scenarios of testdata/published show that the published packages run
// unmodified: they are played by testdata/oracle/mnemon/run.mjs, under Node with
// the published core and in a realm with ours. NAME.golden.json is what Node
// answered; it is never written by hand but with
//
//	RECORD=1 go test -run TestPublished ./internal/mnemon/script
//
// In a scenario $HTTP is the address of a service that gives its answers, $CLOSED
// one where nobody listens, $BIN a folder with the programs mnemon and brv, and
// $HOME the home of both players. "holds" names lines of docs/conformance.md.

const publishedDir = "testdata/published"

func TestPublished(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(publishedDir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, goldenSuffix) })
	if len(files) == 0 {
		t.Fatal("no scenarios")
	}
	for i, file := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			golden := strings.TrimSuffix(file, ".json") + goldenSuffix
			if os.Getenv("RECORD") == "1" {
				if err := os.WriteFile(golden, []byte(newStage(t, file).byNode(t)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), newStage(t, file).byUs(t)); diff != "" {
				t.Errorf("(-recorded with Node +ours):\n%s", diff)
			}
		})
	}
}

const goldenSuffix = ".golden.json"

// TestPublishedNode holds that the recorded answers are those of the Node and
// the packages of this machine.
func TestPublishedNode(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node here: TestPublished compares with what it answered elsewhere")
	}
	if testing.Short() {
		t.Skip("starts Node for each scenario")
	}
	goldens, err := filepath.Glob(filepath.Join(publishedDir, "*"+goldenSuffix))
	if err != nil || len(goldens) == 0 {
		t.Fatal("nothing is recorded", err)
	}
	for _, golden := range goldens {
		name := strings.TrimSuffix(golden, goldenSuffix)
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), newStage(t, name+".json").byNode(t)); diff != "" {
				t.Errorf("(-recorded +Node now):\n%s", diff)
			}
		})
	}
}

// stage is a folder with one scenario, made for one playing: its plugins, the
// published packages, a home and a folder for what is temporary; and the service
// and the programs that it may use.
type stage struct {
	dir, file string
	plain     *strings.Replacer // what differs from playing to playing, by its name
}

func newStage(t *testing.T, file string) *stage {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var scenario struct {
		Answers []answer `json:"answers"`
	}
	if err := json.Unmarshal(text, &scenario); err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(newService(scenario.Answers))
	t.Cleanup(func() { served.CloseClientConnections(); served.Close() })

	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{dir: dir, file: filepath.Join(dir, filepath.Base(file))}
	programs(t, s.bin())
	names := [][2]string{{"$HTTP", served.URL}, {"$CLOSED", nobody(t)}, {"$BIN", s.bin()}, {"$HOME", s.home()}}
	s.furnish(t, filled(string(text), names))
	s.plain = plain(append(names, [2]string{"$STAGE", dir}))
	return s
}

// filled is a scenario with what its names stand for.
func filled(text string, names [][2]string) string {
	for _, n := range names {
		text = strings.ReplaceAll(text, n[0], n[1])
	}
	return text
}

// plain is the reverse, however the values are written in an answer.
func plain(names [][2]string) *strings.Replacer {
	var pairs []string
	for _, n := range names {
		pairs = append(pairs, n[1], n[0], url.QueryEscape(n[1]), n[0])
		if host, ok := strings.CutPrefix(n[1], "http://"); ok {
			pairs = append(pairs, host, n[0]+".host")
		}
	}
	return strings.NewReplacer(pairs...)
}

// nobody is an address where nobody listens.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

func (s *stage) furnish(t *testing.T, scenario string) {
	t.Helper()
	for _, name := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(s.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.file, []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(s.dir, "plugins"), os.DirFS(filepath.Join(publishedDir, "plugins"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(testkit.Plugins(t), filepath.Join(s.dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
}

func (s *stage) home() string { return filepath.Join(s.dir, "home") }
func (s *stage) bin() string  { return filepath.Join(s.dir, "bin") }
func (s *stage) temp() string { return filepath.Join(s.dir, "tmp") }

// env is all that both players see of the environment.
func (s *stage) env() map[string]string {
	return map[string]string{"HOME": s.home(), "TMPDIR": s.temp(), "PATH": s.bin() + string(filepath.ListSeparator) + os.Getenv("PATH"), "TZ": "UTC", "LANG": "C.UTF-8"}
}

func oracle(t *testing.T) string {
	t.Helper()
	return filepath.Join(testkit.Root(t), "testdata", "oracle", "mnemon")
}

func (s *stage) byNode(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(oracle(t), "run.mjs"), s.file)
	cmd.Dir = s.home()
	for name, value := range s.env() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("node: %v\n%s", err, problems.String())
	}
	return s.told(out.String())
}

// told is an answer without what is another in every playing.
func (s *stage) told(answer string) string {
	madeByMkdtemp := regexp.MustCompile(`(dsh-mnemon-runtime-archive)-[0-9A-Za-z]{6}`)
	return madeByMkdtemp.ReplaceAllString(s.plain.Replace(answer), "$1-<six>")
}
