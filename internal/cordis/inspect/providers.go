package inspect

import (
	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// HostManifests are the providers that a host has of its own: Service, Event,
// Builtin, Tool (spec/cordis.md 15.2).
func HostManifests() []Manifest {
	return []Manifest{
		{"Service", "What a Host half can have by its name: services with their methods. It helps to write code; it is no data to compute with.", []Method{{
			"listService", "All services in brief; or one in full, with the types that it refers to.",
			closed(optional("service", text("The key of the service to describe in full."))),
			either(
				closed(mode("catalog"), need("services", list(closed(need("key", text("")), need("description", text("")), need("methods", list(closed(need("signature", text(""))))))))),
				closed(mode("service"), need("service", closed(
					need("key", text("")), need("description", text("")), need("access", access()),
					need("methods", list(closed(
						need("signature", text("")), need("description", text("")), need("parameters", parameters()),
						optional("returns", text("")), optional("throws", list(text(""))),
					))),
				)), need("referencedTypes", types())),
			),
		}}},
		{"Event", "What a Host half can listen to with ctx.on.", []Method{{
			"listEvents", "All events in brief; or one in full, with the types that it refers to.",
			closed(optional("event", text("The name of the event to describe in full."))),
			either(
				closed(mode("catalog"), need("events", list(closed(event()...)))),
				closed(mode("event"), need("event", closed(append(event(), need("parameters", parameters()))...)), need("referencedTypes", types())),
			),
		}}},
		{"Builtin", "The names that a Host half has without asking.", []Method{{
			"listBuiltins", "All of them. Everything else is plain ECMAScript.",
			closed(),
			closed(need("builtins", list(closed(need("name", text("")), need("description", text("")), need("signatures", list(text("")))))), need("referencedTypes", types())),
		}}},
		{"Tool", "The tools of the agent.", []Method{{
			"listTools", "Those that the agent of this Session sees now.",
			closed(),
			closed(need("tools", list(closed(need("name", text("")), need("description", text("")), need("parameters", jsonvalue.Of()))))),
		}}},
	}
}

// Answer answers a question to one of the HostManifests that was checked. tools are
// those that the agent of the Session sees, each with name, description and
// parameters.
func (q Question) Answer(c catalog.Catalog, tools []any) (any, error) {
	input, _ := jsonvalue.Map(q.Input)
	switch q.Provider + "." + q.Method {
	case "Service.listService":
		if key, given := input.Text("service"); given {
			return orNil(c.ListService(key))
		}
		return c.ListServices(), nil
	case "Event.listEvents":
		if name, given := input.Text("event"); given {
			return orNil(c.ListEvent(name))
		}
		return c.ListEvents(), nil
	case "Builtin.listBuiltins":
		return c.ListBuiltins(), nil
	case "Tool.listTools":
		return jsonvalue.Of("tools", tools), nil
	}
	return nil, fault.New(fault.NotFound, codeNoMethod, q.Provider, q.Method)
}

func orNil(o *jsonvalue.Object, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return o, nil
}

// The rest writes JSON Schemas.

// field is a member of an object.
type field struct {
	name     string
	schema   any
	optional bool
}

func need(name string, schema any) field     { return field{name, schema, false} }
func optional(name string, schema any) field { return field{name, schema, true} }

// closed is an object of these members and no others.
func closed(fields ...field) *jsonvalue.Object {
	properties, required := &jsonvalue.Object{}, []any{}
	for _, f := range fields {
		properties.Set(f.name, f.schema)
		if !f.optional {
			required = append(required, f.name)
		}
	}
	o := jsonvalue.Of("type", "object", "properties", properties)
	if len(required) > 0 {
		o.Set("required", required)
	}
	o.Set("additionalProperties", false)
	return o
}

func text(description string) *jsonvalue.Object {
	o := jsonvalue.Of("type", "string")
	if description != "" {
		o.Set("description", description)
	}
	return o
}

func list(of any) *jsonvalue.Object         { return jsonvalue.Of("type", "array", "items", of) }
func either(kinds ...any) *jsonvalue.Object { return jsonvalue.Of("oneOf", kinds) }
func mode(name string) field {
	return need("mode", jsonvalue.Of("type", "string", "const", name))
}

func access() any {
	return closed(
		need("optional", closed(need("expression", text("")), need("requiresUndefinedCheck", jsonvalue.Of("type", "boolean", "const", true)))),
		need("hardDependency", closed(need("inject", list(text(""))), need("expression", text("")))),
	)
}

func parameters() any { return list(closed(need("name", text("")), need("description", text("")))) }
func types() any      { return list(closed(need("name", text("")), need("declaration", text("")))) }

func event() []field {
	modes := []any{string(catalog.Emit), string(catalog.Parallel), string(catalog.Serial), string(catalog.Bail), string(catalog.Waterfall)}
	return []field{need("name", text("")), need("description", text("")), need("mode", jsonvalue.Of("type", "string", "enum", modes)), need("signature", text(""))}
}
