package model

// Codes of the faults of this package. The comment behind each is its sentence;
// the tables of internal/cli/selfipcmd hold it in both languages.
const (
	codeProvider     = "model-provider"      // unknown provider of models %q (want openai, anthropic or command)
	codeURL          = "model-url"           // bad address of a model's service: %s
	codePlainHTTP    = "model-plain-http"    // a key is not sent to %s without encryption
	codeNoName       = "model-no-name"       // no model is named for %s
	codeNoModels     = "model-no-models"     // %s has no model
	codeQuestion     = "model-question"      // there is nothing to ask the model, or no room for an answer
	codeNoKey        = "model-no-key"        // the key for %s is not there: the variable %s is empty
	codeKeyFile      = "model-key-file"      // the file with the key cannot be used: %s
	codeKeyMode      = "model-key-mode"      // the file with the key, %s, can be read by others (mode %s)
	codeKeyText      = "model-key-text"      // the file %s holds no key
	codeCommandUnset = "model-command-unset" // no command is set for the model
	codeNoCommand    = "model-no-command"    // the model's command %q cannot be found
	codeCommandPath  = "model-command-path"  // the model's command %q is relative

	codeUnreachable = "model-unreachable" // %s cannot be reached
	codeRedirect    = "model-redirect"    // %s sends us to %s
	codeKeyRefused  = "model-key-refused" // %s does not accept the key: %s
	codeNotFound    = "model-not-found"   // %s does not know the model %q or the address: %s
	codeRefused     = "model-refused"     // %s refuses the call (%d): %s
	codeUnwell      = "model-unwell"      // %s failed (%d): %s
	codeBusy        = "model-busy"        // %s wants no more calls for now: %s
	codeSilent      = "model-silent"      // %s took the call and gave no answer within %s
	codeSlow        = "model-slow"        // %s did not come to its end within %s
	codePage        = "model-page"        // %s answered with a web page (%d)
	codeAnswer      = "model-answer"      // the answer of %s is not in the form of its kind
	codeUnfinished  = "model-unfinished"  // the answer of %s broke off
	codeAborted     = "model-aborted"     // %s ended the answer: %s
	codeTrouble     = "model-trouble"     // %s reports in the middle of its answer: %s
	codeTooLong     = "model-too-long"    // the answer of %s has more than %d bytes
	codeExit        = "model-exit"        // the model's command %s ended with %d: %s
	codeStart       = "model-start"       // the model's command %s cannot be started
	codeEmpty       = "model-empty"       // the model's command %s wrote nothing
)
