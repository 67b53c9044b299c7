package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/dshkit/dshkit/internal/mnemon/script"
)

// player plays scenarios, each in a realm of its own.
type player struct {
	root, oracle string
	loader       *script.Loader
}

func newPlayer() (*player, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	p := &player{root: dir, oracle: filepath.Join(dir, "testdata", "oracle", "mnemon")}
	p.loader = newLoader(filepath.Join(p.oracle, "node_modules"))
	return p, nil
}

// check lists where a scenario's answer differs from what is expected.
func (p *player) check(ctx context.Context, file string) ([]string, error) {
	want, err := p.expected(file)
	if err != nil {
		return nil, err
	}
	got, err := p.play(ctx, file)
	if err != nil {
		return nil, err
	}
	return compare(want, []byte(got)), nil
}

func (p *player) play(ctx context.Context, file string) (string, error) {
	realm, err := p.loader.Open(ctx, p.oracle)
	if err != nil {
		return "", err
	}
	defer realm.Close()
	out, err := realm.Call(ctx, "./run.mjs", "runScenario", file)
	if err != nil {
		return "", err
	}
	text, ok := out.(string)
	if !ok {
		return "", fmt.Errorf("run.mjs gave no text but %T", out)
	}
	return text, nil
}
