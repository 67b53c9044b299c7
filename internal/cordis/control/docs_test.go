package control_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/testkit"
)

// shape is a type as the page writes it: {key, key?} with nested objects.
func shape(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[control.Value]() || t == reflect.TypeFor[control.Optional](), t == reflect.TypeFor[control.Lossless]():
		return "JSON"
	case t == reflect.TypeFor[control.Live]():
		return "VALUE"
	case t.Name() == "wireError": // it holds its cause
		return "ERROR"
	case t.Name() == "RawMessage" || t.Name() == "Object":
		return "JSON"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shape(t.Elem())
	case reflect.Slice:
		return "[" + shape(t.Elem()) + "]"
	case reflect.Struct:
		if t.PkgPath() == "time" {
			return "text"
		}
		return "{" + strings.Join(members(t), ", ") + "}"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "boolean"
	case reflect.Interface:
		return "JSON"
	}
	return "number"
}

func members(t reflect.Type) (list []string) {
	for f := range t.Fields() {
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if strings.HasPrefix(options, "omit") {
			key += "?"
		}
		if what := shape(f.Type); what != "text" && what != "JSON" {
			key += ": " + what
		}
		list = append(list, key)
	}
	return list
}

func row(name string, roles []control.Role, params, result string) string {
	var words []string
	for _, r := range roles {
		words = append(words, string(r))
	}
	return fmt.Sprintf("| `%s` | %s | `%s` | `%s` |", name, strings.Join(words, ", "), params, result)
}

// rows are the tables of the page: exactly the methods that there are.
func rows() (methods, told []string) {
	for _, m := range control.Methods() {
		methods = append(methods, row(m.Name, m.Roles, shape(reflect.TypeOf(m.Params)), shape(reflect.TypeOf(m.Result))))
	}
	for _, m := range control.Tellings() {
		result := "(notification)"
		if m.Result != nil {
			result = shape(reflect.TypeOf(m.Result))
		}
		told = append(told, row(m.Name, m.Roles, shape(reflect.TypeOf(m.Params)), result))
	}
	return methods, told
}

// section replaces what stands between two marks of a page.
func section(page, name string, lines []string) string {
	begin, end := "<!-- "+name+" -->\n", "\n<!-- end -->"
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return page + "\nthe page has no " + name
	}
	return before + begin + strings.Join(lines, "\n") + end + after
}

// TestThePageListsTheMethods holds that docs/formats/cordis.md lists exactly the
// methods that there are, with their params and results; UPDATE=1 writes them.
func TestThePageListsTheMethods(t *testing.T) {
	path := filepath.Join(testkit.Root(t), "docs", "formats", "cordis.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head := []string{"", "| Method | Roles | Params | Result |", "| --- | --- | --- | --- |"}
	methods, told := rows()
	page := section(string(data), "methods", append(append([]string{}, head...), methods...))
	page = section(page, "told", append(append([]string{}, head...), told...))
	testkit.Golden(t, path, []byte(page))
}

// Every code of an error has its row.
func TestThePageListsTheCodes(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "formats", "cordis.md"))
	if err != nil {
		t.Fatal(err)
	}
	for code := range testkit.UsedIDs(t, "internal/cordis/control", "internal/cordis/host", "internal/cordis/tool") {
		if !strings.Contains(string(page), "`"+code+"`") {
			t.Errorf("docs/formats/cordis.md does not name the code %s", code)
		}
	}
}
