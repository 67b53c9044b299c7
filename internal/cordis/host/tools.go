package host

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/pkg/fault"
)

// ForTools is the host as the seven tools want it.
func (h *Host) ForTools() tool.Host { return forTools{h} }

type forTools struct{ host *Host }

func (f forTools) session(id string) *Session { return f.host.Session(SessionID(id)) }

func (f forTools) Providers(context.Context) []any { return f.session("").InspectList() }

func (f forTools) Query(ctx context.Context, session string, q inspect.Question) (any, error) {
	return f.session(session).InspectQuery(ctx, q)
}

func (f forTools) Self(_ context.Context, session, pluginID, packageID string) (any, error) {
	return f.session(session).InspectSelf(PluginID(pluginID), PackageID(packageID))
}

func (f forTools) Define(ctx context.Context, session string, d tool.Definition) (tool.Defined, error) {
	o := DefineOptions{Prefix: d.Prefix, Plugin: PluginID(d.PluginID), Existing: !d.New, Name: d.Name, Purpose: d.Purpose, Host: d.Host, Client: d.Client}
	answer, err := f.session(session).Define(ctx, o)
	return tool.Defined{
		PluginID: string(answer.PluginID), PackageID: string(answer.PackageID),
		Name: answer.Name, Purpose: answer.Purpose,
		HasHostHalf: answer.HasHostHalf, HasClientHalf: answer.HasClientHalf,
	}, err
}

func (f forTools) Run(ctx context.Context, session string, r tool.Running) (tool.Ran, error) {
	answer, err := f.session(session).Run(ctx, RunOptions{PluginID(r.PluginID), PackageID(r.PackageID), string(r.Mode)})
	return tool.Ran{
		Status:   tool.Status(answer.Status),
		PluginID: string(answer.PluginID), PackageID: string(answer.PackageID), PluginRunID: string(answer.PluginRunID),
		Mode:             tool.Mode(answer.Mode),
		CurrentPackageID: string(answer.CurrentPackageID), NextPackageID: string(answer.NextPackageID),
		Host: (*tool.HostHalf)(answer.Host), Client: (*tool.ClientHalf)(answer.Client),
	}, err
}

// Stop takes a plugin that does not run as stopped: the tool's caller wants it so.
func (f forTools) Stop(ctx context.Context, session, pluginID string) error {
	err := f.session(session).Stop(ctx, PluginID(pluginID))
	if fault.CodeOf(err) == "not-running" {
		return nil
	}
	return err
}

func (f forTools) Undefine(ctx context.Context, session, pluginID string) (wasRunning bool, err error) {
	answer, err := f.session(session).Undefine(ctx, PluginID(pluginID))
	return answer.WasRunning, err
}
