package filestore_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// tmpfs mounts a small file system. Where that is not allowed the test is told
// so: its sibling without a mount covers the same ground.
func tmpfs(t *testing.T) (root string, ok bool) {
	t.Helper()
	root = t.TempDir()
	if err := unix.Mount("tmpfs", root, "tmpfs", 0, "size=1m"); err != nil {
		t.Logf("cannot mount (%v)", err)
		return root, false
	}
	t.Cleanup(func() { _ = unix.Unmount(root, unix.MNT_DETACH) })
	return root, true
}

func TestCase15FullDisk(t *testing.T) {
	root, ok := tmpfs(t)
	if !ok {
		return // TestCase15FileSizeLimit
	}
	before := copyStore(t, case15, root)
	ballast, err := os.Create(filepath.Join(root, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer ballast.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = ballast.Write(block)
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	wantFull(t, root, grow(filestore.Open(root, lockAt)), before)
	if err := ballast.Truncate(700 << 10); err != nil {
		t.Fatal(err)
	}
	if codes := grow(filestore.Open(root, lockAt)); slices.ContainsFunc(codes, func(s string) bool { return s != "" }) {
		t.Errorf("with space again: %q", codes)
	}
	wantNoLitter(t, root)
}

func TestCase21ReadOnlyMount(t *testing.T) {
	root, ok := tmpfs(t)
	if !ok {
		return // TestCase21FoldersNobodyMayWriteTo
	}
	files := copyStore(t, case21, root)
	if err := unix.Mount("", root, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	wantReadOnly(t, root, files)
}

// asNobody runs f in a thread that has no rights to files of root.
func asNobody(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Geteuid() == 0 {
			runtime.LockOSThread() // and never unlocks: the thread ends with the goroutine
			_, _ = unix.SetfsuidRetUid(65534)
		}
		f()
	}()
	<-done
}

func TestW2NoPermissionIsNotEmpty(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"memory/facts.md": "old"})
	d := filestore.Open(root, lockAt)
	err := errors.Join(os.Chmod(filepath.Dir(root), 0o755), os.Chmod(d.Path("memory/facts.md"), 0))
	if err != nil {
		t.Fatal(err)
	}
	asNobody(func() {
		data, err := d.Read("memory/facts.md")
		wantFault(t, err, fault.Failed, "file-unreadable", d.Path("memory/facts.md"))
		if data != nil {
			t.Errorf("read %q", data)
		}
	})
	if err := os.Chmod(d.Path("memory/facts.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 { // what is foreign to nobody is our own here: take the right away
		if err := os.Chmod(root, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(root, 0o755) })
	}
	asNobody(func() {
		wantRead(t, d, "memory/facts.md", "old")
		wantFault(t, d.Append(ctx, "memory/facts.md", []byte("new")), fault.Refused, "store-read-only", root)
	})
}

// waits reports whether somebody waits for a lock of the file with this inode.
func waits(t *testing.T, inode uint64) bool {
	t.Helper()
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(locks)) {
		if strings.Contains(l, "-> FLOCK") && strings.Contains(l, ":"+strconv.FormatUint(inode, 10)+" ") {
			return true
		}
	}
	return false
}

// Whoever waited for a lock file that was deleted meanwhile holds, in the end,
// the one that the others see.
func TestCase05TheLockThatCountsIsHeld(t *testing.T) {
	root := t.TempDir()
	holder := hold(t, root)
	lock := filepath.Join(root, "run", "lock")
	info, err := filestore.Open(root, lockAt).Stat("run/lock")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		done <- filestore.Open(root, patient).With(ctx, func(*filestore.Tx) error {
			f, err := os.Open(lock)
			if err != nil {
				return err
			}
			defer f.Close()
			if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EWOULDBLOCK) {
				t.Errorf("the lock file can be locked by another: %v", err)
			}
			return nil
		})
	}()
	for !waits(t, info.Inode) {
		runtime.Gosched()
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	_ = holder.in.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
