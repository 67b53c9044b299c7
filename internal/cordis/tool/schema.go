package tool

import "github.com/dshkit/dshkit/pkg/jsonvalue"

// texts describe the arguments of the tools. Those that several tools share are
// said once.
type texts struct {
	platform, provider, method, input           string
	selfPlugin, selfPackage                     string
	plugin, newKind, prefix, existing, appendTo string
	name, purpose, code, host, client           string
	runPlugin, runPackage, mode, stop, undefine string
}

// schemas are the JSON Schemas of the arguments. Roots are open: what a model
// adds there is left alone. The selector and the code are closed, because there a
// wrong name is a mistake.
func schemas(t texts) map[Name]*jsonvalue.Object {
	return map[Name]*jsonvalue.Object{
		InspectList: object(jsonvalue.Of(), true),
		InspectQuery: object(jsonvalue.Of(
			"platform", choice(t.platform, "host", "client"),
			"provider", line(t.provider),
			"method", line(t.method),
			"input", jsonvalue.Of("description", t.input),
		), true, "platform", "provider", "method"),
		InspectSelf: object(jsonvalue.Of(
			"pluginId", line(t.selfPlugin),
			"packageId", line(t.selfPackage),
		), true),
		Define:   defineSchema(t),
		Run:      runSchema(t),
		Stop:     object(jsonvalue.Of("pluginId", line(t.stop)), true, "pluginId"),
		Undefine: object(jsonvalue.Of("pluginId", line(t.undefine)), true, "pluginId"),
	}
}

func defineSchema(t texts) *jsonvalue.Object {
	selector := jsonvalue.Of("description", t.plugin, "oneOf", []any{
		object(jsonvalue.Of("kind", constant("new", t.newKind), "idPrefix", line(t.prefix)), false, "kind", "idPrefix"),
		object(jsonvalue.Of("kind", constant("existing", t.existing), "pluginId", line(t.appendTo)), false, "kind", "pluginId"),
	})
	code := object(jsonvalue.Of("host", line(t.host), "client", line(t.client)), false)
	code.Set("description", t.code)
	return object(jsonvalue.Of(
		"plugin", selector,
		"name", line(t.name),
		"purpose", line(t.purpose),
		"code", code,
	), true, "plugin", "name", "purpose", "code")
}

func runSchema(t texts) *jsonvalue.Object {
	return object(jsonvalue.Of(
		"pluginId", line(t.runPlugin),
		"packageId", line(t.runPackage),
		"mode", choice(t.mode, "run", "update"),
	), true, "pluginId", "packageId", "mode")
}

func object(properties *jsonvalue.Object, open bool, required ...string) *jsonvalue.Object {
	o := jsonvalue.Of("type", "object", "properties", properties)
	if len(required) > 0 {
		o.Set("required", jsonvalue.Texts(required))
	}
	o.Set("additionalProperties", open)
	return o
}

func line(description string) *jsonvalue.Object {
	return jsonvalue.Of("type", "string", "description", description)
}

func choice(description string, values ...string) *jsonvalue.Object {
	return jsonvalue.Of("type", "string", "enum", jsonvalue.Texts(values), "description", description)
}

func constant(value, description string) *jsonvalue.Object {
	return jsonvalue.Of("type", "string", "const", value, "description", description)
}
