// Native composes one View of Sources in Go, one a file, and prints it: the work
// of a View compile without plugins and without commands.
//
//	native [-keep] FILE...
//
// A Source reads its file and shows the first lines. With -keep it leaves beside
// the file what it showed, and believes that as long as the file has the same
// size and time.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func main() {
	args := os.Args[1:]
	keep := len(args) > 0 && args[0] == "-keep"
	if keep {
		args = args[1:]
	}
	view, err := composeFiles(context.Background(), args, keep)
	if err != nil {
		fmt.Fprintln(os.Stderr, "native:", err)
		os.Exit(1)
	}
	fmt.Println(jsonvalue.Format(view.Raw()))
}

func composeFiles(ctx context.Context, files []string, keep bool) (*compose.View, error) {
	core := compose.New(compose.Settings{Now: func() time.Time { return time.Unix(0, 0) }})
	err := core.Batch(ctx, func() error {
		for i, name := range files {
			d, err := definition(name, keep)
			if err != nil {
				return err
			}
			core.Install(ctx, compose.Contribution{Sources: []*compose.SourceDefinition{d}}, compose.InstallOptions{InstanceID: fmt.Sprint("file", i)})
		}
		d, err := compose.DefineStrategy(jsonvalue.Of(
			"apiVersion", "dsh-mnemon/v1", "kind", "strategy", "typeId", "all", "packageName", "all", "deterministic", true,
			"supportedSourceRoles", []any{"*"}, "maxSources", 64.0, "maxRoutes", 64.0, "maxActions", 64.0,
		), all{})
		if err == nil {
			core.Install(ctx, compose.Contribution{Strategies: []*compose.StrategyDefinition{d}}, compose.InstallOptions{InstanceID: "all"})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	turn, err := compose.NewTurns(core).Begin(ctx, "turn", jsonvalue.Of("storage", "custom"), "")
	if err != nil {
		return nil, err
	}
	return turn.View, nil
}

// lines is a Source of the lines of a file.
type lines struct {
	name, key string
	keep      bool
	seen      seen
}

// seen is what a Source knows of its file.
type seen struct{ revision, text string }

func definition(name string, keep bool) (*compose.SourceDefinition, error) {
	return compose.DefineSource(jsonvalue.Of(
		"apiVersion", "dsh-mnemon/v1", "kind", "source", "typeId", "lines", "packageName", "lines", "role", "notes",
		"capabilities", []any{"project", "search"}, "consistency", "exact-snapshot",
		"routes", []any{jsonvalue.Of("id", "search", "description", "Search the lines.", "capability", "search", "inputSchema", jsonvalue.Of(), "maxCalls", 2.0)},
	), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		return &lines{name: name, key: c.InstanceKey, keep: keep}, nil
	})
}

func (l *lines) Facts(context.Context, *compose.Request) (any, error) {
	var err error
	if l.seen, err = l.look(); err != nil {
		return nil, err
	}
	return jsonvalue.Of(
		"sourceInstanceKey", l.key, "sourceTypeId", "lines", "role", "notes", "availability", "ready", "revision", l.seen.revision,
		"capabilities", []any{"project", "search"}, "routeIds", []any{"search"}, "actionIds", []any{},
	), nil
}

func (l *lines) Project(_ context.Context, r *compose.ProjectionRequest) (any, error) {
	text := compose.Truncate(l.seen.text, r.MaxCharacters)
	fragment := jsonvalue.Of("id", "lines", "sourceInstanceKey", l.key, "mode", r.Mode, "text", text, "revision", l.seen.revision)
	grant := jsonvalue.Of("id", l.key+"/grant", "sourceInstanceKey", l.key, "schema", "lines/v1", "value", nil,
		"revision", l.seen.revision, "consistency", "exact-snapshot")
	return jsonvalue.Of("fragments", []any{fragment}, "readGrant", grant), nil
}

// look reads the file, or what was kept of it.
func (l *lines) look() (seen, error) {
	info, err := os.Stat(l.name)
	if err != nil {
		return seen{}, err
	}
	stamp := fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
	if kept, err := os.ReadFile(l.name + ".kept"); l.keep && err == nil {
		if parts := strings.SplitN(string(kept), "\n", 3); len(parts) == 3 && parts[0] == stamp {
			return seen{parts[1], parts[2]}, nil
		}
	}
	s, err := read(l.name)
	if l.keep && err == nil {
		err = os.WriteFile(l.name+".kept", []byte(stamp+"\n"+s.revision+"\n"+s.text), 0o600)
	}
	return s, err
}

// shown is how many of the lines a Source shows.
const shown = 20

// read hashes a file in pieces; what is shown lies in the first.
func read(name string) (seen, error) {
	f, err := os.Open(name)
	if err != nil {
		return seen{}, err
	}
	defer f.Close()
	piece := make([]byte, 32<<10)
	n, err := io.ReadFull(f, piece)
	if err != nil && err != io.ErrUnexpectedEOF {
		return seen{}, err
	}
	text := firstLines(piece[:n])
	sum := sha256.New()
	sum.Write(piece[:n])
	if _, err := io.CopyBuffer(sum, struct{ io.Reader }{f}, piece); err != nil {
		return seen{}, err
	}
	return seen{hex.EncodeToString(sum.Sum(nil)), text}, nil
}

func firstLines(data []byte) string {
	end := 0
	for range shown {
		n := bytes.IndexByte(data[end:], '\n')
		if n < 0 {
			break
		}
		end += n + 1
	}
	return string(data[:end])
}

// all is a Strategy that shows every Source.
type all struct{}

func (all) Compose(_ context.Context, r *compose.Request, sources, _ []any) (any, error) {
	chosen := []any{}
	for _, v := range sources {
		source, _ := jsonvalue.Map(v)
		key, _ := source.Get("sourceInstanceKey")
		routes, _ := source.Get("routeIds")
		chosen = append(chosen, jsonvalue.Of("sourceInstanceKey", key, "required", false, "routeIds", routes,
			"projection", jsonvalue.Of("mode", "eager", "maxCharacters", float64(r.Budget.MaxProjectionCharacters/len(sources)))))
	}
	return jsonvalue.Of("strategyTypeId", "all", "explanation", "All of them.", "sources", chosen), nil
}
