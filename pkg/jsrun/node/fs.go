package node

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// task does the work of one call away from the runtime; the answer then makes
// its value on the owner's goroutine. Synchronous calls do both in place.
type (
	task   func() (answer, error)
	answer func(in *instance) (jsrun.Value, error)
)

func nothing(*instance) (jsrun.Value, error) { return goja.Undefined(), nil }

func plain(v any) answer {
	return func(in *instance) (jsrun.Value, error) { return in.value(v), nil }
}

// failure is what went wrong in which call on which files.
type failure struct {
	err                 error
	syscall, path, dest string
	pathless            bool // calls on descriptors name no path
}

func (f *failure) Error() string { return f.syscall + " " + f.path + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// fsGroup are the two ways to call: now works at once, later gives a promise.
// The first argument of both is the name of the call.
var fsGroup = map[string]function{
	"now": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		t, err := in.fsCall(args)
		if err != nil {
			return nil, err
		}
		v, err := in.now(t)
		return v, in.raise(err)
	},
	"later": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		t, err := in.fsCall(args)
		if err != nil {
			return nil, err
		}
		return in.later(t), nil
	},
}

func (in *instance) fsCall(args []jsrun.Value) (task, error) {
	call, ok := fsCalls[text(args, 0)]
	if !ok {
		return nil, fmt.Errorf("no call %q", text(args, 0))
	}
	return call(in, args[1:]), nil
}

func (in *instance) now(t task) (jsrun.Value, error) {
	a, err := t()
	if err != nil {
		return nil, err
	}
	return a(in)
}

// later runs a task on a goroutine of its own.
func (in *instance) later(t task) jsrun.Value {
	return in.promise(func(_ ctx) (answer, error) { return t() })
}

// raise makes the Error that Node throws of what a call returned.
func (in *instance) raise(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return in.raiseSystem(err)
	}
	make, helperErr := in.helper(&in.failure, "system")
	if helperErr != nil {
		return helperErr
	}
	s := system(f.err)
	c := lookCode(s.Code)
	or := func(text string) jsrun.Value {
		if text == "" || f.pathless {
			return goja.Undefined()
		}
		return in.value(text)
	}
	v, callErr := in.vm.Apply(make, goja.Undefined(), in.value(-c.number), in.value(s.Code), in.value(c.sentence),
		in.value(f.syscall), or(f.path), or(f.dest), in.value(s.Note))
	if callErr != nil {
		return callErr
	}
	thrown := in.vm.Throw(v)
	thrown.Cause = err
	return thrown
}

// raiseSystem gives an error of the system that is about no file its code.
func (in *instance) raiseSystem(err error) error {
	var s *SystemError
	if !errors.As(err, &s) {
		return err
	}
	message := s.Note
	if message == "" {
		message = s.Error()
	}
	o := in.vm.NewError("Error", message)
	if err := errors.Join(o.Set("errno", -lookCode(s.Code).number), o.Set("code", s.Code)); err != nil {
		return err
	}
	thrown := in.vm.Throw(o)
	thrown.Cause = err
	return thrown
}

// descriptors are the open files of a run by number. The first three are the
// streams of the process, which are not files here.
type descriptors struct {
	mu    sync.Mutex
	files map[int]File
}

func (d *descriptors) add(f File) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil {
		d.files = map[int]File{}
	}
	fd := 3
	for d.files[fd] != nil {
		fd++
	}
	d.files[fd] = f
	return fd
}

func (d *descriptors) file(fd int) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.files[fd]; f != nil {
		return f, nil
	}
	return nil, &SystemError{Code: "EBADF"}
}

func (d *descriptors) close(fd int) error {
	f, err := d.file(fd)
	if err != nil {
		return err
	}
	d.mu.Lock()
	delete(d.files, fd)
	d.mu.Unlock()
	return f.Close()
}

func (d *descriptors) closeAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.files {
		_ = f.Close() // the run is over: nobody is left to hear of it
	}
	d.files = nil
}

// maxFile bounds what one readFile takes: a device never ends.
const maxFile = 1 << 29

func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(b) > maxFile {
		return nil, &SystemError{Code: "EFBIG", Note: "readFile takes at most 512 MiB"}
	}
	return b, err
}
