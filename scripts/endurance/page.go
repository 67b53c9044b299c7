package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

// losePage connects a page, has it handed a request that was approved by shell,
// and takes it away before it has carried that out; or lets it, now and then.
func (c *crowd) losePage(chance *rand.Rand, conn *control.Conn) error {
	offers := make(chan request, 16)
	page, err := c.dial(control.Page, control.Handlers{Notify: func(method string, params json.RawMessage) {
		var r request
		if method == "carry" && json.Unmarshal(params, &r) == nil {
			offers <- r
		}
	}})
	if err != nil {
		return err
	}
	defer page.Close()
	p, err := c.define(conn, object{"session": "pages", "idPrefix": "shared", "host": shared, "client": "return {}"})
	if err != nil {
		return err
	}
	defer func() { _ = c.call(conn, "undefine", object{"session": "pages", "pluginId": p.Plugin}, nil) }()
	if err := c.run(conn, "pages", p, "run"); err != nil {
		return err
	}
	if err := c.approve(conn, p); err != nil {
		return err
	}
	select {
	case r := <-offers:
		if chance.IntN(2) == 0 {
			return c.carry(page, r)
		}
	case <-time.After(callTime):
		return fmt.Errorf("no page is handed the request of %s", p.Plugin)
	}
	c.counts[lostPages].Add(1)
	return nil
}

// request is what a page is handed.
type request struct {
	RequestID, AgentID, PluginID, PackageID, Mode string
}

// approve does as a person at a shell.
func (c *crowd) approve(conn *control.Conn, p made) error {
	var all struct{ Requests []request }
	if err := c.call(conn, "approvals", nil, &all); err != nil {
		return err
	}
	for _, r := range all.Requests {
		if r.PluginID == p.Plugin {
			return c.call(conn, "approve", object{"requestId": r.RequestID}, nil)
		}
	}
	return fmt.Errorf("%s waits for no approval", p.Plugin)
}

// carry runs the Host half and says that the Client half runs too.
func (c *crowd) carry(page *control.Conn, r request) error {
	var half struct {
		OK          bool
		PluginRunID string
		Message     string
	}
	err := c.call(page, "runHostHalf", object{"agentId": r.AgentID, "pluginId": r.PluginID, "packageId": r.PackageID, "mode": r.Mode, "requestId": r.RequestID, "approveFutureVersions": false}, &half)
	if err != nil || !half.OK { // its process may have been killed
		return err
	}
	var settled struct{ Accepted bool }
	err = c.call(page, "resolveRequestRun", object{"requestId": r.RequestID, "resolution": object{"ok": true, "pluginRunId": half.PluginRunID, "waitingFor": []string{}}}, &settled)
	if err == nil && settled.Accepted {
		c.counts[carried].Add(1)
	}
	return err
}
