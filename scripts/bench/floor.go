package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// programs are what the binary is compared with, and what measures a peak.
var programs = map[string]string{
	"empty": `package main

func main() {}
`,
	// A line under a lock, synced: what is left when everything else is taken
	// away from a save.
	"plain": `package main

import (
	"os"
	"syscall"
)

func main() {
	lock, err := os.OpenFile(os.Args[1]+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	check(err)
	check(syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	f, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	check(err)
	_, err = f.WriteString(os.Args[2] + "\n")
	check(err)
	check(f.Sync())
}

func check(err error) {
	if err != nil {
		os.Exit(1)
	}
}
`,
	"hash": `package main

import (
	"crypto/sha256"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		if err != nil {
			os.Exit(1)
		}
		sum := sha256.Sum256(data)
		println(sum[0])
	}
}
`,
	"peak": `package main

import (
	"os"
	"strconv"
	"syscall"
)

func main() {
	p, err := os.StartProcess(os.Args[1], os.Args[1:], &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		os.Exit(1)
	}
	state, err := p.Wait()
	if err != nil || !state.Success() {
		os.Exit(1)
	}
	println("\n" + strconv.FormatInt(int64(state.SysUsage().(*syscall.Rusage).Maxrss), 10))
}
`,
}

// floor builds the programs and prints what they cost here.
func (b *bench) floor() error {
	for name, source := range programs {
		dir := filepath.Join(b.root, "program", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
			return err
		}
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, name), filepath.Join(dir, "main.go"))
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w: %s", name, err, out)
		}
	}
	program := func(name string) []string { return []string{filepath.Join(b.root, "program", name, name)} }
	b.empty, b.plain, b.hash, b.peak = program("empty"), program("plain"), program("hash"), program("peak")
	return b.introduce()
}

func (b *bench) introduce() error {
	fmt.Fprintf(b.out, "%s, %s/%s, %d CPUs, load %s; %s\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), load(), b.binary)
	b.head()
	list := filepath.Join(b.root, "plain.txt")
	compared := []command{{args: b.empty}, {args: append(b.plain, list, "a line")}}
	if node, err := exec.LookPath("node"); err == nil {
		compared = append(compared, command{args: []string{node, "-e", "0"}})
	}
	ms, err := b.multiples(max(b.rounds/2, 1), func(int) []command { return compared })
	if err != nil {
		return err
	}
	for i, name := range []string{"an empty Go program", "a plain locked append, synced", "node -e 0"}[:len(ms)] {
		b.note(name, 0, figure(ms[i].times)+ms[i].detail())
	}
	return nil
}

// load is how busy the machine is, where the system tells.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	var one string
	_, _ = fmt.Sscan(string(data), &one)
	return one
}

// version measures the start of the program, and its size.
func (b *bench) version() error {
	ms, err := b.multiples(b.rounds, func(int) []command { return []command{{args: []string{b.binary, "version"}}} })
	if err != nil {
		return err
	}
	b.most("version", 0, ms[0].times, 3, "x", " ("+figure(milliseconds(ms[0].cpu))+" ms)")
	info, err := os.Stat(b.binary)
	if err != nil {
		return err
	}
	b.most("size of the binary", 0, float64(info.Size())/1e6, 12, " MB", "")
	return nil
}
