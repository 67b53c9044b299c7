package selfipcmd

import (
	"context"
	"fmt"
	"strconv"

	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/internal/mcpserve"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/internal/selfip/scope"
)

// Bounds of what an agent may send, in characters, and of what it may ask for.
const (
	noteLength  = 20_000
	queryLength = 4_000
	nameLength  = 300
	pathLength  = 4_000
	mostHits    = 50
)

// agent is who calls a tool, whatever it says of itself: what it claims is the
// source of the knowledge, never who wrote the entry (spec/selfip.md 9, W8).
var agent = selfip.Author{Origin: "tool"}

// tools are the six tools of the original, under its names (spec/selfip.md 27.1).
func (d desk) tools() []mcpserve.Tool {
	return []mcpserve.Tool{d.rememberTool(), d.searchTool(), d.playbookTool(), d.proposalTool(), d.configTool(), d.statusTool()}
}

func object(fields ...mcpserve.Field) mcpserve.Schema {
	return mcpserve.Schema{Type: mcpserve.Object, Fields: fields}
}

// told is the form of a result: it may hold more than what is told of it.
func told(fields ...mcpserve.Field) mcpserve.Schema {
	s := object(fields...)
	s.Open = true
	return s
}

func field(name string, t mcpserve.Type, about string) mcpserve.Field {
	return mcpserve.Field{Name: name, Schema: mcpserve.Schema{Type: t, About: about}}
}

func required(f mcpserve.Field) mcpserve.Field {
	f.Required = true
	return f
}

func textField(name, about string, length int, words ...string) mcpserve.Field {
	return mcpserve.Field{Name: name, Schema: mcpserve.Schema{Type: mcpserve.Text, About: about, Length: length, Words: words}}
}

// workspaceField names the folder whose library is meant.
func (d desk) workspaceField() mcpserve.Field {
	return textField("workspace", d.env.Say("mcp-arg-workspace"), pathLength)
}

func okField() mcpserve.Field { return required(field("ok", mcpserve.Truth, "")) }

func (d desk) rememberTool() mcpserve.Tool {
	say := d.env.Say
	importance := field("importance", mcpserve.Whole, say("mcp-remember-importance"))
	importance.Low, importance.High = 1, 10
	return mcpserve.Tool{
		Name: "remember", Title: say("mcp-remember-title"), About: say("mcp-remember"), Idempotent: true,
		Input: object(
			required(textField("note", say("mcp-remember-note"), noteLength)),
			textField("kind", say("mcp-remember-kind"), 0, kindNames()...),
			importance,
			textField("source", say("mcp-remember-source"), 0, sources...),
			textField("replaces", say("mcp-remember-replaces"), queryLength),
			d.workspaceField(),
		),
		Output: told(okField(), field("id", mcpserve.Text, ""), field("file", mcpserve.Text, ""), field("scope", mcpserve.Text, ""), field("detail", mcpserve.Text, "")),
		Call:   d.remember,
	}
}

// remember does what the tool says.
func (d desk) remember(ctx context.Context, a mcpserve.Arguments) (any, error) {
	kind, text, err := parseNote(a.Text("kind"), a.Text("note"))
	if err != nil {
		return nil, err
	}
	note := selfip.Note{Kind: kind, Text: text, Source: a.Text("source"), Replaces: a.Text("replaces")}
	note.Importance, _ = a.Whole("importance")
	if note.Source == "" {
		note.Source = "agent"
	}
	v, err := d.visit(a.Text("workspace"))
	if err != nil {
		return nil, err
	}
	got, err := v.memory.Remember(ctx, note, agent)
	switch {
	case err != nil:
		return nil, err
	case got.Unwanted:
		return nil, awaits(got)
	}
	out := rememberReport{got}.JSON().(RememberJSON)
	if got.Degraded != nil {
		out.Detail = v.env.Say("degraded", got.Degraded)
	}
	if got.Waiting { // accepted, and not yet an entry
		out.Detail = v.env.Say("awaits-word", got.ID)
	}
	return documentOf(out)
}

// ToolSearchJSON is what the tool memory_search answers.
type ToolSearchJSON struct {
	Hits  []ToolHitJSON `json:"hits"` // best first
	Count int           `json:"count"`
}

// ToolHitJSON is one of its hits.
type ToolHitJSON struct {
	File     string   `json:"file"` // with a mark before it when it is of the global library
	Line     string   `json:"line"`
	Score    float64  `json:"score"`
	ID       string   `json:"id"`
	Library  string   `json:"library"`
	Marks    []string `json:"marks"` // what to know before relying on it, in words
	Archived bool     `json:"archived"`
}

func (d desk) searchTool() mcpserve.Tool {
	say := d.env.Say
	limit := field("limit", mcpserve.Whole, say("mcp-search-limit"))
	limit.Low, limit.High = 1, mostHits
	hit := told(
		required(field("file", mcpserve.Text, "")), required(field("line", mcpserve.Text, "")), required(field("score", mcpserve.Number, "")),
		required(field("id", mcpserve.Text, "")),
	)
	hits := required(field("hits", mcpserve.List, ""))
	hits.Items = &hit
	return mcpserve.Tool{
		Name: "memory_search", Title: say("mcp-search-title"), About: say("mcp-search"), // each call counts the uses of its hits
		Input:  object(required(textField("query", say("mcp-search-query"), queryLength)), limit, d.workspaceField()),
		Output: told(hits, required(field("count", mcpserve.Whole, ""))),
		Call: func(ctx context.Context, a mcpserve.Arguments) (any, error) {
			v, err := d.visit(a.Text("workspace"))
			if err != nil {
				return nil, err
			}
			n, given := a.Whole("limit")
			if !given {
				n = selfip.SearchLimit
			}
			found := v.search(ctx, searchOptions{query: a.Text("query"), limit: n, count: true})
			return documentOf(v.searchJSON(found))
		},
	}
}

func (v visit) search(ctx context.Context, opts searchOptions) []selfip.Hit {
	return search(ctx, v.env, v.opened, opts)
}

func (v visit) searchJSON(found []selfip.Hit) ToolSearchJSON {
	out := ToolSearchJSON{Count: len(found)}
	for _, h := range found {
		hit := ToolHitJSON{File: h.File, Line: h.Entry.Entry.String(), Score: h.Score, ID: h.ID, Library: string(h.Library), Archived: h.Archived}
		if h.Library == selfip.GlobalLabel {
			hit.File = v.env.Say("global-prefix") + hit.File
		}
		for _, mark := range marks(h) {
			hit.Marks = append(hit.Marks, v.env.Say("mark-"+mark))
		}
		out.Hits = append(out.Hits, hit)
	}
	return out
}

func (d desk) playbookTool() mcpserve.Tool {
	say := d.env.Say
	return mcpserve.Tool{
		Name: "playbook_use", Title: say("mcp-playbook-title"), About: say("mcp-playbook"),
		Input: object(
			required(textField("slug", say("mcp-playbook-slug"), nameLength)),
			required(textField("outcome", say("mcp-playbook-outcome"), 0, "success", "fail")),
			d.workspaceField(),
		),
		Output: told(okField(), required(field("detail", mcpserve.Text, ""))),
		Call: func(ctx context.Context, a mcpserve.Arguments) (any, error) {
			v, err := d.visit(a.Text("workspace"))
			if err != nil {
				return nil, err
			}
			p, err := v.memory.UsePlaybook(ctx, a.Text("slug"), a.Text("outcome") == "success")
			if err != nil {
				return nil, err
			}
			return documentOf(struct {
				OK     bool   `json:"ok"`
				Detail string `json:"detail"`
			}{true, fmt.Sprintf("%s uses=%d successes=%d fails=%d", p.Name(), p.Uses, p.Successes, p.Fails)})
		},
	}
}

// ToolProposalJSON is what the tool selfip_proposal answers.
type ToolProposalJSON struct {
	OK        bool           `json:"ok"`
	ID        string         `json:"id"` // of the decided one
	Detail    string         `json:"detail"`
	Proposals []ProposalJSON `json:"proposals"` // that wait, now
}

func (d desk) proposalTool() mcpserve.Tool {
	say := d.env.Say
	waiting := required(field("proposals", mcpserve.List, ""))
	one := told(required(field("id", mcpserve.Text, "")), required(field("file", mcpserve.Text, "")), required(field("summary", mcpserve.Text, "")))
	waiting.Items = &one
	return mcpserve.Tool{
		Name: "selfip_proposal", Title: say("mcp-proposal-title"), About: say("mcp-proposal"),
		Input: object(
			required(textField("decision", say("mcp-proposal-decision"), 0, "accept", "reject", "list")),
			textField("id", say("mcp-proposal-id"), nameLength),
			textField("note", say("mcp-proposal-note"), queryLength),
			d.workspaceField(),
		),
		Output: told(okField(), required(field("id", mcpserve.Text, "")), required(field("detail", mcpserve.Text, "")), waiting),
		Call: func(ctx context.Context, a mcpserve.Arguments) (any, error) {
			v, err := d.visit(a.Text("workspace"))
			if err != nil {
				return nil, err
			}
			out := ToolProposalJSON{OK: true}
			if decision := a.Text("decision"); decision != "list" {
				p, err := v.memory.Decide(ctx, a.Text("id"), decision == "accept", a.Text("note"), agent)
				if err != nil {
					return nil, err
				}
				r := decisionReport{decided: []proposal.Proposal{p}, accepted: decision == "accept"}
				out.ID = p.ID
				if out.Detail, err = v.line(r); err != nil {
					return nil, err
				}
			}
			list, err := v.memory.Proposals()
			if err != nil {
				return nil, err
			}
			out.Proposals = proposalsJSON(list)
			if out.Detail == "" {
				out.Detail = v.env.Say("proposals-head", len(list))
			}
			return documentOf(out)
		},
	}
}

// ToolConfigJSON is what the tool selfip_config answers.
type ToolConfigJSON struct {
	OK          bool       `json:"ok"`
	Text        string     `json:"text"` // what is in effect, and what a change hides
	Scope       string     `json:"scope"`
	GlobalDir   string     `json:"globalDir"`
	AutoPromote bool       `json:"autoPromote"`
	Notes       []NoteJSON `json:"notes"`
}

func (d desk) configTool() mcpserve.Tool {
	say := d.env.Say
	return mcpserve.Tool{
		Name: "selfip_config", Title: say("mcp-config-title"), About: say("mcp-config"), Idempotent: true,
		Input: object(
			textField("scope", say("mcp-config-scope"), 0, string(scope.Workspace), string(scope.Global), string(scope.Both)),
			textField("globalDir", say("mcp-config-globaldir"), pathLength),
			field("autoPromote", mcpserve.Truth, say("mcp-config-autopromote")),
			textField("target", say("mcp-config-target"), 0, "workspace", "global"),
			d.workspaceField(),
		),
		Output: told(okField(), required(field("text", mcpserve.Text, "")), required(field("scope", mcpserve.Text, "")), required(field("globalDir", mcpserve.Text, ""))),
		Call: func(ctx context.Context, a mcpserve.Arguments) (any, error) {
			v, err := d.visit(a.Text("workspace"))
			if err != nil {
				return nil, err
			}
			report, err := v.configure(ctx, wanted(a), a.Text("target") == "global")
			if err != nil {
				return nil, err
			}
			return v.configJSON(report)
		},
	}
}

// wanted lists the settings that a call wants changed, with their values as a
// command line has them.
func wanted(a mcpserve.Arguments) [][2]string {
	var list [][2]string
	for _, key := range []string{"scope", "globalDir"} {
		if a.Has(key) {
			list = append(list, [2]string{key, a.Text(key)})
		}
	}
	if on, given := a.Truth("autoPromote"); given {
		list = append(list, [2]string{"autoPromote", strconv.FormatBool(on)})
	}
	return list
}

// configure changes settings, all of them or, when one value is no good, none; then
// it tells what is in effect.
func (v visit) configure(ctx context.Context, settings [][2]string, global bool) (scopeReport, error) {
	for _, s := range settings {
		if _, _, err := config.ParseSetting(s[0], s[1]); err != nil {
			return scopeReport{}, err
		}
		if s[0] == "globalDir" {
			if err := checkGlobalDir(v.opened, s[1]); err != nil {
				return scopeReport{}, err
			}
		}
	}
	before, after := v.opened, v.opened
	for _, s := range settings {
		var err error
		if after, err = change(ctx, v.env, after, s[0], s[1], global); err != nil {
			return scopeReport{}, err
		}
	}
	report := scopeReport{opened: after}
	if after != before {
		report.echo, report.overridden = echo(before, after), overridden(after, settings[0][0], global)
	}
	return report, nil
}

func (v visit) configJSON(r scopeReport) (any, error) {
	text, err := v.text(r)
	if err != nil {
		return nil, err
	}
	s := r.settings
	out := ToolConfigJSON{OK: true, Text: text, Scope: s.Scope, GlobalDir: s.GlobalDir, AutoPromote: s.AutoPromote}
	for _, line := range r.echo {
		out.Notes = append(out.Notes, NoteJSON(line))
	}
	return documentOf(out)
}

func (d desk) statusTool() mcpserve.Tool {
	say := d.env.Say
	return mcpserve.Tool{
		Name: "selfip_status", Title: say("mcp-status-title"), About: say("mcp-status"), ReadOnly: true, Idempotent: true,
		Input:  object(d.workspaceField()),
		Output: told(required(field("name", mcpserve.Text, "")), required(field("now", mcpserve.Text, "")), required(field("stores", mcpserve.List, "")), required(field("globalLibraries", mcpserve.List, ""))),
		Call: func(_ context.Context, a mcpserve.Arguments) (any, error) {
			v, err := d.visit(a.Text("workspace"))
			if err != nil {
				return nil, err
			}
			return documentOf(statusOf(v.env, v.opened).JSON())
		},
	}
}
