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

	// Calls of a model (internal/model).
	{ID: "model-provider", Text: "unknown provider of models %q (want openai, anthropic or command)"},
	{ID: "model-url", Text: "bad address of a model's service: %s"},
	{ID: "model-url.hint", Text: "it looks like https://api.deepseek.com, without a key, a password or a question mark"},
	{ID: "model-plain-http", Text: "a key is not sent to %s, which is far away and not encrypted"},
	{ID: "model-plain-http.hint", Text: "give modelUrl an address that begins with https"},
	{ID: "model-no-name", Text: "no model is named for %s"},
	{ID: "model-no-name.hint", Text: "%[1]s config set --global modelName NAME names one"},
	{ID: "model-no-models", Text: "%s lists no model"},
	{ID: "model-no-models.hint", Text: "load one there, or name one with the setting modelName"},
	{ID: "model-question", Text: "there is nothing to ask the model, or no room for its answer"},
	{ID: "model-no-key", Text: "the key for %s is not there: the variable %s holds none"},
	{ID: "model-no-key.hint", Text: "set it where the harness starts, or put the key into a file of mode 0600 and name that with the setting modelKeyFile"},
	{ID: "model-key-file", Text: "the file with the key cannot be used: %s"},
	{ID: "model-key-mode", Text: "the file with the key, %s, can be read by others (mode %s)"},
	{ID: "model-key-mode.hint", Text: "give it mode 0600, so that only its owner can read it"},
	{ID: "model-key-text", Text: "the file %s holds no key in one line"},
	{ID: "model-command-unset", Text: "the provider of models is command, and no command is set"},
	{ID: "model-command-unset.hint", Text: "%[1]s config set --global modelCommand \"claude -p\" sets one"},
	{ID: "model-no-command", Text: "the model's command %q cannot be found"},
	{ID: "model-no-command.hint", Text: "name it with its whole path in the setting modelCommand"},
	{ID: "model-command-path", Text: "the model's command %q must be a bare word or a whole path"},
	{ID: "model-unreachable", Text: "%s cannot be reached"},
	{ID: "model-redirect", Text: "%s sends us on to %s; neither key nor text is given to another service"},
	{ID: "model-redirect.hint", Text: "if that is meant, name it in the setting modelUrl"},
	{ID: "model-key-refused", Text: "%s does not accept the key: %s"},
	{ID: "model-not-found", Text: "%s knows no such address or model %q: %s"},
	{ID: "model-refused", Text: "%s refuses the call (%d): %s"},
	{ID: "model-unwell", Text: "%s failed (%d): %s"},
	{ID: "model-busy", Text: "%s wants no more calls for now: %s"},
	{ID: "model-silent", Text: "%s is connected and gave no answer within %s"},
	{ID: "model-slow", Text: "%s did not come to its end within %s"},
	{ID: "model-page", Text: "%s answered with a web page in the place of an answer (%d)"},
	{ID: "model-answer", Text: "the answer of %s is not in the form that was asked for"},
	{ID: "model-unfinished", Text: "the answer of %s broke off"},
	{ID: "model-aborted", Text: "%s ended the answer before its end: %s"},
	{ID: "model-trouble", Text: "%s reports in the middle of its answer: %s"},
	{ID: "model-too-long", Text: "the answer of %s is longer than %d bytes"},
	{ID: "model-exit", Text: "the model's command %s ended with code %d: %s"},
	{ID: "model-start", Text: "the model's command %s cannot be started"},
	{ID: "model-empty", Text: "the model's command %s wrote nothing"},

	// The meter and the doctor.
	{ID: "status-model", Text: "model: %s, %s; used for: %s"},
	{ID: "status-tokens", Text: "tokens today: %d of %d"},
	{ID: "status-kind", Text: "  %s: calls: %d, tokens in: %d, out: %d"},
	{ID: "status-last-call", Text: "last call of a model: %s, %s, %s"},
	{ID: "status-paused", Text: "the model's service wants no calls until %s"},
	{ID: "model-first", Text: "the first model that the service lists"},
	{ID: "doctor-no-model", Text: "no model is set up: the built-in engine learns"},
	{ID: "doctor-model-off", Text: "a model is set up and switched off: the built-in engine learns"},
	{ID: "doctor-model", Text: "model: %s, %s; used for: %s; what a call needs is there"},
}
