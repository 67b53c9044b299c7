package node

import (
	"errors"
	"io"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

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
