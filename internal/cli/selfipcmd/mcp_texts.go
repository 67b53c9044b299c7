package selfipcmd

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/mcpserve"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/pkg/text"
)

// shelfLength bounds the text of a partition, in UTF-16 code units: a client puts
// the whole of it before its model.
const shelfLength = 50_000

const markdownForm = "text/markdown"

// resources are what there is to read in the workspace that the server was
// started in: what a session is given, the hand-off, each partition, each
// playbook. Where there is no workspace to look at there are none.
func (d desk) resources(context.Context) []mcpserve.Resource {
	v, err := d.visit("")
	if err != nil {
		return nil
	}
	say := d.env.Say
	list := []mcpserve.Resource{
		{URI: "selfip://view", Name: "view", Title: say("mcp-view-title"), About: say("mcp-view"), Form: markdownForm, Read: d.reading(visit.block)},
		{URI: "selfip://handoff", Name: "handoff", Title: say("mcp-handoff-title"), About: say("mcp-handoff"), Form: markdownForm, Read: d.reading(visit.handoff)},
	}
	for _, p := range selfip.Partitions {
		list = append(list, mcpserve.Resource{
			URI: "selfip://memory/" + p.Name, Name: p.Name, Title: say("mcp-shelf-title", p.Name), About: say("mcp-shelf"), Form: markdownForm,
			Read: d.reading(func(v visit) (string, error) { return v.shelf(p.File) }),
		})
	}
	books, err := v.memory.Playbooks()
	if err != nil {
		return list
	}
	for _, p := range books {
		name := p.Name()
		list = append(list, mcpserve.Resource{
			URI: "selfip://playbook/" + url.PathEscape(name), Name: "playbook-" + name, Title: say("mcp-book-title", name), Form: markdownForm,
			About: say("playbook-row", name, p.Uses, p.Successes, p.Fails),
			Read:  d.reading(func(v visit) (string, error) { return v.memory.PlaybookText(name) }),
		})
	}
	return list
}

// reading opens the workspace anew for each read.
func (d desk) reading(read func(visit) (string, error)) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		v, err := d.visit("")
		if err != nil {
			return "", err
		}
		return read(v)
	}
}

func (v visit) block() (string, error) { return v.memory.Inject(selfip.InjectOptions{}).Text, nil }

func (v visit) handoff() (string, error) { return v.memory.Handoff().Text, nil }

// shelf lists the live entries of a partition, the heaviest first, each with its
// id and with the marks that a reader of the block would see. An entry that a
// detector fires on is left out.
func (v visit) shelf(file string) (string, error) {
	listed, err := v.memory.List(func(e entry.Entry) bool {
		if !e.Live() {
			return false
		}
		_, verdict := gate.Entry(e)
		return verdict.Poison == nil
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, l := range listed {
		entries := slices.DeleteFunc(l.Entries, func(e selfip.Entry) bool { return e.File != file })
		v.shelve(&b, l.Library, entries)
	}
	return b.String(), nil
}

func (v visit) shelve(b *strings.Builder, label selfip.Label, entries []selfip.Entry) {
	if len(entries) == 0 {
		return
	}
	now := v.memory.Now()
	weight := func(e selfip.Entry) float64 {
		w, _ := e.Entry.Weigh(now)
		return w.Score()
	}
	slices.SortStableFunc(entries, func(a, b selfip.Entry) int { return cmp.Compare(weight(b), weight(a)) })
	b.WriteString("## " + v.env.Say("library-"+string(label)) + "\n\n")
	for i, e := range entries {
		h := selfip.Hit{Entry: e, Trust: e.Entry.Trust(), Expired: e.Entry.Expired(now)}
		line := "- `" + e.ID + "` " + e.Text
		for _, mark := range marks(h) {
			line += " " + v.env.Say("mark-"+mark)
		}
		if text.Len(b.String())+text.Len(line) > shelfLength {
			b.WriteString("\n" + v.env.Say("mcp-shelf-more", len(entries)-i) + "\n")
			return
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("\n")
}

// prompts are the slash commands of the original as far as an agent can carry
// them out (spec/selfip.md 27.2). Getting one changes nothing: those that change
// something tell the agent what to call.
func (d desk) prompts() []mcpserve.Prompt {
	say := d.env.Say
	words := func(about string, must bool) []mcpserve.Field {
		f := textField("text", about, noteLength)
		f.Required = must
		return []mcpserve.Field{f}
	}
	ordering := func(sentence string) func(context.Context, mcpserve.Arguments) (string, error) {
		return func(_ context.Context, a mcpserve.Arguments) (string, error) {
			return say(sentence, quoted(a.Text("text"))), nil
		}
	}
	return []mcpserve.Prompt{
		{Name: "remember", Title: say("mcp-remember-title"), About: say("mcp-prompt-remember"), Fields: words(say("mcp-prompt-remember-text"), true), Get: ordering("mcp-order-remember")},
		{Name: "memory", Title: say("mcp-prompt-memory-title"), About: say("mcp-prompt-memory"), Fields: words(say("mcp-search-query"), false), Get: d.memoryPrompt},
		{Name: "forget", Title: say("mcp-prompt-forget-title"), About: say("mcp-prompt-forget"), Fields: words(say("mcp-prompt-forget-text"), true), Get: d.forgetPrompt},
		{Name: "retro", Title: say("mcp-prompt-retro-title"), About: say("mcp-prompt-retro"), Get: func(context.Context, mcpserve.Arguments) (string, error) { return say("mcp-order-retro"), nil }},
		{Name: "selfip", Title: say("mcp-config-title"), About: say("mcp-prompt-selfip"), Fields: words(say("mcp-config-scope"), false), Get: d.settingsPrompt},
		{Name: "promote", Title: say("mcp-prompt-promote-title"), About: say("mcp-prompt-promote"), Get: func(context.Context, mcpserve.Arguments) (string, error) {
			return say("mcp-order-promote", d.env.Sentence(promoteRefused())), nil
		}},
		{Name: "proposals", Title: say("mcp-proposal-title"), About: say("mcp-prompt-proposals"), Get: d.proposalsPrompt},
	}
}

// quoted sets off what the user typed from what we say about it.
func quoted(s string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text.Clean(s)), "\n", "\n> ")
}

// memoryPrompt shows what a search finds, without a query what is there.
func (d desk) memoryPrompt(ctx context.Context, a mcpserve.Arguments) (string, error) {
	v, err := d.visit("")
	if err != nil {
		return "", err
	}
	query := strings.TrimSpace(a.Text("text"))
	if query == "" {
		status, err := v.text(statusOf(v.env, v.opened))
		return v.env.Say("mcp-order-memory", status), err
	}
	found, err := v.text(searchReport{query, v.search(ctx, searchOptions{query: query, limit: commandLimit})})
	return v.env.Say("mcp-order-found", quoted(query), found), err
}

// forgetPrompt shows what may be meant; what is withdrawn, the user says.
func (d desk) forgetPrompt(ctx context.Context, a mcpserve.Arguments) (string, error) {
	v, err := d.visit("")
	if err != nil {
		return "", err
	}
	query := a.Text("text")
	found, err := v.text(searchReport{query, v.search(ctx, searchOptions{query: query, limit: commandLimit})})
	return v.env.Say("mcp-order-forget", quoted(query), found), err
}

func (d desk) settingsPrompt(_ context.Context, a mcpserve.Arguments) (string, error) {
	v, err := d.visit("")
	if err != nil {
		return "", err
	}
	if wish := strings.TrimSpace(a.Text("text")); wish != "" {
		return v.env.Say("mcp-order-config", quoted(wish)), nil
	}
	now, err := v.text(scopeReport{opened: v.opened})
	return v.env.Say("mcp-order-settings", now), err
}

func (d desk) proposalsPrompt(context.Context, mcpserve.Arguments) (string, error) {
	v, err := d.visit("")
	if err != nil {
		return "", err
	}
	r, err := waitingProposals(v.memory, false)
	if err != nil {
		return "", err
	}
	shown, err := v.text(r)
	return v.env.Say("mcp-order-proposals", shown), err
}
