package selfipcmd

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// gitName is the word for git among what can be installed into.
const gitName = "git"

// What git knows the driver by, and which files it is for. The attributes are
// committed with the memory; the driver is a setting of each person.
const (
	driverSection  = "merge.selfip"
	driverKey      = driverSection + ".driver"
	attributesFile = ".gitattributes"
)

var attributeLines = []string{"memory/*.md merge=selfip", "memory/archive/*.md merge=selfip"}

type gitOptions struct {
	scope  string // whose settings of git: the user's for all clones, or this clone's
	print  bool
	remove bool
}

// runGit registers our merge driver, or takes it out again.
func runGit(ctx context.Context, env *cli.Env, opts gitOptions) error {
	o, err := openedForChange(env)
	if err != nil {
		return err
	}
	if opts.scope != string(install.User) && opts.scope != string(install.Project) {
		return fault.New(fault.Usage, "install-scope-unknown", gitName, opts.scope, string(install.User)+", "+string(install.Project))
	}
	g, err := openGit(env, o.memory, opts.scope)
	if err != nil {
		return err
	}
	r := gitReport{opts: opts, dryRun: env.Flags.DryRun || opts.print, file: o.memory.Workspace.Path(attributesFile), driver: g.driver}
	if r.registered, err = g.get(ctx); err != nil {
		return err
	}
	if r.changesAttributes, err = g.attributes(ctx, o.memory.Workspace, opts.remove, r.dryRun); err != nil {
		return err
	}
	if !r.dryRun && r.changesDriver() {
		if err := g.set(ctx, opts.remove); err != nil {
			return err
		}
	}
	return env.Report(r)
}

// git is the program, told where to look.
type git struct {
	env     *cli.Env
	program string
	root    string
	scope   string // --global or --local
	driver  string // the command that git shall run
}

// gitTimeout is how long one call of git may take.
const gitTimeout = 10 * time.Second

func openGit(env *cli.Env, m *selfip.Memory, scope string) (*git, error) {
	if m.Workspace == nil {
		return nil, m.NoWorkspace
	}
	program, err := lookPath(env, "git")
	if err != nil {
		return nil, fault.New(fault.NotFound, "no-git")
	}
	binary, err := env.Executable()
	if err != nil {
		return nil, fault.New(fault.Failed, "no-executable").Because(err)
	}
	g := &git{env: env, program: program, root: filepath.Dir(m.Workspace.Root), scope: "--global"}
	if scope == string(install.Project) {
		g.scope = "--local"
	}
	g.driver = strings.ReplaceAll(install.Word(binary), "%", "%%") + " merge-driver %O %A %B %P"
	return g, nil
}

// run calls git. The output is its own, without the line end.
func (g *git) run(ctx context.Context, args ...string) (string, error) {
	out, err := programCall{g.program, append([]string{"-C", g.root}, args...), gitTimeout, 64 << 10}.run(ctx, g.env)
	return strings.TrimSpace(string(out)), err
}

// get returns the driver that is registered, "" for none.
func (g *git) get(ctx context.Context) (string, error) {
	if _, err := g.run(ctx, "rev-parse", "--git-dir"); err != nil {
		return "", fault.New(fault.Refused, "no-repository", g.root)
	}
	said, err := g.run(ctx, "config", g.scope, "--get", driverKey)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", nil // there is none
	}
	return said, err
}

func (g *git) set(ctx context.Context, remove bool) error {
	if remove {
		_, err := g.run(ctx, "config", g.scope, "--remove-section", driverSection)
		return err
	}
	if _, err := g.run(ctx, "config", g.scope, driverSection+".name", "memory files, entry by entry"); err != nil {
		return err
	}
	_, err := g.run(ctx, "config", g.scope, driverKey, g.driver)
	return err
}

// attributes brings the lines into the library's file of attributes, or out of
// it, and reports whether that changes it.
func (g *git) attributes(ctx context.Context, lib *selfip.Library, remove, dryRun bool) (changed bool, err error) {
	dir := settingsDir(g.env, lib.Path(attributesFile))
	old, err := dir.Read(attributesFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if next := withAttributes(old, remove); dryRun || bytes.Equal(old, next) {
		return !bytes.Equal(old, next), nil
	}
	return true, lib.ChangeFile(ctx, attributesFile, func(old []byte) []byte { return withAttributes(old, remove) })
}

// withAttributes returns the file with our lines, or without them. Other lines
// stay as they are.
func withAttributes(old []byte, remove bool) []byte {
	var out []byte
	for line := range bytes.Lines(old) {
		if !remove || !isAttribute(string(line)) {
			out = append(out, line...)
		}
	}
	if remove {
		return out
	}
	for _, line := range attributeLines {
		if hasLine(old, line) {
			continue
		}
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, line+"\n"...)
	}
	return out
}

func isAttribute(line string) bool {
	for _, own := range attributeLines {
		if strings.TrimSpace(line) == own {
			return true
		}
	}
	return false
}

func hasLine(text []byte, line string) bool {
	for l := range bytes.Lines(text) {
		if strings.TrimSpace(string(l)) == line {
			return true
		}
	}
	return false
}

type gitReport struct {
	opts              gitOptions
	dryRun            bool
	file              string // of attributes
	changesAttributes bool
	registered        string // the driver until now
	driver            string
}

func (r gitReport) changesDriver() bool {
	if r.opts.remove {
		return r.registered != ""
	}
	return r.registered != r.driver
}

// GitJSON is what install git and uninstall git write with --json.
type GitJSON struct {
	OK         bool   `json:"ok"`
	Harness    string `json:"harness"`
	Scope      string `json:"scope"`
	Driver     string `json:"driver"` // empty when it is taken out
	Changed    bool   `json:"changed"`
	Attributes string `json:"attributes"`
}

func (r gitReport) JSON() any {
	out := GitJSON{
		OK: true, Harness: gitName, Scope: r.opts.scope, Driver: r.driver,
		Changed: r.changesDriver() || r.changesAttributes, Attributes: r.file,
	}
	if r.opts.remove {
		out.Driver = ""
	}
	return out
}

func (r gitReport) Text(w *cli.Writer) {
	if r.opts.print {
		w.Print("[merge \"selfip\"]\n\tdriver = " + r.driver + "\n")
		w.Print(strings.Join(attributeLines, "\n") + "\n")
		return
	}
	verb := "git-installed"
	if r.opts.remove {
		verb = "git-removed"
	}
	if !r.changesDriver() && !r.changesAttributes {
		verb = "git-same"
	}
	w.Say(verb, r.file)
	if !r.opts.remove && r.changesAttributes {
		w.Say("git-commit", r.file)
	}
}

// git tells whether the driver that the attributes name is there.
func (d *doctor) git(ctx context.Context, o *opened) {
	if o.memory.Workspace == nil {
		return
	}
	file := o.memory.Workspace.Path(attributesFile)
	text, err := filestore.ReadFile(file, maxSettings)
	if err != nil || !hasLine(text, attributeLines[0]) {
		return // nobody wants it
	}
	g, err := openGit(d.env, o.memory, string(install.User))
	if err != nil {
		d.add(levelNote, gitName, "doctor-error", err)
		return
	}
	said, err := g.run(ctx, "config", "--get", driverKey)
	if err != nil || said == "" {
		d.add(levelNote, gitName, "doctor-no-driver", file)
		return
	}
	d.add(levelOK, gitName, "doctor-driver", said)
}
