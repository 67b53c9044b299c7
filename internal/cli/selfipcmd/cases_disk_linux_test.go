package selfipcmd_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

// smallDisk mounts a file system of 1 MiB as the workspace of a box. Where that
// is not allowed the sibling tests with a limit on file sizes and with modes
// cover the same ground.
func smallDisk(t *testing.T, b *box) bool {
	t.Helper()
	if err := unix.Mount("tmpfs", b.ws, "tmpfs", 0, "size=1m"); err != nil {
		t.Logf("cannot mount (%v)", err)
		return false
	}
	t.Cleanup(func() { _ = unix.Unmount(b.ws, unix.MNT_DETACH) })
	return true
}

// fill uses up all space of the workspace and returns the file that did.
func (b *box) fill() *os.File {
	b.t.Helper()
	ballast, err := os.Create(filepath.Join(b.ws, "ballast"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { ballast.Close() })
	for size := 4096; size > 0; size /= 2 {
		block := make([]byte, size)
		for err = nil; err == nil; {
			_, err = ballast.Write(block)
		}
		if !errors.Is(err, unix.ENOSPC) {
			b.t.Fatal(err)
		}
	}
	return ballast
}

func TestCase15DiskFull(t *testing.T) {
	b := newBox(t)
	if !smallDisk(t, b) {
		return
	}
	if err := os.CopyFS(b.ws, os.DirFS(caseDir("15-disk-full-empties-the-store", "in"))); err != nil {
		t.Fatal(err)
	}
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "use trunk, not main"))
	b.ok("remember", "fact: furnished before")
	ballast := b.fill()
	before := b.tree(b.path("."))
	long := strings.Repeat("words that take room ", 400)
	for _, args := range [][]string{
		{"remember", "fact: " + long}, {"config", "set", "globalDir", "/" + strings.Repeat("x", 4200)}, {"forget", "main branch is trunk"},
	} {
		r := b.run(args...)
		cleanError(t, r, 1, args[:1])
		if !strings.Contains(r.err, "no space") {
			t.Errorf("%q: stderr %q, want it to tell of the space", args[:1], r.err)
		}
	}
	b.hook("claude-code", b.event("s1", "SessionEnd", "reason", "other")) // a row for the queue
	after := b.tree(b.path("."))
	delete(before, "run/sessions/s1.jsonl")
	delete(after, "run/sessions/s1.jsonl")
	delete(after, "run/failures.jsonl")
	b.same(before, after, "a full disk")
	if len(b.recorded()) == 0 {
		t.Error("the hook's failure is not on record")
	}
	b.noLeftovers()

	if err := ballast.Truncate(400 << 10); err != nil {
		t.Fatal(err)
	}
	b.ok("remember", "fact: "+long)
	b.ok("config", "set", "globalDir", "/"+strings.Repeat("x", 4200))
	b.ok("forget", "main branch is trunk")
	b.ok("config", "unset", "globalDir")
	b.hook("claude-code", b.event("s2", "SessionStart", "source", "startup"))
	if q := b.queue("list"); len(q.Rows) != 1 || q.Rows[0].Session != "s1" {
		t.Errorf("queue %+v, want the row of s1 after space is back", q.Rows)
	}
}

// TestCase15FileSizeLimit has the same with a limit on the size of files, which
// needs no rights.
func TestCase15FileSizeLimit(t *testing.T) {
	b := newBox(t)
	if err := os.CopyFS(b.ws, os.DirFS(caseDir("15-disk-full-empties-the-store", "in"))); err != nil {
		t.Fatal(err)
	}
	b.ok("remember", "fact: furnished before")
	before := b.tree(b.path("."))
	long := strings.Repeat("words that take room ", 400)
	for _, args := range [][]string{{"remember", "fact: " + long}, {"config", "set", "globalDir", "/" + strings.Repeat("x", 4200)}} {
		cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 1; trap '' XFSZ; exec "$@"`, "sh", binary(t)}, args...)...)
		cmd.Dir, cmd.Env = b.ws, b.environ()
		cleanError(t, finish(t, cmd), 1, args[:1])
	}
	b.same(before, b.tree(b.path(".")), "a limit on file sizes")
	b.noLeftovers()
	b.ok("remember", "fact: "+long)
	if n := len(b.entries()); n != 3 {
		t.Errorf("%d entries, want 3", n)
	}
}

func TestCase21ReadOnlyMount(t *testing.T) {
	b := newBox(t)
	if !smallDisk(t, b) {
		return
	}
	if err := os.CopyFS(b.ws, os.DirFS(caseDir("21-read-only-store", "in"))); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", b.ws, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	const known = "the invoice service rounds half to even"
	for _, args := range [][]string{{"inject"}, {"search", "invoice"}, {"memory"}} {
		if r := b.run(args...); r.code != 0 || !strings.Contains(r.out, known) || r.err != "" {
			t.Errorf("%q: exit %d, stdout %q, stderr %q; want the fact and no word", args, r.code, r.out, r.err)
		}
	}
	if r := b.run("status"); r.code != 0 {
		t.Errorf("status: exit %d, stderr %q", r.code, r.err)
	}
	r := b.refused(3, "remember", "fact: never seen")
	if !strings.Contains(r.err, "read-only") {
		t.Errorf("stderr %q, want it to say that the store is read-only", r.err)
	}
	b.refused(3, "scope", "both")
	if got := b.hook("claude-code", b.event("s1", "SessionStart", "source", "startup")); !strings.Contains(got, known) {
		t.Errorf("the start hook gives %q, want the fact", got)
	}
	if len(b.recorded()) == 0 {
		t.Error("the hook's failure is not on record in the user's state")
	}
}

// TestCase26 has a session log of 100 MB and little memory. The case's limit of
// addresses is 600 MB; a Go program reserves 700 MB before it uses any, so the
// limit here is on top of that.
func TestCase26HundredMegabytes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	b := newBox(t)
	b.clock = b.clock.AddDate(0, 0, -1)
	end := b.event("s1", "SessionEnd", "reason", "other")
	log := lay(t, end["transcript_path"].(string), "")
	size := giant(t, log)
	b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "begin"))
	b.hook("claude-code", end)

	cmd := exec.Command("sh", "-c", `ulimit -v 1000000; exec "$@"`, "sh", binary(t), "queue", "run", "--json")
	cmd.Dir, cmd.Env = b.ws, b.environ()
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	peak := peakOf(cmd.Process.Pid)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("queue run: %v, stdout %q, stderr %q", err, out.String(), problems.String())
	}
	var ran selfipcmd.RanJSON
	if oneDocument(t, out.String(), &ran); len(ran.Learned) != 1 {
		t.Fatalf("queue run: stdout %q", out.String())
	}
	mb := <-peak
	if mb == 0 || mb > 200 {
		t.Errorf("%d MB resident for %d MB, want less than 200", mb, size>>20)
	}
	if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took.Seconds() > 20 {
		t.Errorf("took %v of the processor, want less than 20 s", took)
	}
	var journal strings.Builder
	for _, e := range ran.Learned[0].Entries {
		journal.WriteString(e.Text + "\n")
	}
	for _, host := range []string{"alpha", "beta", "gamma"} {
		if !strings.Contains(journal.String(), host) {
			t.Errorf("entries %q, want the correction about %s", journal.String(), host)
		}
	}
	t.Logf("%d MB: %v, %d MB resident", size>>20, cmd.ProcessState.UserTime(), mb)
}

// peakOf watches the peak of a process until its end, in MB. What
// the system tells at the end is no less than the peak of the parent, which is
// this test (getrusage(2)).
func peakOf(pid int) <-chan int {
	peak := make(chan int, 1)
	go func() {
		most := 0
		for range time.Tick(5 * time.Millisecond) {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, rest, ok := strings.Cut(string(status), "VmHWM:")
			if err != nil || !ok && most > 0 { // it has ended
				peak <- most >> 10
				return
			}
			var kb int
			_, _ = fmt.Sscan(rest, &kb) // a line that is not there yet is none
			most = max(most, kb)
		}
	}()
	return peak
}

// giant writes about 100 MB of rows as make.sh of the case does, three of which
// correct something, and returns their size.
func giant(t *testing.T, path string) int64 {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	said := map[int]string{
		119000: "no, the build host is called alpha, not main",
		119400: "no, the test host is called beta, not main",
		119900: "no, the old host is called gamma, not main",
	}
	var block strings.Builder
	for i := 1; i <= 120000; i++ {
		if correction := said[i]; correction != "" {
			fmt.Fprintf(&block, `{"type":"user","text":%q}`+"\n", correction)
		} else {
			words := strings.Repeat(fmt.Sprintf("lorem result %d ", i), 10+i*37%70)
			fmt.Fprintf(&block, `{"type":"tool","text":%q}`+"\n", words)
		}
		if block.Len() > 1<<20 || i == 120000 {
			if _, err := f.WriteString(block.String()); err != nil {
				t.Fatal(err)
			}
			block.Reset()
		}
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
