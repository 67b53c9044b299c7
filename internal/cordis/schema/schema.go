// Package schema is the part of JSON Schema that cordis enforces, over values of
// package jsonvalue: it says what of a value does not fit, and compiles the
// language in which plugins write the parameters of their tools (spec/cordis.md
// 7.5, 24#10).
//
// The enforced subset: type with one name, properties, required,
// additionalProperties (given on every object but the root of parameters), items,
// oneOf of two schemas or more, enum and const of the declared type, and the
// annotations description, title, default and examples, which bind nobody.
// Everything is pure, and what it was handed is never changed.
package schema

import (
	"strconv"
	"strings"
)

// Rule names what a value or a schema goes against.
type Rule string

// The rules for values.
const (
	Missing    Rule = "missing"
	Undeclared Rule = "undeclared"
	OneOf      Rule = "oneOf"
	Enum       Rule = "enum"
	Const      Rule = "const"
	Type       Rule = "type"
)

// The rules for schemas of the enforced subset.
const (
	UnknownKeyword Rule = "unknown-keyword"
	SchemaType     Rule = "schema-type"
	Openness       Rule = "openness"
	EnumValues     Rule = "enum-values"
	ConstValue     Rule = "const-value"
	Other          Rule = "other"
)

// Violation is one thing that does not fit, at a path such as a.b[0].
type Violation struct {
	Path string
	Rule Rule
	Fact string // what is wanted, or how many fit
}

// Violations are all that does not fit, in the order of the walk.
type Violations []Violation

// Text joins what the violations say.
func (v Violations) Text() string {
	texts := make([]string, len(v))
	for i, one := range v {
		texts[i] = one.Text()
	}
	return strings.Join(texts, "; ")
}

// maxDepth bounds how deep a schema may nest.
const maxDepth = 64

// typeNames are the names that a schema may ask for, in the order of messages.
const typeNames = "string, number, integer, boolean, null, object or array"

func isType(name string) bool {
	switch name {
	case "string", "number", "integer", "boolean", "null", "object", "array":
		return true
	}
	return false
}

func isScalar(name string) bool { return isType(name) && name != "object" && name != "array" }

func isAnnotation(key string) bool {
	return key == "description" || key == "title" || key == "default" || key == "examples"
}

func member(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
