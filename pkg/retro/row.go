package retro

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// knownKeys are the fields in the order in which a new row has them. The order
// of the first nine is the originals' (spec/selfip.md 3.4).
var knownKeys = [...]string{
	"t", "file", "errors", "toolErrors", "recovered", "attempts", "lastAttemptAt", "lastError", "deadAt",
	"reason", "session", "harness", "transcript", "dueAt", "claim", "claimedAt", "renewed", "again",
}

// parseRow reads one line, which has no blanks around it. The second result is
// false when it is not a JSON object. A known field of the wrong type counts as
// absent and keeps its bytes.
func parseRow(line []byte) (Item, bool) {
	if len(line) == 0 || line[0] != '{' || !json.Valid(line) {
		return Item{}, false
	}
	return decodeRow(string(line)), true
}

// decodeRow reads a line that is known to be a JSON object.
func decodeRow(line string) Item {
	item := Item{source: line}
	for _, m := range members(line) {
		item.set(m.key, m.value)
	}
	return item
}

// set takes over the value of a known key. Of a repeated key the last counts.
func (i *Item) set(key, raw string) {
	switch key {
	case "t":
		i.T = decodeString(raw)
	case "file":
		i.File = decodeString(raw)
	case "errors":
		i.Errors = int(decodeInt(raw))
	case "toolErrors":
		i.ToolErrors = int(decodeInt(raw))
	case "recovered":
		i.Recovered = raw == "true"
	case "attempts":
		i.Attempts = int(max(decodeInt(raw), 0))
	case "lastAttemptAt":
		i.LastAttemptAt = decodeInt(raw)
	case "lastError":
		i.LastError = decodeString(raw)
	case "deadAt":
		i.DeadAt = decodeString(raw)
	case "reason":
		i.Reason = Reason(decodeString(raw))
	default:
		i.setOurs(key, raw)
	}
}

func (i *Item) setOurs(key, raw string) {
	switch key {
	case "session":
		i.Session = decodeString(raw)
	case "harness":
		i.Harness = decodeString(raw)
	case "transcript":
		i.Transcript = decodeString(raw)
	case "dueAt":
		i.DueAt = decodeInt(raw)
	case "claim":
		i.Claim = decodeString(raw)
	case "claimedAt":
		i.ClaimedAt = decodeInt(raw)
	case "renewed":
		i.Renewed = raw == "true"
	case "again":
		i.Again = decodeString(raw)
	}
}

// value is what a known key has to say as JSON, "" when it is not to be written.
func (i Item) value(key string) string {
	switch key {
	case "t":
		return encodeText(i.T)
	case "file":
		return encodeText(i.File)
	case "errors":
		return strconv.Itoa(i.Errors)
	case "toolErrors":
		return strconv.Itoa(i.ToolErrors)
	case "recovered":
		return encodeFlag(i.Recovered)
	case "attempts":
		return encodeCount(int64(i.Attempts))
	case "lastAttemptAt":
		return encodeCount(i.LastAttemptAt)
	case "lastError":
		return encodeText(i.LastError)
	case "deadAt":
		return encodeText(i.DeadAt)
	case "reason":
		return encodeText(string(i.Reason))
	}
	return i.valueOurs(key)
}

func (i Item) valueOurs(key string) string {
	switch key {
	case "session":
		return encodeText(i.Session)
	case "harness":
		return encodeText(i.Harness)
	case "transcript":
		return encodeText(i.Transcript)
	case "dueAt":
		return encodeCount(i.DueAt)
	case "claim":
		return encodeText(i.Claim)
	case "claimedAt":
		return encodeCount(i.ClaimedAt)
	case "renewed":
		return encodeFlag(i.Renewed)
	case "again":
		return encodeText(i.Again)
	}
	return ""
}

// line writes the row. A row that says what its source says is its source, byte
// for byte; else only the fields that changed are written anew.
func (i Item) line() string {
	if i.source == "" {
		return i.fresh(everyKey)
	}
	was := decodeRow(i.source)
	if was == i {
		return i.source
	}
	return i.edited(was, everyKey)
}

func everyKey(string) bool { return true }

// fresh writes a row that was never read, as far as keep wants its fields.
func (i Item) fresh(keep func(key string) bool) string {
	var w rowWriter
	for _, key := range knownKeys {
		if keep(key) {
			w.add(`"`+key+`"`, i.value(key))
		}
	}
	return w.close()
}

// edited writes the row on the base of its source: fields stay in their places,
// new ones follow at the end, as they do in the originals.
func (i Item) edited(was Item, keep func(key string) bool) string {
	var w rowWriter
	seen := make([]string, 0, len(knownKeys))
	for _, m := range members(i.source) {
		switch {
		case !keep(m.key):
		case !isKnown(m.key) || i.value(m.key) == was.value(m.key):
			w.add(m.raw, m.value)
		case !slices.Contains(seen, m.key): // of a repeated key that changed one stays
			w.add(m.raw, i.value(m.key))
		}
		seen = append(seen, m.key)
	}
	for _, key := range knownKeys {
		if v := i.value(key); v != was.value(key) && keep(key) && !slices.Contains(seen, key) {
			w.add(`"`+key+`"`, v)
		}
	}
	return w.close()
}

// isKnown reports whether set understands key.
func isKnown(key string) bool { return slices.Contains(knownKeys[:], key) }

// rowWriter puts a JSON object together.
type rowWriter struct{ b strings.Builder }

// add writes one member; an empty value is an absent one.
func (w *rowWriter) add(rawKey, value string) {
	if value == "" {
		return
	}
	if w.b.Len() == 0 {
		w.b.WriteByte('{')
	} else {
		w.b.WriteByte(',')
	}
	w.b.WriteString(rawKey + ":" + value)
}

func (w *rowWriter) close() string {
	if w.b.Len() == 0 {
		return "{}"
	}
	return w.b.String() + "}"
}
