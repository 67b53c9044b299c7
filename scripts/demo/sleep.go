package main

import (
	"fmt"
	"os"
	"strings"
)

// told are notes of several days, in the words of several agents: some say the
// same, three meet the same remedy, two contradict each other.
var told = []string{
	"lesson: make test fails -> 127.0.0.1:6379 refuses connections -> ran docker compose up -d redis",
	"lesson: make e2e fails -> no route to the cache -> ran docker compose up -d redis",
	"lesson: npm start hangs at the login -> ran docker compose up -d redis",
	"fact: the test database listens on port 5432",
	"fact: The test database listens on port 5433.",
	"fact: deploys to staging need a green build",
	"fact: Deploys to staging need the green build.",
}

// sleep lets the memory be consolidated, by the built-in engine and, when the
// environment holds a key, by a model.
func (d *demo) sleep() error {
	d.heading(d.say.sleep)
	for _, note := range told {
		if _, err := d.selfip("", "remember", note); err != nil {
			return err
		}
	}
	if err := d.show("sleep"); err != nil {
		return err
	}
	out, err := d.selfip("", "hypothesis", "--json")
	if err != nil {
		return err
	}
	if !strings.Contains(out, "5432") {
		return fmt.Errorf("no hypothesis about the port: %s", out)
	}
	model := modelOf(os.Getenv)
	if len(model) == 0 {
		fmt.Println("\n" + d.say.noModel)
		return nil
	}
	d.heading(d.say.model)
	d.extra = model
	defer func() { d.extra = nil }()
	return d.show("sleep")
}

// modelOf returns the settings of a model for which the environment holds what it
// takes: those that are set, else the service of the first key.
func modelOf(getenv func(string) string) (vars []string) {
	if getenv("SELFIP_MODEL_PROVIDER") != "" {
		for _, pair := range os.Environ() {
			name, _, _ := strings.Cut(pair, "=")
			if strings.HasPrefix(name, "SELFIP_MODEL_") || strings.HasSuffix(name, "_API_KEY") || name == getenv("SELFIP_MODEL_KEY_ENV") {
				vars = append(vars, pair)
			}
		}
		return vars
	}
	for _, service := range []struct {
		key  string
		vars []string
	}{
		{"DEEPSEEK_API_KEY", []string{"SELFIP_MODEL_PROVIDER=openai", "SELFIP_MODEL_URL=https://api.deepseek.com"}},
		{"ANTHROPIC_API_KEY", []string{"SELFIP_MODEL_PROVIDER=anthropic"}},
		{"OPENAI_API_KEY", []string{"SELFIP_MODEL_PROVIDER=openai"}},
	} {
		if key := getenv(service.key); key != "" {
			return append(service.vars, service.key+"="+key)
		}
	}
	return nil
}
