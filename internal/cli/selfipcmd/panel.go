package selfipcmd

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/webui"
	"github.com/dshkit/dshkit/pkg/fault"
)

type panelOptions struct {
	port int
	open bool
	html string
	idle time.Duration
}

// panelIdle is how long a panel that nobody looks at stays.
const panelIdle = 15 * time.Minute

func newPanel(env *cli.Env) *cobra.Command {
	var opts panelOptions
	cmd := &cobra.Command{
		Use:  "panel",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.port < 0 || opts.port > 65535 {
				return fault.New(fault.Usage, "panel-port", opts.port)
			}
			if opts.html != "" {
				return runPanelReport(env, opts.html)
			}
			return runPanel(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().IntVar(&opts.port, "port", 0, "")
	cmd.Flags().BoolVar(&opts.open, "open", false, "")
	cmd.Flags().StringVar(&opts.html, "html", "", "")
	cmd.Flags().DurationVar(&opts.idle, "idle", panelIdle, "")
	return cli.Exits(cmd, fault.NotFound, fault.Busy)
}

// runPanel serves the panel until it is interrupted or nobody looks at it.
func runPanel(ctx context.Context, env *cli.Env, opts panelOptions) error {
	d, err := openDesk(env)
	if err != nil {
		return err
	}
	config := newPanelSite(d).config(rand.Text(), opts.idle)
	config.Ticket = rand.Text()
	server, err := webui.Listen(opts.port, config)
	if err != nil {
		return fault.New(fault.Busy, "panel-listen", opts.port).Because(err)
	}
	if err := env.Report(panelReport{server.Address(), server.Port()}); err != nil {
		return err
	}
	if opts.open {
		if err := openBrowser(server.TicketAddress()); err != nil {
			env.Note("panel-no-browser", err)
		}
	}
	return server.Serve(ctx)
}

// openBrowser opens an address as the system does.
func openBrowser(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // its end is nobody's business, but it must not stay a zombie
	return nil
}

type panelReport struct {
	url  string
	port int
}

// PanelOpenedJSON is what panel --json writes before it serves.
type PanelOpenedJSON struct {
	URL  string `json:"url"` // holds the secret
	Port int    `json:"port"`
}

func (r panelReport) JSON() any { return PanelOpenedJSON{r.url, r.port} }

func (r panelReport) Text(w *cli.Writer) { w.Say("panel-address", r.url) }

// runPanelReport writes what the panel shows into a file, "-" for standard output.
func runPanelReport(env *cli.Env, file string) error {
	d, err := openDesk(env)
	if err != nil {
		return err
	}
	page, err := d.report()
	if err != nil {
		return err
	}
	if file == "-" {
		_, err := env.Out.Write(page)
		return err
	}
	path, err := env.Folder(file)
	if err != nil {
		return err
	}
	if err := replaceFile(path, page); err != nil {
		return fault.New(fault.Failed, "panel-not-written", path).Because(err)
	}
	return env.Report(panelWritten{path, len(page)})
}

// replaceFile writes a file of the user's own, whole or not at all, for their
// eyes only. There is no lock beside it: nobody else writes it.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".selfip-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone by then when all went well
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

type panelWritten struct {
	file  string
	bytes int
}

// PanelWrittenJSON is what panel --html writes with --json.
type PanelWrittenJSON struct {
	File  string `json:"file"`
	Bytes int    `json:"bytes"`
}

func (r panelWritten) JSON() any { return PanelWrittenJSON{r.file, r.bytes} }

func (r panelWritten) Text(w *cli.Writer) { w.Say("panel-written", r.file) }
