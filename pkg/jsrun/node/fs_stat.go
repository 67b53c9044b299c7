package node

import (
	"fmt"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

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
