package control

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/inspect"
)

var pages = []Role{Page}

// The params of the verbs of a page (spec/cordis.md 5.1).
type (
	RunHostHalfParams struct {
		Agent   string  `json:"agentId"`
		Plugin  string  `json:"pluginId"`
		Package string  `json:"packageId"`
		Mode    string  `json:"mode"`
		Request *string `json:"requestId"` // null for a gesture of the panel
		Future  bool    `json:"approveFutureVersions"`
	}
	ClientCodeParams struct {
		Agent  string `json:"agentId"`
		Plugin string `json:"pluginId"`
		Run    string `json:"pluginRunId"`
	}
	ResolveRequestParams struct {
		Request    string          `json:"requestId"`
		Resolution host.Resolution `json:"resolution"`
	}
	SettleParams struct {
		Agent      string          `json:"agentId"`
		Plugin     string          `json:"pluginId"`
		Resolution host.Resolution `json:"resolution"`
	}
	PagePluginParams struct {
		Agent  string `json:"agentId"`
		Plugin string `json:"pluginId"`
	}
	ManifestParams struct {
		Providers []ManifestInfo `json:"providers"`
	}
	ManifestInfo struct {
		ID          string           `json:"id"`
		Description string           `json:"description"`
		Methods     []ManifestMethod `json:"methods"`
	}
	ManifestMethod struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Input       Value  `json:"inputSchema"`
		Output      Value  `json:"outputSchema"`
	}
	ResolveQueryParams struct {
		Agent      string          `json:"agentId"`
		Request    string          `json:"requestId"`
		Resolution QueryResolution `json:"resolution"`
	}
	QueryResolution struct {
		OK      bool     `json:"ok"`
		Data    Optional `json:"data,omitzero"`
		Code    string   `json:"code,omitempty"` // provider-missing, method-missing, provider-error, cancelled
		Message string   `json:"message,omitempty"`
	}
	RenderParams struct {
		Agent   string             `json:"agentId"`
		Plugin  string             `json:"pluginId"`
		Run     string             `json:"pluginRunId"`
		Failure host.RenderFailure `json:"failure"`
	}
	GuardParams struct {
		Agent   string       `json:"agentId"`
		Plugin  string       `json:"pluginId"`
		Run     string       `json:"pluginRunId"`
		Failure GuardFailure `json:"failure"`
	}
	GuardFailure struct {
		Message string `json:"message"`
		Stack   string `json:"stack,omitempty"`
	}
	ClientStateParams struct {
		Agent      string   `json:"agentId"`
		Plugin     string   `json:"pluginId"`
		Run        string   `json:"pluginRunId"`
		WaitingFor []string `json:"waitingFor"` // none: it has woken
	}
	RenewParams struct {
		Request string `json:"requestId"`
	}
)

// Accepted says whether an answer counted.
type Accepted struct {
	Accepted bool `json:"accepted"`
}

func pageMethods() []Method {
	return []Method{
		on("runHostHalf", pages, func(ctx context.Context, s *seat, p RunHostHalfParams) (host.HostHalfAnswer, error) {
			o := host.HostHalfOptions{Agent: host.SessionID(p.Agent), Plugin: host.PluginID(p.Plugin), Package: host.PackageID(p.Package), Mode: p.Mode, ApproveFuture: p.Future}
			if p.Request != nil {
				o.Request = host.RequestID(*p.Request)
			}
			return s.page.RunHostHalf(ctx, o), nil
		}),
		on("getClientCode", pages, func(_ context.Context, s *seat, p ClientCodeParams) (host.ClientCode, error) {
			return s.page.ClientCode(host.SessionID(p.Agent), host.PluginID(p.Plugin), host.RunID(p.Run))
		}),
		on("resolveRequestRun", pages, func(ctx context.Context, s *seat, p ResolveRequestParams) (Accepted, error) {
			return Accepted{s.page.ResolveRequest(ctx, host.RequestID(p.Request), p.Resolution)}, nil
		}),
		on("settleUserRun", pages, func(ctx context.Context, s *seat, p SettleParams) (host.RunResponse, error) {
			return s.page.SettleUserRun(ctx, host.SessionID(p.Agent), host.PluginID(p.Plugin), p.Resolution), nil
		}),
		on("stopFromPanel", pages, func(ctx context.Context, s *seat, p PagePluginParams) (host.PanelAnswer, error) {
			return s.page.Stop(ctx, host.SessionID(p.Agent), host.PluginID(p.Plugin)), nil
		}),
		on("undefineFromPanel", pages, func(ctx context.Context, s *seat, p PagePluginParams) (host.PanelAnswer, error) {
			return s.page.Undefine(ctx, host.SessionID(p.Agent), host.PluginID(p.Plugin)), nil
		}),
		on("syncInspectManifest", pages, func(_ context.Context, s *seat, p ManifestParams) (nothing, error) {
			return nothing{}, s.page.SyncManifest(manifests(p.Providers))
		}),
		on("resolveInspectQuery", pages, func(_ context.Context, s *seat, p ResolveQueryParams) (Accepted, error) {
			r := p.Resolution
			a := inspect.Answer{OK: r.OK, Data: r.Data.V, Code: r.Code, Message: r.Message}
			return Accepted{s.page.ResolveQuery(host.SessionID(p.Agent), p.Request, a)}, nil
		}),
		on("reportRenderFailure", pages, func(_ context.Context, s *seat, p RenderParams) (nothing, error) {
			s.page.ReportRender(host.SessionID(p.Agent), host.PluginID(p.Plugin), host.RunID(p.Run), p.Failure)
			return nothing{}, nil
		}),
		on("reportClientGuardFailure", pages, func(_ context.Context, s *seat, p GuardParams) (nothing, error) {
			s.page.ReportGuard(host.SessionID(p.Agent), host.PluginID(p.Plugin), host.RunID(p.Run), p.Failure.Message, p.Failure.Stack)
			return nothing{}, nil
		}),
		on("reportClientState", pages, func(_ context.Context, s *seat, p ClientStateParams) (nothing, error) {
			s.page.ReportClient(host.SessionID(p.Agent), host.PluginID(p.Plugin), host.RunID(p.Run), p.WaitingFor)
			return nothing{}, nil
		}),
		on("renewRequest", pages, func(_ context.Context, s *seat, p RenewParams) (Accepted, error) {
			return Accepted{s.page.Renew(host.RequestID(p.Request))}, nil
		}),
	}
}

func manifests(infos []ManifestInfo) (list []inspect.Manifest) {
	for _, i := range infos {
		m := inspect.Manifest{ID: i.ID, Description: i.Description}
		for _, method := range i.Methods {
			m.Methods = append(m.Methods, inspect.Method{Name: method.Name, Description: method.Description, Input: method.Input.V, Output: method.Output.V})
		}
		list = append(list, m)
	}
	return list
}
