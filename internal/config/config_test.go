package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/pkg/fault"
)

// world is a machine for Load: files, folders and variables.
type world struct {
	files map[string]string
	dirs  []string
	env   map[string]string
	flags map[string]string

	noHome, noWorkspace bool
}

const (
	globalConfig    = "/home/u/.dsh/self-improvement/config.json"
	workspaceConfig = "/w/self-improvement/config.json"
	workspaceOurs   = "/w/self-improvement/settings.json"
	userJSON        = "/home/u/.config/dshkit/config.json"
)

func (w world) inputs() config.Inputs {
	in := config.Inputs{
		Home: "/home/u", Workspace: "/w", Flags: w.flags,
		Getenv: func(name string) string { return w.env[name] },
		IsDir: func(path string) bool {
			for _, d := range w.dirs {
				if d == path {
					return true
				}
			}
			for f := range w.files {
				if strings.HasPrefix(f, path+"/") {
					return true
				}
			}
			return false
		},
		Read: func(path string) ([]byte, error) {
			text, ok := w.files[path]
			switch {
			case !ok:
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			case text == "(denied)":
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
			}
			return []byte(text), nil
		},
	}
	for name, value := range w.env {
		in.Environ = append(in.Environ, name+"="+value)
	}
	if w.noHome {
		in.Home = ""
	}
	if w.noWorkspace {
		in.Workspace = ""
	}
	return in
}

func load(t *testing.T, w world) (config.Settings, []config.Warning) {
	t.Helper()
	s, warnings, err := config.Load(w.inputs())
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return s, warnings
}

// codes renders warnings as "code arg arg".
func codes(warnings []config.Warning) []string {
	var out []string
	for _, w := range warnings {
		out = append(out, strings.TrimSpace(w.Code+" "+strings.TrimSuffix(fmt.Sprintln(w.Args...), "\n")))
	}
	return out
}

func scopeFile(scope string) string {
	b, _ := json.Marshal(map[string]string{"scope": scope})
	return string(b)
}

func TestScopeLayers(t *testing.T) {
	for _, row := range []struct {
		id       string
		w        world
		scope    string
		warnings int
	}{
		{"CO26", world{}, "workspace", 0},
		{"CO28", world{
			files: map[string]string{globalConfig: scopeFile("workspace"), workspaceConfig: scopeFile("workspace")},
			env:   map[string]string{"SELFIP_SCOPE": "both"},
		}, "both", 0},
		{"CO29", world{files: map[string]string{globalConfig: scopeFile("global"), workspaceConfig: scopeFile("both")}}, "both", 0},
		{"CO30", world{files: map[string]string{globalConfig: scopeFile("nonsense")}}, "workspace", 1},
		{"OW11", world{files: map[string]string{workspaceConfig: `{"scope":"both","autoPromote":true}`}}, "both", 0},
		{"not-an-object", world{files: map[string]string{workspaceConfig: `["both"]`, globalConfig: scopeFile("both")}}, "both", 1},
		{"wrong-type", world{files: map[string]string{workspaceConfig: `{"scope":1,"autoPromote":"yes"}`}}, "workspace", 2},
		{"null", world{files: map[string]string{workspaceConfig: `{"scope":null}`}}, "workspace", 1},
		{"empty-file", world{files: map[string]string{workspaceConfig: " \n"}}, "workspace", 0},
		{"byte-order-mark", world{files: map[string]string{workspaceConfig: "\uFEFF" + `{"scope":"BOTH "}`}}, "both", 0},
		{"help-is-ignored", world{files: map[string]string{workspaceConfig: `{"_help":["x"],"scope":"global"}`}}, "global", 0},
		{"flag", world{env: map[string]string{"SELFIP_SCOPE": "both"}, flags: map[string]string{"scope": "global"}}, "global", 0},
		{"no-workspace", world{noWorkspace: true, files: map[string]string{globalConfig: scopeFile("global")}}, "global", 0},
	} {
		t.Run(row.id, func(t *testing.T) {
			s, warnings := load(t, row.w)
			if s.Scope != row.scope || len(warnings) != row.warnings {
				t.Errorf("scope %q, warnings %q; want %q and %d", s.Scope, codes(warnings), row.scope, row.warnings)
			}
		})
	}
}

func TestGlobalDir(t *testing.T) {
	file := func(dir string) map[string]string {
		b, _ := json.Marshal(map[string]string{"globalDir": dir})
		return map[string]string{workspaceConfig: string(b)}
	}
	for _, row := range []struct {
		id       string
		w        world
		want     string
		warnings []string
	}{
		{"CO27", world{}, "/home/u/.dsh/self-improvement", nil},
		{"CO35", world{files: file("${DSH_HOME}/exp")}, "/home/u/.dsh/exp", nil},
		{"placeholder-any-case", world{files: file(" ${dsh_Home}/exp/ "), env: map[string]string{"DSH_HOME": " /h "}}, "/h/exp", nil},
		{"separators-at-the-end", world{files: file(`/exp\/`)}, "/exp", nil},
		{"root", world{files: file("/")}, "/", nil},
		{"relative-to-the-workspace", world{files: file("./x/../lib")}, "/w/lib", nil},
		{"blank", world{files: file("  ")}, "/home/u/.dsh/self-improvement", []string{`config-bad-value ` + workspaceConfig + ` "  " globalDir want-folder`}},
		{"blank-environment", world{env: map[string]string{"SELFIP_GLOBAL_DIR": " "}}, "/home/u/.dsh/self-improvement", nil},
		{"environment", world{files: file("/a"), env: map[string]string{"SELFIP_GLOBAL_DIR": "/b"}}, "/b", nil},
		{"case31", world{files: file(`C:\exp`)}, "/home/u/.dsh/self-improvement", []string{`config-foreign-path ` + workspaceConfig + ` C:\exp`}},
		{"case31/home", world{env: map[string]string{"DSH_HOME": `C:\u\.dsh`}}, "/home/u/.dsh/self-improvement", []string{`config-home-path C:\u\.dsh`}},
		{"case19", world{noHome: true}, "", []string{"config-no-home"}},
		{"case19/tilde", world{noHome: true, files: file("~/x")}, "", []string{"config-no-home", `config-bad-value ` + workspaceConfig + ` "~/x" globalDir want-folder`}},
		{"W35/tilde", world{files: file("~/x")}, "/home/u/x", nil},
		{
			"W35/tilde-of-the-original",
			world{files: file("~/x"), dirs: []string{"/home/u/.dsh/x"}},
			"/home/u/.dsh/x",
			[]string{"config-tilde-home " + workspaceConfig + " /home/u/.dsh/x /home/u/x"},
		},
		{
			"W35/backslash",
			world{dirs: []string{`/home/u\.dsh`}},
			`/home/u\.dsh/self-improvement`,
			[]string{`config-backslash-home /home/u\.dsh /home/u/.dsh`},
		},
		{"W35/slash-wins", world{dirs: []string{`/home/u\.dsh`, "/home/u/.dsh"}}, "/home/u/.dsh/self-improvement", nil},
	} {
		t.Run(row.id, func(t *testing.T) {
			s, warnings := load(t, row.w)
			if s.GlobalDir != row.want {
				t.Errorf("GlobalDir = %q, want %q", s.GlobalDir, row.want)
			}
			if diff := cmp.Diff(row.warnings, codes(warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFixture09Resolution reads the configs of the fixture where they lie.
func TestFixture09Resolution(t *testing.T) {
	const dir = "testdata/selfip-fixtures/09-scopes/"
	at := func(path string) string {
		b, err := os.ReadFile(dir + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	w := world{
		env: map[string]string{"DSH_HOME": "/h"},
		files: map[string]string{
			"/h/self-improvement/config.json": at("dsh-home/self-improvement/config.json"),
			workspaceConfig:                   at("workspace/self-improvement/config.json"),
		},
	}
	s, warnings := load(t, w)
	want := []config.Source{
		{config.LayerGlobal, "scope"},
		{config.LayerWorkspace, "scope"},
		{config.LayerWorkspace, "globalDir"},
	}
	if diff := cmp.Diff(want, s.Sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if s.Scope != "both" || s.GlobalDir != "/h/self-improvement" || !s.AutoPromote || !s.HomeExists || !s.WorkspaceExists || warnings != nil {
		t.Errorf("got %+v, warnings %q", s, codes(warnings))
	}
	w.env["SELFIP_SCOPE"] = "workspace"
	s, _ = load(t, w)
	if diff := cmp.Diff(append(want, config.Source{config.LayerEnvironment, "scope"}), s.Sources); diff != "" || s.Scope != "workspace" {
		t.Errorf("with SELFIP_SCOPE: scope %q, sources (-want +got):\n%s", s.Scope, diff)
	}
}

// TestCase76Table reads the rows of the case; "-" is unset.
func TestCase76Table(t *testing.T) {
	table, err := os.ReadFile("testdata/cases/76-environment-without-a-default/combos.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 4 {
			continue
		}
		rows++
		w := world{files: map[string]string{}, env: map[string]string{}}
		if f[0] != "-" {
			w.env["SELFIP_SCOPE"] = strings.TrimPrefix(f[0], "(empty)")
		}
		if f[1] != "-" {
			w.files[workspaceConfig] = scopeFile(f[1])
		}
		if f[2] != "-" {
			w.files[globalConfig] = scopeFile(f[2])
		}
		s, warnings := load(t, w)
		if want, _, _ := strings.Cut(f[3], " "); s.Scope != want {
			t.Errorf("%q: scope %q, want %q", line, s.Scope, want)
		}
		if wrong := f[0] == "nonsense"; wrong != (len(warnings) == 1) || wrong && !strings.Contains(codes(warnings)[0], "SELFIP_SCOPE") {
			t.Errorf("%q: warnings %q", line, codes(warnings))
		}
	}
	if rows != 8 {
		t.Errorf("%d rows read, want 8", rows)
	}
}

// TestCase76Combinations goes through unset, one value and another for each of
// three layers, for each key by itself.
func TestCase76Combinations(t *testing.T) {
	for key, variable := range map[string]string{"scope": "SELFIP_SCOPE", "globalDir": "SELFIP_GLOBAL_DIR"} {
		values := []string{"", "global", "both"}
		fallback := "workspace"
		if key == "globalDir" {
			values, fallback = []string{"", "/one", "/two"}, "/home/u/.dsh/self-improvement"
		}
		for i := range 27 {
			env, local, global := values[i%3], values[i/3%3], values[i/9]
			w := world{files: map[string]string{workspaceConfig: "{}", globalConfig: "{}"}, env: map[string]string{}}
			want, origin := fallback, config.Origin{Layer: config.LayerDefault}
			if global != "" {
				w.files[globalConfig] = fmt.Sprintf("{%q: %q}", key, global)
				want, origin = global, config.Origin{Layer: config.LayerGlobal, Where: globalConfig}
			}
			if local != "" {
				w.files[workspaceConfig] = fmt.Sprintf("{%q: %q}", key, local)
				want, origin = local, config.Origin{Layer: config.LayerWorkspace, Where: workspaceConfig}
			}
			if env != "" {
				w.env[variable] = env
				want, origin = env, config.Origin{Layer: config.LayerEnvironment, Where: variable}
			}
			if i%2 == 0 && local == "" {
				delete(w.files, workspaceConfig) // no file at all is as an empty one
			}
			s, warnings := load(t, w)
			got := s.Scope
			if key == "globalDir" {
				got = s.GlobalDir
			}
			if got != want || s.Origin(key) != origin || warnings != nil {
				t.Errorf("%s env %q workspace %q global %q: %q from %v, warnings %q; want %q from %v",
					key, env, local, global, got, s.Origin(key), codes(warnings), want, origin)
			}
		}
	}
	for _, row := range []struct{ value, want string }{{"", "workspace"}, {" both ", "both"}, {"BOTH", "both"}, {"nonsense", "workspace"}} {
		s, _ := load(t, world{env: map[string]string{"SELFIP_SCOPE": row.value}})
		if s.Scope != row.want {
			t.Errorf("SELFIP_SCOPE=%q: scope %q, want %q", row.value, s.Scope, row.want)
		}
	}
}

func caseFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/cases/" + path + "/in/self-improvement/config.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCase77CommentsAreRefusedWithLineAndColumn(t *testing.T) {
	text := caseFile(t, "77-comments-in-json-config")
	w := world{files: map[string]string{workspaceConfig: text, globalConfig: scopeFile("both")}}
	s, warnings, err := config.Load(w.inputs())
	if fault.KindOf(err) != fault.Damaged || err.Error() != "config-damaged "+workspaceConfig+": json-comment 2 3" {
		t.Errorf("Load error %v, want the comment at line 2, column 3", err)
	}
	if s.Scope != "workspace" || s.Origin("scope").Layer != config.LayerDefault || !s.WorkspaceExists {
		t.Errorf("scope %q from %v, want the safe default", s.Scope, s.Origin("scope"))
	}
	if diff := cmp.Diff([]string{"config-safe-scope " + workspaceConfig}, codes(warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if out, err := config.Set([]byte(text), "autoPromote", true); fault.KindOf(err) != fault.Damaged || out != nil {
		t.Errorf("Set = %q, %v; want a refusal", out, err)
	}
	w.env = map[string]string{"SELFIP_SCOPE": "global"}
	if s, _, _ := config.Load(w.inputs()); s.Scope != "global" {
		t.Errorf("with SELFIP_SCOPE: scope %q, want global", s.Scope)
	}
}

func TestCase78MisspeltKeys(t *testing.T) {
	w := world{
		files: map[string]string{workspaceConfig: caseFile(t, "78-misspelt-key")},
		env:   map[string]string{"SELFIP_SCOP": "both"},
	}
	s, warnings := load(t, w)
	want := []string{
		"config-unknown-key-near " + workspaceConfig + " scpoe scope",
		"config-unknown-key-near " + workspaceConfig + " InjectChars injectChars",
		"config-unknown-key-near " + workspaceConfig + " inject_chars injectChars",
		"config-unknown-variable-near SELFIP_SCOP SELFIP_SCOPE",
	}
	if diff := cmp.Diff(want, codes(warnings)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	plain, _ := load(t, world{})
	if diff := cmp.Diff(plain.Items(), s.Items()); diff != "" {
		t.Errorf("values differ from the defaults:\n%s", diff)
	}
}

func TestCase71UnknownKey(t *testing.T) {
	s, warnings := load(t, world{files: map[string]string{workspaceConfig: caseFile(t, "71-two-documents-on-stdout")}})
	want := []string{"config-unknown-key " + workspaceConfig + " unknownKey scope, globalDir, autoPromote"}
	if diff := cmp.Diff(want, codes(warnings)); diff != "" || s.Scope != "both" {
		t.Errorf("scope %q, warnings (-want +got):\n%s", s.Scope, diff)
	}
}

func TestOursLayers(t *testing.T) {
	w := world{
		files: map[string]string{
			userJSON:      `{"language": "zh_CN", "injectChars": 1000, "lockWait": "1s", "fileChars": 5000}`,
			workspaceOurs: `{"injectChars": 2000, "mainCheckout": false, "lockWait": "2s"}`,
		},
		env:   map[string]string{"SELFIP_LOCK_WAIT": "3s", "SELFIP_MAIN_CHECKOUT": "on"},
		flags: map[string]string{"language": "en"},
	}
	s, warnings := load(t, w)
	got := []any{s.Language, s.InjectChars, s.HookBytes, s.PromptChars, s.SearchChars, s.FileChars, s.LockWait, s.MainCheckout}
	want := []any{"en", 2000, 9000, 800, 2000, 5000, 3 * time.Second, true}
	if diff := cmp.Diff(want, got); diff != "" || warnings != nil {
		t.Errorf("warnings %q, values (-want +got):\n%s", codes(warnings), diff)
	}
	origins := map[string]config.Origin{
		"language":     {config.LayerFlag, "--language"},
		"injectChars":  {config.LayerWorkspace, workspaceOurs},
		"fileChars":    {config.LayerGlobal, userJSON},
		"lockWait":     {config.LayerEnvironment, "SELFIP_LOCK_WAIT"},
		"mainCheckout": {config.LayerEnvironment, "SELFIP_MAIN_CHECKOUT"},
		"hookBytes":    {Layer: config.LayerDefault},
	}
	for key, want := range origins {
		if got := s.Origin(key); got != want {
			t.Errorf("origin of %s = %v, want %v", key, got, want)
		}
	}
	for _, item := range s.Items() {
		if item.Key == "lockWait" && item.Value != "3s" {
			t.Errorf("item lockWait = %v, want 3s as a file would hold it", item.Value)
		}
	}
}

func TestUserFiles(t *testing.T) {
	const base = "/home/u/.config/dshkit/config"
	for _, row := range []struct {
		id       string
		files    map[string]string
		want     int // injectChars
		warnings []string
	}{
		{"yaml", map[string]string{base + ".yaml": "# mine\ninjectChars: 1234\nlockWait: 2s\n"}, 1234, nil},
		{"yaml-case", map[string]string{base + ".yml": "\uFEFFINJECTCHARS: 1234\n"}, 1234, nil},
		{"toml", map[string]string{base + ".toml": "injectChars = 1234\n"}, 1234, nil},
		{"first-wins", map[string]string{base + ".toml": "injectChars = 1\n", base + ".json": `{"injectChars":1234}`}, 1234, []string{"config-two-files " + base + ".toml " + base + ".json"}},
		{"yaml-unknown", map[string]string{base + ".yaml": "inject_chars: 5\na.b: 1\n"}, 3200, []string{
			"config-unknown-key " + base + ".yaml a.b language, injectChars, hookBytes, promptChars, searchChars, fileChars, lockWait, mainCheckout, background, writes, keepDays, modelProvider, modelUrl, modelName, modelKeyEnv, modelKeyFile, modelCommand, modelEffort, modelTimeout, dailyTokens, modelUse",
			"config-unknown-key-near " + base + ".yaml inject_chars injectChars",
		}},
		{"wrong-family", map[string]string{base + ".yaml": "scope: both\n"}, 3200, []string{"config-wrong-file " + base + ".yaml scope " + globalConfig}},
		{"wrong-family-workspace", map[string]string{workspaceConfig: `{"injectChars":9}`}, 3200, []string{"config-wrong-file " + workspaceConfig + " injectChars " + workspaceOurs}},
		{"below-range", map[string]string{workspaceOurs: `{"injectChars":-5}`}, 0, []string{"config-bad-value " + workspaceOurs + " -5 injectChars want-number 0 1000000000"}},
		{"above-range", map[string]string{workspaceOurs: `{"injectChars":2000000000}`}, 1_000_000_000, []string{"config-bad-value " + workspaceOurs + " 2000000000 injectChars want-number 0 1000000000"}},
		{"fraction", map[string]string{workspaceOurs: `{"injectChars":900.5}`}, 3200, []string{"config-bad-value " + workspaceOurs + " 900.5 injectChars want-number 0 1000000000"}},
		{"huge", map[string]string{workspaceOurs: `{"injectChars":1e999}`}, 3200, []string{"config-bad-value " + workspaceOurs + ` "1e999" injectChars want-number 0 1000000000`}},
		{"string-for-number", map[string]string{workspaceOurs: `{"injectChars":"900"}`}, 3200, []string{"config-bad-value " + workspaceOurs + ` "900" injectChars want-number 0 1000000000`}},
		{"duplicate", map[string]string{workspaceOurs: `{"injectChars":900,"injectChars":901}`}, 901, []string{"config-duplicate-key " + workspaceOurs + " injectChars"}},
	} {
		t.Run(row.id, func(t *testing.T) {
			s, warnings := load(t, world{files: row.files})
			if s.InjectChars != row.want {
				t.Errorf("injectChars = %d, want %d", s.InjectChars, row.want)
			}
			if diff := cmp.Diff(row.warnings, codes(warnings)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDamagedFiles(t *testing.T) {
	const yaml, toml = "/home/u/.config/dshkit/config.yaml", "/home/u/.config/dshkit/config.toml"
	for _, row := range []struct{ id, path, text, want string }{
		{"yaml", yaml, "a: 1\n  b: 2\n", "config-damaged " + yaml + ": config-syntax 2 3 "},
		{"toml", toml, "a = 1\nb = = 2\n", "config-damaged " + toml + ": config-syntax 2 5 "},
		{"json", userJSON, "{\n  \"a\": 1,\n}", "config-damaged " + userJSON + ": json-trailing-comma 2 9"},
		{"torn", workspaceOurs, `{"language": "en`, "config-damaged " + workspaceOurs + ": json-end 1 17"},
		{"latin-1", workspaceConfig, "{\"a\": \"\xe9\"}", "config-damaged " + workspaceConfig + ": json-utf8 1 8"},
		{"utf-16", workspaceConfig, "\xff\xfe{\x00}\x00", "config-damaged " + workspaceConfig + ": json-utf8 1 1"},
		{"nul-holes", workspaceConfig, "\x00\x00\x00", "config-damaged " + workspaceConfig + ": json-syntax 1 1 "},
		{"deep", workspaceConfig, `{"a":` + strings.Repeat("[", 100_000), "config-damaged " + workspaceConfig + ": json-depth 1 206"},
		{"large", workspaceConfig, `{"a":"` + strings.Repeat("x", 1<<20), "config-damaged " + workspaceConfig + ": config-too-large 1048582 1048576"},
		{"denied", workspaceConfig, "(denied)", "config-unreadable " + workspaceConfig + ": open "},
	} {
		t.Run(row.id, func(t *testing.T) {
			s, _, err := config.Load(world{files: map[string]string{row.path: row.text}}.inputs())
			if err == nil || !strings.HasPrefix(err.Error(), row.want) {
				t.Fatalf("Load of %.40q: %v, want %s", row.text, err, row.want)
			}
			if !errors.Is(s.ReadErrors[0], err) || s.Scope != "workspace" || s.InjectChars != 3200 {
				t.Errorf("settings are not the defaults: %+v", s)
			}
		})
	}
}

// TestW36EveryLoadReads changes a file between two loads.
func TestW36EveryLoadReads(t *testing.T) {
	w := world{files: map[string]string{workspaceConfig: scopeFile("both")}}
	in := w.inputs()
	first, _, _ := config.Load(in)
	w.files[workspaceConfig] = scopeFile("global")
	second, _, _ := config.Load(in)
	if first.Scope != "both" || second.Scope != "global" {
		t.Errorf("scopes %q then %q, want both then global", first.Scope, second.Scope)
	}
}

func TestStrayVariables(t *testing.T) {
	w := world{env: map[string]string{"SELFIP_HOOK": "1", "SELFIP_ZZZZZZZZZ": "1", "selfip_scope": "both", "OTHER": "x"}}
	in := w.inputs()
	in.Variables = []string{"SELFIP_HOOK"}
	_, warnings, err := config.Load(in)
	want := []string{"config-unknown-variable SELFIP_ZZZZZZZZZ", "config-unknown-variable-near selfip_scope SELFIP_SCOPE"}
	if diff := cmp.Diff(want, codes(warnings)); diff != "" || err != nil {
		t.Errorf("error %v, warnings (-want +got):\n%s", err, diff)
	}
}

func TestParseSetting(t *testing.T) {
	for _, row := range []struct {
		key, value string
		wantKey    string
		want       any
		code       string
	}{
		{"scope", " Both", "scope", "both", ""},
		{"SCOPE", "both", "scope", "both", ""},
		{"scpoe", "both", "", nil, "unknown-setting-near"},
		{"x-team", "both", "", nil, "unknown-setting"},
		{"scope", "bth", "", nil, "bad-setting"},
		{"autoPromote", "关", "autoPromote", false, ""},
		{"autopromote", "maybe", "", nil, "bad-setting"},
		{"globalDir", "~/x", "globalDir", "~/x", ""},
		{"injectChars", "2600", "injectChars", 2600, ""},
		{"injectChars", "many", "", nil, "bad-setting"},
		{"lockWait", "1m30s", "lockWait", "1m30s", ""},
		{"lockWait", "-1s", "", nil, "bad-setting"},
		{"language", "zh", "language", "zh-CN", ""},
	} {
		key, value, err := config.ParseSetting(row.key, row.value)
		if key != row.wantKey || value != row.want || fault.CodeOf(err) != row.code {
			t.Errorf("ParseSetting(%q, %q) = %q, %v, %v; want %q, %v, %q", row.key, row.value, key, value, err, row.wantKey, row.want, row.code)
		}
	}
}

func TestFileOf(t *testing.T) {
	s, _ := load(t, world{})
	yaml, _ := load(t, world{files: map[string]string{"/home/u/.config/dshkit/config.yaml": "language: en\n"}})
	homeless, _ := load(t, world{noHome: true, noWorkspace: true})
	for _, row := range []struct {
		s      config.Settings
		key    string
		global bool
		want   string
		kind   fault.Kind
	}{
		{s, "scope", false, workspaceConfig, ""},
		{s, "scope", true, globalConfig, ""},
		{s, "injectChars", false, workspaceOurs, ""},
		{s, "injectChars", true, userJSON, ""},
		{s, "nothing", true, "", fault.Usage},
		{yaml, "injectChars", true, "", fault.Refused},
		{homeless, "scope", true, "", fault.Refused},
		{homeless, "language", false, "", fault.Refused},
	} {
		got, err := row.s.FileOf(row.key, row.global)
		if got != row.want || fault.KindOf(err) != row.kind {
			t.Errorf("FileOf(%q, %v) = %q, %v; want %q, %q", row.key, row.global, got, err, row.want, row.kind)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	w := world{files: map[string]string{globalConfig: scopeFile("both"), workspaceConfig: scopeFile("both"), workspaceOurs: `{"language":"en"}`}}
	in := w.inputs()
	for b.Loop() {
		config.Load(in)
	}
}
