package script_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/assembly"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestEntryOfTheGuide mounts the Entry that the guide for authors shows: a
// published Source with a published Provider as its child, which it imports
// itself. The Strategy beside it is published too.
func TestEntryOfTheGuide(t *testing.T) {
	list, err := assembly.Parse(fmt.Appendf(nil, `
- id: work-spaces
  name: dsh-mnemon-source-memory-spaces
  config:
    dataDir: %s
    providers:
      - use: dsh-mnemon-provider-holographic
        instanceId: local-facts
- id: three
  name: dsh-mnemon-strategy-default-three-tier
`, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, filepath.Dir(testkit.Plugins(t)), compose.Settings{}, jsrun.Limits{})
	for _, e := range list.Entries {
		var config any
		if e.Config != nil {
			config = e.Config
		}
		b.mount(b.realm(), e.ID, e.Name, config)
	}
	lease, err := b.core.Acquire("")
	if err != nil {
		t.Fatalf("%v: %s", err, jsonvalue.Format(b.core.Inspect()))
	}
	defer lease.Release()
	scope := jsonvalue.Of("storage", "custom")
	out, err := lease.Manage(t.Context(), jsonvalue.Of(
		"scope", scope, "sourceInstanceKey", "source:work-spaces", "mode", "read",
		"operation", "provider-services", "input", nil, "confirmed", false,
	), false)
	if err != nil {
		t.Fatal(err)
	}
	services, _ := out.(*jsonvalue.Object).Map("value")
	if diff := cmp.Diff([]string{"local-facts"}, ids(services, "providers")); diff != "" {
		t.Errorf("providers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"source:work-spaces/inspect"}, ids(b.view(), "routes")); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
}

// ids are those of the objects in the list that is a member of o.
func ids(o *jsonvalue.Object, list string) []string {
	values, _ := o.Array(list)
	out := []string{}
	for _, v := range values {
		id, _ := v.(*jsonvalue.Object).Text("id")
		out = append(out, id)
	}
	return out
}
