package node

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// call reads the arguments on the owner's goroutine and returns the work.
type call func(in *instance, args []jsrun.Value) task

var fsCalls = map[string]call{
	"open":      callOpen,
	"close":     callClose,
	"read":      callRead,
	"write":     callWrite,
	"readFile":  callReadFile,
	"writeFile": callWriteFile,
	"stat":      callStat,
	"fstat":     callFstat,
	"readdir":   callReaddir,
	"mkdir":     callMkdir,
	"mkdtemp":   callMkdtemp,
	"rmdir":     onPath("rmdir", Files.Rmdir),
	"unlink":    onPath("unlink", Files.Unlink),
	"rm":        callRm,
	"rename":    onTwo("rename", Files.Rename),
	"link":      onTwo("link", Files.Link),
	"copyFile":  callCopyFile,
	"cp":        callCp,
	"symlink":   callSymlink,
	"readlink":  giveText("readlink", Files.Readlink),
	"realpath":  callRealpath,
	"chmod":     callChmod,
	"access":    callAccess,
	"utimes":    callUtimes,
	"truncate":  callTruncate,
	"fsync":     onFile("fsync", File.Sync),
	"ftruncate": callFtruncate,
	"fchmod":    callFchmod,
	"futimes":   callFutimes,
	"exists":    callExists,
}

// place is a name as the script gave it and as the system needs it.
type place struct{ given, name string }

func (in *instance) place(args []jsrun.Value, i int) place {
	given := text(args, i)
	return place{given, in.absolute(given)}
}

func (in *instance) absolute(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	if in.host.Platform == "win32" && (strings.HasPrefix(name, `\`) || len(name) > 1 && name[1] == ':') {
		return name
	}
	return strings.TrimSuffix(in.host.cwd(), "/") + "/" + name
}

func (p place) fault(syscall string, err error) error {
	if err == nil {
		return nil
	}
	return &failure{err: err, syscall: syscall, path: p.given}
}

func (p place) faultTo(syscall string, to place, err error) error {
	if err == nil {
		return nil
	}
	return &failure{err: err, syscall: syscall, path: p.given, dest: to.given}
}

func fdFault(syscall string, err error) error {
	if err == nil {
		return nil
	}
	return &failure{err: err, syscall: syscall, pathless: true}
}

// noFiles stands for a host that grants no files.
const noFiles = "the host grants this script no files; it does so by Host.Files"

// files are those of the host, or an error that fits the call.
func (in *instance) files() (Files, error) {
	if in.host.Files == nil {
		return nil, Denied(noFiles)
	}
	return in.host.Files, nil
}

// onPath is a call that does one thing to one path and answers nothing.
func onPath(syscall string, f func(Files, string) error) call {
	return func(in *instance, args []jsrun.Value) task {
		p := in.place(args, 0)
		return func() (answer, error) {
			files, err := in.files()
			if err == nil {
				err = f(files, p.name)
			}
			return nothing, p.fault(syscall, err)
		}
	}
}

func onTwo(syscall string, f func(Files, string, string) error) call {
	return func(in *instance, args []jsrun.Value) task {
		from, to := in.place(args, 0), in.place(args, 1)
		return func() (answer, error) {
			files, err := in.files()
			if err == nil {
				err = f(files, from.name, to.name)
			}
			return nothing, from.faultTo(syscall, to, err)
		}
	}
}

func giveText(syscall string, f func(Files, string) (string, error)) call {
	return func(in *instance, args []jsrun.Value) task {
		p := in.place(args, 0)
		return func() (answer, error) {
			files, err := in.files()
			if err != nil {
				return nil, p.fault(syscall, err)
			}
			s, err := f(files, p.name)
			return plain(s), p.fault(syscall, err)
		}
	}
}

// callRealpath fails as Node's own does, which asks for each step what it is, and
// for the target of a link what that is.
func callRealpath(in *instance, args []jsrun.Value) task {
	p := in.place(args, 0)
	return func() (answer, error) {
		files, err := in.files()
		if err != nil {
			return nil, p.fault("lstat", err)
		}
		s, err := files.Realpath(p.name)
		if err == nil {
			return plain(s), nil
		}
		if _, here := files.Lstat(p.name); here == nil {
			return nil, p.fault("stat", err)
		}
		return nil, p.fault("lstat", err)
	}
}

func onFile(syscall string, f func(File) error) call {
	return func(in *instance, args []jsrun.Value) task {
		fd := int(number(args, 0))
		return func() (answer, error) {
			file, err := in.open.file(fd)
			if err == nil {
				err = f(file)
			}
			return nothing, fdFault(syscall, err)
		}
	}
}

func isString(v jsrun.Value) bool {
	_, ok := v.(goja.String)
	return ok
}

func callChmod(in *instance, args []jsrun.Value) task {
	mode := uint32(number(args, 1))
	return onPath("chmod", func(f Files, name string) error { return f.Chmod(name, mode) })(in, args)
}

func callAccess(in *instance, args []jsrun.Value) task {
	mode := uint32(number(args, 1))
	return onPath("access", func(f Files, name string) error { return f.Access(name, mode) })(in, args)
}

func callUtimes(in *instance, args []jsrun.Value) task {
	access, modify := moment(args, 1), moment(args, 2)
	return onPath("utime", func(f Files, name string) error { return f.Chtimes(name, access, modify) })(in, args)
}

func callFchmod(in *instance, args []jsrun.Value) task {
	mode := uint32(number(args, 1))
	return onFile("fchmod", func(f File) error { return f.Chmod(mode) })(in, args)
}

func callFutimes(in *instance, args []jsrun.Value) task {
	access, modify := moment(args, 1), moment(args, 2)
	return onFile("futime", func(f File) error { return f.Chtimes(access, modify) })(in, args)
}

// moment reads seconds since 1970.
func moment(args []jsrun.Value, i int) time.Time {
	return time.UnixMicro(int64(arg(args, i).ToFloat() * 1e6))
}

func callSymlink(in *instance, args []jsrun.Value) task {
	target, p := text(args, 0), in.place(args, 1)
	return func() (answer, error) {
		files, err := in.files()
		if err == nil {
			err = files.Symlink(target, p.name)
		}
		return nothing, place{given: target}.faultTo("symlink", p, err)
	}
}

func callExists(in *instance, args []jsrun.Value) task {
	p := in.place(args, 0)
	return func() (answer, error) {
		files, err := in.files()
		if err == nil {
			_, err = files.Stat(p.name)
		}
		return plain(err == nil), nil
	}
}

// gone says that an error means there is nothing there.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || codeOf(err) == "ENOENT" }

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return system(err).Code
}
