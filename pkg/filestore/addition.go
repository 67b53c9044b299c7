package filestore

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
)

// page is what the system writes at once. A process that is killed while it
// adds to a file has added everything, nothing, or a part that ends where a page
// of the file does.
const page = 4096

// maxPages bounds the length of a mark.
const maxPages = 256

// An addition is what a mark says about bytes that are being added to a file:
// how long it was, how long it will be, and a checksum of what is added up to
// each end of a page in between. With them a part that was left behind can be
// told from anything else that the file could end in.
type addition struct {
	name     string
	from, to int64
	sums     []uint32
}

// adding says that data is about to be added to the named file, if that can end
// halfway.
func (m *mark) adding(name string, size int64, data []byte) {
	a := addition{name: name, from: size, to: size + int64(len(data))}
	if pages := a.ends(); pages == 0 || pages > maxPages || strings.ContainsAny(name, "\n") {
		return
	}
	sum, done := uint32(0), size
	for end := a.firstEnd(); end < a.to; end += page {
		sum = crc32.Update(sum, crc32.IEEETable, data[done-size:end-size])
		a.sums, done = append(a.sums, sum), end
	}
	m.say(a.String())
}

// firstEnd is the first end of a page behind the old end of the file.
func (a addition) firstEnd() int64 { return (a.from/page + 1) * page }

// ends counts the ends of pages at which the addition can be cut.
func (a addition) ends() int64 {
	if first := a.firstEnd(); first < a.to {
		return (a.to-first-1)/page + 1
	}
	return 0
}

func (a addition) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "+%d %d ", a.from, a.to)
	for _, s := range a.sums {
		fmt.Fprintf(&b, "%08x", s)
	}
	return b.String() + " " + a.name
}

// parseAddition reads what String has written.
func parseAddition(line string) (a addition, ok bool) {
	fields := strings.SplitN(line, " ", 4)
	if len(fields) != 4 || !strings.HasPrefix(fields[0], "+") {
		return a, false
	}
	var err1, err2 error
	a.from, err1 = strconv.ParseInt(fields[0][1:], 10, 64)
	a.to, err2 = strconv.ParseInt(fields[1], 10, 64)
	a.name = fields[3]
	if err1 != nil || err2 != nil || a.from < 0 || a.to < a.from || a.ends() > maxPages || int64(len(fields[2])) != 8*a.ends() {
		return a, false
	}
	for sums := fields[2]; sums != ""; sums = sums[8:] {
		s, err := strconv.ParseUint(sums[:8], 16, 32)
		if err != nil {
			return a, false
		}
		a.sums = append(a.sums, uint32(s))
	}
	return a, true
}

// takeBack cuts off what was added by half. A file that ends in anything else
// is left alone: it has what was added, or nothing of it, or another program
// has written to it since. Links are not followed: the mark may come from a
// stranger, with the folder.
func (d *Dir) takeBack(a addition) {
	full, err := d.locateFile(a.name)
	if err != nil || !d.isInside(full) {
		return
	}
	f, err := openPlain(full, os.O_RDWR|noFollow, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	size := info.Size()
	if size <= a.from || size >= a.to || size%page != 0 {
		return
	}
	part := make([]byte, size-a.from)
	if _, err := io.ReadFull(io.NewSectionReader(f, a.from, size-a.from), part); err != nil {
		return
	}
	if crc32.ChecksumIEEE(part) == a.sums[(size-a.firstEnd())/page] {
		_ = f.Truncate(a.from)
	}
}
