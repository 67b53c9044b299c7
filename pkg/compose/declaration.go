package compose

//lint:file-ignore ST1005 the sentences are those that plugins and their tests know

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const configurationAPIVersion = "dsh-mnemon/strategy-configuration/v1"

// editorCharacters is how long the metadata of a declaration and a configuration
// may be as JSON.
const editorCharacters = 65_536

// A Configuration is a plugin's validated declaration of what a Host may set of
// it (3.11). Raw is what is kept: all but create.
type Configuration struct {
	Kind, TypeID string
	Raw          *jsonvalue.Object
	fields       []configurationField
}

type configurationField struct {
	key, input       string
	minimum, maximum *float64
}

var errDescriptor = errors.New("Invalid plugin configuration descriptor")

// DefineConfiguration validates a declaration that its author made with the
// helper, which adds the apiVersion. create is a jsonvalue.Foreign function.
func DefineConfiguration(declaration any) (*Configuration, error) {
	o, _ := declaration.(*jsonvalue.Object)
	return ReadConfiguration(o.With("apiVersion", configurationAPIVersion))
}

// ReadConfiguration validates a declaration as a module exports it. Nothing of the
// plugin runs.
func ReadConfiguration(declaration any) (*Configuration, error) {
	o, ok := jsonvalue.Map(declaration)
	if !ok || !validDeclaration(o) {
		return nil, errDescriptor
	}
	c := &Configuration{}
	c.Kind, _ = o.Text("kind")
	c.TypeID, _ = o.Text("typeId")
	metadata, err := configurationMetadata(o)
	if err != nil {
		return nil, err
	}
	c.Raw = jsonvalue.Of("apiVersion", configurationAPIVersion, "kind", c.Kind, "typeId", c.TypeID).Merge(metadata)
	items, _ := metadata.Array("fields")
	for _, item := range items {
		c.fields = append(c.fields, fieldOf(item.(*jsonvalue.Object)))
	}
	return c, c.checkDefaults(items)
}

func validDeclaration(o *jsonvalue.Object) bool {
	kind, typeID := member(o, "kind"), member(o, "typeId")
	name, _ := typeID.(string)
	fields, isList := member(o, "fields").([]any)
	return member(o, "apiVersion") == configurationAPIVersion &&
		isFunction(member(o, "create")) &&
		(kind == "strategy" || kind == "strategy-extension") &&
		isID(name) &&
		isList && len(fields) <= 16 && validFields(fields) &&
		isLocalized(member(o, "label")) && isLocalized(member(o, "description"))
}

func isFunction(v any) bool {
	f, ok := v.(jsonvalue.Foreign)
	return ok && f.Kind == jsonvalue.Function
}

// isLocalized says whether v has both languages. Unlike a descriptor's they are
// kept as they are, and more members may stand beside them.
func isLocalized(v any) bool {
	o, ok := jsonvalue.Map(v)
	if !ok {
		return false
	}
	for _, language := range []string{"en", "zh-CN"} {
		s, ok := o.Text(language)
		if !ok || trim(s) == "" || jsonvalue.Len(s) > 4000 {
			return false
		}
	}
	return true
}

func validFields(fields []any) bool {
	seen := map[string]bool{}
	for _, v := range fields {
		o, ok := jsonvalue.Map(v)
		if !ok || !validField(o) {
			return false
		}
		key, _ := o.Text("key")
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

func validField(o *jsonvalue.Object) bool {
	key, _ := o.Text("key")
	input, _ := o.Text("input")
	description := member(o, "description")
	return isFieldKey(key) && isFieldInput(input) && isLocalized(member(o, "label")) &&
		(isUndefined(description) || isLocalized(description)) &&
		isBound(member(o, "minimum")) && isBound(member(o, "maximum")) &&
		validSourceRoles(member(o, "sourceRoles"))
}

func isFieldKey(s string) bool {
	return s != "" && len(s) <= 100 && alphanumeric(s[0]) && !digit(s[0]) && all(s, alphanumeric)
}

func isFieldInput(s string) bool {
	switch s {
	case "number", "text", "textarea", "string-list", "source-list":
		return true
	}
	return false
}

// isBound says whether v is a limit of a field, or none.
func isBound(v any) bool {
	f, ok := v.(float64)
	return isUndefined(v) || ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

func validSourceRoles(v any) bool {
	if isUndefined(v) {
		return true
	}
	roles, ok := v.([]any)
	if !ok || len(roles) > 32 {
		return false
	}
	return !slices.ContainsFunc(roles, func(role any) bool {
		s, ok := role.(string)
		return !ok || s == "" || jsonvalue.Len(s) > 128
	})
}

// configurationMetadata returns a copy of what an editor shows, its members in
// canonical order.
func configurationMetadata(o *jsonvalue.Object) (*jsonvalue.Object, error) {
	text, err := jsonvalue.Canonical(jsonvalue.Of(
		"label", member(o, "label"), "description", member(o, "description"), "fields", member(o, "fields"),
	), "Plugin editor metadata")
	if err != nil {
		return nil, err
	}
	if jsonvalue.Len(text) > editorCharacters {
		return nil, errors.New("Plugin editor metadata exceeds 64 KiB")
	}
	return parsedObject(text)
}

func fieldOf(o *jsonvalue.Object) configurationField {
	var f configurationField
	f.key, _ = o.Text("key")
	f.input, _ = o.Text("input")
	if n, ok := o.Number("minimum"); ok {
		f.minimum = &n
	}
	if n, ok := o.Number("maximum"); ok {
		f.maximum = &n
	}
	return f
}

func (c *Configuration) checkDefaults(fields []any) error {
	for _, item := range fields {
		o := item.(*jsonvalue.Object)
		v, ok := o.Get("defaultValue")
		if !ok {
			continue
		}
		key, _ := o.Text("key")
		if _, err := c.Values(jsonvalue.Of(key, v)); err != nil {
			return err
		}
	}
	return nil
}

// Values validates and copies supplied values. Defaults are not applied.
func (c *Configuration) Values(input any) (*jsonvalue.Object, error) {
	if isNullish(input) {
		input = &jsonvalue.Object{}
	}
	o, ok := jsonvalue.Map(input)
	if !ok {
		return nil, errors.New("Plugin configuration must be an object")
	}
	text := jsonvalue.Format(o)
	if jsonvalue.Len(text) > editorCharacters {
		return nil, errors.New("Plugin configuration exceeds 64 KiB")
	}
	values, err := parsedObject(text)
	if err != nil {
		return nil, err
	}
	for key, v := range values.All() {
		if err := c.checkValue(key, v); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func parsedObject(text string) (*jsonvalue.Object, error) {
	v, err := jsonvalue.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	return v.(*jsonvalue.Object), nil
}

func (c *Configuration) checkValue(key string, v any) error {
	switch key {
	case "__proto__", "prototype", "constructor":
		return errors.New("Unsafe plugin configuration key")
	}
	i := slices.IndexFunc(c.fields, func(f configurationField) bool { return f.key == key })
	if i < 0 {
		return fmt.Errorf("Plugin field is not declared for management: %s", key)
	}
	f := c.fields[i]
	switch f.input {
	case "number":
		if !f.admitsNumber(v) {
			return fmt.Errorf("Invalid numeric plugin field: %s", key)
		}
	case "source-list", "string-list":
		if !isPluginList(v) {
			return fmt.Errorf("Invalid plugin list: %s", key)
		}
	default:
		if !f.admitsText(v) {
			return fmt.Errorf("Invalid plugin text: %s", key)
		}
	}
	return nil
}

func (f configurationField) admitsNumber(v any) bool {
	n, ok := v.(float64)
	return ok && math.Trunc(n) == n &&
		(f.minimum == nil || n >= *f.minimum) && (f.maximum == nil || n <= *f.maximum)
}

func (f configurationField) admitsText(v any) bool {
	s, ok := v.(string)
	most := 4000.0
	if f.maximum != nil {
		most = *f.maximum
	}
	return ok && float64(jsonvalue.Len(s)) <= most
}

func isPluginList(v any) bool {
	items, ok := v.([]any)
	if !ok || len(items) > 32 {
		return false
	}
	list := make([]string, len(items))
	for i, item := range items {
		s, ok := item.(string)
		if !ok || trim(s) == "" || jsonvalue.Len(s) > 500 {
			return false
		}
		list[i] = s
	}
	return !repeats(list)
}

// Check says whether what the plugin's factory returned is what was declared: one
// Strategy or extension of the type, and nothing else. The contribution is as it
// came from the factory, functions as jsonvalue.Foreign.
func (c *Configuration) Check(contribution any) error {
	o, ok := jsonvalue.Map(contribution)
	strategies, strategiesOK := optionalList(member(o, "strategies"))
	extensions, extensionsOK := optionalList(member(o, "strategyExtensions"))
	if !ok || !strategiesOK || !extensionsOK {
		return errors.New("Plugin factory must return a Strategy contribution")
	}
	made := slices.Concat(strategies, extensions)
	if length(member(o, "sources")) != 0 || len(made) != 1 || !c.declares(made[0]) || !samePackage(member(o, "plugin"), made[0]) {
		return errors.New("Plugin factory does not match its declared contribution")
	}
	return nil
}

func optionalList(v any) ([]any, bool) {
	items, ok := v.([]any)
	return items, ok || isNullish(v)
}

func length(v any) int {
	items, _ := v.([]any)
	return len(items)
}

func manifestOf(definition any) *jsonvalue.Object {
	o, _ := definition.(*jsonvalue.Object)
	m, _ := o.Map("manifest")
	return m
}

func (c *Configuration) declares(definition any) bool {
	m := manifestOf(definition)
	return member(m, "typeId") == c.TypeID && member(m, "kind") == c.Kind
}

// samePackage compares the packages of a descriptor, if there is one, and of a
// definition.
func samePackage(plugin, definition any) bool {
	if isUndefined(plugin) {
		return true
	}
	o, _ := plugin.(*jsonvalue.Object)
	name, ok := o.Text("packageName")
	return ok && name == member(manifestOf(definition), "packageName")
}
