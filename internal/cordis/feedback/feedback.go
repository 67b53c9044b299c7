// Package feedback is what the owner of a Plugin is told: messages that wake it
// (steer) and such that wait for its next step (context), in English and Chinese,
// and the bounded queue of a Session that holds them until they are read.
//
// The text of a message is a sentence, then its facts, one a line in the same form
// in every language, then what to do. See Parse.
package feedback

import (
	"time"

	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/text"
)

// Kind says whether a message wakes its reader.
type Kind string

// The kinds.
const (
	Steer   Kind = "steer"
	Context Kind = "context"
)

// Both is the filter that lets every kind pass.
const Both Kind = ""

// TopicDropped is the topic of the message that counts those that were dropped.
const TopicDropped registry.Topic = "dropped"

// The most characters of what plugin code threw that a message carries.
const (
	messageBudget = 4000
	stackBudget   = 8000
)

// Message is one thing a Session is told. Text is for a model; Facts hold the same
// for a program.
type Message struct {
	Seq         uint64             `json:"seq"`
	Kind        Kind               `json:"kind"`
	Topic       registry.Topic     `json:"topic"`
	Text        string             `json:"text"`
	PluginID    registry.PluginID  `json:"pluginId,omitempty"`
	PackageID   registry.PackageID `json:"packageId,omitempty"`
	PluginRunID registry.RunID     `json:"pluginRunId,omitempty"`
	At          time.Time          `json:"at"`
	Facts       Facts              `json:"facts"`
}

// Facts are the rest of what a message says; those not of its topic are left out.
type Facts struct {
	Mode             registry.Mode            `json:"mode,omitempty"`
	Returned         registry.RequestedStatus `json:"returned,omitempty"`
	Reason           registry.Reason          `json:"reason,omitempty"`
	Platform         string                   `json:"platform,omitempty"` // Host or Client
	Slot             string                   `json:"slot,omitempty"`
	Abdicated        *bool                    `json:"abdicated,omitempty"`
	Method           string                   `json:"method,omitempty"`
	Where            string                   `json:"where,omitempty"`
	Message          *string                  `json:"message,omitempty"` // of the topics that tell of a failure
	Stack            string                   `json:"stack,omitempty"`
	CurrentPackageID registry.PackageID       `json:"currentPackageId,omitempty"`
	NextPackageID    registry.PackageID       `json:"nextPackageId,omitempty"`
	Last             bool                     `json:"last,omitempty"`  // further failures of the run are not told
	Count            int                      `json:"count,omitempty"` // of dropped
}

// New makes the message of a notice; the queue gives it its Seq. The language is
// "zh-CN" or else English.
func New(n registry.Notice, language string, at time.Time) Message {
	m := Message{
		Kind: Context, Topic: n.Topic, PluginID: n.PluginID, PackageID: n.PackageID, PluginRunID: n.RunID,
		At: at, Facts: facts(n),
	}
	if n.Topic.Steers() {
		m.Kind = Steer
	}
	m.Text = m.write(language)
	return m
}

// facts are those that belong to the topic.
func facts(n registry.Notice) Facts {
	f := Facts{
		Mode: n.Mode, Returned: n.Returned, Reason: n.Reason, Method: n.Method, Where: n.Where, Slot: n.Slot,
		Stack: text.Ellipsize(n.Stack, stackBudget), Last: n.Last,
		CurrentPackageID: n.Current, NextPackageID: n.Next,
	}
	if fails(n.Topic) {
		message := text.Ellipsize(n.Message, messageBudget)
		f.Message = &message
	}
	switch n.Topic {
	case registry.TopicGuardRejected, registry.TopicCodeFailed:
		f.Platform = platform(n.Side)
	case registry.TopicRenderFailed:
		abdicated := n.Abdicated
		f.Abdicated = &abdicated
	}
	return f
}

func platform(s registry.Side) string {
	if s == registry.Client {
		return "Client"
	}
	return "Host"
}

// fails says whether a message of the topic tells of something that was thrown.
func fails(t registry.Topic) bool {
	switch t {
	case registry.TopicRunFailed, registry.TopicUserRunFailed, registry.TopicHandlerFailed,
		registry.TopicGuardRejected, registry.TopicRenderFailed, registry.TopicCodeFailed:
		return true
	}
	return false
}
