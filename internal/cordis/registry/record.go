package registry

import (
	"errors"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Source is the text of a half as it was handed in. In JSON a lone surrogate
// survives.
type Source string

// MarshalJSON writes the text as JSON.stringify does.
func (s Source) MarshalJSON() ([]byte, error) { return []byte(jsonvalue.Quote(string(s))), nil }

// UnmarshalJSON reads it as JSON.parse does.
func (s *Source) UnmarshalJSON(text []byte) error {
	v, err := jsonvalue.Parse(text)
	if err != nil {
		return err
	}
	t, ok := jsonvalue.Text(v)
	if !ok {
		return errors.New("the source of a half is a string")
	}
	*s = Source(t)
	return nil
}

// Code is the halves of a Package. A half that is empty is present, one that is
// nil is not.
type Code struct {
	Host   *Source `json:"host,omitempty"`
	Client *Source `json:"client,omitempty"`
}

// Diagnostic is why an attempt did not come to run, or what broke it later.
type Diagnostic struct {
	Phase       Phase     `json:"phase"`
	Slot        string    `json:"slot,omitempty"` // of client-render
	Message     string    `json:"message"`
	Stack       string    `json:"stack,omitempty"`
	Abdicated   *bool     `json:"abdicated,omitempty"` // of client-render: the entry is gone
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
}

// HalfState is one half of an attempt.
type HalfState struct {
	Status     HalfStatus `json:"status"`
	WaitingFor []string   `json:"waitingFor"`
	Error      *string    `json:"error,omitempty"`
}

// Attempt is the latest try to make a Package run. It stays after failure and stop.
type Attempt struct {
	PluginRunID       RunID       `json:"pluginRunId"`
	PackageID         PackageID   `json:"packageId"`
	Mode              Mode        `json:"mode"`
	Status            Status      `json:"status"`
	Host              HalfState   `json:"host"`
	Client            HalfState   `json:"client"`
	ApprovalRequestID RequestID   `json:"approvalRequestId,omitempty"` // while the request can be answered
	RequiresApproval  *bool       `json:"requiresApproval,omitempty"`  // whether a person has to decide
	Error             *Diagnostic `json:"error,omitempty"`
}

// ActiveRun names what runs now.
type ActiveRun struct {
	PluginRunID RunID     `json:"pluginRunId"`
	PackageID   PackageID `json:"packageId"`
}

// RenderFailure is a crash of what a Client half draws.
type RenderFailure struct {
	Slot      string `json:"slot"`
	Message   string `json:"message"`
	Stack     string `json:"stack,omitempty"`
	Abdicated bool   `json:"abdicated"`
}

// Failure is what plugin code threw.
type Failure struct {
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
}

// copy is a state that shares nothing with this one.
func (h HalfState) copy() HalfState {
	h.WaitingFor = texts(h.WaitingFor)
	if h.Error != nil {
		text := *h.Error
		h.Error = &text
	}
	return h
}

// copy is an attempt that shares nothing with this one.
func (a *Attempt) copy() *Attempt {
	if a == nil {
		return nil
	}
	out := *a
	out.Host, out.Client = a.Host.copy(), a.Client.copy()
	if a.RequiresApproval != nil {
		asked := *a.RequiresApproval
		out.RequiresApproval = &asked
	}
	if a.Error != nil {
		why := *a.Error
		if why.Abdicated != nil {
			abdicated := *why.Abdicated
			why.Abdicated = &abdicated
		}
		out.Error = &why
	}
	return &out
}
