package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// modelEnglish is what is said about language models: their faults, their
// settings, the meter.
var modelEnglish = cli.Table{
	// The budget.
	{ID: "model-budget", Text: "today's tokens for calls of a model: %d of %d are spent, and this call may need %d"},
	{ID: "model-budget.hint", Text: "tomorrow there are new ones; the setting dailyTokens says how many"},
	{ID: "model-paused", Text: "the model's service wants no calls until %s"},
	{ID: "model-cut", Text: "the model's answer was cut off before it said anything"},
	{ID: "model-cut.hint", Text: "it may have spent its tokens on reasoning; the setting modelEffort can ask for less"},
	{ID: "model-short", Text: "the model's answer %q is too short to be one"},
	{ID: "state-unusable", Text: "%s cannot be used, so no call of a model can be booked and none is made"},
}
