//go:build unix

package filestore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// Tests of what several processes do to one folder. The test binary runs itself
// with the name of a role in its environment.

const roleKey = "FILESTORE_TEST_ROLE"

// patient waits longer than a loaded machine takes.
var patient = filestore.Options{LockName: "run/lock", Wait: time.Minute}

// roles are what a child process can do. args are the root and what the role needs.
var roles = map[string]func(args []string) error{
	"hold":   holdRole,
	"append": appendRole,
	"mix":    mixRole,
	"full":   fullRole,
}

func TestMain(m *testing.M) {
	syscall.Umask(0o022)
	if role := os.Getenv(roleKey); role != "" {
		if err := roles[role](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A child is a process in a role. What it prints arrives in lines.
type child struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func start(t testing.TB, role string, args ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(os.Args[0], args...)}
	c.Env = append(os.Environ(), roleKey+"="+role)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.lines = in, bufio.NewScanner(out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// holdRole takes the lock, says so, and keeps it until its input ends.
func holdRole(args []string) error {
	return filestore.Open(args[0], patient).With(context.Background(), func(*filestore.Tx) error {
		fmt.Println("held")
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	})
}

// hold starts a process that holds the lock.
func hold(t testing.TB, root string) *child {
	t.Helper()
	c := start(t, "hold", root)
	if !c.lines.Scan() || c.lines.Text() != "held" {
		t.Fatalf("the holder says %q, %v", c.lines.Text(), c.lines.Err())
	}
	return c
}

// stop stops a process and waits until it is.
func stop(t testing.TB, c *child) {
	t.Helper()
	if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(c.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the child did not stop: %v, %v", status, err)
	}
}

// appendRole appends args[2] lines that begin with args[1], and says which ones
// it was told are stored.
func appendRole(args []string) error {
	d := filestore.Open(args[0], patient)
	count, err := strconv.Atoi(args[2])
	for i := 0; i < count && err == nil; i++ {
		line := args[1] + "-" + strconv.Itoa(i)
		if err = d.Append(context.Background(), "logs/pending.md", []byte(line+" "+strings.Repeat("x", i%500)+".\n")); err == nil {
			fmt.Println(line)
		}
	}
	return err
}

// mixRole changes files in every way there is until it is killed, and says which
// lines of "all" it was told are stored.
func mixRole(args []string) error {
	d := filestore.Open(args[0], patient)
	for i := 0; ; i++ {
		line := args[1] + "-" + strconv.Itoa(i)
		row := line + " " + strings.Repeat("x", i%3000) + ".\n"
		if err := mix(d, i, line, row); err != nil {
			return err
		}
		fmt.Println(line)
	}
}

func mix(d *filestore.Dir, i int, line, row string) error {
	ctx := context.Background()
	add := func(old []byte) ([]byte, error) { return append(old, row...), nil }
	switch i % 4 {
	case 0:
		return d.Append(ctx, "all", []byte(row))
	case 1:
		return d.Update(ctx, "all", add)
	case 2:
		return d.Update(ctx, "all", add, filestore.NoSync)
	}
	return d.With(ctx, func(tx *filestore.Tx) error {
		if err := tx.Create("parts/"+line, []byte(row)); err != nil {
			return err
		}
		if err := tx.Append("all", []byte(row)); err != nil {
			return err
		}
		return errors.Join(tx.Remove("parts/"+line), d.WriteDerived("run/index", []byte(row)))
	})
}

// rowsOf returns how often each line stands in a file, torn ones aside, and
// fails on one that is mixed of two.
func rowsOf(t testing.TB, data []byte) (count map[string]int, torn int) {
	t.Helper()
	count = map[string]int{}
	for row := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(row, " ")
		if !strings.HasSuffix(rest, ".\n") {
			torn++
			continue
		}
		if strings.Trim(rest, "x.\n") != "" {
			t.Errorf("a mixed line: %.80q", row)
		}
		count[name]++
	}
	return count, torn
}

// leastGoroutines waits until there are no more than most, and returns how many
// there are in the end: the clocks of waits that were given up end a moment
// after their callers have gone on.
func leastGoroutines(t testing.TB, most int) (n int) {
	t.Helper()
	for range 10000 {
		if n = runtime.NumGoroutine(); n <= most {
			return n
		}
		time.Sleep(time.Millisecond)
	}
	return n
}

func TestCase03aLockFileThatNobodyHolds(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"run/lock": "12345\n", "a": "old"})
	d := filestore.Open(root, lockAt)
	if err := d.Update(ctx, "a", set("new")); err != nil {
		t.Fatal(err)
	}
	wantRead(t, d, "a", "new")
}

func TestCase03bStoppedHolder(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a": "old"})
	holder := hold(t, root)
	stop(t, holder)
	now := time.Unix(0, 0)
	d := filestore.Open(root, filestore.Options{
		LockName: "run/lock", Wait: 30 * time.Millisecond,
		Now: func() time.Time { now = now.Add(1234 * time.Millisecond); return now },
	})
	before := runtime.NumGoroutine()
	for range 10 {
		err := d.Update(ctx, "a", set("new"))
		wantFault(t, err, fault.Busy, "lock-busy", d.Path("run/lock")+" 1.234s")
		if !errors.Is(err, filestore.ErrBusy) {
			t.Errorf("%v does not match ErrBusy", err)
		}
	}
	if n := leastGoroutines(t, before+1) - before; n > 1 {
		t.Errorf("%d goroutines are waiting for the lock after their callers have left, want one", n)
	}
	short, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	defer cancel()
	if err := filestore.Open(root, patient).Append(short, "a", []byte("new")); !errors.Is(err, filestore.ErrBusy) {
		t.Errorf("a shorter context gave %v, want ErrBusy", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	wantFault(t, d.Append(gone, "a", []byte("new")), fault.Timeout, "lock-cancelled", d.Path("run/lock"))
	// What does not change the files does not wait, nor do caches and logs.
	wantRead(t, d, "a", "old")
	if err := errors.Join(d.WriteDerived("run/index", []byte("x")), d.AppendLog("run/log", []byte("x"))); err != nil {
		t.Error(err)
	}

	if err := holder.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	_ = holder.in.Close()
	if err := holder.Wait(); err != nil {
		t.Errorf("the holder: %v", err)
	}
	// The goroutine that was left waiting gives back what it gets. Its Dir is free
	// again as soon as that happens, so a patient context is enough.
	again := filestore.Open(root, patient)
	if err := errors.Join(again.Update(ctx, "a", set("new")), retryBusy(d)); err != nil {
		t.Errorf("after the holder has gone: %v", err)
	}
	wantRead(t, d, "a", "newer")
}

// retryBusy updates until the lock is free.
func retryBusy(d *filestore.Dir) error {
	for {
		if err := d.Update(ctx, "a", set("newer")); !errors.Is(err, filestore.ErrBusy) {
			return err
		}
	}
}

func TestKilledHolderLeavesNoLock(t *testing.T) {
	root := t.TempDir()
	holder := hold(t, root)
	_ = holder.Process.Kill()
	_ = holder.Wait()
	if err := filestore.Open(root, lockAt).Append(ctx, "a", []byte("x")); err != nil {
		t.Error(err)
	}
}

// sweep deletes the lock file of root every 5 ms until it is told to stop.
func sweep(root string) (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = os.Remove(filepath.Join(root, "run", "lock"))
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-over }
}

func TestCase05LockFileSweptWhileWaiting(t *testing.T) {
	root := t.TempDir()
	defer sweep(root)()
	children, each := 8, 100
	if testing.Short() {
		children, each = 4, 25
	}
	var kids []*child
	for i := range children {
		kids = append(kids, start(t, "append", root, "child"+strconv.Itoa(i), strconv.Itoa(each)))
	}
	for _, c := range kids {
		acknowledged := 0
		for c.lines.Scan() {
			acknowledged++
		}
		if err := c.Wait(); err != nil || acknowledged != each {
			t.Errorf("a child stored %d of %d: %v", acknowledged, each, err)
		}
	}
	data, err := filestore.Open(root, lockAt).Read("logs/pending.md")
	if err != nil {
		t.Fatal(err)
	}
	count, torn := rowsOf(t, data)
	if len(count) != children*each || torn != 0 {
		t.Errorf("%d entries, %d torn, want %d and none", len(count), torn, children*each)
	}
	for name, n := range count {
		if n != 1 {
			t.Errorf("entry %s is there %d times", name, n)
		}
	}
}

// The fence: a lock file that is deleted under its holder, and made anew by the
// next one, does not let two into the same folder. What would be lost without it
// is an update that is read before and written after another one.
func TestCase05TwoLockFilesAreOneLock(t *testing.T) {
	root := t.TempDir()
	holder := hold(t, root)
	if err := os.Remove(filepath.Join(root, "run", "lock")); err != nil {
		t.Fatal(err)
	}
	d := filestore.Open(root, filestore.Options{LockName: "run/lock", Wait: 30 * time.Millisecond})
	if err := d.Append(ctx, "a", []byte("x")); !errors.Is(err, filestore.ErrBusy) {
		t.Errorf("a second holder got in: %v", err)
	}
	_ = holder.in.Close()
	_ = holder.Wait()
	if err := filestore.Open(root, patient).Append(ctx, "a", []byte("x")); err != nil {
		t.Error(err)
	}
}

func TestCase01NoReadIsTorn(t *testing.T) {
	config, err := os.ReadFile("testdata/cases/01-config-torn-by-two-writers/in/config.json")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	write(t, root, map[string]string{"config.json": string(config), "n": "0"})
	whole := func(data []byte) bool {
		s := string(data)
		return strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}\n") && strings.Count(s, `"injectChars": 2600`) == 1
	}
	stopReading, reads := make(chan struct{}), make(chan int)
	go func() {
		d, n := filestore.Open(root, lockAt), 0
		for {
			select {
			case <-stopReading:
				reads <- n
				return
			default:
			}
			if data, err := d.Read("config.json"); err != nil || !whole(data) {
				t.Errorf("read %d: %q, %v", n, data, err)
			}
			n++
		}
	}()
	var writers sync.WaitGroup
	for i := range 24 {
		d := filestore.Open(root, patient) // a handle of its own, as a process has
		writers.Go(func() {
			for j := range 10 {
				value := strings.Repeat("0", i*j*20)
				err := d.Update(ctx, "config.json", func(old []byte) ([]byte, error) {
					if !whole(old) {
						t.Errorf("updating %q", old)
					}
					return []byte("{\n  \"globalDir\": \"/tmp/" + value + "\",\n  \"injectChars\": 2600\n}\n"), nil
				}, filestore.NoSync)
				if err == nil {
					err = d.Update(ctx, "n", func(old []byte) ([]byte, error) {
						n, err := strconv.Atoi(string(old))
						return []byte(strconv.Itoa(n + 1)), err
					}, filestore.NoSync)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(stopReading)
	if n := <-reads; n == 0 {
		t.Error("the reader read nothing")
	}
	wantRead(t, filestore.Open(root, lockAt), "n", "240")
	wantNoLitter(t, root)
}

// Processes that are killed in the middle of anything lose nothing that they
// were told is stored, and leave nothing behind that the next one does not clear.
func TestKillAtAnyMoment(t *testing.T) {
	for _, swept := range []bool{false, true} {
		t.Run(fmt.Sprintf("swept=%v", swept), func(t *testing.T) { killMany(t, swept) })
	}
}

func killMany(t *testing.T, swept bool) {
	root := t.TempDir()
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	stopSweep := func() {}
	if swept {
		stopSweep = sweep(root)
	}
	var mu sync.Mutex
	stored := map[string]bool{}
	var slots sync.WaitGroup
	for slot := range 4 {
		slots.Go(func() {
			for round := range rounds {
				c := start(t, "mix", root, fmt.Sprintf("s%d-r%d", slot, round))
				for range (slot*7 + round*5) % 23 {
					c.lines.Scan()
					mu.Lock()
					stored[c.lines.Text()] = true
					mu.Unlock()
				}
				_ = c.Process.Kill() // it is anywhere in what comes next
				for c.lines.Scan() { // what it had said before it died
					mu.Lock()
					stored[c.lines.Text()] = true
					mu.Unlock()
				}
			}
		})
	}
	slots.Wait()
	stopSweep()

	d := filestore.Open(root, lockAt)
	if err := d.Append(ctx, "all", []byte("last .\n")); err != nil {
		t.Fatalf("after all were killed: %v", err)
	}
	data, err := d.Read("all")
	if err != nil {
		t.Fatal(err)
	}
	count, _ := rowsOf(t, data)
	delete(stored, "")
	for name := range stored {
		if count[name] != 1 {
			t.Errorf("%s was acknowledged and is there %d times", name, count[name])
		}
	}
	for name, n := range count {
		if n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	if len(stored) < rounds {
		t.Errorf("only %d lines were acknowledged: the test shows nothing", len(stored))
	}
	if err := d.WriteDerived("run/index", nil); err != nil {
		t.Fatal(err)
	}
	wantNoLitter(t, root)
}
