package replay

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// drainFeedback is what the Sessions were told since the last time, in the order
// of the clock.
func (w *world) drainFeedback(ctx context.Context) ([]any, error) {
	type told struct {
		at   time.Time
		show *jsonvalue.Object
	}
	var all []told
	for _, session := range []string{"S-a", "S-b"} {
		v, err := w.ask(ctx, "feedback", jsonvalue.Of("session", session))
		if err != nil {
			return nil, err
		}
		o, _ := jsonvalue.Map(v)
		messages, _ := o.Array("messages")
		for _, m := range messages {
			message, _ := jsonvalue.Map(m)
			at, _ := time.Parse(time.RFC3339Nano, text(message, "at"))
			all = append(all, told{at, feedbackGist(session, message)})
		}
	}
	slices.SortStableFunc(all, func(a, b told) int { return a.at.Compare(b.at) })
	list := []any{}
	for _, t := range all {
		list = append(list, t.show)
	}
	return list, nil
}

// feedbackGist is a message as recordings have it: its topic, whom it is about,
// the facts, and what it tells its reader to do. The facts are read from the text,
// which is all that a model sees.
func feedbackGist(session string, m *jsonvalue.Object) *jsonvalue.Object {
	how := "inject"
	if text(m, "kind") == "steer" {
		how = "steer"
	}
	o := jsonvalue.Of("to", session, "how", how, "topic", text(m, "topic"))
	said, ok := feedback.Parse(text(m, "text"))
	if !ok {
		return replaced(o, "text", text(m, "text"))
	}
	f := facts{text(m, "text"), said, o}
	switch said["topic"] {
	case "run-succeeded":
		f.tell("mode", "target", "pluginRunId", "currentPackageId")
	case "run-rejected":
		f.tell("mode", "target", "pluginRunId")
		f.does("do-not-repeat", "Do not request the same activation again")
	case "run-failed":
		f.tell("mode", "target", "pluginRunId", "returned", "reason", "message", "stack", "currentPackageId", "nextPackageId")
		f.does("inspect-fix-retry", "cordis_inspect_self", "on the same Plugin", "run it", "on your own")
	case "render-failed":
		f.tell("target", "pluginRunId", "slot", "message", "stack", "entryAbdicated")
		f.does("define-fix-update", "define it on the same Plugin", "update")
	case "handler-failed":
		f.tell("target", "pluginRunId", "method", "message", "stack")
		f.does("still-running,fix-update", "still running", "update")
	case "guard-rejected":
		f.tell("platform", "target", "pluginRunId", "message", "stack")
		f.does("still-running,fix-update", "still running", "update")
	case "user-ran":
		f.tell("pluginId", "packageId", "pluginRunId", "currentPackageId")
	case "user-run-failed":
		f.tell("pluginId", "packageId", "pluginRunId", "reason", "message", "currentPackageId", "nextPackageId")
	case "user-stopped":
		f.tell("pluginId", "currentPackageId")
	case "user-removed":
		f.tell("pluginId")
	default:
		f.tell("target", "pluginRunId", "where", "message", "stack")
	}
	return o
}

// facts are what a text says, and what is kept of it.
type facts struct {
	text string
	said map[string]string
	to   *jsonvalue.Object
}

func (f facts) tell(names ...string) {
	for _, name := range names {
		switch name {
		case "target":
			f.to.Set(name, f.said["pluginId"]+"/"+f.said["packageId"])
		case "message":
			f.to.Set(name, Gist(f.said[name]))
		case "stack":
			f.to.Set(name, f.said[name] != "")
		case "entryAbdicated":
			f.to.Set(name, f.said["abdicated"] == "true")
		default:
			f.to.Set(name, f.said[name])
		}
	}
}

// does says what the text has its reader do, if it has these words.
func (f facts) does(what string, words ...string) {
	for _, word := range words {
		if !strings.Contains(f.text, word) {
			what = "the text does not say " + word
			break
		}
	}
	f.to.Set("tells", what)
}

// The element that the context of a mention stands in.
const (
	mentionOpen  = "<cordis_dynamic_plugin_context>\n"
	mentionClose = "\n</cordis_dynamic_plugin_context>"
)

// mentionGist is the context of a mention as recordings have it.
func mentionGist(message string) *jsonvalue.Object {
	tagged := strings.HasPrefix(message, mentionOpen) && strings.HasSuffix(strings.TrimRight(message, "\n"), mentionClose)
	body := strings.TrimPrefix(message, mentionOpen)
	end := strings.Index(body, "\n}")
	if end < 0 {
		return unavailableGist(body, tagged)
	}
	v, _ := jsonvalue.Parse([]byte(body[:end+2]))
	reference, _ := jsonvalue.Map(v)
	base := text(reference, "pluginId") + "/" + text(reference, "packageId")
	rest := body[end+2:]
	if !strings.Contains(rest, text(reference, "packageId")) || !strings.Contains(rest, "@"+text(reference, "pluginId")) {
		base = "the text does not say " + base
	}
	mode := "update"
	if !strings.Contains(rest, `"update"`) {
		mode = "run"
	}
	return jsonvalue.Of("topic", "mention", "reference", reference, "base", base, "nextRunMode", mode,
		"sourceIncluded", strings.Contains(message, `"code"`) || strings.Contains(message, "apply("), "tagged", tagged)
}

func unavailableGist(body string, tagged bool) *jsonvalue.Object {
	_, rest, _ := strings.Cut(body, "@")
	id, _, _ := strings.Cut(rest, " ")
	tells := "say-unavailable,no-replacement"
	for _, word := range []string{"not available", "do not silently make another one", "Tell the user"} {
		if !strings.Contains(body, word) {
			tells = "the text does not say " + word
		}
	}
	return jsonvalue.Of("topic", "mention-unavailable", "pluginId", strings.Trim(id, ",.;:"), "tells", tells, "tagged", tagged)
}
