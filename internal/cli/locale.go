package cli

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Lang is a language that we speak, in the spelling of the setting.
type Lang string

// The two languages. Both are complete.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// Langs lists the languages.
var Langs = []Lang{English, Chinese}

// Lang returns the language of this run: that of --lang, else that of the
// settings, else that of the locale.
func (env *Env) Lang() Lang {
	if env.lang == "" {
		env.lang = English // for a sentence needed meanwhile
		env.lang = env.chooseLang()
	}
	return env.lang
}

func (env *Env) chooseLang() Lang {
	if value, ok := flagValue(env.Args, "lang"); ok {
		if lang, err := parseLang(value); err == nil && lang != "" {
			return lang
		}
	}
	if env.Language != nil {
		if lang, err := parseLang(env.Language()); err == nil && lang != "" {
			return lang
		}
	}
	return localeLang(env.Getenv)
}

// parseLang reads a language as a person writes it; "" and "auto" are none.
func parseLang(s string) (Lang, error) {
	name := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(s), "_", "-"))
	switch {
	case name == "" || name == "auto":
		return "", nil
	case name == "en" || strings.HasPrefix(name, "en-"):
		return English, nil
	case name == "zh" || strings.HasPrefix(name, "zh-"):
		return Chinese, nil
	}
	return "", fault.New(fault.Usage, "unknown-language", s)
}

// localeLang follows gettext: LC_ALL, LC_MESSAGES and LANG in this order give
// the locale; unless that is C, the list LANGUAGE comes before it.
func localeLang(getenv func(string) string) Lang {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale = getenv(name); locale != "" {
			break
		}
	}
	if locale == "C" || locale == "POSIX" {
		return English
	}
	for _, name := range append(strings.Split(getenv("LANGUAGE"), ":"), locale) {
		name, _, _ = strings.Cut(name, ".")
		if lang, err := parseLang(name); err == nil && lang != "" {
			return lang
		}
	}
	return English
}

// flagValue finds a flag with a value in arguments that need not parse: errors
// of the parser must speak the right language too.
func flagValue(args []string, name string) (string, bool) {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg, "--"+name+"="); ok {
			return value, true
		}
		if arg == "--"+name && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return "", false
}

// flagGiven reports whether a flag without value is on the command line.
func flagGiven(args []string, name string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--" + name, "--" + name + "=true", "--" + name + "=1":
			return true
		}
	}
	return false
}
