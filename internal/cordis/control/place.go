package control

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// Folder is where a workspace keeps the files of its host, and what makes a
// folder a workspace.
const Folder = ".cordis"

// The files of the folder.
const (
	SocketName  = "host.sock"
	LockName    = "host.lock"
	CardName    = "host.json"
	LogName     = "host.log"
	JournalName = "journal.jsonl"
)

// maxAddress is how long the path of a socket may be everywhere.
const maxAddress = 100

// Place is the folder .cordis of one workspace.
type Place struct {
	Workspace string // absolute, without links
	Dir       string
}

// At names the Place of a workspace. It does no I/O.
func At(workspace string) Place {
	return Place{workspace, filepath.Join(workspace, Folder)}
}

// Path is the path of a file of the folder.
func (p Place) Path(name string) string { return filepath.Join(p.Dir, name) }

// Make makes the folder, for the owner's eyes only, unless it is there. One that
// is a link, or somebody else's, is refused.
func (p Place) Make() error {
	if err := os.Mkdir(p.Dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fault.New(fault.Failed, codeFolderMake, p.Dir).Because(err)
	}
	if err := p.Check(); err != nil {
		return err
	}
	if err := os.Chmod(p.Dir, 0o700); err != nil {
		return fault.New(fault.Failed, codeFolderMake, p.Dir).Because(err)
	}
	return nil
}

// Check refuses a folder that somebody else could have put there. One that does
// not exist is fine.
func (p Place) Check() error {
	info, err := os.Lstat(p.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fault.New(fault.Failed, codeFolderMake, p.Dir).Because(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fault.New(fault.Refused, codeFolderLink, p.Dir)
	case !info.IsDir():
		return fault.New(fault.Refused, codeFolderFile, p.Dir)
	}
	if uid, known := owner(info); known && uid != os.Getuid() {
		return fault.New(fault.Refused, codeFolderOwner, p.Dir, uid)
	}
	return nil
}

// Alone calls f while no other process holds the lock of the host, and reports
// whether it did.
func (p Place) Alone(f func()) (did bool) {
	return filestore.Open(p.Dir, filestore.Options{Private: []string{"."}}).Alone(LockName, f)
}

// Card is what host.json says of the host, for reading.
type Card struct {
	PID      int    `json:"pid"`
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	Started  string `json:"started"` // RFC 3339
	Socket   string `json:"socket"`
}

// WriteCard writes host.json.
func (p Place) WriteCard(card Card) error {
	line, err := marshal(card)
	if err != nil {
		return err
	}
	return filestore.Open(p.Dir, filestore.Options{Private: []string{"."}}).WriteDerived(CardName, line)
}

// Card reads host.json. Nothing hangs on it: a host is found by its socket.
func (p Place) Card() (card Card, ok bool) {
	data, err := filestore.ReadFile(p.Path(CardName), 64<<10)
	return card, err == nil && json.Unmarshal(data, &card) == nil
}

// Listen opens the socket in the place of one that a killed host has left. Only
// who is Alone may do it.
func (p Place) Listen(ctx context.Context) (listener net.Listener, err error) {
	if err := os.Remove(p.Path(SocketName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Failed, codeListen, p.Path(SocketName)).Because(err)
	}
	err = p.reach(func(path string) error {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", path)
		return err
	})
	if err == nil {
		if u, ok := listener.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(false) // Leave does it, by the name that stays
		}
		err = os.Chmod(p.Path(SocketName), 0o600)
	}
	if err != nil {
		return nil, fault.New(fault.Failed, codeListen, p.Path(SocketName)).Because(err)
	}
	return listener, nil
}

// Leave removes what the host made for others to find it.
func (p Place) Leave() {
	_ = os.Remove(p.Path(SocketName)) // a stale one is replaced at the next start
	_ = os.Remove(p.Path(CardName))
}

// Claim is what a host holds its place by.
type Claim struct {
	place        Place
	lock, socket os.FileInfo
}

// Claim notes the lock and the socket as they are now. One that is not there was
// taken away.
func (p Place) Claim() (Claim, error) {
	lock, err := os.Lstat(p.Path(LockName))
	if err != nil {
		return Claim{}, fault.New(fault.Conflict, codeTaken).Because(err)
	}
	socket, err := os.Lstat(p.Path(SocketName))
	if err != nil {
		return Claim{}, fault.New(fault.Conflict, codeTaken).Because(err)
	}
	return Claim{p, lock, socket}, nil
}

// Lost says that the lock or the socket was taken away; nil while both are as
// they were. A host that lost them stops, for another one may have taken its
// place.
func (c Claim) Lost() error {
	for name, was := range map[string]os.FileInfo{LockName: c.lock, SocketName: c.socket} {
		is, err := os.Lstat(c.place.Path(name))
		if err != nil || !os.SameFile(was, is) {
			return fault.New(fault.Conflict, codeTaken)
		}
	}
	return nil
}

// reach calls f with a path of the socket that is short enough for an address. A
// long one is reached through a link in a folder that nobody else can enter and
// that is gone afterwards.
func (p Place) reach(f func(path string) error) error {
	path := p.Path(SocketName)
	if len(path) <= maxAddress {
		return f(path)
	}
	base := os.TempDir()
	if len(base) > maxAddress/2 {
		base = "/tmp"
	}
	dir, err := os.MkdirTemp(base, "cordis")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // the link, never what it leads to
	link := filepath.Join(dir, "w")
	if err := os.Symlink(p.Dir, link); err != nil {
		return err
	}
	return f(filepath.Join(link, SocketName))
}
