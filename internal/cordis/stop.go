package cordis

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

// stopTime bounds how long a host may take to end when it was asked to.
const stopTime = closeTime + 5*time.Second

// Stop asks the host to end and returns when it has: all halves are undone. No
// signal is sent to anybody. Without a host the error is of the kind NoHost.
func (w *Workspace) Stop(ctx context.Context) (pid int, err error) {
	conn, hello, err := w.Connect(ctx, control.Client, control.Handlers{})
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeoutCause(ctx, stopTime, fault.New(fault.Timeout, codeStopLate, stopTime.String()))
	defer cancel()
	if err := conn.Call(ctx, "stopHost", nil, nil); err != nil && conn.Err() == nil {
		return hello.PID, err
	}
	select {
	case <-conn.Done():
		return hello.PID, nil
	case <-ctx.Done():
		return hello.PID, context.Cause(ctx)
	}
}
