package compose

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// viewSpec is a Strategy's proposal (3.7), validated.
type viewSpec struct {
	sources     []sourceSpec // those to be asked
	explanation string
	guidance    *jsonvalue.Object // nil: none
}

// sourceSpec is what the proposal wants of one Source.
type sourceSpec struct {
	key, revision       string
	required            bool
	projects            bool // with mode and maxCharacters
	mode                string
	maxCharacters       int
	routeIDs, actionIDs []string
}

// modeOrRouted is how the Source stands in the View.
func (s *sourceSpec) modeOrRouted() string {
	if s.projects {
		return s.mode
	}
	return "routed"
}

// specReader reads a proposal against what there is.
type specReader struct {
	manifest *StrategyManifest
	facts    []*facts
	budget   Budget
	seen     []string
	out      viewSpec
}

func normalizeViewSpec(v any, manifest *StrategyManifest, facts []*facts, b Budget) (*viewSpec, error) {
	o, _ := jsonvalue.Map(v)
	if member(o, "strategyTypeId") != manifest.TypeID {
		return nil, errors.New("memory ViewSpec strategyTypeId does not match the selected Strategy")
	}
	r := specReader{manifest: manifest, facts: facts, budget: b}
	if err := r.sources(member(o, "sources")); err != nil {
		return nil, err
	}
	var err error
	if r.out.guidance, err = guidance(member(o, "guidance")); err != nil {
		return nil, err
	}
	r.out.explanation, err = requiredText(member(o, "explanation"), "memory ViewSpec explanation", 4000)
	return &r.out, err
}

func (r *specReader) sources(v any) error {
	most := min(r.manifest.MaxSources, len(r.facts))
	list, ok := v.([]any)
	if !ok || len(list) > most {
		return fmt.Errorf("memory Strategy selected too many Sources (max %d)", most)
	}
	routes, actions := 0, 0
	for _, item := range list {
		if _, hole := item.(jsonvalue.Hole); hole {
			continue
		}
		s, err := r.source(item)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		routes += len(s.routeIDs)
		actions += len(s.actionIDs)
		r.out.sources = append(r.out.sources, *s)
	}
	if routes > min(r.manifest.MaxRoutes, r.budget.MaxRoutes) {
		return errors.New("memory Strategy selected too many Routes")
	}
	if actions > min(r.manifest.MaxActions, r.budget.MaxActions) {
		return errors.New("memory Strategy selected too many ActionOffers")
	}
	return nil
}

// source reads one entry. It returns nil for a Source that is not available and
// may be missing.
func (r *specReader) source(v any) (*sourceSpec, error) {
	o, _ := jsonvalue.Map(v)
	f, err := r.chosen(o)
	if err != nil {
		return nil, err
	}
	s := &sourceSpec{key: f.key, revision: f.revision, required: true}
	if s.required, err = required(o, f.key); err != nil {
		return nil, err
	}
	if f.availability == unavailable {
		if !s.required {
			return nil, nil
		}
		return nil, fmt.Errorf("memory Strategy selected unavailable required Source runtime: %s", f.key)
	}
	if s.routeIDs, err = r.operations(o, "routeIds", "route", f.key, f.routeIDs); err != nil {
		return nil, err
	}
	if s.actionIDs, err = r.operations(o, "actionIds", "action", f.key, f.actionIDs); err != nil {
		return nil, err
	}
	return s, r.projection(s, o, f)
}

// chosen finds the Source that an entry names.
func (r *specReader) chosen(o *jsonvalue.Object) (*facts, error) {
	key, err := instanceKey(member(o, "sourceInstanceKey"), "source")
	if err != nil {
		return nil, err
	}
	if slices.Contains(r.seen, key) {
		return nil, fmt.Errorf("memory Strategy selected Source twice: %s", key)
	}
	r.seen = append(r.seen, key)
	i := slices.IndexFunc(r.facts, func(f *facts) bool { return f.key == key })
	if i < 0 {
		return nil, fmt.Errorf("memory Strategy selected unavailable Source: %s", key)
	}
	f := r.facts[i]
	if roles := r.manifest.SupportedSourceRoles; !slices.Contains(roles, f.role) && !slices.Contains(roles, anyOne) {
		return nil, fmt.Errorf("memory Strategy selected an unsupported Source role: %s", f.role)
	}
	return f, nil
}

func required(o *jsonvalue.Object, key string) (bool, error) {
	v := member(o, "required")
	if isUndefined(v) {
		return true, nil
	}
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("memory Source requirement must be boolean: %s", key)
	}
	return b, nil
}

// operations reads the ids of routes or actions, which must be available.
func (r *specReader) operations(o *jsonvalue.Object, name, what, key string, there []string) ([]string, error) {
	v := member(o, name)
	if isNullish(v) {
		v = []any{}
	}
	ids, err := uniqueIDs(v, "memory ViewSpec "+what+" id for "+key)
	if err != nil {
		return nil, err
	}
	if id, ok := firstOutside(ids, there); ok {
		return nil, fmt.Errorf("memory Strategy selected unavailable %s: %s/%s", what, key, id)
	}
	return ids, nil
}

func (r *specReader) projection(s *sourceSpec, o *jsonvalue.Object, f *facts) error {
	v := member(o, "projection")
	if isUndefined(v) {
		return nil
	}
	if !slices.Contains(f.capabilities, "project") {
		return fmt.Errorf("memory Strategy selected unavailable projection: %s", s.key)
	}
	wanted, _ := jsonvalue.Map(v)
	most, err := positiveInteger(member(wanted, "maxCharacters"), "memory projection budget for "+s.key, 10_000_000)
	if err != nil {
		return err
	}
	switch mode := member(wanted, "mode"); mode {
	case "eager", "routed":
		s.mode = mode.(string)
	default:
		return fmt.Errorf("unsupported memory projection mode: %s", printed(mode))
	}
	s.projects = true
	s.maxCharacters = min(most, r.budget.MaxProjectionCharacters)
	return nil
}

// maxGuidance bounds each text of the guidance.
const maxGuidance = 16_384

// guidance reads what a Strategy tells the model; unknown members are dropped.
func guidance(v any) (*jsonvalue.Object, error) {
	if isUndefined(v) {
		return nil, nil
	}
	o, ok := jsonvalue.Map(v)
	if !ok {
		return nil, errors.New("Strategy guidance must be an object")
	}
	out, err := guidanceTexts(o, "Strategy guidance ", "system", "routing")
	if err != nil {
		return nil, err
	}
	v = member(o, "reminders")
	if isUndefined(v) {
		return out, nil
	}
	if o, ok = jsonvalue.Map(v); !ok {
		return nil, errors.New("Strategy guidance reminders must be an object")
	}
	reminders, err := guidanceTexts(o, "Strategy reminder ", "read", "write", "both")
	if err != nil {
		return nil, err
	}
	out.Set("reminders", reminders)
	return out, nil
}

func guidanceTexts(o *jsonvalue.Object, label string, names ...string) (*jsonvalue.Object, error) {
	out := jsonvalue.Of()
	for _, name := range names {
		v := member(o, name)
		if isUndefined(v) {
			continue
		}
		text, err := requiredText(v, label+name, maxGuidance)
		if err != nil {
			return nil, err
		}
		out.Set(name, text)
	}
	return out, nil
}
