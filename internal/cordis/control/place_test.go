package control_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

func TestNoHost(t *testing.T) {
	workspace := t.TempDir()
	place := control.At(workspace)
	_, _, err := place.Dial(t.Context(), control.Hello{Role: control.Client}, control.Handlers{})
	wantCode(t, err, "no-host")
	if _, err := os.Stat(place.Dir); !os.IsNotExist(err) {
		t.Errorf("asking made %s", place.Dir)
	}
	// A killed host leaves its socket.
	if err := place.Make(); err != nil {
		t.Fatal(err)
	}
	listener, err := place.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	_, _, err = place.Dial(t.Context(), control.Hello{Role: control.Client}, control.Handlers{})
	wantCode(t, err, "no-host")
	openDesk(t, workspace).dial(t, control.Client, control.Handlers{})
}

// Paths that are long or odd reach their host.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("long/", 60), "with a blank", `quotes ' and "`, "$(touch pwned)", "👩‍👩‍👧 表情", "-dash", "dot.", strings.Repeat("名", 60),
	} {
		workspace := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(workspace, 0o755); err != nil {
			t.Fatal(err)
		}
		d := openDesk(t, workspace)
		var role string
		if err := d.dial(t, control.Page, control.Handlers{}).Call(t.Context(), "role", nil, &role); err != nil || role != "page" {
			t.Errorf("%q: %q, %v", name, role, err)
		}
		for path, want := range map[string]os.FileMode{d.place.Dir: os.ModeDir | 0o700, d.place.Path(control.SocketName): os.ModeSocket | 0o600} {
			if info, err := os.Lstat(path); err != nil || info.Mode() != want {
				t.Errorf("%s has mode %v (%v), want %v", path, info.Mode(), err, want)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "cordis[0-9]*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestFoldersThatAreNotOurs(t *testing.T) {
	linked, file := t.TempDir(), t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(linked, ".cordis")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(file, ".cordis"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for workspace, code := range map[string]string{linked: "folder-link", file: "folder-file"} {
		wantCode(t, control.At(workspace).Make(), code)
		_, _, err := control.At(workspace).Dial(t.Context(), control.Hello{Role: control.Client}, control.Handlers{})
		wantCode(t, err, code)
	}
	if os.Getuid() != 0 {
		t.Log("only root can give a folder away") // the rest is tested where tests run as root
		return
	}
	foreign := control.At(t.TempDir())
	if err := foreign.Make(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(foreign.Dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	wantCode(t, foreign.Make(), "folder-owner")
}

// Case 08: what accepts and never answers holds nobody up.
func TestMute(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a limit of seconds")
	}
	place := control.At(t.TempDir())
	if err := place.Make(); err != nil {
		t.Fatal(err)
	}
	listener, err := place.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	start := time.Now()
	_, _, err = place.Dial(t.Context(), control.Hello{Role: control.Client}, control.Handlers{})
	wantCode(t, err, "host-mute")
	if took := time.Since(start); took < 4*time.Second || took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

// Case 09: what is no host is named as such.
func TestWhatIsNoHost(t *testing.T) {
	place := control.At(t.TempDir())
	if err := place.Make(); err != nil {
		t.Fatal(err)
	}
	listener, err := place.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for c, err := listener.Accept(); err == nil; c, err = listener.Accept() {
			_, _ = c.Write([]byte("HTTP/1.1 404 Not Found\r\n\r\n"))
		}
	}()
	_, _, err = place.Dial(t.Context(), control.Hello{Role: control.Client}, control.Handlers{})
	wantCode(t, err, "no-host-there")
}

// One of many is alone, and the next one can be when it is over.
func TestAlone(t *testing.T) {
	place := control.At(t.TempDir())
	if err := place.Make(); err != nil {
		t.Fatal(err)
	}
	var inside, times atomic.Int32
	release := make(chan struct{})
	var all sync.WaitGroup
	done := make(chan bool, 16)
	for range 16 {
		all.Go(func() {
			done <- place.Alone(func() {
				if inside.Add(1) > 1 {
					t.Error("two at once")
				}
				times.Add(1)
				<-release
				inside.Add(-1)
			})
		})
	}
	for range 15 {
		if soon(t, done) {
			t.Error("a second one got in")
		}
	}
	close(release)
	all.Wait()
	if !soon(t, done) || times.Load() != 1 {
		t.Errorf("%d were alone, want 1", times.Load())
	}
	if !place.Alone(func() {}) {
		t.Error("the lock was not given back")
	}
}

// Case 10: a host whose lock or socket is taken away knows.
func TestClaimIsLost(t *testing.T) {
	for _, taken := range []string{control.LockName, control.SocketName} {
		place := control.At(t.TempDir())
		if err := place.Make(); err != nil {
			t.Fatal(err)
		}
		place.Alone(func() {
			listener, err := place.Listen(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			claim, err := place.Claim()
			if err != nil || claim.Lost() != nil {
				t.Fatalf("at first: %v, %v", err, claim.Lost())
			}
			_ = os.Remove(place.Path(taken))
			wantCode(t, claim.Lost(), "host-taken")
			if taken == control.SocketName {
				other, err := net.Listen("unix", place.Path(control.SocketName))
				if err != nil {
					t.Fatal(err)
				}
				defer other.Close()
				wantCode(t, claim.Lost(), "host-taken")
			}
		})
	}
}

func TestCard(t *testing.T) {
	place := control.At(t.TempDir())
	if _, ok := place.Card(); ok {
		t.Error("a card without a host")
	}
	if err := place.Make(); err != nil {
		t.Fatal(err)
	}
	want := control.Card{PID: 7, Protocol: 1, Version: "v", Started: "then", Socket: place.Path(control.SocketName)}
	if err := place.WriteCard(want); err != nil {
		t.Fatal(err)
	}
	got, ok := place.Card()
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Error(ok, diff)
	}
	place.Leave()
	if _, ok := place.Card(); ok {
		t.Error("the card stayed")
	}
}
