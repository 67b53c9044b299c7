package compose

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The standard slots, which an extension for any Strategy may fill.
const (
	slotSelection  = "selection"
	slotProjection = "projection"
	slotCapture    = "capture"
)

func isStandardSlot(slot string) bool {
	return slot == slotSelection || slot == slotProjection || slot == slotCapture
}

// slotFields are the members that a slot's value may have.
func slotFields(slot string) []string {
	switch slot {
	case slotSelection:
		return []string{"sourceKeys", "writableSourceKeys"}
	case slotProjection:
		return []string{"maxProjectionCharacters"}
	case slotCapture:
		return []string{"instruction", "actionIds", "sourceKeys"}
	}
	return nil
}

// ViewExtensionValue validates the value of a standard slot (13, newer wording).
func ViewExtensionValue(slot string, value any) (any, error) {
	o, err := InputRecord(value, "View "+slot+" contribution")
	if err != nil {
		return nil, err
	}
	allowed := slotFields(slot)
	if allowed == nil {
		return nil, fmt.Errorf("unsupported View extension slot: %s", slot)
	}
	for _, key := range o.Keys() {
		if !slices.Contains(allowed, key) {
			return nil, fmt.Errorf("unsupported View %s field: %s", slot, key)
		}
	}
	var out *jsonvalue.Object
	switch slot {
	case slotSelection:
		out, err = selectionValue(o)
	case slotProjection:
		out, err = projectionValue(o)
	default:
		out, err = captureValue(o)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ViewExtensionValues returns the validated values of contributions as a Strategy
// is given them, by their slots. One slot has one value.
func ViewExtensionValues(contributions []any) (*jsonvalue.Object, error) {
	out := &jsonvalue.Object{}
	for _, c := range contributions {
		o, err := members(c, "View extension contribution")
		if err != nil {
			return nil, err
		}
		slot := printed(member(o, "slot"))
		if out.Has(slot) {
			return nil, fmt.Errorf("duplicate View extension slot: %s", slot)
		}
		v, err := ViewExtensionValue(slot, member(o, "value"))
		if err != nil {
			return nil, err
		}
		out.Set(slot, v)
	}
	return out, nil
}

// DefineViewExtension defines an extension for any Strategy that fills a standard
// slot. What it contributes is validated as the slot's value.
func DefineViewExtension(typeID, packageName, slot string, e Extension) (*ExtensionDefinition, error) {
	if e != nil {
		e = viewExtension{slot, e}
	}
	return DefineExtension(jsonvalue.Of(
		"apiVersion", apiVersion, "kind", "strategy-extension", "typeId", typeID, "packageName", packageName,
		"strategyTypeId", anyOne, "slot", slot, "deterministic", true,
	), e)
}

// viewExtension is an extension whose value is held against its slot.
type viewExtension struct {
	slot string
	Extension
}

func (e viewExtension) Contribute(ctx context.Context, r *Request, sources []any) (any, error) {
	v, err := e.Extension.Contribute(ctx, r, sources)
	if err != nil {
		return nil, err
	}
	return ViewExtensionValue(e.slot, v)
}

func selectionValue(o *jsonvalue.Object) (*jsonvalue.Object, error) {
	selected, err := SourceKeys(member(o, "sourceKeys"), "sourceKeys")
	if err != nil {
		return nil, err
	}
	out := jsonvalue.Of("sourceKeys", jsonvalue.Texts(selected))
	given := member(o, "writableSourceKeys")
	if isUndefined(given) {
		return out, nil
	}
	writable, err := SourceKeys(given, "writableSourceKeys")
	if err != nil {
		return nil, err
	}
	if _, outside := firstOutside(writable, selected); outside {
		return nil, errors.New("writableSourceKeys must be within selected sourceKeys")
	}
	out.Set("writableSourceKeys", jsonvalue.Texts(writable))
	return out, nil
}

func projectionValue(o *jsonvalue.Object) (*jsonvalue.Object, error) {
	v := member(o, "maxProjectionCharacters")
	if isUndefined(v) {
		return nil, errors.New("maxProjectionCharacters is required")
	}
	n, err := InputInteger(v, nil, 1, 10_000_000)
	if err != nil {
		return nil, err
	}
	return jsonvalue.Of("maxProjectionCharacters", n), nil
}

func captureValue(o *jsonvalue.Object) (*jsonvalue.Object, error) {
	ids, ok := distinct(member(o, "actionIds"), isID)
	if !ok || len(ids) == 0 {
		return nil, errors.New("capture actionIds must name 1..32 distinct Source-local recording actions")
	}
	instruction, _, err := InputText(member(o, "instruction"), "capture instruction", 4000, true)
	if err != nil {
		return nil, err
	}
	out := jsonvalue.Of("instruction", instruction, "actionIds", jsonvalue.Texts(ids))
	given := member(o, "sourceKeys")
	if isUndefined(given) {
		return out, nil
	}
	keys, err := SourceKeys(given, "capture sourceKeys")
	if err != nil {
		return nil, err
	}
	out.Set("sourceKeys", jsonvalue.Texts(keys))
	return out, nil
}

// slotList is how many keys or actions a slot's value may list.
const slotList = 32

// SourceKeys validates a list of at most 32 different Source instance keys, as the
// slots and the options of Strategies name them.
func SourceKeys(v any, label string) ([]string, error) {
	keys, ok := slotTexts(v, func(s string) bool { return isKey(s, "source:", 292) })
	if !ok {
		return nil, fmt.Errorf("%s must contain at most %d exact Source instance keys", label, slotList)
	}
	if repeats(keys) {
		return nil, fmt.Errorf("%s contains duplicate Source keys", label)
	}
	return keys, nil
}

func distinct(v any, valid func(string) bool) ([]string, bool) {
	list, ok := slotTexts(v, valid)
	return list, ok && !repeats(list)
}

// slotTexts returns a list of valid texts, taken as they are: nothing is trimmed.
func slotTexts(v any, valid func(string) bool) ([]string, bool) {
	items, ok := v.([]any)
	if !ok || len(items) > slotList {
		return nil, false
	}
	out := make([]string, len(items))
	for i, item := range items {
		s, ok := item.(string)
		if !ok || !valid(s) {
			return nil, false
		}
		out[i] = s
	}
	return out, true
}

func repeats(list []string) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) != len(list)
}
