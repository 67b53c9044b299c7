package tool

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The codes of this package, each with its English sentence.
const (
	codeUnknown = "tool-unknown"                // unknown tool %q
	codeArgs    = "invalid-args"                // invalid arguments: %s
	codeAborted = "aborted-before-dispatch"     // the tool call was given up before it was dispatched
	codeSession = "session-missing"             // %s needs a Session
	codePlugin  = "self-package-without-plugin" // packageId needs pluginId
)

// Call is a call of a tool by a model.
type Call struct {
	Name     string
	Session  string // the owner; only cordis_inspect_list needs none
	Args     any    // JSON; nil is {}
	Language string // of the text
}

// Result is what a call came to.
type Result struct {
	Value any    // a struct of this package, or what the host gave
	Text  string // for a model
	Meta  *Meta  // nil: none
}

// Meta names what a call was about, so that a card that is shown again later
// finds it.
type Meta struct {
	PluginID    string `json:"pluginId"`
	PackageID   string `json:"packageId"`
	PluginRunID string `json:"pluginRunId,omitempty"`
}

// Execute checks the arguments of a call and has the host do it. The ctx is the
// call's own: when it has ended before anything was asked of the host, nothing is.
func Execute(ctx context.Context, host Host, c Call) (Result, error) {
	if !Known(c.Name) {
		return Result{}, fault.New(fault.NotFound, codeUnknown, c.Name)
	}
	if c.Args == nil {
		c.Args = jsonvalue.Of()
	}
	if err := Check(c.Name, c.Args); err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, fault.New(fault.Timeout, codeAborted)
	}
	if c.Session == "" && Name(c.Name) != InspectList {
		return Result{}, fault.New(fault.Usage, codeSession, c.Name)
	}
	args, _ := jsonvalue.Map(c.Args)
	value, meta, err := dispatch(ctx, host, c, args)
	if err != nil {
		return Result{}, err
	}
	return Result{Value: value, Text: render(c.Language, value), Meta: meta}, nil
}

func dispatch(ctx context.Context, host Host, c Call, args *jsonvalue.Object) (value any, meta *Meta, err error) {
	switch Name(c.Name) {
	case InspectList:
		return Providers{append([]any{}, host.Providers(ctx)...)}, nil, nil
	case InspectQuery:
		value, err = query(ctx, host, c.Session, args)
	case InspectSelf:
		value, err = self(ctx, host, c.Session, args)
	case Define:
		return define(ctx, host, c.Session, args)
	case Run:
		return run(ctx, host, c.Session, args)
	case Stop:
		id := text(args, "pluginId")
		value, err = Stopped{id}, host.Stop(ctx, c.Session, id)
	case Undefine:
		id := text(args, "pluginId")
		was, failed := host.Undefine(ctx, c.Session, id)
		value, err = Undefined{id, was}, failed
	}
	return value, nil, err
}

func query(ctx context.Context, host Host, session string, args *jsonvalue.Object) (any, error) {
	q := inspect.Question{
		Platform: inspect.Platform(text(args, "platform")),
		Provider: text(args, "provider"),
		Method:   text(args, "method"),
	}
	q.Input, q.Given = args.Get("input")
	data, err := host.Query(ctx, session, q)
	return Answered{q.Platform, q.Provider, q.Method, data}, err
}

func self(ctx context.Context, host Host, session string, args *jsonvalue.Object) (any, error) {
	pluginID, packageID := text(args, "pluginId"), text(args, "packageId")
	switch {
	case args.Has("packageId") && !args.Has("pluginId"):
		return nil, fault.New(fault.Usage, codePlugin)
	case args.Has("pluginId") && pluginID == "":
		return nil, &registry.Refusal{Reason: registry.PluginMissing, Rule: registry.RulePlugin}
	case args.Has("packageId") && packageID == "":
		return nil, &registry.Refusal{Reason: registry.PackageMissing, Rule: registry.RulePackage, PluginID: registry.PluginID(pluginID)}
	}
	return host.Self(ctx, session, pluginID, packageID)
}

func define(ctx context.Context, host Host, session string, args *jsonvalue.Object) (any, *Meta, error) {
	selector, _ := args.Map("plugin")
	code, _ := args.Map("code")
	defined, err := host.Define(ctx, session, Definition{
		New:      text(selector, "kind") == "new",
		Prefix:   text(selector, "idPrefix"),
		PluginID: text(selector, "pluginId"),
		Name:     text(args, "name"),
		Purpose:  text(args, "purpose"),
		Host:     half(code, "host"),
		Client:   half(code, "client"),
	})
	return defined, &Meta{PluginID: defined.PluginID, PackageID: defined.PackageID}, err
}

func run(ctx context.Context, host Host, session string, args *jsonvalue.Object) (any, *Meta, error) {
	ran, err := host.Run(ctx, session, Running{text(args, "pluginId"), text(args, "packageId"), Mode(text(args, "mode"))})
	return ran, &Meta{ran.PluginID, ran.PackageID, ran.PluginRunID}, err
}

func text(o *jsonvalue.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := jsonvalue.Text(v)
	return s
}

func half(code *jsonvalue.Object, key string) *string {
	if !code.Has(key) {
		return nil
	}
	s := text(code, key)
	return &s
}
