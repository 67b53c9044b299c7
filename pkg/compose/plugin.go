package compose

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const pluginAPIVersion = "dsh-mnemon/plugin/v1"

// descriptor is a validated plugin descriptor; raw is what is kept of it.
type descriptor struct {
	packageName string
	roles       []string
	provides    []provided
	requires    []string
	raw         *jsonvalue.Object
}

// provided is a capability that a plugin provides.
type provided struct {
	id        string
	exclusive bool
}

// DefinePlugin validates a descriptor (3.1) and returns it as it is kept.
func DefinePlugin(descriptor any) (*jsonvalue.Object, error) {
	d, err := definePlugin(descriptor)
	if err != nil {
		return nil, err
	}
	return d.raw, nil
}

func definePlugin(v any) (*descriptor, error) {
	raw, err := members(v, "memory plugin")
	if err != nil {
		return nil, err
	}
	if api, ok := raw.Get("apiVersion"); ok && api != pluginAPIVersion {
		return nil, fmt.Errorf("unsupported memory plugin API: %s", printed(api))
	}
	var d descriptor
	if d.packageName, err = packageName(member(raw, "packageName"), "memory plugin"); err != nil {
		return nil, err
	}
	if d.roles, err = pluginRoles(member(raw, "roles")); err != nil {
		return nil, err
	}
	if d.provides, err = provides(member(raw, "provides")); err != nil {
		return nil, err
	}
	if d.requires, err = requires(member(raw, "requires"), d.provides); err != nil {
		return nil, err
	}
	label, err := localized(member(raw, "label"), "memory plugin label")
	if err != nil {
		return nil, err
	}
	description, err := localized(member(raw, "description"), "memory plugin description")
	if err != nil {
		return nil, err
	}
	d.raw = d.kept(label, description)
	return &d, nil
}

func pluginRoles(v any) ([]string, error) {
	roles, err := uniqueIDs(v, "memory plugin role")
	if err != nil {
		return nil, err
	}
	unknown := func(role string) bool {
		return role != "source" && role != "strategy" && role != "strategy-extension"
	}
	if len(roles) == 0 || slices.ContainsFunc(roles, unknown) {
		return nil, errors.New("memory plugin must declare at least one supported contribution role")
	}
	return roles, nil
}

func provides(v any) ([]provided, error) {
	const label = "memory plugin provided capability"
	items, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s must be an array", label)
	}
	ids := make([]any, len(items))
	out := make([]provided, len(items))
	for i, item := range items {
		o, err := members(item, label)
		if err != nil {
			return nil, err
		}
		ids[i] = member(o, "id")
		out[i].exclusive = member(o, "exclusive") == true
	}
	names, err := pluginCapabilities(ids, label)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("memory plugin must provide at least one capability")
	}
	for i, name := range names {
		out[i].id = name
	}
	return out, nil
}

func requires(v any, provides []provided) ([]string, error) {
	const label = "memory plugin required capability"
	items, err := list(v, label)
	if err != nil {
		return nil, err
	}
	names, err := pluginCapabilities(items, label)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if slices.ContainsFunc(provides, func(p provided) bool { return p.id == name }) {
			return nil, fmt.Errorf("memory plugin cannot require its own capability: %s", name)
		}
	}
	return names, nil
}

func localized(v any, label string) (*jsonvalue.Object, error) {
	raw, err := members(v, label)
	if err != nil {
		return nil, err
	}
	en, err := requiredText(member(raw, "en"), label+" (English)", 4000)
	if err != nil {
		return nil, err
	}
	zh, err := requiredText(member(raw, "zh-CN"), label+" (Simplified Chinese)", 4000)
	if err != nil {
		return nil, err
	}
	return jsonvalue.Of("en", en, "zh-CN", zh), nil
}

func (d *descriptor) kept(label, description *jsonvalue.Object) *jsonvalue.Object {
	capabilities := make([]any, len(d.provides))
	for i, p := range d.provides {
		o := jsonvalue.Of("id", p.id)
		if p.exclusive {
			o.Set("exclusive", true)
		}
		capabilities[i] = o
	}
	raw := jsonvalue.Of("apiVersion", pluginAPIVersion, "packageName", d.packageName,
		"label", label, "description", description,
		"roles", jsonvalue.Texts(d.roles), "provides", capabilities)
	if len(d.requires) > 0 {
		raw.Set("requires", jsonvalue.Texts(d.requires))
	}
	return raw
}
