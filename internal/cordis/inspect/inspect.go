// Package inspect is the providers that a model asks what plugin code can use:
// those of the Host, and the mirror of what a page has said of its own
// (spec/cordis.md 15.1).
//
// It keeps manifests, checks what is asked and answered against them, and keeps
// count of the queries that wait for a page. It runs no provider and waits for
// nobody: that is the host's.
package inspect

import (
	"slices"
	"strconv"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Platform is where a provider lives.
type Platform string

// The platforms.
const (
	Host   Platform = "host"
	Client Platform = "client"
)

// Manifest describes a provider.
type Manifest struct {
	ID, Description string
	Methods         []Method
}

// Method is one query of a provider. Input and Output are JSON Schemas of the
// enforced subset.
type Method struct {
	Name, Description string
	Input, Output     any
}

// Question is what somebody wants to know. Given is false when there is no input
// at all, which is checked as {}.
type Question struct {
	Platform         Platform
	Provider, Method string
	Input            any
	Given            bool
}

// Query is a question that waits for a page.
type Query struct {
	ID      string // inspect-<n>
	Session string
	Question
}

// Answer is what a page says to a query.
type Answer struct {
	OK   bool
	Data any
	// Code and Message say why there is no answer: provider-missing,
	// method-missing, provider-error, cancelled.
	Code, Message string
}

// Show is the query as the event cordis/inspect-query carries it.
func (q Query) Show() *jsonvalue.Object {
	o := jsonvalue.Of("requestId", q.ID, "agentId", q.Session, "provider", q.Provider, "method", q.Method)
	if q.Given {
		o.Set("input", q.Input)
	}
	return o
}

// Registry is the providers of one host, and its open queries. It is for one
// goroutine at a time.
type Registry struct {
	host    []registration
	client  []entry // the mirror
	lastReg uint64
	lastID  int
	open    []Query // in the order they were asked
}

// New has no providers.
func New() *Registry { return &Registry{} }

// Register adds a provider of the Host. The id is for Unregister.
func (r *Registry) Register(m Manifest) (id uint64, err error) {
	e, err := compile(Host, m)
	if err != nil {
		return 0, err
	}
	if find(r.hostEntries(), m.ID) != nil {
		return 0, taken(Host, m.ID)
	}
	r.lastReg++
	r.host = append(r.host, registration{r.lastReg, e})
	return r.lastReg, nil
}

// Unregister removes that registration, if it is still there.
func (r *Registry) Unregister(id uint64) {
	r.host = slices.DeleteFunc(r.host, func(reg registration) bool { return reg.id == id })
}

// Sync replaces what is known of the Client by what a page says now. It takes
// all or nothing.
func (r *Registry) Sync(manifests []Manifest) error {
	if len(manifests) > maxProviders {
		return fault.New(fault.Usage, codeManifest, string(Client), "", "there are too many")
	}
	var mirror []entry
	for _, m := range manifests {
		e, err := compile(Client, m)
		if err != nil {
			return err
		}
		if find(mirror, m.ID) != nil {
			return taken(Client, m.ID)
		}
		mirror = append(mirror, e)
	}
	r.client = mirror
	return nil
}

// List is the manifests as cordis_inspect_list shows them: those of the Host in
// the order of their registration, then those of the Client.
func (r *Registry) List() []any {
	list := []any{}
	for _, e := range r.hostEntries() {
		list = append(list, e.show(Host))
	}
	for _, e := range r.client {
		list = append(list, e.show(Client))
	}
	return list
}

// Check says whether a question can be asked: there is such a method, and the
// input fits.
func (r *Registry) Check(q Question) error {
	m, err := r.method(q)
	if err != nil {
		return err
	}
	return m.accepts(q)
}

// CheckAnswer says whether data answers a question: it is lossless JSON that
// matches the output schema.
func (r *Registry) CheckAnswer(q Question, data any) error {
	m, err := r.method(q)
	if err != nil {
		return err
	}
	return m.gives(q, data)
}

// Ask checks a question to the Client and gives it an id, to be broadcast. The
// query is open until Answer takes an answer, or Cancel.
func (r *Registry) Ask(session string, q Question) (Query, error) {
	if err := r.Check(q); err != nil {
		return Query{}, err
	}
	r.lastID++
	query := Query{ID: "inspect-" + strconv.Itoa(r.lastID), Session: session, Question: q}
	r.open = append(r.open, query)
	return query, nil
}

// Answer takes what a page says in a Session to a query. accepted is true of the
// one answer that settles it: the first of that Session that is OK and fits.
func (r *Registry) Answer(session, id string, a Answer) (accepted bool) {
	i := r.index(id)
	if i < 0 || r.open[i].Session != session || !a.OK || r.CheckAnswer(r.open[i].Question, a.Data) != nil {
		return false
	}
	r.drop(i)
	return true
}

// Cancel closes a query that nobody waits for any more; false when it is not open.
func (r *Registry) Cancel(id string) bool {
	i := r.index(id)
	if i < 0 {
		return false
	}
	r.drop(i)
	return true
}

// Open are the queries that wait, in the order they were asked: for a page that
// connects later.
func (r *Registry) Open() []Query { return slices.Clone(r.open) }

func (r *Registry) index(id string) int {
	return slices.IndexFunc(r.open, func(q Query) bool { return q.ID == id })
}

func (r *Registry) drop(i int) { r.open = slices.Delete(r.open, i, i+1) }
