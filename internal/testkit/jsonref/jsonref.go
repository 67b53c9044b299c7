// Package jsonref makes the page of what commands write with --json, from the
// exported types of their reports: each key has its type and the comment that
// stands beside it in the source. It reads sources, so it is for tests and for
// scripts/gen alone.
package jsonref

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// suffix ends the names of the types that are written as JSON.
const suffix = "JSON"

// object is a struct type of the sources.
type object struct {
	name   string // "EntryJSON", of another package "selfip.Journal"
	doc    string
	fields []field
}

// field is a key of an object, or the keys of another one.
type field struct {
	key      string // "" when embedded
	typ      string
	comment  string
	optional bool
}

// objects are the struct types of some folders, by name.
type objects map[string]object

// Program is a program whose documents are described.
type Program struct {
	Path    string // where the page lies in the repository
	intro   string
	sources map[string]string // folders by the prefix that their types get
}

// What all documents of a program have in common.
var (
	//go:embed selfip.txt
	selfip string
	//go:embed dsh-mnemon.txt
	mnemon string
	//go:embed cordis.txt
	cordis string
)

// Selfip, Mnemon and Cordis are the programs that write documents.
var (
	Selfip = Program{"docs/reference/json.md", selfip, map[string]string{
		"": "internal/cli/selfipcmd", "selfip.": "internal/selfip", "install.": "internal/harness/install", "config.": "internal/config", "cli.": "internal/cli",
	}}
	Mnemon = Program{"docs/reference/json-dsh-mnemon.md", mnemon, map[string]string{"": "internal/cli/mnemoncmd", "cli.": "internal/cli"}}
	Cordis = Program{"docs/reference/json-cordis.md", cordis, map[string]string{"": "internal/cli/cordiscmd", "cli.": "internal/cli"}}
)

// Page returns the page for the commands of the repository at root.
func (p Program) Page(root string) ([]byte, error) {
	all := objects{}
	for prefix, dir := range p.sources {
		if err := all.read(filepath.Join(root, dir), prefix); err != nil {
			return nil, err
		}
	}
	return all.page(p.intro), nil
}

func (all objects) read(dir, prefix string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.Name()), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				all.add(g, prefix)
			}
		}
	}
	return nil
}

func (all objects) add(g *ast.GenDecl, prefix string) {
	for _, s := range g.Specs {
		spec := s.(*ast.TypeSpec)
		if !spec.Name.IsExported() {
			continue
		}
		o := object{name: prefix + spec.Name.Name, doc: oneLine(cmp.Or(spec.Doc, g.Doc).Text())}
		switch body := spec.Type.(type) {
		case *ast.StructType:
			for _, f := range body.Fields.List {
				o.fields = append(o.fields, fieldsOf(f, prefix)...)
			}
		case *ast.SelectorExpr: // another name of a type
			o.fields = []field{{typ: typeName(body, prefix)}}
		default:
			continue
		}
		all[o.name] = o
	}
}

func fieldsOf(f *ast.Field, prefix string) (list []field) {
	comment := oneLine(f.Doc.Text() + " " + f.Comment.Text())
	typ := typeName(f.Type, prefix)
	if len(f.Names) == 0 {
		return []field{{typ: typ}}
	}
	tag := ""
	if f.Tag != nil {
		tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
	}
	key, options, _ := strings.Cut(tag, ",")
	for _, name := range f.Names {
		if name.IsExported() && key != "-" {
			list = append(list, field{cmp.Or(key, name.Name), typ, comment, strings.Contains(options, "omit")})
		}
	}
	return list
}

// typeName is a type as JSON knows it, with the names of our own.
func typeName(e ast.Expr, prefix string) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X, prefix)
	case *ast.ArrayType:
		return "list of " + typeName(e.Elt, prefix)
	case *ast.MapType:
		return "object of " + typeName(e.Value, prefix)
	case *ast.SelectorExpr:
		return fmt.Sprint(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		switch {
		case e.Name == "bool":
			return "boolean"
		case regexp.MustCompile(`^(u?int|float)`).MatchString(e.Name):
			return "number"
		case e.Name == "any" || e.Name == "string":
			return e.Name
		}
		return prefix + e.Name
	}
	return "any"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// isDocument reports whether a type is all that a command writes.
func (o object) isDocument() bool { return strings.Contains(o.doc, "--json") }

// says is the comment of a type without its name.
func (o object) says() string {
	_, said, _ := strings.Cut(o.doc, " is ")
	return strings.ToUpper(said[:min(1, len(said))]) + said[min(1, len(said)):]
}

func (all objects) page(intro string) []byte {
	var documents, parts []object
	seen := map[string]bool{}
	for _, o := range all {
		if o.isDocument() && strings.HasSuffix(o.name, suffix) {
			documents, seen[o.name] = append(documents, o), true
		}
	}
	slices.SortFunc(documents, func(a, b object) int { return strings.Compare(a.command(), b.command()) })
	for next := documents; len(next) > 0; {
		var found []object
		for _, o := range next {
			for _, f := range all.flat(o) {
				if part, ok := all[bare(f.typ)]; ok && !seen[part.name] {
					found, seen[part.name] = append(found, part), true
				}
			}
		}
		parts, next = append(parts, found...), found
	}
	slices.SortFunc(parts, func(a, b object) int { return strings.Compare(a.title(), b.title()) })

	var b strings.Builder
	b.WriteString(intro)
	for _, o := range documents {
		b.WriteString("\n## " + o.command() + "\n\n")
		all.table(&b, o)
	}
	b.WriteString("\n# Objects inside of these\n")
	for _, o := range parts {
		b.WriteString("\n## " + o.title() + "\n\n" + o.says() + "\n\n")
		all.table(&b, o)
	}
	return []byte(b.String())
}

// command names the commands that write a document.
func (o object) command() string {
	m := regexp.MustCompile(`what (.*?) writes?\b|what (.*?) --json`).FindStringSubmatch(o.doc)
	if m == nil {
		return o.title()
	}
	return strings.TrimSpace(strings.ReplaceAll(m[1]+m[2], "--json", ""))
}

// title is what a part is called: "EntryJSON" is entry, "selfip.Journal" journal.
func (o object) title() string { return titleOf(o.name) }

func titleOf(name string) string {
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], suffix)
	return strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(name, "$1 $2"))
}

// bare is a type without the lists and objects that it is in.
func bare(typ string) string { return typ[strings.LastIndexByte(typ, ' ')+1:] }

// table writes the keys of an object.
func (all objects) table(b *strings.Builder, o object) {
	b.WriteString("| Key | Value | |\n| --- | --- | --- |\n")
	for _, f := range all.flat(o) {
		comment := f.comment
		if f.optional {
			comment = strings.TrimSuffix("not always there; "+comment, "; ")
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.key, all.value(f.typ), strings.ReplaceAll(comment, "|", `\|`))
	}
}

// flat lists the keys of an object, and of those that are embedded in it.
func (all objects) flat(o object) (list []field) {
	for _, f := range o.fields {
		if f.key != "" {
			list = append(list, f)
		} else if inner, ok := all[f.typ]; ok {
			list = append(list, all.flat(inner)...)
		}
	}
	return list
}

// value is a type for a reader, with a link when it is told of on the page.
func (all objects) value(typ string) string {
	name := bare(typ)
	if _, ok := all[name]; ok {
		title := titleOf(name)
		return strings.TrimSuffix(typ, name) + "[" + title + "](#" + strings.ReplaceAll(title, " ", "-") + ")"
	}
	if strings.Contains(name, ".") || name != strings.ToLower(name) { // a word of ours
		return strings.TrimSuffix(typ, name) + "string"
	}
	return typ
}
