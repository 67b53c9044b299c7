// Package feedback is what the owner of a Plugin is told: messages that wake it
// (steer) and such that wait for its next step (context), in English and Chinese,
// and the bounded queue of a Session that holds them until they are read.
package feedback

import (
	"time"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// Kind says whether a message wakes its reader.
type Kind string

// The kinds.
const (
	Steer   Kind = "steer"
	Context Kind = "context"
)

// TopicDropped is the topic of the message that counts those that were dropped.
const TopicDropped registry.Topic = "dropped"

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
	Message          *string                  `json:"message,omitempty"`
	Stack            string                   `json:"stack,omitempty"`
	Slot             string                   `json:"slot,omitempty"`
	Abdicated        *bool                    `json:"abdicated,omitempty"`
	Platform         string                   `json:"platform,omitempty"` // Host or Client
	Method           string                   `json:"method,omitempty"`
	Where            string                   `json:"where,omitempty"`
	CurrentPackageID registry.PackageID       `json:"currentPackageId,omitempty"`
	NextPackageID    registry.PackageID       `json:"nextPackageId,omitempty"`
	Count            int                      `json:"count,omitempty"` // of dropped
	Last             bool                     `json:"last,omitempty"`  // the run's failures are not told any more
}

// New makes the message of a notice, without a Seq. The language is "zh-CN" or
// else English.
func New(n registry.Notice, language string, at time.Time) Message { return Message{} }
