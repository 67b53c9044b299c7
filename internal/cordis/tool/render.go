package tool

import (
	"fmt"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// results are the sentences that a model reads of a result.
type results struct {
	defined, running, waiting, awaiting, starting string
	stopped, undefined, undefinedRunning          string
	host, client, both, and                       string
}

// render puts a result into words: one line where the ids say it all, and the
// JSON where a model has to read names and signatures.
func render(lang string, value any) string {
	r := in(lang).results
	switch v := value.(type) {
	case Defined:
		return fmt.Sprintf(r.defined, v.PluginID, v.PackageID, r.halves(v))
	case Ran:
		return r.ran(v)
	case Stopped:
		return fmt.Sprintf(r.stopped, v.PluginID)
	case Undefined:
		if v.WasRunning {
			return fmt.Sprintf(r.undefinedRunning, v.PluginID)
		}
		return fmt.Sprintf(r.undefined, v.PluginID)
	}
	return indented(value)
}

func (r results) halves(d Defined) string {
	switch {
	case d.HasHostHalf && d.HasClientHalf:
		return r.both
	case d.HasClientHalf:
		return r.client
	}
	return r.host
}

func (r results) ran(v Ran) string {
	sentence := r.running
	switch {
	case v.Status == StatusAwaiting:
		sentence = r.awaiting
	case v.Status == StatusStarting:
		sentence = r.starting
	case v.Host != nil && v.Host.Status == "waiting":
		return fmt.Sprintf(r.waiting, v.PluginID, v.PackageID, v.PluginRunID, strings.Join(v.Host.WaitingFor, r.and))
	}
	return fmt.Sprintf(sentence, v.PluginID, v.PackageID, v.PluginRunID)
}

// indented is a value as JSON for reading.
func indented(value any) string {
	v, err := jsonvalue.From(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return jsonvalue.FormatIndent(v, "  ")
}
