package assembly

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// maxDepth bounds how deep a configuration nests; Core refuses more than 48.
const maxDepth = 48

// config reads the configuration of an Entry: a mapping, or nothing.
func config(n *yaml.Node) (*jsonvalue.Object, error) {
	v, err := value(n, 0)
	if err != nil || v == nil {
		return nil, err
	}
	o, ok := v.(*jsonvalue.Object)
	if !ok {
		return nil, fault.New(fault.Damaged, codeValue, n.Line, "config is no mapping")
	}
	return o, nil
}

// value turns YAML into JSON: timestamps and unknown plain words are text, as
// every loader that plugins know takes them.
func value(n *yaml.Node, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fault.New(fault.Damaged, codeValue, n.Line, "nested too deeply")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return nil, fault.New(fault.Damaged, codeValue, n.Line, "aliases are not taken")
	case yaml.SequenceNode:
		if foreign(n) {
			return nil, fault.New(fault.Damaged, codeDynamic, n.Line, "a list", n.Tag)
		}
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			v, err := value(item, depth+1)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	case yaml.MappingNode:
		return mapping(n, depth)
	}
	return scalar(n)
}

// foreign says that a value has a tag that is none of JSON's.
func foreign(n *yaml.Node) bool {
	switch n.Tag {
	case "", "!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge", "!!map", "!!seq":
		return false
	}
	return true
}

// plainMapping refuses keys that are no texts or there twice, and foreign tags.
func plainMapping(n *yaml.Node) error {
	if foreign(n) {
		return fault.New(fault.Damaged, codeDynamic, n.Line, "a mapping", n.Tag)
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return fault.New(fault.Damaged, codeValue, key.Line, "a key is no text")
		case foreign(key):
			return fault.New(fault.Damaged, codeDynamic, key.Line, strconv.Quote(key.Value), key.Tag)
		case seen[key.Value]:
			return fault.New(fault.Damaged, codeKeyTwice, key.Line, key.Value)
		}
		seen[key.Value] = true
	}
	return nil
}

func mapping(n *yaml.Node, depth int) (any, error) {
	if err := plainMapping(n); err != nil {
		return nil, err
	}
	o := &jsonvalue.Object{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		v, err := value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		o.Set(key.Value, v)
	}
	return o, nil
}

func scalar(n *yaml.Node) (any, error) {
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case "!!int":
		return integer(n)
	case "!!float":
		var f float64
		if err := n.Decode(&f); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fault.New(fault.Damaged, codeValue, n.Line, strconv.Quote(n.Value)+" is no number of JSON")
		}
		return f, nil
	case "!!str", "!!timestamp":
		return n.Value, nil
	}
	return nil, fault.New(fault.Damaged, codeDynamic, n.Line, strconv.Quote(n.Value), n.Tag)
}

func integer(n *yaml.Node) (any, error) {
	var i int64
	if err := n.Decode(&i); err == nil {
		return float64(i), nil
	}
	var u uint64
	if err := n.Decode(&u); err == nil {
		return float64(u), nil
	}
	var f float64
	if err := n.Decode(&f); err != nil {
		return nil, fault.New(fault.Damaged, codeValue, n.Line, strconv.Quote(n.Value)+" is no number of JSON")
	}
	return f, nil
}
