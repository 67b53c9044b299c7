package host

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fault"
)

// PanelAnswer is what stopFromPanel and undefineFromPanel answer.
type PanelAnswer struct {
	OK         bool   `json:"ok"`
	WasRunning *bool  `json:"wasRunning,omitempty"` // of undefineFromPanel
	Reason     string `json:"reason,omitempty"`
	Message    string `json:"message,omitempty"`
}

// Stop is stopFromPanel.
func (p *Page) Stop(_ context.Context, agent SessionID, plugin PluginID) PanelAnswer {
	if !p.serves(agent) {
		return panelAnswer(foreign(plugin))
	}
	return p.host.panelStop(agent, plugin)
}

// Undefine is undefineFromPanel.
func (p *Page) Undefine(_ context.Context, agent SessionID, plugin PluginID) PanelAnswer {
	if !p.serves(agent) {
		return panelAnswer(foreign(plugin))
	}
	return p.host.panelRemove(agent, plugin)
}

func panelAnswer(err error) PanelAnswer {
	if err != nil {
		reason, message, _ := refused(err)
		return PanelAnswer{Reason: reason, Message: message}
	}
	return PanelAnswer{OK: true}
}

func (h *Host) panelStop(s SessionID, plugin PluginID) PanelAnswer {
	_, err := ask[registry.StopResult](h, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.Stop(t, registry.StopCommand{Session: s, PluginID: plugin, Panel: true})
	})
	return panelAnswer(err)
}

func (h *Host) panelRemove(s SessionID, plugin PluginID) PanelAnswer {
	v, err := ask[registry.UndefineResult](h, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.Undefine(t, registry.StopCommand{Session: s, PluginID: plugin, Panel: true})
	})
	a := panelAnswer(err)
	if a.OK {
		a.WasRunning = &v.WasRunning
	}
	return a
}

// owner is the Session of a plugin, for who acts for all of them.
func (h *Host) owner(plugin PluginID) SessionID {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, _ := h.registry.Owner(plugin)
	return s
}

// PanelStop stops a plugin as a person's gesture.
func (h *Host) PanelStop(_ context.Context, plugin PluginID) PanelAnswer {
	return h.panelStop(h.owner(plugin), plugin)
}

// PanelRemove removes a plugin as a person's gesture.
func (h *Host) PanelRemove(_ context.Context, plugin PluginID) PanelAnswer {
	return h.panelRemove(h.owner(plugin), plugin)
}

// PanelRun starts a package as a person's gesture, from a shell. One with a Client
// half is requested and approved at once, and handed to a page; without a page it
// fails with the fault no-page, and the request waits for one.
func (h *Host) PanelRun(ctx context.Context, o RunOptions) (RunResponse, error) {
	s := h.owner(o.Plugin)
	if h.hasClient(o.Plugin, o.Package) {
		return h.panelRequest(ctx, s, o)
	}
	v, err := h.runHostHalf(HostHalfOptions{Agent: s, Plugin: o.Plugin, Package: o.Package, Mode: o.Mode}, "")
	if err != nil {
		return runResponse(registry.RunResponse{}, err), nil
	}
	out := RunResponse{
		OK: true, Status: string(registry.Running), PluginID: v.PluginID, PackageID: v.PackageID, PluginRunID: v.PluginRunID,
		WaitingFor: v.WaitingFor, Mode: o.Mode,
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if row, ok := h.registry.Plugin(o.Plugin); ok {
		out.CurrentPackageID, out.NextPackageID = row.CurrentPackageID, row.NextPackageID
		if row.LatestRun != nil && row.LatestRun.PluginRunID == v.PluginRunID {
			out.Status = string(row.LatestRun.Status)
		}
	}
	return out, nil
}

func (h *Host) hasClient(plugin PluginID, pkg PackageID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	row, _ := h.registry.Plugin(plugin)
	for _, k := range row.Packages {
		if k.PackageID == pkg {
			return k.HasClientHalf
		}
	}
	return false
}

func (h *Host) panelRequest(ctx context.Context, s SessionID, o RunOptions) (RunResponse, error) {
	v, err := ask[registry.Requested](h, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.Run(t, registry.RunCommand{Session: s, PluginID: o.Plugin, PackageID: o.Package, Mode: registry.Mode(o.Mode), ByHand: true})
	})
	if err != nil {
		return runResponse(registry.RunResponse{}, err), nil
	}
	out := RunResponse{
		OK: true, Status: string(registry.ReturnedStarting), PluginID: v.PluginID, PackageID: v.PackageID,
		PluginRunID: v.PluginRunID, Mode: o.Mode, CurrentPackageID: v.CurrentPackageID, NextPackageID: v.NextPackageID,
	}
	_, err = h.Approve(ctx, v.RequestID, false)
	return out, err
}

// Approvals are the requests that wait for a person or a page.
func (h *Host) Approvals() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []Request{}
	for _, p := range h.registry.Requests() {
		out = append(out, requestOf(p))
	}
	return out
}

// Approve allows what a request asks for, with all later versions if future is
// set, and hands it to a page. Without one it fails with the fault no-page, and
// the request is carried out by the first page that connects.
func (h *Host) Approve(_ context.Context, id RequestID, future bool) (Request, error) {
	var pending registry.Pending
	v, err := ask[registry.ApproveResult](h, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		d := r.Approve(t, id, future, h.config.Now())
		pending, _ = r.Request(id)
		return d
	})
	if err != nil {
		return Request{}, err
	}
	if v.Page == "" {
		return requestOf(pending), fault.New(fault.NoHost, codeNoPage, string(id))
	}
	return requestOf(pending), nil
}

// Decline rejects what a request asks for.
func (h *Host) Decline(_ context.Context, id RequestID) error {
	_, err := ask[registry.ApproveResult](h, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.Decline(t, id)
	})
	return err
}
