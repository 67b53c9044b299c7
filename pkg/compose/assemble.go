package compose

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// assemble puts the parts together in the order of the proposal.
func (c *composition) assemble() (*View, error) {
	var parts viewParts
	for _, p := range c.projected {
		if err := parts.add(p, c.request.Budget); err != nil {
			return nil, err
		}
	}
	body, err := c.body(&parts)
	if err != nil {
		return nil, err
	}
	digest, err := jsonvalue.Digest(body)
	if err != nil {
		return nil, err
	}
	head := jsonvalue.Of("id", "view:"+digest, "digest", digest, "createdAt", timestamp(c.now()))
	return &View{head.Merge(body)}, nil
}

// viewParts are the lists of a View.
type viewParts struct {
	projection, presentations, routes, grants, offers []any
	grantIDs                                          []string
	characters                                        int
}

func (v *viewParts) add(p projected, b Budget) error {
	for _, f := range p.contribution.fragments {
		text, _ := f.Text("text")
		if v.characters += jsonvalue.Len(text); v.characters > b.MaxProjectionCharacters {
			return errors.New("memory View projection exceeds the root-turn budget")
		}
		v.projection = append(v.projection, f)
	}
	if err := v.addGrant(p, b); err != nil {
		return err
	}
	if p.contribution.presentation != nil {
		shown := jsonvalue.Of("sourceInstanceKey", p.key(), "mode", p.spec.modeOrRouted())
		v.presentations = append(v.presentations, shown.Merge(p.contribution.presentation))
	}
	for _, id := range p.spec.actionIDs {
		v.offers = append(v.offers, offer(p.mounted, id))
	}
	return nil
}

func (v *viewParts) addGrant(p projected, b Budget) error {
	grant := p.contribution.grant
	if grant == nil {
		return nil
	}
	id, _ := grant.Text("id")
	if slices.Contains(v.grantIDs, id) {
		return fmt.Errorf("memory ReadGrant id is duplicated: %s", id)
	}
	v.grantIDs = append(v.grantIDs, id)
	v.grants = append(v.grants, grant)
	for _, routeID := range p.spec.routeIDs {
		v.routes = append(v.routes, viewRoute(p.mounted, routeID, id, b))
	}
	return nil
}

// viewRoute is a declared route as a View offers it.
func viewRoute(m *mounted, id, grantID string, b Budget) *jsonvalue.Object {
	routes := m.manifest().Routes
	r := routes[slices.IndexFunc(routes, func(r RouteManifest) bool { return r.ID == id })]
	return jsonvalue.Of(
		"id", m.key()+"/"+id,
		"sourceInstanceKey", m.key(),
		"sourceRouteId", id,
		"description", r.Description,
		"capability", r.Capability,
		"inputSchema", r.InputSchema,
		"readGrantId", grantID,
		"maxCalls", float64(r.MaxCalls),
		"maxResults", float64(ceiling(r.MaxResults, b.MaxEvidenceResults)),
		"maxCharacters", float64(ceiling(r.MaxCharacters, b.MaxEvidenceCharacters)),
	)
}

// ceiling is the budget, or less if a limit was declared.
func ceiling(declared, budget int) int {
	if declared == 0 {
		return budget
	}
	return min(declared, budget)
}

// offer is a declared action as a View offers it.
func offer(m *mounted, id string) *jsonvalue.Object {
	actions := m.manifest().Actions
	a := actions[slices.IndexFunc(actions, func(a ActionManifest) bool { return a.ID == id })]
	out := jsonvalue.Of(
		"id", m.key()+"/"+id,
		"sourceInstanceKey", m.key(),
		"sourceActionId", id,
		"description", a.Description,
		"capability", a.Capability,
		"inputSchema", a.InputSchema,
	)
	if a.Authority != "" {
		out.Set("authority", a.Authority)
	}
	return out
}

// body is the View without its id and its time: what the digest is taken of.
func (c *composition) body(parts *viewParts) (*jsonvalue.Object, error) {
	body := jsonvalue.Of(
		"runtimeGeneration", c.id,
		"strategyInstanceKey", c.strategy.key,
		"strategyTypeId", c.strategy.def.Manifest.TypeID,
	)
	if len(c.extended) > 0 {
		used, err := extensionDigests(c.extended)
		if err != nil {
			return nil, err
		}
		body.Set("strategyExtensions", used)
	}
	body.Set("scope", member(c.request.Raw, "scope"))
	body.Set("projection", orEmpty(parts.projection))
	if len(parts.presentations) > 0 {
		body.Set("sourcePresentations", parts.presentations)
	}
	body.Set("routes", orEmpty(parts.routes))
	body.Set("readGrants", orEmpty(parts.grants))
	body.Set("actionOffers", orEmpty(parts.offers))
	body.Set("consistency", c.consistency())
	body.Set("explanation", c.spec.explanation)
	if c.spec.guidance != nil {
		body.Set("guidance", c.spec.guidance)
	}
	if len(c.diagnostics) > 0 {
		sortDiagnostics(c.diagnostics)
		body.Set("diagnostics", diagnosticsRaw(c.diagnostics))
	}
	return body, nil
}

func orEmpty(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

// extensionDigests names the extensions and what each contributed by digest.
func extensionDigests(contributions []any) ([]any, error) {
	out := make([]any, len(contributions))
	for i, c := range contributions {
		o, _ := jsonvalue.Map(c)
		digest, err := jsonvalue.Digest(member(o, "value"))
		if err != nil {
			return nil, err
		}
		out[i] = o.Without("value").With("digest", digest)
	}
	return out, nil
}

// consistency names the mode of the Sources that were projected, and the
// revision of every Source.
func (c *composition) consistency() *jsonvalue.Object {
	mode := "mixed"
	for i, p := range c.projected {
		switch own := p.manifest().Consistency; {
		case i == 0:
			mode = own
		case own != mode:
			mode = "mixed"
		}
	}
	revisions := jsonvalue.Of()
	for i, m := range c.sources {
		revisions.Set(m.key(), c.facts[i].revision)
	}
	return jsonvalue.Of("mode", mode, "sourceRevisions", revisions)
}

// timestamp writes a time as Date.prototype.toISOString does.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
