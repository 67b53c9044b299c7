package script

import "github.com/dshkit/dshkit/pkg/jsrun"

// What plugins define and answer is read by name, as the original reads it:
// authors may do so with objects of their own classes.
var (
	manifestShape = &jsrun.Shape{
		Names: []string{
			"apiVersion", "kind", "typeId", "packageName", "role", "capabilities", "consistency", "routes", "actions", "management",
			"deterministic", "supportedSourceRoles", "maxSources", "maxRoutes", "maxActions", "extensionSlots", "strategyTypeId", "slot",
		},
		Lists: map[string]*jsrun.Shape{
			"routes":  {Only: true, Names: []string{"id", "capability", "description", "inputSchema", "maxCalls", "maxResults", "maxCharacters"}},
			"actions": {Only: true, Names: []string{"id", "capability", "description", "inputSchema", "authority"}},
		},
	}
	factsShape = &jsrun.Shape{
		Only: true,
		Names: []string{
			"sourceInstanceKey", "sourceTypeId", "role", "availability", "capabilities", "routeIds", "actionIds", "revision", "hints",
		},
	}
	contributionShape = &jsrun.Shape{
		Only:  true,
		Names: []string{"fragments", "readGrant", "presentation"},
		Lists: map[string]*jsrun.Shape{
			"fragments": {Names: []string{"id", "sourceInstanceKey", "mode", "text", "revision", "provenance"}},
		},
		Parts: map[string]*jsrun.Shape{
			"readGrant": {Names: []string{"id", "sourceInstanceKey", "schema", "value", "revision", "consistency"}},
			"presentation": {
				Only:  true,
				Names: []string{"visibleItems", "totalItems", "items"},
				Lists: map[string]*jsrun.Shape{"items": {Only: true, Names: []string{"id", "title", "excerpt"}}},
			},
		},
	}
	evidenceShape = &jsrun.Shape{
		Names: []string{"id", "viewId", "routeId", "sourceInstanceKey", "observedAt", "items", "truncated", "unavailable", "metadata", "output"},
		Lists: map[string]*jsrun.Shape{
			"items": {Names: []string{"id", "text", "provenance", "score", "revision"}},
		},
	}
	receiptShape = &jsrun.Shape{
		Names: []string{"id", "viewId", "offerId", "sourceInstanceKey", "status", "completion", "committedAt", "revision", "details"},
	}
	managedShape = &jsrun.Shape{Only: true, Names: []string{"revision", "value"}}
)
