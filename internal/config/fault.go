package config

import (
	"github.com/dshkit/dshkit/pkg/fault"
)

// The codes of faults, each with its English sentence.
const (
	codeDamaged    = "config-damaged"       // %s cannot be understood
	codeUnreadable = "config-unreadable"    // %s cannot be read
	codeTooLarge   = "config-too-large"     // it has %d bytes, settings have %d at most
	codeNotObject  = "config-not-object"    // %s holds no object of settings and is not used
	codeNotJSON    = "config-not-json"      // %s is not JSON: change it by hand
	codeNoHome     = "config-no-home"       // the home directory is unknown: no global library, no settings of the user
	codeUnknownKey = "unknown-setting"      // unknown setting %q (known: %s)
	codeUnknown2   = "unknown-setting-near" // unknown setting %q (did you mean %q?)
	codeOwnOnly    = "own-setting"          // %s is set in your own settings only
	codeBadSetting = "bad-setting"          // bad value %q for the setting %s: want %s

	codeComment   = "json-comment"        // line %d, column %d: JSON has no comments
	codeTrailing  = "json-trailing-comma" // line %d, column %d: a comma with nothing after it
	codeSyntax    = "json-syntax"         // line %d, column %d: unexpected %q
	codeEnd       = "json-end"            // line %d, column %d: the text ends too early
	codeBadString = "json-string"         // line %d, column %d: a bad character or escape in a string
	codeBadUTF8   = "json-utf8"           // line %d, column %d: not UTF-8
	codeDepth     = "json-depth"          // line %d, column %d: nested too deep
	codeForeign   = "config-syntax"       // line %d, column %d: %s
)

// The codes of what an accepted value must be.
const (
	wantScope    = "want-scope"    // workspace, global or both
	wantLanguage = "want-language" // en, zh-CN or auto
	wantWrites   = "want-writes"   // auto, ask or off
	wantFolder   = "want-folder"   // the path of a folder
	wantBool     = "want-bool"     // true or false
	wantNumber   = "want-number"   // a whole number from %d to %d
	wantProvider = "want-provider" // none, openai, anthropic or command
	wantAddress  = "want-address"  // an address such as https://api.deepseek.com, without a key in it
	wantName     = "want-name"     // a name of at most %d characters
	wantVariable = "want-variable" // the name of an environment variable, not the key itself
	wantOwnFile  = "want-own-file" // the whole path of a file, or one that begins with ~/
	wantCommand  = "want-command"  // a program and its arguments, those with blanks in quotes
	wantEffort   = "want-effort"   // auto, off, or an effort that the model knows
	wantTimeout  = "want-timeout"  // a duration from %s to %s
	wantUse      = "want-use"      // off, or some of %s
	wantDuration = "want-duration" // a duration such as 5s, %s at most
)

// The codes of warnings.
const (
	warnUnknown      = "config-unknown-key"           // %s: unknown setting %q (known here: %s)
	warnUnknownNear  = "config-unknown-key-near"      // %s: unknown setting %q (did you mean %q?)
	warnVariable     = "config-unknown-variable"      // the variable %s is no setting
	warnVariableNear = "config-unknown-variable-near" // the variable %s is no setting (did you mean %s?)
	warnWrongFile    = "config-wrong-file"            // %s: the setting %q has no effect here, it belongs in %s
	warnBadValue     = "config-bad-value"             // %s: bad value %s for %s: want %s
	warnDuplicate    = "config-duplicate-key"         // %s: the setting %q occurs more than once, the last one counts
	warnTwoFiles     = "config-two-files"             // %s is not read, because there is %s
	warnBackslash    = "config-backslash-home"        // %s is used as the home of the harness; its name should be %s
	warnTilde        = "config-tilde-home"            // %s: ~ is read as the home of the harness, because %s exists; write that path out (elsewhere ~ would mean %s)
	warnHomePath     = "config-home-path"             // DSH_HOME is %q, no absolute path of this system; it is not used
	warnForeignPath  = "config-foreign-path"          // %s: %q is no path of this system and is not used
	warnNoBase       = "config-no-base"               // %s: the path %q is relative to nothing and is not used
	warnOwnOnly      = "config-own-only"              // %s: %q is ignored here: a workspace may be somebody else's, so only your own settings (%s) and the environment set it
	warnLessOnly     = "config-less-only"             // %s: a workspace can only lower %s, so %v is ignored
	warnSafeScope    = "config-safe-scope"            // until %s is mended, the files do not set the scope: it is workspace
)

// A Warning is something that was not done as the user may have meant it. The
// code finds its sentence, the arguments fill it.
type Warning struct {
	Code string
	Args []any
}

// Damaged returns err, which Set, Unset or a parser gave for the bytes of a
// file, as one that names the file.
func Damaged(path string, err error) error {
	return fault.New(fault.Damaged, codeDamaged, path).Because(err)
}
