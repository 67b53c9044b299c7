package learn

import (
	"slices"
	"strings"
)

// covers reports whether the success of c shows that what the command failed
// was after works now.
func (c command) covers(failed command, errorLine string) bool {
	switch {
	case c.show == failed.show:
		return true
	case c.probe || c.program == "":
		return false
	case isNotFound(errorLine) && c.standsInFor(failed):
		return true
	case c.family != failed.family:
		return false
	case c.family == install:
		return sameWorld(c, failed) && overlap(c.targets, failed.targets)
	case c.family != "":
		return sameWorld(c, failed) && c.asWideAs(failed)
	}
	return c.sameProgram(failed) && c.sub == failed.sub && overlap(pages(c.targets), pages(failed.targets))
}

// related reports whether two commands are after the same thing, one of them
// perhaps after more of it.
func related(a, b command) bool {
	return a.show == b.show || a.family != "" && a.family == b.family && sameWorld(a, b) &&
		(a.asWideAs(b) || b.asWideAs(a)) || a.family == "" && a.covers(b, "")
}

// asWideAs reports whether c runs at least what b runs.
func (c command) asWideAs(b command) bool {
	if c.filter != "" && c.filter != b.filter {
		return false
	}
	if isWide(c.targets) {
		return true
	}
	if isWide(b.targets) {
		return false
	}
	return !slices.ContainsFunc(b.targets, func(want string) bool {
		return !slices.ContainsFunc(c.targets, func(have string) bool { return within(want, have) })
	})
}

// isWide reports whether targets name everything there is.
func isWide(targets []string) bool {
	for _, t := range targets {
		switch t {
		case "./...", ".", "...", "./":
			return true
		}
	}
	return len(targets) == 0
}

// within reports whether the path part lies in the path whole.
func within(part, whole string) bool {
	part, whole = tidy(part), tidy(whole)
	return part == whole || strings.HasPrefix(part, whole+"/") || strings.HasPrefix(part, whole+"::")
}

func tidy(p string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(p, "./"), "..."), "/")
}

// overlap reports whether two lists share an element, or are both empty.
func overlap(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// pages takes the query off addresses: another question to the same place is
// after the same thing.
func pages(targets []string) []string {
	out := make([]string, 0, len(targets))
	for _, t := range targets {
		if strings.Contains(t, "://") {
			t, _, _ = strings.Cut(t, "?")
		}
		out = append(out, t)
	}
	return out
}

func (c command) sameProgram(b command) bool {
	return strings.TrimRight(c.program, "0123456789.") == strings.TrimRight(b.program, "0123456789.")
}

// standsInFor reports whether c does what the missing program of failed was
// called for: python3 for python, docker compose for docker-compose, npx jest
// for jest.
func (c command) standsInFor(failed command) bool {
	switch {
	case c.show == failed.show || failed.program == "":
		return false
	case c.sameProgram(failed) && overlap(c.targets, failed.targets):
		return true
	}
	padded := " " + strings.NewReplacer("/", " ", `\`, " ").Replace(c.show) + " "
	name := strings.ReplaceAll(failed.program, "-", " ")
	return strings.Contains(padded, " "+failed.program+" ") || strings.Contains(name, " ") && strings.Contains(padded, " "+name+" ")
}

func isNotFound(line string) bool {
	line = strings.ToLower(line)
	return strings.Contains(line, "command not found") || strings.Contains(line, "not recognized") ||
		strings.Contains(line, "no module named") || strings.HasSuffix(line, ": not found") || strings.Contains(line, "未找到命令")
}
