package schema

import "fmt"

// Text is what a violation says.
func (v Violation) Text() string {
	switch v.Rule {
	case Missing:
		return fmt.Sprintf("%q is required and missing", v.Path)
	case Undeclared:
		return fmt.Sprintf("%q is not declared", v.Path)
	case OneOf:
		return fmt.Sprintf("%q must fit exactly one of the oneOf schemas (fits %s)", v.Path, v.Fact)
	case Enum:
		return fmt.Sprintf("%q must be one of %s", v.Path, v.Fact)
	case Const:
		return fmt.Sprintf("%q must be %s", v.Path, v.Fact)
	case Type:
		return fmt.Sprintf("%q must be of type %s", v.Path, v.Fact)
	case UnknownKeyword:
		return v.Path + " is not a keyword that is supported"
	case SchemaType:
		return v.Path + " must be one of " + typeNames
	case Openness:
		return v.Path + " must be true or false"
	case EnumValues:
		return v.Path + " must be a non-empty array of values of type " + v.Fact
	case ConstValue:
		return v.Path + " must be a value of type " + v.Fact
	}
	return v.Path + " " + v.Fact
}

// Unsupported says that a schema is not of the enforced subset.
type Unsupported struct{ Violations Violations }

// Error names every place.
func (e *Unsupported) Error() string { return "unsupported JSON schema: " + e.Violations.Text() }

// Code is the stable code of the error.
func (e *Unsupported) Code() string { return "UNSUPPORTED_SCHEMA" }

// The rules of the language of parameters.
const (
	NotObject          Rule = "not-object"
	Circular           Rule = "circular"
	HiddenKeys         Rule = "hidden-keys"
	TooDeep            Rule = "deep"
	UnknownKey         Rule = "unknown-key"
	ParameterType      Rule = "parameter-type"
	ObjectOpenness     Rule = "object-openness"
	Boolean            Rule = "boolean"
	RequiredTrue       Rule = "required-true"
	RequiredArray      Rule = "required-array"
	RequiredUndeclared Rule = "required-undeclared"
	RawRequired        Rule = "raw-required"
	RootOpen           Rule = "root-open"
	TooFew             Rule = "oneof-few"
	EnumEmpty          Rule = "enum-empty"
	Properties         Rule = "properties"
	Lossy              Rule = "lossy"
)

// ParameterError is the refusal of parameters: the path of the place, the rule
// and what it names.
type ParameterError struct {
	Path string
	Rule Rule
	Fact string
}

// Error is the text of the rule.
func (e *ParameterError) Error() string { return "harness.defineTool " + e.Path + " " + e.text() }

func (e *ParameterError) text() string {
	switch e.Rule {
	case NotObject:
		return "must be an object that describes parameters"
	case Circular:
		return "contains itself"
	case HiddenKeys:
		return "must have only keys that are texts and enumerable"
	case TooDeep:
		return "is nested too deeply"
	case UnknownKey:
		return "is no keyword of the schema language"
	case ParameterType:
		return "must have a type: " + typeNames + ", or json in the direct form (got " + e.Fact + ")"
	case ObjectOpenness:
		return "must be given, as true or false"
	case Boolean:
		return "must be true or false when present"
	case RequiredTrue:
		return "must be true when present"
	case RequiredArray:
		return "must be an array of names of declared properties"
	case RequiredUndeclared:
		return fmt.Sprintf("names %q, which is not declared", e.Fact)
	case RawRequired:
		return "belongs into the required array of the object around it"
	case RootOpen:
		return "must be true or left out: the root is open"
	case TooFew:
		return "must hold two schemas or more"
	case EnumEmpty:
		return "must be an array with a value or more"
	case Properties:
		return "must be an object whose members are schemas"
	}
	return "must be lossless JSON data" // the text of package lossless
}
