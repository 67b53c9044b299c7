package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// parse reads the text of a settings file by its name. ok is false when it is
// damaged; that is noted. A text that is well-formed and holds no object gives
// a warning and no values (spec/selfip.md 6.3).
func (l *loader) parse(path string, content []byte) (values []rawValue, ok bool) {
	content = bytes.TrimPrefix(content, byteOrderMark)
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, true
	}
	var err error
	if strings.HasSuffix(path, ".json") {
		values, err = l.parseJSON(path, content)
	} else {
		values, err = parseForeign(path, content)
	}
	if err == errNotObject {
		l.warn(codeNotObject, path)
		return nil, true
	}
	if err != nil {
		l.readError(Damaged(path, err))
		return nil, false
	}
	return values, true
}

// parseJSON reads a JSON file ourselves: viper tells neither line nor column,
// lower-cases keys, and costs a hook what it does not need.
func (l *loader) parseJSON(path string, content []byte) ([]rawValue, error) {
	obj, err := parseObject(content)
	if err != nil {
		return nil, err
	}
	var values []rawValue
	for i, m := range obj.members {
		if obj.index(m.key) != i {
			l.warn(warnDuplicate, path, m.key)
			continue
		}
		var v any
		if err := json.Unmarshal(content[m.from:m.to], &v); err != nil {
			v = string(content[m.from:m.to]) // a number out of range; no setting accepts it
		}
		values = append(values, rawValue{m.key, v, path})
	}
	return values, nil
}

// apply lays the values of a layer over those of weaker ones. Keys come in the
// order of the list, so that Sources and warnings do not depend on the file.
func (l *loader) apply(from layer) {
	for i, set := range settings {
		for _, raw := range from.values {
			if raw.key == set.key {
				l.put(i, from, raw)
			}
		}
	}
	for _, raw := range from.values {
		if indexOf(raw.key) < 0 && !(raw.key == keyHelp && from.family == familyConfig) {
			l.unknownKey(from, raw.key)
		}
	}
}

// put lays one value, or tells why not.
func (l *loader) put(i int, from layer, raw rawValue) {
	set := &settings[i]
	isFile := from.name == LayerGlobal || from.name == LayerWorkspace
	if isFile && set.family != from.family {
		l.warn(warnWrongFile, from.where, set.key, l.out.fileOf(set.family, from.name == LayerGlobal))
		return
	}
	if from.name == LayerWorkspace && IsOwn(set.key) {
		l.warn(warnOwnOnly, from.where, set.key, l.out.userFile)
		return
	}
	v, err := set.read(raw.value, set)
	if err != nil {
		l.warn(warnBadValue, raw.where, discreet(set.key, shown(raw.value)), set.key, err)
	}
	if from.name == LayerWorkspace {
		v = l.less(set.key, raw.where, v)
	}
	if v == nil {
		return
	}
	if set.key == keyGlobalDir {
		dir := l.folder(raw.where, from.base, v.(string))
		if dir == "" {
			return
		}
		v = dir
	}
	if set.key == keyModelKeyFile {
		if v = l.ownFile(raw.where, v.(string)); v == "" {
			return
		}
	}
	set.put(&l.out, v)
	l.out.origins[i] = Origin{from.name, raw.where}
	if set.key == keyScope || set.key == keyGlobalDir {
		l.out.Sources = append(l.out.Sources, Source{from.name, set.key})
	}
}

// shown renders a bad value for a warning, short.
func shown(v any) string {
	b, err := marshal(v)
	if err != nil {
		b = []byte(fmt.Sprint(v))
	}
	return text.Ellipsize(string(b), 80)
}

func (l *loader) unknownKey(from layer, key string) {
	if near := text.Nearest(key, append(keysOf(from.family), Keys()...)); near != "" {
		l.warn(warnUnknownNear, from.where, key, near)
		return
	}
	l.warn(warnUnknown, from.where, key, strings.Join(keysOf(from.family), ", "))
}

// environment lays the variables. An empty one counts as unset.
func (l *loader) environment() {
	for i, set := range settings {
		if value := l.in.Getenv(set.variable); strings.TrimSpace(value) != "" {
			from := layer{name: LayerEnvironment, base: l.in.Workspace}
			l.put(i, from, rawValue{set.key, typed(value), set.variable})
		}
	}
}

// flags lays the values that were given as flags.
func (l *loader) flags() {
	for i, set := range settings {
		if value, ok := l.in.Flags[set.key]; ok {
			from := layer{name: LayerFlag, base: l.in.Workspace}
			l.put(i, from, rawValue{set.key, typed(value), "--" + set.key})
		}
	}
}

// strayVariables warns of variables that look like ours and are none.
func (l *loader) strayVariables() {
	known := append(Variables(), l.in.Variables...)
	var stray []string
	for _, pair := range l.in.Environ {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(strings.ToUpper(name), "SELFIP_") && !slices.Contains(known, name) {
			stray = append(stray, name)
		}
	}
	sort.Strings(stray)
	for _, name := range stray {
		if near := text.Nearest(name, Variables()); near != "" {
			l.warn(warnVariableNear, name, near)
			continue
		}
		l.warn(warnVariable, name)
	}
}

func (s Settings) settingsFile() string {
	if s.workspace == "" {
		return ""
	}
	return filepath.Join(s.workspace, "self-improvement", "settings.json")
}
