package compose

import (
	"errors"
	"fmt"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// ConfigurationDigest returns the digest of a plugin's validated configuration.
func ConfigurationDigest(v any) (string, error) {
	digest, err := jsonvalue.DigestLabelled(v, "memory configuration")
	if err != nil {
		return "", err
	}
	return "config:" + digest, nil
}

// InputRecord returns v as a plain object.
func InputRecord(v any, label string) (*jsonvalue.Object, error) {
	o, ok := jsonvalue.Map(v)
	if !ok {
		return nil, fmt.Errorf("%s must be an object", label)
	}
	return o, nil
}

// InputText returns v trimmed; max counts UTF-16 code units. ok is false if there
// is none, which is no error unless the text is required.
func InputText(v any, label string, max int, required bool) (text string, ok bool, err error) {
	if isUndefined(v) && !required {
		return "", false, nil
	}
	s, isText := v.(string)
	if !isText {
		return "", false, fmt.Errorf("%s must be a string", label)
	}
	s = trim(s)
	if required && s == "" {
		return "", false, fmt.Errorf("%s is required", label)
	}
	if jsonvalue.Len(s) > max {
		return "", false, fmt.Errorf("%s is too long (max %d characters)", label, max)
	}
	return s, s != "", nil
}

// InputInteger returns v if it is an integer within low..high, and fallback if it
// is undefined.
func InputInteger(v, fallback any, low, high int) (any, error) {
	if isUndefined(v) {
		return fallback, nil
	}
	if _, ok := integerWithin(v, low, high); !ok {
		return nil, fmt.Errorf("value must be an integer within %d..%d", low, high)
	}
	return v, nil
}

// InputStringArray returns the texts of v trimmed, without the empty ones. ok is
// false if v is undefined.
func InputStringArray(v any, label string, max int) (texts []string, ok bool, err error) {
	if isUndefined(v) {
		return nil, false, nil
	}
	items, isArray := v.([]any)
	if !isArray || len(items) > max {
		return nil, false, fmt.Errorf("%s must be a string array", label)
	}
	texts = []string{}
	for _, item := range items {
		s, isText := item.(string)
		if !isText {
			return nil, false, fmt.Errorf("%s must be a string array", label)
		}
		if s = trim(s); s != "" {
			texts = append(texts, s)
		}
	}
	return texts, true, nil
}

// Truncate returns s if it has no more than max UTF-16 code units, else its
// beginning and an ellipsis, max units together. A pair of surrogates is not cut.
func Truncate(s string, max int) string {
	if max <= 0 {
		return ""
	}
	units := jsonvalue.ToUTF16(s)
	if len(units) <= max {
		return s
	}
	end := max - 1
	if end > 0 && units[end-1] >= 0xd800 && units[end-1] < 0xdc00 {
		end--
	}
	return jsonvalue.FromUTF16(units[:end]) + "…"
}

// Mutation is what a Source tells of a write for its Receipt.
type Mutation struct {
	ViewID, OfferID, SourceInstanceKey any
	Revision                           any // nil: none
	Details                            any
	Completion                         string // empty: unknown
}

// MutationReceipt returns the Receipt of a write (3.15): id is new and unique, and
// now is when it was committed, if it was.
func MutationReceipt(id string, now time.Time, m Mutation) *jsonvalue.Object {
	if m.Completion == "" {
		m.Completion = "unknown"
	}
	o := jsonvalue.Of("id", "receipt:"+id,
		"viewId", m.ViewID, "offerId", m.OfferID, "sourceInstanceKey", m.SourceInstanceKey,
		"status", mutationStatus(m.Completion), "completion", m.Completion)
	if m.Completion == "committed" {
		o.Set("committedAt", timestamp(now))
	}
	if !isNullish(m.Revision) {
		o.Set("revision", m.Revision)
	}
	o.Set("details", m.Details)
	return o
}

func mutationStatus(completion string) string {
	switch completion {
	case "failed":
		return "failed"
	case "partial", "unknown":
		return "partial"
	}
	return "succeeded"
}

// MigrationLineage validates the proof of a migration that an authorised caller of
// the management channel hands in.
func MigrationLineage(v any) ([]any, error) {
	if isUndefined(v) {
		return []any{}, nil
	}
	items, ok := v.([]any)
	if !ok || len(items) > 1000 {
		return nil, errors.New("lineage must be an array of at most 1000 entries")
	}
	out := make([]any, len(items))
	for i, item := range items {
		entry, err := InputRecord(item, "lineage")
		if err != nil {
			return nil, err
		}
		source, err := lineageEndpoint(member(entry, "source"))
		if err != nil {
			return nil, err
		}
		destination, err := lineageEndpoint(member(entry, "destination"))
		if err != nil {
			return nil, err
		}
		out[i] = jsonvalue.Of("source", source, "destination", destination)
	}
	return out, nil
}

func lineageEndpoint(v any) (*jsonvalue.Object, error) {
	fields, err := InputRecord(v, "lineage endpoint")
	if err != nil {
		return nil, err
	}
	out := &jsonvalue.Object{}
	for _, f := range []struct {
		name string
		max  int
	}{{"layerId", 300}, {"reference", 2000}, {"digest", 300}} {
		text, _, err := InputText(member(fields, f.name), "lineage "+f.name, f.max, true)
		if err != nil {
			return nil, err
		}
		out.Set(f.name, text)
	}
	return out, nil
}
