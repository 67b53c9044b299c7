package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/user"
	"runtime"
	"time"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// newLoader gives the scenarios what Node would: the machine as it is.
func newLoader(packages string) *script.Loader {
	host := wholeMachine()
	return script.NewLoader(script.Settings{
		Modules: jsrun.ModuleConfig{Host: node.Modules(host), Files: jscache.Disk{}, Fallback: []string{packages}},
		Run:     jsrun.Config{Now: time.Now, Random: random, Globals: node.Globals(host)},
		Natives: script.Natives(),
	})
}

func wholeMachine() *node.Host {
	home, _ := os.UserHomeDir()
	return &node.Host{
		Files:       machine.NewFiles(machine.Grant{Path: "/"}),
		Processes:   &machine.Processes{Environ: os.Environ},
		Env:         os.LookupEnv,
		Cwd:         cwd,
		Home:        home,
		Temp:        os.TempDir(),
		User:        userName(),
		Platform:    runtime.GOOS,
		PID:         os.Getpid(),
		Now:         time.Now,
		RandomBytes: randomBytes,
		Log:         func(_, text string) { fmt.Fprintln(os.Stderr, text) },
	}
}

func cwd() string {
	dir, err := os.Getwd()
	if err != nil {
		return "/"
	}
	return dir
}

func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

func randomBytes(b []byte) { _, _ = io.ReadFull(rand.Reader, b) }

// random is a number below one, of 53 bits.
func random() float64 {
	var b [8]byte
	randomBytes(b[:])
	var n uint64
	for _, x := range b {
		n = n<<8 | uint64(x)
	}
	return float64(n>>11) / (1 << 53)
}
