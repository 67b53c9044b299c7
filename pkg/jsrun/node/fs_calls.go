package node

import (
	"errors"
	"fmt"
	"io"
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

// The numbers that scripts know as fs.constants, those of Linux.
const (
	oWronly    = 0o1
	oRdwr      = 0o2
	oCreat     = 0o100
	oExcl      = 0o200
	oTrunc     = 0o1000
	oAppend    = 0o2000
	oDirectory = 0o200000
	oNofollow  = 0o400000
	oSync      = 0o4010000
)

func openFlags(n int64) OpenFlag {
	flag := Read
	switch {
	case n&oRdwr != 0:
		flag = Read | Write
	case n&oWronly != 0:
		flag = Write
	}
	for _, bit := range []struct {
		n    int64
		flag OpenFlag
	}{{oCreat, Create}, {oExcl, Exclusive}, {oTrunc, Truncate}, {oAppend, Append}, {oDirectory, Directory}, {oNofollow, NoFollow}, {oSync, Synced}} {
		if n&bit.n == bit.n {
			flag |= bit.flag
		}
	}
	return flag
}

func (in *instance) openPlace(p place, flags int64, mode uint32) (File, error) {
	files, err := in.files()
	if err != nil {
		return nil, p.fault("open", err)
	}
	f, err := files.Open(p.name, openFlags(flags), mode)
	return f, p.fault("open", err)
}

func callOpen(in *instance, args []jsrun.Value) task {
	p, flags, mode := in.place(args, 0), number(args, 1), uint32(number(args, 2))
	return func() (answer, error) {
		f, err := in.openPlace(p, flags, mode)
		if err != nil {
			return nil, err
		}
		return plain(in.open.add(f)), nil
	}
}

func callClose(in *instance, args []jsrun.Value) task {
	fd := int(number(args, 0))
	return func() (answer, error) { return nothing, fdFault("close", in.open.close(fd)) }
}

// callRead reads into memory of its own first: the script's may be touched by
// its owner alone.
func callRead(in *instance, args []jsrun.Value) task {
	fd, into, at := int(number(args, 0)), raw(args, 1), number(args, 2)
	return func() (answer, error) {
		f, err := in.open.file(fd)
		if err != nil {
			return nil, fdFault("read", err)
		}
		b := make([]byte, len(into))
		n, err := readFrom(f, b, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fdFault("read", err)
		}
		return func(in *instance) (jsrun.Value, error) {
			copy(into, b[:n])
			return in.value(n), nil
		}, nil
	}
}

func readFrom(f File, b []byte, at int64) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if at >= 0 {
		return f.ReadAt(b, at)
	}
	return f.Read(b)
}

func callWrite(in *instance, args []jsrun.Value) task {
	fd, b, at := int(number(args, 0)), append([]byte(nil), raw(args, 1)...), number(args, 2)
	return func() (answer, error) {
		n, err := in.writeTo(fd, b, at)
		return plain(n), fdFault("write", err)
	}
}

func (in *instance) writeTo(fd int, b []byte, at int64) (int, error) {
	if fd == 1 || fd == 2 {
		if in.host.Log != nil {
			in.host.Log([]string{1: "stdout", 2: "stderr"}[fd], string(b))
		}
		return len(b), nil
	}
	f, err := in.open.file(fd)
	if err != nil {
		return 0, err
	}
	if at >= 0 {
		return f.WriteAt(b, at)
	}
	return f.Write(b)
}

// callReadFile takes a path or a descriptor; the second argument says that the
// answer is text.
func callReadFile(in *instance, args []jsrun.Value) task {
	asText, flags := truth(args, 1), number(args, 2)
	read := func(f File) (answer, error) {
		b, err := readAll(f)
		if err != nil {
			return nil, fdFault("read", err)
		}
		if asText {
			s := decodeUTF8(b)
			return plain(s), nil
		}
		return func(in *instance) (jsrun.Value, error) { return in.bytes(b) }, nil
	}
	if !isString(arg(args, 0)) {
		fd := int(number(args, 0))
		return func() (answer, error) {
			f, err := in.open.file(fd)
			if err != nil {
				return nil, fdFault("read", err)
			}
			return read(f)
		}
	}
	p := in.place(args, 0)
	return func() (answer, error) {
		f, err := in.openPlace(p, flags, 0o666)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return read(f)
	}
}

func isString(v jsrun.Value) bool {
	_, ok := v.(goja.String)
	return ok
}

func callWriteFile(in *instance, args []jsrun.Value) task {
	b := append([]byte(nil), raw(args, 1)...)
	if isString(arg(args, 1)) {
		b = []byte(text(args, 1))
	}
	if !isString(arg(args, 0)) {
		fd := int(number(args, 0))
		return func() (answer, error) {
			_, err := in.writeTo(fd, b, -1)
			return nothing, fdFault("write", err)
		}
	}
	p, flags, mode, flush := in.place(args, 0), number(args, 2), uint32(number(args, 3)), truth(args, 4)
	return func() (answer, error) {
		f, err := in.openPlace(p, flags, mode)
		if err != nil {
			return nil, err
		}
		_, err = f.Write(b)
		if err == nil && flush {
			err = f.Sync()
		}
		return nothing, fdFault("write", errors.Join(err, f.Close()))
	}
}

func callStat(in *instance, args []jsrun.Value) task {
	p, syscall, look := in.place(args, 0), "stat", Files.Stat
	big := truth(args, 2)
	if !truth(args, 1) {
		syscall, look = "lstat", Files.Lstat
	}
	return func() (answer, error) {
		files, err := in.files()
		if err != nil {
			return nil, p.fault(syscall, err)
		}
		info, err := look(files, p.name)
		return stats(info, big), p.fault(syscall, err)
	}
}

func callFstat(in *instance, args []jsrun.Value) task {
	fd, big := int(number(args, 0)), truth(args, 2)
	return func() (answer, error) {
		f, err := in.open.file(fd)
		if err != nil {
			return nil, fdFault("fstat", err)
		}
		info, err := f.Stat()
		return stats(info, big), fdFault("fstat", err)
	}
}

// stats gives the members of Stats in their order, the times last: as numbers,
// or as decimal text with times in nanoseconds for a script that wants bigints.
func stats(i Info, big bool) answer {
	list := []any{}
	for _, n := range []uint64{
		i.Dev, uint64(i.Mode), i.Nlink, uint64(i.UID), uint64(i.GID), i.Rdev,
		uint64(i.Blksize), i.Ino, uint64(i.Size), uint64(i.Blocks),
	} {
		if big {
			list = append(list, fmt.Sprint(n))
			continue
		}
		list = append(list, float64(n))
	}
	for _, t := range []time.Time{i.Access, i.Modify, i.Change, i.Birth} {
		if big {
			list = append(list, fmt.Sprint(nanos(t)))
			continue
		}
		list = append(list, milliseconds(t))
	}
	return plain(list)
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func milliseconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.Unix())*1e3 + float64(t.Nanosecond())/1e6
}

func callReaddir(in *instance, args []jsrun.Value) task {
	p, recursive := in.place(args, 0), truth(args, 1)
	return func() (answer, error) {
		files, err := in.files()
		if err != nil {
			return nil, p.fault("scandir", err)
		}
		list, err := listing(files, p.name, "", recursive)
		return plain(list), p.fault("scandir", err)
	}
}

// listing gives name, type and folder (seen from the first) of what is in a
// folder; it goes down into folders, not through links.
func listing(files Files, root, under string, recursive bool) ([]any, error) {
	folder := root
	if under != "" {
		folder += "/" + under
	}
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, e := range entries {
		list = append(list, []any{e.Name, float64(e.Type), under})
	}
	for _, e := range entries {
		if !recursive || e.Type != ModeDir {
			continue
		}
		below, err := listing(files, root, strings.TrimPrefix(under+"/"+e.Name, "/"), true)
		if err != nil {
			return nil, err
		}
		list = append(list, below...)
	}
	return list, nil
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

func callTruncate(in *instance, args []jsrun.Value) task {
	p, size := in.place(args, 0), number(args, 1)
	return func() (answer, error) {
		f, err := in.openPlace(p, oRdwr, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return nothing, fdFault("ftruncate", f.Truncate(size))
	}
}

func callFtruncate(in *instance, args []jsrun.Value) task {
	size := number(args, 1)
	return onFile("ftruncate", func(f File) error { return f.Truncate(size) })(in, args)
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

func callCopyFile(in *instance, args []jsrun.Value) task {
	from, to, exclusive := in.place(args, 0), in.place(args, 1), number(args, 2)&1 != 0
	return func() (answer, error) {
		files, err := in.files()
		if err == nil {
			err = copyFile(files, from.name, to.name, exclusive)
		}
		return nothing, from.faultTo("copyfile", to, err)
	}
}

func copyFile(files Files, from, to string, exclusive bool) (err error) {
	source, err := files.Open(from, Read, 0)
	if err != nil {
		return err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	if info.Mode&ModeType == ModeDir {
		return &SystemError{Code: "EISDIR"}
	}
	if there, err := files.Stat(to); err == nil && there.Dev == info.Dev && there.Ino == info.Ino && info.Ino != 0 {
		return nil // a copy onto itself would empty it first
	}
	flag := Write | Create | Truncate
	if exclusive {
		flag = Write | Create | Exclusive
	}
	target, err := files.Open(to, flag, info.Mode&0o7777)
	if err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{target}, struct{ io.Reader }{source})
	return errors.Join(err, target.Close())
}

// gone says that an error means there is nothing there.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || codeOf(err) == "ENOENT" }

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return system(err).Code
}
