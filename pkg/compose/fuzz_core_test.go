package compose_test

import (
	"os"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// FuzzDate: any text is a date or is none, and any time that is written as the
// originals write times is one.
func FuzzDate(f *testing.F) {
	text, err := os.ReadFile("testdata/recorded/dates.json")
	if err != nil {
		f.Fatal(err)
	}
	v, err := jsonvalue.Parse(text)
	if err != nil {
		f.Fatal(err)
	}
	dates, _ := jsonvalue.Map(v)
	for _, form := range dates.Keys() {
		f.Add(form, int64(0))
	}
	f.Fuzz(func(t *testing.T, text string, ms int64) {
		compose.IsDate(text)
		at := time.UnixMilli(ms).UTC()
		if at.Year() < 0 || at.Year() > 9999 {
			return
		}
		for _, layout := range []string{"2006-01-02T15:04:05.000Z", "2006-01-02", "2 Jan 2006 15:04", "Mon, 02 Jan 2006 15:04:05 GMT"} {
			if written := at.Format(layout); !compose.IsDate(written) && at.Year() > 31 {
				t.Errorf("%q is no date", written)
			}
		}
	})
}

// FuzzParseView: a View that is taken has the digest that it names, and is the
// same when it is written and read again.
func FuzzParseView(f *testing.F) {
	body := jsonvalue.Of("runtimeGeneration", "generation:0", "strategyInstanceKey", "strategy:s", "strategyTypeId", "s", "scope", nil,
		"projection", []any{}, "routes", []any{}, "readGrants", []any{}, "actionOffers", []any{}, "consistency", jsonvalue.Of(), "explanation", "e")
	digest, err := jsonvalue.Digest(body)
	if err != nil {
		f.Fatal(err)
	}
	view := jsonvalue.Of("id", "view:"+digest, "digest", digest, "createdAt", "2026-01-01T00:00:00.000Z").Merge(body)
	if _, err := compose.ParseView(view); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(jsonvalue.Format(view)))
	f.Add([]byte(`{"routes":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		raw, err := jsonvalue.Parse(text)
		if err != nil {
			return
		}
		v, err := compose.ParseView(raw)
		if err != nil {
			return
		}
		compose.Wake(v, compose.Bindings{})
		again, err := jsonvalue.Parse([]byte(jsonvalue.Format(v.Raw())))
		if err != nil {
			t.Fatal(err)
		}
		if second, err := compose.ParseView(again); err != nil || second.ID() != v.ID() {
			t.Fatalf("%s: %v", jsonvalue.Format(v.Raw()), err)
		}
	})
}
