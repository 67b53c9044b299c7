package cli

import (
	"strings"
	"time"

	"charm.land/log/v2"
)

// Log returns the log of this run, made when it is first asked for. It writes to
// standard error only, from the level that DSHKIT_LOG names (debug, info, warn,
// error), from debug with --verbose, else errors. It is for maintainers: never
// a secret, never a whole entry.
func (env *Env) Log() *log.Logger {
	if env.log == nil {
		env.log = log.NewWithOptions(env.Err, log.Options{
			Level:           env.logLevel(),
			Prefix:          env.name,
			ReportTimestamp: true,
			TimeFormat:      time.RFC3339,
			TimeFunction:    func(time.Time) time.Time { return env.Now() },
		})
	}
	return env.log
}

// Debug logs what is done when --verbose or DSHKIT_LOG asks for a log. Without
// them none is made: that would take a hook a tenth of its time.
func (env *Env) Debug(what string, pairs ...any) {
	if env.Flags.Verbose || env.Getenv("DSHKIT_LOG") != "" {
		env.Log().Debug(what, pairs...)
	}
}

func (env *Env) logLevel() log.Level {
	if level, err := log.ParseLevel(strings.ToLower(env.Getenv("DSHKIT_LOG"))); err == nil {
		return level
	}
	if env.Flags.Verbose {
		return log.DebugLevel
	}
	return log.ErrorLevel
}
