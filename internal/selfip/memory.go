package selfip

import (
	"time"

	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Settings are the limits that a user can set, in UTF-16 code units unless they
// say otherwise.
type Settings struct {
	Language    string // en or zh-CN
	InjectChars int    // of the whole injected block
	HookBytes   int    // bytes of UTF-8 that a hook's reply may carry
	PromptChars int    // of what a prompt hook adds
	SearchChars int    // of what one search returns; 0: no bound
	FileChars   int    // of one partition file; what is over moves to the archive

	DailyTokens int      // that calls of a model may cost a library a day; 0: DefaultDailyTokens; less: nothing
	ModelUse    []string // what a model may be used for; nil: everything
	KeepDays    int      // age from which what was learned from may be pruned; 0: never
	Writes      Writes   // what may be stored without the user's word; "": auto
}

// Memory is what a use case works on: the libraries of a workspace, the
// switches that say which are read and written, the limits, the clock.
type Memory struct {
	Workspace *Library // nil: there is none, and writing is refused with NoWorkspace
	Global    *Library // nil: there is none
	ScopeName scope.Scope
	Scope     scope.Switches
	Settings  Settings
	Now       func() time.Time
	NewID     func(prefix string) string
	// Alive reports whether a process that a session or a claim named still runs.
	// Nil: nobody knows.
	Alive func(process string) bool
	// Self names this process as Alive knows it; "" or nil where that is unknown.
	Self func() string
	// Noticed, when it is set, is told of damage that building a block came across.
	Noticed func(Damage)
	// Quick asks for nothing that takes long: somebody waits for a hook.
	Quick bool
	// IndexWanted says that a quick search had to leave something out: a worker
	// should make an index.
	IndexWanted bool
	// Model answers questions; nil: there is none, and the built-in engine does its work.
	Model Ask
	// Route is where the model's calls go.
	Route Route
	// Here reports whether a folder belongs to the workspace; nil: every one does.
	Here func(dir string) bool
	// Skills remembers which playbooks are offered as skills, and where; nil: nowhere.
	Skills *Skills
	// Say words an error for a file that people read; nil: its code and arguments.
	Say func(error) string
	// NoWorkspace says why there is no workspace to write to.
	NoWorkspace error
}

// Hurry says that somebody waits for a hook: nothing may take long, least of all
// the lock.
func (m *Memory) Hurry(wait time.Duration) {
	m.Quick = true
	for _, lib := range []*Library{m.Workspace, m.Global} {
		if lib != nil {
			lib.dir = lib.dir.Patient(wait)
		}
	}
}

// readable returns the libraries that are read, the workspace first. In scope
// global without a global folder the workspace is read instead (spec/selfip.md
// 7.1).
func (m *Memory) readable() []*Library {
	var libs []*Library
	if m.Workspace != nil && (m.Scope.ReadWorkspace || m.Global == nil) {
		libs = append(libs, m.Workspace)
	}
	if m.Global != nil && m.Scope.ReadGlobal {
		libs = append(libs, m.Global)
	}
	return libs
}

// workspace returns the workspace library for writing.
func (m *Memory) workspace() (*Library, error) {
	switch {
	case m.Workspace != nil:
		return m.Workspace, nil
	case m.NoWorkspace != nil:
		return nil, m.NoWorkspace
	}
	return nil, fault.New(fault.Refused, codeNoWorkspace)
}

// targets returns the libraries to which a new entry may be written, the first
// choice first: in scope global the global library, else and after it the
// workspace (spec/selfip.md 7.2).
func (m *Memory) targets() ([]*Library, error) {
	if m.Scope.WriteGlobal && m.Global != nil {
		if m.Workspace == nil {
			return []*Library{m.Global}, nil
		}
		return []*Library{m.Global, m.Workspace}, nil
	}
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	return []*Library{lib}, nil
}
