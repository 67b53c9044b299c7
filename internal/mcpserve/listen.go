package mcpserve

import (
	"context"
	"encoding/json"
)

// listener is a request of the stateless version that stays open: its client wants
// to be told when a list changes.
type listener struct {
	Tools   bool `json:"toolsListChanged,omitempty"`
	Prompts bool `json:"promptsListChanged,omitempty"`
}

// listen tells a client what it will be told of, and stays until it is given up.
func (c *connection) listen(ctx context.Context, r call) (any, *protocolError) {
	var p struct {
		Notifications *listener `json:"notifications"`
	}
	if err := r.read(&p); err != nil {
		return nil, err
	}
	if p.Notifications == nil {
		return nil, refusal(invalidParams, "notifications are missing")
	}
	meta := map[string]any{keySubscription: r.ID}
	c.telling.Lock() // what changes from here on is told, and told after this
	c.notify("notifications/subscriptions/acknowledged", map[string]any{"notifications": p.Notifications, "_meta": meta})
	c.listening[string(r.ID)] = *p.Notifications
	c.telling.Unlock()
	if *p.Notifications != (listener{}) {
		<-ctx.Done()
	}
	c.telling.Lock()
	delete(c.listening, string(r.ID))
	c.telling.Unlock()
	return r.result(func(*ordered) {}), nil
}

// changed tells the client that a list has changed: one that has opened the older
// way in any case, one of the stateless version where it listens.
func (c *connection) changed(method string, wants func(listener) bool) {
	c.mu.Lock()
	opened := c.version != ""
	c.mu.Unlock()
	if opened {
		c.notify(method, struct{}{})
	}
	c.telling.Lock()
	defer c.telling.Unlock()
	for _, id := range names(c.listening) {
		if wants(c.listening[id]) {
			c.notify(method, map[string]any{"_meta": map[string]any{keySubscription: json.RawMessage(id)}})
		}
	}
}
