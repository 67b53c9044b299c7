package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

// smallHalf is the Host half that is measured, as the published runner takes it
// too.
const smallHalf = `harness.handle('double', args => args.value * 2)
return { name: 'small', apply(ctx) { ctx.effect(() => () => {}) } }
`

// plugins are how many run at once when their memory is measured.
const plugins = 200

// latencies are medians of one runtime of plugins.
type latencies struct {
	DefineRun float64 `json:"defineRun"` // microseconds
	Invoke    float64 `json:"invoke"`
	Update    float64 `json:"update"`
	Memory    float64 `json:"memory"` // bytes a plugin
}

// cordis measures define and run, invoke and update over the socket, isolated and
// trusted, beside the published runner under Node, which is called in its own
// process, and the memory of many plugins.
func (b *bench) cordis() error {
	isolated, err := b.hostOf("isolated")
	if err != nil {
		return err
	}
	trusted, err := b.hostOf("trusted", "--trusted")
	if err != nil {
		return err
	}
	reference, err := b.referenceRunner()
	if err != nil {
		return err
	}
	b.check("cordis define + run, isolated", 0, micros(isolated.DefineRun), "< 15 ms", isolated.DefineRun < 15_000)
	b.note("cordis define + run, trusted", 0, micros(trusted.DefineRun))
	b.note("cordis invoke, isolated", 0, micros(isolated.Invoke))
	b.note("cordis invoke, trusted", 0, micros(trusted.Invoke))
	b.note("cordis update, isolated", 0, micros(isolated.Update))
	b.note("cordis update, trusted", 0, micros(trusted.Update))
	total := isolated.Memory * plugins
	b.check("memory of isolated plugins at once", plugins, mebibytes(total)+" PSS", "< 1 GiB", total < 1<<30)
	b.note("memory of a plugin, isolated", plugins, mebibytes(isolated.Memory)+" PSS")
	b.note("memory of a plugin, trusted", plugins, mebibytes(trusted.Memory)+" PSS")
	if reference != nil {
		b.note("  Node: define + run, in process", 0, micros(reference.DefineRun))
		b.note("  Node: invoke, in process", 0, micros(reference.Invoke))
		b.note("  Node: update, in process", 0, micros(reference.Update))
		b.note("  Node: memory of a plugin", plugins, mebibytes(reference.Memory)+" RSS")
	}
	return nil
}

func micros(us float64) string {
	if us < 1000 {
		return figure(us) + " µs"
	}
	return figure(us/1000) + " ms"
}

func mebibytes(n float64) string { return figure(n/(1<<20)) + " MiB" }

// hostOf starts a host and measures it.
func (b *bench) hostOf(name string, args ...string) (l latencies, err error) {
	dir := filepath.Join(b.root, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return l, err
	}
	cmd := exec.Command(b.cordisBinary, append([]string{"-C", dir, "serve"}, args...)...)
	cmd.Env = b.env
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return l, err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if wait := cmd.Wait(); err == nil && wait != nil {
			err = fmt.Errorf("cordis serve: %w: %s", wait, said.Bytes())
		}
	}()
	c, err := dialSoon(dir)
	if err != nil {
		return l, fmt.Errorf("%w: %s", err, said.Bytes())
	}
	defer c.Close()
	return (&hostBench{c: c, pid: cmd.Process.Pid, rounds: max(b.rounds, 50)}).measure()
}

// dialSoon connects with a host that is starting.
func dialSoon(dir string) (*control.Conn, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		c, _, err := control.At(real).Dial(context.Background(), control.Hello{Role: control.Client, Name: "bench"}, control.Handlers{})
		if err == nil || time.Now().After(end) {
			return c, err
		}
	}
}

// hostBench measures one host over its socket.
type hostBench struct {
	c      *control.Conn
	pid    int
	rounds int
}

func (h *hostBench) measure() (l latencies, err error) {
	one, err := h.start()
	if err != nil {
		return l, err
	}
	for _, row := range []struct {
		into *float64
		work func() error
	}{
		{&l.DefineRun, func() error { _, err := h.start(); return err }},
		{&l.Invoke, func() error {
			return h.c.Call(context.Background(), "invoke", map[string]any{"pluginId": one, "method": "double", "args": map[string]any{"value": 21}}, nil)
		}},
		{&l.Update, func() error { _, err := h.activate(map[string]any{"pluginId": one}, "update"); return err }},
	} {
		if *row.into, err = h.median(row.work); err != nil {
			return l, err
		}
	}
	before, err := h.memory()
	if err != nil {
		return l, err
	}
	for range plugins - h.rounds - 1 { // those measured above run on
		if _, err := h.start(); err != nil {
			return l, err
		}
	}
	after, err := h.memory()
	l.Memory = (after - before) / float64(plugins-h.rounds-1)
	return l, err
}

// start defines a plugin and runs it.
func (h *hostBench) start() (plugin string, err error) {
	return h.activate(map[string]any{"idPrefix": "small"}, "run")
}

func (h *hostBench) activate(selector map[string]any, mode string) (string, error) {
	var made struct {
		PluginID  string `json:"pluginId"`
		PackageID string `json:"packageId"`
	}
	params := map[string]any{"name": "Small", "purpose": "be measured", "host": smallHalf}
	for key, value := range selector {
		params[key] = value
	}
	if err := h.c.Call(context.Background(), "define", params, &made); err != nil {
		return "", err
	}
	return made.PluginID, h.c.Call(context.Background(), "run", map[string]any{"pluginId": made.PluginID, "packageId": made.PackageID, "mode": mode}, nil)
}

func (h *hostBench) median(work func() error) (float64, error) {
	var took []float64
	for range h.rounds {
		begin := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		took = append(took, float64(time.Since(begin).Nanoseconds())/1000)
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// memory is the proportional set size of the host and its children, in bytes.
func (h *hostBench) memory() (float64, error) {
	pids := []string{fmt.Sprint(h.pid)}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", h.pid))
	for _, name := range tasks {
		data, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		pids = append(pids, strings.Fields(string(data))...)
	}
	total := 0.0
	for _, pid := range pids {
		data, err := os.ReadFile("/proc/" + pid + "/smaps_rollup")
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(data)) {
			var kib float64
			if _, err := fmt.Sscanf(line, "Pss: %f kB", &kib); err == nil {
				total += kib * 1024
			}
		}
	}
	return total, nil
}

// referencePackages is where make plugins installs the published runner.
const referencePackages = "testdata/reference"

// referenceRunner measures the published runner; nil when it or Node is not
// there.
func (b *bench) referenceRunner() (*latencies, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		b.note("published Host runner", 0, "no Node")
		return nil, nil
	}
	if _, err := os.Stat(filepath.Join(referencePackages, "node_modules", "@deepseek-ai", "dsh-cordis-host-runner")); err != nil {
		b.note("published Host runner", 0, "not there; make plugins installs it")
		return nil, nil
	}
	program, err := os.ReadFile("scripts/bench/runner.mjs")
	if err != nil {
		return nil, err
	}
	// Node looks for packages beside the program, so it is given as text.
	cmd := exec.Command(node, "--expose-gc", "--input-type=module", "--eval", string(program), "--", fmt.Sprint(max(b.rounds, 50)), fmt.Sprint(plugins))
	cmd.Dir = referencePackages
	cmd.Stdin = strings.NewReader(smallHalf)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("runner.mjs: %w", err)
	}
	l := new(latencies)
	return l, json.Unmarshal(out, l)
}
