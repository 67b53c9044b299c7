package sleep

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/similar"
	"github.com/dshkit/dshkit/pkg/text"
)

// Conflict is two entries that cannot both hold, by their places.
type Conflict struct{ Newer, Older int }

// maxValues is how many values one subject may have: where there are more, they
// are a list and contradict nothing.
const maxValues = 3

// claim is what an entry says of a subject.
type claim struct {
	value string
	item  int
}

// Conflicts finds facts and preferences that contradict each other: they say
// another value of one subject, or one denies what the other says. Of more than
// two the newest two are named.
func (m *Material) Conflicts() []Conflict {
	bySubject := map[string][]claim{}
	var order []string
	for i, it := range m.Items {
		if it.Kind != entry.Fact && it.Kind != entry.Preference {
			continue
		}
		for subject, value := range m.claims(i) {
			if bySubject[subject] == nil {
				order = append(order, subject)
			}
			bySubject[subject] = append(bySubject[subject], claim{value, i})
		}
	}
	seen := map[Conflict]bool{}
	var out []Conflict
	for _, subject := range order {
		if c, ok := m.conflict(bySubject[subject]); ok && !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Conflict) int { return cmp.Or(cmp.Compare(a.Newer, b.Newer), cmp.Compare(a.Older, b.Older)) })
	return out
}

// conflict returns the newest entry of a subject and the newest with another
// value.
func (m *Material) conflict(claims []claim) (Conflict, bool) {
	values := map[string]bool{}
	for _, c := range claims {
		values[c.value] = true
	}
	if len(values) < 2 || len(values) > maxValues {
		return Conflict{}, false
	}
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b claim) int {
		return cmp.Or(m.time(b.item).Compare(m.time(a.item)), cmp.Compare(b.item, a.item))
	})
	for _, c := range claims {
		if c.value != claims[0].value {
			return Conflict{claims[0].item, c.item}, true
		}
	}
	return Conflict{}, false
}

// claims returns what an entry says, by subjects.
func (m *Material) claims(i int) map[string]string {
	form := m.forms[i]
	if form.Len() > maxClaim || form.Len() < 3 {
		return nil // a long text says more than one thing
	}
	denies := "says"
	if form.Denies() {
		denies = "denies"
	}
	out := map[string]string{"denial\x00" + form.Affirmed(): denies}
	if subject, value := lastName(m.Items[i].Text, form); subject != "" {
		out[subject] = value
	}
	if subject, value := copula(m.Items[i].Text); subject != "" {
		out[subject] = value
	}
	return out
}

// maxClaim is how many tokens a text may have that makes one statement.
const maxClaim = 24

// lastName takes a number or a name at the end of a text as the value of what
// stands before it. A day is none: what happened on two days happened twice.
func lastName(s string, form similar.Form) (subject, value string) {
	hard := form.Hard()
	key := form.Key()
	if len(hard) == 0 {
		return "", ""
	}
	value = hard[len(hard)-1]
	before, ok := strings.CutSuffix(key, " "+value)
	if !ok || !slices.Contains(form.Names(), value) || isDay(value) || len(similar.FormOf(before).Marks()) < 2 {
		return "", ""
	}
	return "name\x00" + before, value
}

func isDay(s string) bool {
	digits := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return digits >= 6 && strings.Count(s, "-")+strings.Count(s, "/") >= 2
}

// copulas join a subject and its value.
var copulas = []string{" is ", " are ", "是", "：", ": ", " = "}

// copula takes one word behind the last copula as a value.
func copula(s string) (subject, value string) {
	at, size := -1, 0
	for _, c := range copulas {
		if i := strings.LastIndex(s, c); i > at {
			at, size = i, len(c)
		}
	}
	if at < 0 {
		return "", ""
	}
	subject, value = similar.FormOf(s[:at]).Key(), similar.FormOf(s[at+size:]).Key()
	words := strings.Fields(value)
	oneWord := len(words) == 1 || len(words) <= 4 && len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !isHan(w) })
	if !oneWord || len(similar.FormOf(s[:at]).Marks()) < 2 || similar.FormOf(s).Denies() {
		return "", ""
	}
	return "copula\x00" + subject, value
}

func isHan(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return !text.IsCJK(r) }) < 0
}
