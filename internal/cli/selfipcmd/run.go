package selfipcmd

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/transcript"
)

func newQueueRun(env *cli.Env) *cobra.Command {
	var detached, worker bool
	cmd := &cobra.Command{
		Use:  "run",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if detached {
				return redetach(env, []string{"queue", "run", "--worker", "-C", env.Flags.Dir})
			}
			return runQueue(cmd.Context(), env, worker)
		},
	}
	cmd.Flags().BoolVar(&detached, "detach", false, "")
	cmd.Flags().BoolVar(&worker, "worker", false, "")
	_ = cmd.Flags().MarkHidden("worker") // the second of the two steps of --detach
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Busy, fault.Damaged)
}

// runQueue works on the queue; a worker then sleeps when that is due. A worker has
// nobody who reads what it says: what goes wrong is recorded in the workspace.
func runQueue(ctx context.Context, env *cli.Env, worker bool) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	if m.Learns() != nil {
		env.Note("writes-off")
	}
	got, err := m.RunQueue(ctx, transcripts(env))
	var tended selfip.Tended
	if err == nil && !env.Flags.DryRun {
		if worker {
			err = rest(ctx, m)
		}
		var failed error
		tended, failed = m.Tend(ctx)
		err = errors.Join(err, failed)
	}
	if worker && err != nil {
		return recordWorker(env, m, "", err)
	}
	if err != nil {
		return err
	}
	return env.Report(ranReport{got, tended, m, env.Sentence})
}

// transcripts opens the session logs of harnesses. A path that a queue names is
// not trusted, for a queue can come with a cloned repository: only a regular
// file below the user's home, where harnesses keep their logs, is read.
func transcripts(env *cli.Env) selfip.Transcripts {
	return func(name, path string) (selfip.Transcript, error) {
		if !filepath.IsAbs(path) || !below(path, env.Home()) {
			return selfip.Transcript{}, fault.New(fault.Refused, "transcript-outside", path)
		}
		log, err := openLog(env, name, path)
		if fault.KindOf(err) == fault.Damaged { // a folder, a pipe: no log
			err = fs.ErrNotExist
		}
		return log, err
	}
}

// openLog opens the session log of a harness, which must be a regular file.
func openLog(env *cli.Env, name, path string) (selfip.Transcript, error) {
	f, _, err := filestore.Open(filepath.Dir(path), filestore.Options{}).OpenFile(filepath.Base(path))
	if err != nil {
		return selfip.Transcript{}, err
	}
	var r harness.Report
	records := harness.Transcript(harness.Harness(name), f, &r)
	return selfip.Transcript{Records: closing(f, records), Skipped: func() []string { return skipped(env, r) }}, nil
}

// skipped says what of a session log could not be read.
func skipped(env *cli.Env, r harness.Report) []string {
	var notes []string
	if n := r.Skipped(); n > 0 {
		notes = append(notes, env.Say("log-rows-skipped", n, r.NotObject, r.NoType, r.Broken, r.Odd, r.TooLong, r.Torn))
	}
	if r.NulBytes > 0 {
		notes = append(notes, env.Say("log-holes", r.NulBytes))
	}
	return notes
}

// below reports whether path is inside a folder, symbolic links followed.
func below(path, folder string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = filepath.Clean(path)
	}
	root, err := filepath.EvalSymlinks(folder)
	if err != nil || folder == "" {
		return false
	}
	rel, err := filepath.Rel(root, real)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// closing closes c when the sequence ends.
func closing(c io.Closer, seq iter.Seq2[transcript.Record, error]) iter.Seq2[transcript.Record, error] {
	return func(yield func(transcript.Record, error) bool) {
		defer c.Close()
		seq(yield)
	}
}

type ranReport struct {
	selfip.Ran
	tended selfip.Tended
	m      *selfip.Memory
	say    func(error) string
}

// RanJSON is what queue run writes with --json.
type RanJSON struct {
	OK        bool          `json:"ok"`
	Recovered int           `json:"recovered"`
	Learned   []LearnedJSON `json:"learned"`
	Failed    []RowJSON     `json:"failed"`
	Dead      []RowJSON     `json:"dead"`
	Done      int           `json:"done"`
	Waiting   int           `json:"waiting"`
	PutOff    string        `json:"putOff,omitempty"` // why the rest was put off: the model does not answer

	Compacted []CompactedJSON `json:"compacted"`
	Pruned    []PrunedJSON    `json:"pruned"`
}

func (r ranReport) JSON() any {
	out := RanJSON{
		OK: len(r.Failed) == 0, Recovered: r.Recovered, Learned: []LearnedJSON{}, Failed: rowsJSON(r.Failed, r.m),
		Dead: rowsJSON(r.Dead, r.m), Done: r.Done, Waiting: r.Waiting,
		Compacted: compactedJSON(r.say, r.tended.Compacted), Pruned: prunedJSON(r.tended.Pruned),
	}
	if r.PutOff != nil {
		out.PutOff = r.say(r.PutOff)
	}
	for _, l := range r.Learned {
		out.Learned = append(out.Learned, learnedJSON(r.say, l))
	}
	return out
}

func (r ranReport) Text(w *cli.Writer) {
	if len(r.Learned)+len(r.Failed)+len(r.Dead) == 0 {
		w.Say("queue-nothing", r.Waiting)
	}
	if r.PutOff != nil {
		w.Say("queue-put-off", r.say(r.PutOff))
	}
	for _, l := range r.Learned {
		writeLearned(w, l)
	}
	for _, row := range r.Failed {
		w.Say("learn-failed", row.Key())
	}
	for _, row := range r.Dead {
		w.Say("learn-dead", row.Key(), w.Word("reason-", string(row.Reason)))
	}
	for _, c := range r.tended.Compacted {
		if c.Status != selfip.CompactNothing {
			sayCompacted(w, c, false)
		}
	}
	for _, p := range r.tended.Pruned {
		sayPruned(w, p)
	}
}
