// Package compose is the kernel of composable memory: contributions in, one
// immutable View out, and the reads and writes that the View offers.
//
// It has no Source, no Strategy and no storage of its own, opens no file, reads
// no clock and knows no script. What plugins give it are values of package
// jsonvalue; it validates, copies and bounds each of them. The behaviour is that
// of spec/mnemon.md 2 to 14 and 23 with the newer rules.
package compose

import (
	"context"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// SourceDefinition is a kind of Source: what it declares and how one is made.
type SourceDefinition struct {
	Manifest *SourceManifest
	Create   SourceFactory
}

// SourceFactory makes one instance. It must be cheap: every mount of any plugin
// makes all Sources anew. It neither reads nor writes the Source's data.
type SourceFactory func(ctx context.Context, c SourceContext) (Source, error)

// SourceContext is what a factory is told.
type SourceContext struct {
	InstanceKey   string
	Provenance    Provenance
	Configuration any // JSON, an empty object by default
}

// Source owns one memory authority.
//
// Facts is cheap and not sensitive. Project agrees with the revision that the
// request expects, or fails. Both may be called for several requests at once,
// keep what they remember by the request's Scope (one pointer for both calls of
// a composition), return soon after ctx ends and write nothing.
//
// Both return JSON in the shapes of spec/mnemon.md 3.5 and 3.6. A Source reads
// and writes more by the optional interfaces below.
type Source interface {
	Facts(ctx context.Context, r *Request) (any, error)
	Project(ctx context.Context, r *ProjectionRequest) (any, error)
}

// Starter is a Source whose calls wait in a queue of its own. Core then starts
// the reads of one phase in installation order: the call is in the queue when
// the method returns, and the channel delivers the one answer.
type Starter interface {
	StartFacts(ctx context.Context, r *Request) <-chan Answer
	StartProject(ctx context.Context, r *ProjectionRequest) <-chan Answer
}

// QueryStarter is a Querier whose calls wait in a queue of its own, as a
// Starter's do: the call is in the queue when the method returns.
type QueryStarter interface {
	StartQuery(ctx context.Context, r *QueryRequest) <-chan Answer
}

// DisposeStarter is a Disposer whose calls wait in a queue of its own. The call
// comes on the goroutine that ended the generation and must not wait there for
// the disposal; if the channel already has the answer, the next runtime follows
// on the same goroutine, otherwise on another.
type DisposeStarter interface {
	StartDispose(ctx context.Context) <-chan error
}

// Answer is what a started read gave. The channel has room for it: nobody may be
// waiting any more.
type Answer struct {
	Value any
	Err   error
}

// Querier answers the routes of a View with Evidence (3.14). It enforces the
// scope of its own grant.
type Querier interface {
	Query(ctx context.Context, r *QueryRequest) (any, error)
}

// Mutator executes an authorised action and returns a Receipt (3.15). Once it
// was called, an error does not mean that nothing was written.
type Mutator interface {
	Mutate(ctx context.Context, r *MutateRequest) (any, error)
}

// Manager answers the management channel (3.16) with {revision, value}.
type Manager interface {
	Manage(ctx context.Context, r *ManageRequest) (any, error)
}

// Disposer releases what an instance holds, after its last lease.
type Disposer interface {
	Dispose(ctx context.Context) error
}

// Partial is a Source with methods that do not count: Offers says which of
// "query", "mutate", "manage", "dispose" do, and whether "facts" and "project"
// are there at all.
type Partial interface {
	Offers(method string) bool
}

// Request is a composition's request, frozen.
type Request struct {
	Scope    *jsonvalue.Object // the same pointer in the ProjectionRequest
	Scenario string
	Budget   Budget
	Raw      *jsonvalue.Object // the whole request as plugins see it, unknown fields too
}

// ProjectionRequest asks one Source for its part of a View (3.6).
type ProjectionRequest struct {
	Scope             *jsonvalue.Object
	SourceInstanceKey string
	ExpectedRevision  string
	IncludeProjection bool
	Mode              string // eager or routed
	MaxCharacters     int    // UTF-16 code units
}

// QueryRequest is one dispatched read. View holds id and scope alone.
type QueryRequest struct {
	View  *jsonvalue.Object
	Route *jsonvalue.Object // with the limits of this read
	Grant *jsonvalue.Object
	Input any
	Bound bool // the caller handed in a signal: plugins see ctx as one
}

// MutateRequest is one authorised write; Grant is nil if the View holds none of
// this Source.
type MutateRequest struct {
	View  *jsonvalue.Object
	Offer *jsonvalue.Object
	Grant *jsonvalue.Object
	Input any
	Bound bool
}

// ManageRequest is one management operation.
type ManageRequest struct {
	Raw   *jsonvalue.Object // scope, sourceInstanceKey, mode, operation, input, expectedRevision?, confirmed
	Bound bool
}

// Budget bounds one View and the reads of it. Characters are UTF-16 code units.
type Budget struct {
	MaxProjectionCharacters int
	MaxRoutes               int
	MaxActions              int
	MaxEvidenceResults      int
	MaxEvidenceCharacters   int
}

// DefaultBudget is the budget of a request that names none.
var DefaultBudget = Budget{65536, 16, 16, 16, 16384}

// StrategyDefinition is a Strategy: pure, deterministic, told facts alone.
type StrategyDefinition struct {
	Manifest *StrategyManifest
	Strategy Strategy
}

// Strategy proposes a View (3.7). Core calls Compose twice with the same frozen
// values and compares; it must not keep, change or add anything of its own to
// what it is given, and looks at neither clock nor chance.
type Strategy interface {
	Compose(ctx context.Context, r *Request, sources []any, contributions []any) (any, error)
}

// TurnStrategy is a Strategy with a read policy. CreateTurn is called once per
// execution, on its first read.
type TurnStrategy interface {
	Strategy
	CreateTurn(ctx context.Context, view *View) (Policy, error)
}

// Policy decides how one execution reads. It gets read, which dispatches the one
// route of the request under Core's checks, until Query returns.
type Policy interface {
	Query(ctx context.Context, r *PolicyRequest, read Read) (any, error)
}

// PolicyRequest is a read as the model asked for it.
type PolicyRequest struct {
	Route *jsonvalue.Object
	Input any
	Bound bool
}

// Read dispatches one read; limits is absent (nil) or an object with maxResults
// and maxCharacters, which only narrow. The checks and the count of the call are
// done when Read returns; the channel delivers the Evidence.
type Read func(ctx context.Context, input, limits any) <-chan Answer

// ExtensionDefinition is a Strategy extension: a pure function that fills one
// slot of a Strategy with one JSON value.
type ExtensionDefinition struct {
	Manifest  *ExtensionManifest
	Extension Extension
}

// Extension contributes the value, from the same frozen values as a Strategy.
type Extension interface {
	Contribute(ctx context.Context, r *Request, sources []any) (any, error)
}

// Provenance says where a contribution comes from.
type Provenance struct {
	PackageName, EntryID string
	ArtifactDigest       string // empty: none
}
