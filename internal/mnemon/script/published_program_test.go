package script_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// programVar makes the test's own binary the program of that path.
const programVar = "PUBLISHED_PROGRAM"

func TestMain(m *testing.M) {
	if path := os.Getenv(programVar); path != "" {
		os.Exit(program(path, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// programs writes mnemon and brv into a new folder: scripts that start this
// binary. What they were started with is written beside them.
func programs(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	// The race detector would make each start wait a second at its end.
	script := fmt.Sprintf("#!/bin/sh\nGORACE=atexit_sleep_ms=0 %s=\"$0\" exec '%s' \"$@\"\n", programVar, self)
	for _, name := range []string{"mnemon", "brv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, startsFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

const startsFile = "starts.jsonl"

func program(path string, args []string) int {
	dir, name := filepath.Split(path)
	if err := noteStart(dir, name, args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	run := brv
	if name == "mnemon" {
		run = mnemon
	}
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}

func noteStart(dir, name string, args []string) error {
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	env := map[string]string{}
	for _, each := range os.Environ() {
		if key, value, _ := strings.Cut(each, "="); strings.HasPrefix(key, "BRV_") || strings.HasPrefix(key, "MNEMON_") {
			env[key] = value
		}
	}
	start := map[string]any{"program": name, "args": args, "env": env}
	if name == "brv" { // mnemon is told its folder and runs wherever the Host does
		start["cwd"] = cwd
	}
	line, err := json.Marshal(start)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, startsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// misbehave does what a text asks for that no program should do.
func misbehave(text string) error {
	switch {
	case strings.Contains(text, "please hang"):
		time.Sleep(time.Minute) // until it is killed
	case strings.Contains(text, "please flood"):
		fmt.Print(strings.Repeat("a flood of output ", 200_000))
	case strings.Contains(text, "please fail"):
		fmt.Println("this is on stdout")
		return errors.New("the store is locked: 发布")
	}
	return nil
}

// brv is a stand-in for ByteRover's program.
func brv(args []string) error {
	verb, text := args[0], args[len(args)-1]
	if err := misbehave(text); err != nil {
		return err
	}
	switch {
	case verb == "status":
		fmt.Println("ready")
	case strings.Contains(text, "nothing"):
		fmt.Println("  no matches  ")
	case strings.Contains(text, "much"):
		fmt.Println(strings.Repeat("knowledge ", 1000))
	case verb == "query":
		fmt.Printf("\nThe Blue Heron train leaves on Friday. 发布 (asked: %s)\n\n", text)
	case verb == "curate":
		f, err := os.OpenFile("tree.md", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "- %s\n", text)
		return errors.Join(err, f.Close())
	}
	return nil
}

// native is a stand-in for the mnemon program: one JSON file for a store.
type native struct {
	dir, store string
	file       string
	Insights   []insight `json:"insights"`
	Edges      []edge    `json:"edges"`
	Deleted    int       `json:"deleted"`
}

type insight struct {
	ID         string   `json:"id"`
	Content    string   `json:"content"`
	Category   string   `json:"category,omitempty"`
	Importance int      `json:"importance,omitempty"`
	Source     string   `json:"source,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Entities   []string `json:"entities,omitempty"`
	CreatedAt  string   `json:"created_at"`
}

type edge struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Type   string `json:"type"`
	Weight string `json:"weight"`
	Meta   string `json:"meta,omitempty"`
}

func mnemon(args []string) error {
	options, words := parse(args)
	n := &native{dir: options["data-dir"], store: options["store"]}
	n.file = filepath.Join(n.dir, "data", n.store, "mnemon.db")
	if len(words) == 0 {
		fmt.Println("mnemon version 9.9.9")
		return nil
	}
	if err := misbehave(strings.Join(words, " ")); err != nil {
		return err
	}
	if words[0] == "store" {
		return n.stores(words[1], words[2])
	}
	if text, err := os.ReadFile(n.file); err == nil {
		if err := json.Unmarshal(text, n); err != nil {
			return err
		}
	}
	return n.do(words, options)
}

// parse separates options from words. Which options have no value, mnemon says.
func parse(args []string) (options map[string]string, words []string) {
	options = map[string]string{}
	alone := map[string]bool{"readonly": true, "basic": true, "no-diff": true, "version": true}
	for i := 0; i < len(args); i++ {
		name, ok := strings.CutPrefix(args[i], "--")
		switch {
		case !ok:
			words = append(words, args[i])
		case alone[name] || i+1 == len(args):
			options[name] = "true"
		default:
			i++
			options[name] = args[i]
		}
	}
	return options, words
}

func (n *native) stores(verb, id string) error {
	n.file = filepath.Join(n.dir, "data", id, "mnemon.db")
	switch verb {
	case "create":
		fmt.Println("created", id)
		return n.save()
	case "set":
		return os.WriteFile(filepath.Join(n.dir, "active"), []byte(id+"\n"), 0o600)
	case "remove":
		return os.RemoveAll(filepath.Dir(n.file))
	}
	return fmt.Errorf("unknown store command %q", verb)
}

func (n *native) save() error {
	if err := os.MkdirAll(filepath.Dir(n.file), 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return os.WriteFile(n.file, append(text, '\n'), 0o600)
}

func (n *native) do(words []string, options map[string]string) error {
	switch words[0] {
	case "status":
		return n.status()
	case "recall", "search":
		return n.recall(words[0], words[1], options)
	case "remember":
		return n.remember(words[1], options)
	case "import":
		return n.importDraft(words[1])
	case "related":
		return n.related(words[1], options)
	case "link":
		n.Edges = append(n.Edges, edge{words[1], words[2], options["type"], options["weight"], options["meta"]})
		return errors.Join(n.save(), say(map[string]any{"status": "linked", "edges_inserted": 2}))
	case "forget":
		return n.forget(words[1])
	case "viz":
		return n.viz()
	case "embed":
		return say(map[string]any{
			"embedding_available": os.Getenv("MNEMON_EMBED_MODEL") != "", "model": "m", "protocol": "ollama",
			"total_insights": len(n.Insights), "embedded": 0, "coverage": "0%",
		})
	}
	return fmt.Errorf("unknown command %q", words[0])
}

func say(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }

func (n *native) status() error {
	byCategory := map[string]int{}
	for _, i := range n.Insights {
		byCategory[i.Category]++
	}
	return say(map[string]any{
		"total_insights": len(n.Insights), "deleted_insights": n.Deleted, "edge_count": len(n.Edges), "oplog_count": 3,
		"db_size_bytes": 4096, "by_category": byCategory, "top_entities": []any{map[string]any{"entity": "Blue Heron", "count": 1}, "odd"},
	})
}

// recall finds what has a word of the query.
func (n *native) recall(verb, query string, options map[string]string) error {
	found := []any{}
	for at, i := range n.Insights {
		hit := query == ""
		for _, word := range strings.Fields(strings.ToLower(query)) {
			hit = hit || strings.Contains(strings.ToLower(i.Content), word)
		}
		if !hit || len(found) == number(options["limit"]) || options["cat"] != "" && options["cat"] != i.Category {
			continue
		}
		if verb == "search" {
			found = append(found, i)
			continue
		}
		found = append(found, map[string]any{"insight": i, "score": 0.9 - float64(at)/10, "confidence": "high", "intent": options["intent"], "via": "keyword"})
	}
	if verb == "search" || options["readonly"] != "" {
		return say(found)
	}
	return say(map[string]any{"results": found, "hint": fmt.Sprintf("%d of %d", len(found), len(n.Insights))})
}

func number(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

func (n *native) add(i insight) string {
	for _, known := range n.Insights {
		if known.Content == i.Content {
			return known.ID
		}
	}
	i.ID = fmt.Sprintf("m-%d", len(n.Insights)+n.Deleted+1)
	i.CreatedAt = "2026-08-01T10:00:00Z"
	n.Insights = append(n.Insights, i)
	return i.ID
}

func (n *native) remember(content string, options map[string]string) error {
	before := len(n.Insights)
	i := insight{Content: content, Category: options["cat"], Importance: number(options["imp"]), Source: options["source"]}
	for _, list := range []struct {
		text string
		to   *[]string
	}{{options["tags"], &i.Tags}, {options["entities"], &i.Entities}} {
		if list.text != "" {
			*list.to = strings.Split(list.text, ",")
		}
	}
	id, action := n.add(i), "added"
	if len(n.Insights) == before {
		action = "skipped"
	}
	return errors.Join(n.save(), say(map[string]any{"action": action, "id": id, "content": content}))
}

func (n *native) importDraft(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var draft struct {
		Version  string    `json:"schema_version"`
		Insights []insight `json:"insights"`
	}
	if err := json.Unmarshal(text, &draft); err != nil {
		return err
	}
	rows := []any{}
	skipped := 0
	for at, i := range draft.Insights {
		if i.Content == "please skip" {
			skipped++
			continue
		}
		rows = append(rows, map[string]any{"index": at, "id": n.add(i), "content": i.Content, "action": "Added"})
	}
	slices.Reverse(rows)
	return errors.Join(n.save(), say(map[string]any{"imported": len(rows), "updated": 0, "skipped": skipped, "errors": 0, "results": rows}))
}

func (n *native) related(id string, options map[string]string) error {
	found := []any{}
	for _, e := range n.Edges {
		if e.From != id || options["edge"] != "" && options["edge"] != e.Type {
			continue
		}
		for _, i := range n.Insights {
			if i.ID == e.To {
				found = append(found, map[string]any{"insight": i, "depth": 1, "via_edge_type": e.Type})
			}
		}
	}
	return say(found)
}

func (n *native) forget(id string) error {
	at := slices.IndexFunc(n.Insights, func(i insight) bool { return i.ID == id })
	if at < 0 {
		return fmt.Errorf("no insight %q", id)
	}
	n.Insights = slices.Delete(n.Insights, at, at+1)
	n.Deleted++
	return errors.Join(n.save(), say(map[string]any{"status": "deleted", "id": id}))
}

func (n *native) viz() error {
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	fmt.Println("<html><script>var nodes = new vis.DataSet([")
	for _, i := range n.Insights {
		fmt.Printf("{id:%s,label:%s,title:%s,color:%s,font:{color:\"white\"}},\n", quoted(i.ID), quoted("["+i.Category+"] "+i.ID), quoted(i.Content), quoted("#6574d9"))
	}
	fmt.Println("]);var edges = new vis.DataSet([")
	for _, e := range n.Edges {
		fmt.Printf("{from:%s,to:%s,label:%s,color:{color:%s},arrows:\"to\"},\n", quoted(e.From), quoted(e.To), quoted(e.Type), quoted("#E74C3C"))
	}
	fmt.Println("]);</script></html>")
	return nil
}
