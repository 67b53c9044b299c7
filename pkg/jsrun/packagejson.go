package jsrun

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// manifest is what resolution needs of a package.json.
type manifest struct {
	Name    string          `json:"name"`
	Main    any             `json:"main"`
	Module  any             `json:"module"`
	Exports json.RawMessage `json:"exports"`
	Imports json.RawMessage `json:"imports"`
	dir     string
}

func parseManifest(dir string, text []byte) (*manifest, error) {
	p := manifest{dir: dir}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &p, nil
}

// mains are the files that the package names as its own, by preference.
func (p *manifest) mains() []string {
	var names []string
	for _, v := range []any{p.Main, p.Module} {
		if s, ok := v.(string); ok && s != "" {
			names = append(names, s)
		}
	}
	return names
}

// A target is a value of an exports or imports map: nil, string, []any or
// mapping. The order of members decides, so a Go map will not do.
type mapping []member

type member struct {
	key   string
	value any
}

func parseTarget(text []byte) (any, error) {
	return readTarget(json.NewDecoder(bytes.NewReader(text)))
}

func readTarget(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return readMapping(d)
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := readTarget(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}

func readMapping(d *json.Decoder) (any, error) {
	m := mapping{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := readTarget(d)
		if err != nil {
			return nil, err
		}
		m = append(m, member{key: key.(string), value: v})
	}
	_, err := d.Token()
	return m, err
}
