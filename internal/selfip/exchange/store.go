package exchange

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// Store is a memory tool whose store can be read.
type Store struct {
	Name    string   // as --format names it
	Home    []string // where its database is below the user's home
	Folder  string   // variable that names another folder for the database, or ""
	Program []string // its own export, to the file named behind; nil when it has none
	Query   string   // for the program sqlite3, where there is no export
}

// Stores are the tools that can be read.
var Stores = []Store{
	{
		Name:   "claude-mem",
		Home:   []string{".claude-mem", "claude-mem.db"},
		Folder: "CLAUDE_MEM_DATA_DIR",
		Query: "SELECT id, project, type, title, subtitle, facts, narrative, text, created_at " +
			"FROM observations ORDER BY id",
	},
	{
		Name: "engram",
		Home: []string{".engram", "engram.db"}, Folder: "ENGRAM_DATA_DIR",
		Program: []string{"engram", "export"},
		Query: "SELECT id, project, type, title, content, created_at, deleted_at " +
			"FROM observations ORDER BY id",
	},
}

// observation is one row of such a store. Members that a tool lacks stay empty.
type observation struct {
	ID        word  `json:"id"`
	Project   word  `json:"project"`
	Type      word  `json:"type"`
	Title     word  `json:"title"`
	Subtitle  word  `json:"subtitle"`
	Facts     facts `json:"facts"`
	Narrative word  `json:"narrative"`
	Text      word  `json:"text"`
	Content   word  `json:"content"`
	CreatedAt word  `json:"created_at"`
	DeletedAt word  `json:"deleted_at"`
}

// word is a string or a number; anything else is nothing.
type word string

// UnmarshalJSON accepts every form.
func (w *word) UnmarshalJSON(data []byte) error {
	var n json.Number
	if json.Unmarshal(data, (*string)(w)) != nil && json.Unmarshal(data, &n) == nil {
		*w = word(n)
	}
	return nil
}

// facts is a list of sentences, or a string that holds one as JSON.
type facts []string

// UnmarshalJSON accepts both forms; anything else is no facts.
func (f *facts) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		data = []byte(s)
	}
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*f = list
	}
	return nil
}

// maxImported is how much of one observation becomes an entry, in UTF-16 code
// units: these are reports, and an entry is a line.
const maxImported = 600

// Project is a project that a store knows, with how many entries it has.
type Project struct {
	Name    string
	Entries int
}

// ReadStore reads what a tool exports: an object with observations, or the list
// alone, which is what sqlite3 -json writes. project chooses one; "" means all.
// The projects that there are come back too, in the order in which they turn up.
// Whatever such a store says was written by a model about a session: the lines
// have the source tool. name is what the data comes from; the error is a fault of
// kind Usage.
func ReadStore(s Store, name string, data []byte, project string) ([]Line, []Project, error) {
	rows, err := observations(name, data)
	if err != nil {
		return nil, nil, err
	}
	var lines []Line
	var projects []Project
	for i, row := range rows {
		said := row.say()
		if said == "" || row.DeletedAt != "" {
			continue
		}
		projects = count(projects, string(row.Project))
		if project != "" && string(row.Project) != project {
			continue
		}
		line := Line{
			Kind: typeKind(string(row.Type)), Text: said, Time: stampOf(string(row.CreatedAt)), Source: "tool", Number: i + 1,
		}
		if row.ID != "" {
			line.ID = ID(s.Name + "-" + string(row.ID))
		}
		lines = append(lines, line)
	}
	return lines, projects, nil
}

func observations(name string, data []byte) ([]observation, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return nil, nil // sqlite3 writes nothing for no rows
	}
	var rows []json.RawMessage
	if data[0] == '[' {
		if err := json.Unmarshal(data, &rows); err != nil {
			return nil, fault.New(fault.Usage, codeNoStore, name).Because(err)
		}
	} else {
		var doc struct {
			Observations []json.RawMessage `json:"observations"`
		}
		if err := json.Unmarshal(data, &doc); err != nil || doc.Observations == nil {
			return nil, fault.New(fault.Usage, codeNoStore, name).Because(err)
		}
		rows = doc.Observations
	}
	out := make([]observation, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal(row, &out[i]); err != nil {
			return nil, fault.New(fault.Usage, codeBadRow, name, i+1).Because(lineFault(err))
		}
	}
	return out, nil
}

// say is the observation as one text: its title and what it says.
func (o observation) say() string {
	body := text.OneLine(firstOf(string(o.Content), string(o.Text), strings.Join(o.Facts, "; "), string(o.Narrative), string(o.Subtitle)))
	title := text.OneLine(string(o.Title))
	switch {
	case title == "":
	case body == "" || strings.HasPrefix(text.Fold(body), text.Fold(title)):
		body = firstOf(body, title)
	default:
		body = title + ": " + body
	}
	if short := text.Head(body, maxImported); short != body {
		return strings.TrimSpace(short) + "…"
	}
	return body
}

func firstOf(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

func count(projects []Project, name string) []Project {
	for i := range projects {
		if projects[i].Name == name {
			projects[i].Entries++
			return projects
		}
	}
	return append(projects, Project{name, 1})
}

// stampOf reads the forms of time that SQLite and JavaScript write, which are in
// UTC unless they say otherwise, and milliseconds since 1970.
func stampOf(s string) string {
	s = strings.TrimSpace(s)
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		return entry.Stamp(time.UnixMilli(ms).UTC())
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05.999999999"} {
		if at, err := time.Parse(form, s); err == nil {
			return entry.Stamp(at)
		}
	}
	return ""
}
