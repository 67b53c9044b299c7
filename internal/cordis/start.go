package cordis

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

// startTime bounds how long a host may take until it answers.
const startTime = 20 * time.Second

// Started is what came of Start.
type Started struct {
	control.HelloResult
	Socket string
	New    bool // false: it ran before
}

// Start starts the host of the workspace in a process of its own that goes on
// when this one ends, and returns when it answers. One that runs already is
// fine. arguments are those by which the program serves, detached.
func (w *Workspace) Start(ctx context.Context, arguments []string) (Started, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startTime, fault.New(fault.Timeout, codeStartLate, startTime.String()))
	defer cancel()
	if found, err := w.find(ctx); !control.Absent(err) {
		return found, err
	}
	if err := w.place.Make(); err != nil {
		return Started{}, err
	}
	err := w.launch(ctx, arguments)
	isNew := err == nil
	if err != nil && fault.CodeOf(err) != codeRunning {
		return Started{}, err
	}
	found, err := w.find(ctx)
	found.New = isNew
	return found, err
}

// find asks the host who it is.
func (w *Workspace) find(ctx context.Context) (Started, error) {
	conn, hello, err := w.Connect(ctx, control.Client, control.Handlers{})
	if err != nil {
		return Started{}, err
	}
	return Started{HelloResult: hello, Socket: w.place.Path(control.SocketName)}, conn.Close()
}

// launch starts the process and waits for its word on the pipe.
func (w *Workspace) launch(ctx context.Context, arguments []string) error {
	program, err := w.opts.Program()
	if err != nil {
		return fault.New(fault.Failed, codeStart).Because(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return fault.New(fault.Failed, codeStart).Because(err)
	}
	defer read.Close()
	defer write.Close()
	log, err := w.logFile()
	if err != nil {
		return fault.New(fault.Failed, codeStart).Because(err)
	}
	defer log.Close()
	cmd := exec.Command(program, arguments...)
	cmd.Dir, cmd.Env = w.opts.Root, w.opts.Environ
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = log, log, []*os.File{write}
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return fault.New(fault.Failed, codeStart).Because(err)
	}
	_ = write.Close() // from now on the pipe ends with the process
	go func() { _ = cmd.Wait() }()
	return w.await(ctx, read)
}

// await reads the word of a process that starts.
func (w *Workspace) await(ctx context.Context, read *os.File) error {
	stop := context.AfterFunc(ctx, func() { _ = read.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := bufio.NewReader(read).ReadBytes('\n')
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return fault.New(fault.Failed, codeStartDied, w.lastWords())
	case err != nil:
		return fault.New(fault.Failed, codeStart).Because(err)
	}
	return control.ParseFault(line)
}

// lastWords is the end of the log, where a process that died says why.
func (w *Workspace) lastWords() string {
	data, err := w.files().Read(control.LogName)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return lines[len(lines)-1]
}

// ready tells the process that has started this one, by the pipe that it handed
// over, what came of it: nil when the host answers.
func ready(err error) {
	pipe := os.NewFile(readyFile, "ready")
	if pipe == nil {
		return
	}
	defer pipe.Close()
	line := control.FormatFault(err)
	_, _ = pipe.Write(append(line, '\n')) // nobody may wait for it any more
}

// readyFile is the number of the pipe.
const readyFile = 3
