package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// oracle is where make plugins installs the published packages.
const oracle = "testdata/oracle/mnemon"

// mount is one Entry of a scenario, for the binary and for Node.
type mount struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"` // a package, or the path of a file
	Config map[string]any `json:"config,omitempty"`
}

// scenario is the published Strategy with its extensions over three Sources that
// keep nothing on disk.
func scenario(fixture string) []mount {
	schema := map[string]any{"type": "object"}
	operation := func(id string) map[string]any {
		return map[string]any{"id": id, "description": "d", "capability": id, "inputSchema": schema}
	}
	source := func(id, typeID, role, read string, capabilities ...string) mount {
		config := map[string]any{"typeId": typeID, "role": role, "capabilities": capabilities, "actions": []any{operation("write")}, "routes": nil}
		if read != "" {
			route := operation(read)
			route["maxCalls"] = 100
			config["routes"] = []any{route}
		}
		return mount{id, fixture, config}
	}
	list := []mount{
		source("runtime", "runtime", "working-context", "", "project", "write"),
		source("documents", "documents", "narrative", "search", "project", "search", "write"),
		source("spaces", "memory-spaces", "durable-evidence", "recall", "project", "recall", "write"),
	}
	for _, name := range []string{"default-three-tier", "scoped", "light-context", "auto-capture"} {
		list = append(list, mount{ID: name, Name: "dsh-mnemon-strategy-" + name})
	}
	return list
}

// published are the packages, and a workspace that mounts the scenario of them.
type published struct {
	modules, entries, dir string
}

// published prepares the scenario; nil, with a row that says so, when the packages
// are not there.
func (b *bench) published() (*published, error) {
	if b.packages != nil {
		return b.packages, nil
	}
	root, err := filepath.Abs(oracle)
	if err != nil {
		return nil, err
	}
	p := &published{modules: filepath.Join(root, "node_modules")}
	if _, err := os.Stat(filepath.Join(p.modules, "dsh-mnemon", "package.json")); err != nil {
		b.note("published packages", 0, "not there; make plugins installs them")
		return nil, nil
	}
	list := scenario(filepath.Join(root, "scenarios", "plugins", "fixture-source.mjs"))
	if p.dir, err = b.mount("published", p.modules, list); err != nil {
		return nil, err
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	p.entries = filepath.Join(b.root, "entries.json")
	b.packages = p
	return p, os.WriteFile(p.entries, data, 0o600)
}

// mount makes a workspace of plugins.
func (b *bench) mount(name, modules string, list []mount) (string, error) {
	root, err := filepath.EvalSymlinks(b.root)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if _, err := b.must(b.mnemonIn(dir, "init")); err != nil {
		return "", err
	}
	for _, m := range list {
		spec := m.Name
		if !filepath.IsAbs(spec) {
			spec = filepath.Join(modules, spec)
		}
		args := []string{"plugin", "add", spec, "--id", m.ID}
		for _, key := range slices.Sorted(maps.Keys(m.Config)) {
			text, err := json.Marshal(m.Config[key])
			if err != nil {
				return "", err
			}
			args = append(args, "--config", key+"="+string(text))
		}
		if _, err := b.must(b.mnemonIn(dir, args...)); err != nil {
			return "", err
		}
	}
	return dir, nil
}

func (b *bench) mnemonIn(dir string, args ...string) command {
	return command{args: append([]string{b.mnemon, "-C", dir}, args...)}
}

// strategies measures a turn of the scenario, begun by a process of its own, with
// the texts of the plugins cached and made anew, beside Node.
func (b *bench) strategies() error {
	p, err := b.published()
	if p == nil || err != nil {
		return err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		b.note("published Strategies beside Node", 0, "node is not there")
	}
	ms, err := b.multiples(b.rounds, func(round int) []command {
		_ = os.RemoveAll(filepath.Join(p.dir, ".mnemon", "turns"))
		fresh := b.mnemonIn(p.dir, "turn", "begin")
		fresh.env = []string{"XDG_CACHE_HOME=" + filepath.Join(b.root, "cache", fmt.Sprint(round))}
		list := []command{b.mnemonIn(p.dir, "turn", "begin"), fresh}
		if node != "" {
			list = append(list, b.nodeScenario(node, p))
		}
		return list
	})
	if err != nil {
		return err
	}
	const what = "published Strategies, begin a turn"
	if node == "" {
		b.note(what, 0, figure(ms[0].times)+ms[0].detail())
		b.note(what+", no cache", 0, figure(ms[1].times)+ms[1].detail())
		return nil
	}
	beside := func(m multiple) (float64, string) {
		return float64(m.cpu) / float64(ms[2].cpu), fmt.Sprintf(" of Node (%s of %s ms)", figure(milliseconds(m.cpu)), figure(milliseconds(ms[2].cpu)))
	}
	ratio, detail := beside(ms[0])
	b.most(what, 0, ratio, 0.5, "", detail)
	ratio, detail = beside(ms[1])
	b.note(what+", no cache", 0, figure(ratio)+detail)
	return b.sameView(node, p)
}

func (b *bench) nodeScenario(node string, p *published) command {
	return command{args: []string{node, filepath.Join("scripts", "bench", "strategies.mjs"), p.modules, p.entries, p.dir}}
}

// sameView checks that both compose the same.
func (b *bench) sameView(node string, p *published) error {
	theirs, err := b.must(b.nodeScenario(node, p))
	if err != nil {
		return err
	}
	ours, err := b.must(b.mnemonIn(p.dir, "view", "show", "--json"))
	if err != nil {
		return err
	}
	var view struct{ Digest string }
	if err := json.Unmarshal(ours.out, &view); err != nil {
		return err
	}
	same := view.Digest == strings.TrimSpace(string(theirs.out))
	verdict := "the same digest"
	if !same {
		verdict = "another digest"
	}
	b.check("published Strategies, View", 0, verdict, "as Node", same)
	return nil
}

// commands measures those that a turn uses, each a process.
func (b *bench) commands() error {
	ms, err := b.multiples(b.rounds, func(int) []command { return []command{{args: []string{b.mnemon, "version"}}} })
	if err != nil {
		return err
	}
	b.most("dsh-mnemon version", 0, ms[0].times, 3, "x", " ("+figure(milliseconds(ms[0].cpu))+" ms)")
	info, err := os.Stat(b.mnemon)
	if err != nil {
		return err
	}
	b.most("size of dsh-mnemon", 0, float64(info.Size())/1e6, 22, " MB", "")
	p, err := b.published()
	if p == nil || err != nil {
		return err
	}
	if _, err := b.must(b.mnemonIn(p.dir, "turn", "begin")); err != nil {
		return err
	}
	ms, err = b.multiples(b.rounds, func(int) []command {
		return []command{
			b.mnemonIn(p.dir, "wake"), b.mnemonIn(p.dir, "plugin", "list"),
			b.mnemonIn(p.dir, "view", "route", "source:documents/search", "--input", "{}"),
		}
	})
	if err != nil {
		return err
	}
	for i, what := range []string{"wake", "plugin list, 7 of them", "view route, 7 plugins"} {
		b.note("dsh-mnemon "+what, 0, figure(ms[i].times)+ms[i].detail())
	}
	return nil
}
