package control

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Desk is where the connections of one host are served.
type Desk struct {
	Host *host.Host
	Card Card

	Language string // of the texts of the seven tools

	// Stop asks the process to end; it does not wait.
	Stop func()
	// Processes is how many processes of halves there are. Nil: none.
	Processes func() int
	// Page is the address of the page, "" when none is served.
	Page func() string
}

// seat is one connection with what it may do.
type seat struct {
	desk  *Desk
	conn  *Conn
	hello HelloParams

	page   *host.Page   // of the role page
	bridge *host.Bridge // of the role bridge
	kept   kept         // by it
}

// Attach seats a connection that has said hello (see ServerConfig).
func (d *Desk) Attach(c *Conn, hello HelloParams) (Handlers, func()) {
	s := &seat{desk: d, conn: c, hello: hello}
	switch hello.Role {
	case Page:
		s.page = d.Host.AddPage(host.PageOptions{
			Name: hello.Name, Sessions: sessionIDs(hello.Sessions), Events: s.event,
			Carry: func(r host.Request) { _ = c.Notify(methodCarry, r) }, // who is gone is told by Close
		})
	case Bridge:
		s.bridge = d.Host.AddBridge(host.BridgeOptions{Name: hello.Name, Remote: remote{s}})
	}
	return Handlers{Request: s.find}, s.leave
}

func sessionIDs(names []string) (list []host.SessionID) {
	for _, name := range names {
		list = append(list, host.SessionID(name))
	}
	return list
}

// leave undoes what the connection held.
func (s *seat) leave() {
	switch {
	case s.page != nil:
		s.page.Close()
	case s.bridge != nil:
		ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
		defer cancel()
		defer s.kept.clear()
		_ = s.bridge.Close(ctx) // its plugins are told; nobody is there to tell more
	}
}

// leaveTime bounds how long the users of a bridge that is gone may take.
const leaveTime = 30 * time.Second

// find looks a method up for the role of the connection.
func (s *seat) find(name string) (Handler, error) {
	m, ok := methodsByName()[name]
	switch {
	case !ok:
		return nil, fault.New(fault.Usage, codeUnknown, name)
	case !slices.Contains(m.Roles, s.hello.Role):
		return nil, fault.New(fault.Refused, codeRole, string(s.hello.Role), name)
	}
	return func(ctx context.Context, params json.RawMessage) (any, error) { return m.call(ctx, s, params) }, nil
}

// EventParams are an event for pages (spec/cordis.md 5.3), numbered.
type EventParams struct {
	Seq     uint64 `json:"seq"`
	At      string `json:"at"` // RFC 3339
	Name    string `json:"name"`
	Payload Value  `json:"payload"`
}

// event tells the connection an event.
func (s *seat) event(e host.Event) { _ = s.tellEvent(e) } // who is gone needs none

func (s *seat) tellEvent(e host.Event) error {
	return s.conn.Notify(methodEvent, EventParams{e.Seq, e.At.Format(time.RFC3339Nano), e.Name, Value{e.Payload}})
}
