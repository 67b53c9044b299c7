package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Limits of what plugins add to the prompt.
const (
	maxPieces    = 256
	maxPiece     = 64 << 10
	pieceTimeout = 5 * time.Second
)

// The parts of a prompt.
const (
	partSystem   = "system"
	partContext  = "context"
	partTools    = "tools"
	partVariable = "variable"
)

// Prompt is what plugins have added to the system prompt of the agent.
type Prompt struct {
	System  string // sections
	Context string // what is said beside the conversation
	Tools   string // how tools are used
	Skipped []Skipped
}

// Skipped is a piece whose function failed.
type Skipped struct{ Name, Message string }

// prompt is what is registered now.
type prompt struct {
	emit func(ctx context.Context, event string, args ...any)

	mu     sync.Mutex
	pieces []*piece
}

// piece is one registration.
type piece struct {
	part, name string
	order      float64
	text       any // string or wire.Func
	peer       Peer
}

// piece registers one that is an object with name, order and text.
func (p *prompt) piece(part string) handler {
	return func(c *call) (any, error) {
		o := c.object(c.arg(0), part)
		return p.add(c, &piece{
			part: part, peer: c.caller.Peer,
			name:  c.text(member(o, "name"), part+".name"),
			order: c.numberOr(member(o, "order"), part+".order", 0),
			text:  c.pieceText(member(o, "text"), part+".text"),
		})
	}
}

func (p *prompt) variable(c *call) (any, error) {
	name := c.text(c.arg(0), "name")
	if c.bad == nil && (name == "" || strings.ContainsAny(name, "{} \t\r\n")) {
		c.wrong("name", "a word without braces")
	}
	return p.add(c, &piece{part: partVariable, peer: c.caller.Peer, name: name, text: c.pieceText(c.arg(1), "value")})
}

// pieceText is a text, or a function that gives one.
func (c *call) pieceText(v any, name string) any {
	switch v := v.(type) {
	case wire.Func:
		return v
	case string:
		if len(v) > maxPiece {
			c.wrong(name, "at most 64 KiB")
		}
		return v
	}
	c.wrong(name, "a string, or a function that gives one")
	return nil
}

// add registers a piece, under a name that is free.
func (p *prompt) add(c *call, piece *piece) (any, error) {
	if c.bad != nil {
		return nil, c.bad
	}
	if err := p.insert(piece); err != nil {
		return nil, err
	}
	p.emit(c.ctx, "system-prompt/change")
	return c.disposer(func(ctx context.Context) {
		if p.remove(piece) {
			p.emit(ctx, "system-prompt/change")
		}
	})
}

func (p *prompt) insert(new *piece) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.pieces) >= maxPieces {
		return errTooMany
	}
	for _, old := range p.pieces {
		if old.part == new.part && old.name == new.name {
			return &wire.Thrown{Name: "Error", Code: "taken", Message: "the name " + jsonvalue.Quote(new.name) + " is taken"}
		}
	}
	p.pieces = append(p.pieces, new)
	return nil
}

func (p *prompt) remove(piece *piece) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.pieces, piece)
	if i < 0 {
		return false
	}
	p.pieces = slices.Delete(p.pieces, i, i+1)
	return true
}

// assemble is the prompt as it is now. A function that fails leaves its piece out.
func (p *prompt) assemble(ctx context.Context) (Prompt, error) {
	p.mu.Lock()
	pieces := slices.Clone(p.pieces)
	p.mu.Unlock()
	slices.SortStableFunc(pieces, func(a, b *piece) int { return cmp.Compare(a.order, b.order) })
	var out Prompt
	texts := map[string][]string{}
	var variables []string
	for _, piece := range pieces {
		text, err := piece.render(ctx)
		switch {
		case ctx.Err() != nil:
			return Prompt{}, context.Cause(ctx)
		case err != nil:
			out.Skipped = append(out.Skipped, Skipped{piece.name, err.Error()})
		case piece.part == partVariable:
			variables = append(variables, "{{"+piece.name+"}}", text)
		default:
			texts[piece.part] = append(texts[piece.part], text)
		}
	}
	fill := strings.NewReplacer(variables...)
	for part, into := range map[string]*string{partSystem: &out.System, partContext: &out.Context, partTools: &out.Tools} {
		*into = fill.Replace(strings.Join(texts[part], "\n\n"))
	}
	return out, nil
}

func (p *piece) render(ctx context.Context) (string, error) {
	f, ok := p.text.(wire.Func)
	if !ok {
		return p.text.(string), nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, pieceTimeout, errTimeout)
	defer cancel()
	value, err := ask(ctx, p.peer, f)
	if err != nil {
		return "", err
	}
	text, ok := value.(string)
	if !ok || len(text) > maxPiece {
		return "", errors.New("the function gave no text of at most 64 KiB")
	}
	return text, nil
}

// Prompt is what plugins have added to the system prompt, for a harness.
func (s *Services) Prompt(ctx context.Context) (Prompt, error) { return s.prompt.assemble(ctx) }

// show is the prompt as plugin code gets it.
func (p *prompt) show(c *call) (any, error) {
	out, err := p.assemble(c.ctx)
	if err != nil {
		return nil, err
	}
	skipped := []any{}
	for _, s := range out.Skipped {
		skipped = append(skipped, jsonvalue.Of("name", s.Name, "message", s.Message))
	}
	return jsonvalue.Of("system", out.System, "context", out.Context, "tools", out.Tools, "skipped", skipped), nil
}
