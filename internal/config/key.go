package config

import (
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// family is the kind of file that a setting belongs in.
type family int

const (
	familyConfig   family = iota // config.json, shared with the originals
	familySettings               // settings.json and the user's config.*, ours alone
)

// The settings, in the order in which they are listed.
const (
	keyScope         = "scope"
	keyGlobalDir     = "globalDir"
	keyAutoPromote   = "autoPromote"
	keyModelProvider = "modelProvider"
	keyModelURL      = "modelUrl"
	keyModelName     = "modelName"
	keyModelKeyEnv   = "modelKeyEnv"
	keyModelKeyFile  = "modelKeyFile"
	keyModelCommand  = "modelCommand"
	keyDailyTokens   = "dailyTokens"
	keyModelUse      = "modelUse"
	keyHelp          = "_help" // strings for a reader of config.json, not read

	numKeys = 24
)

// setting is one setting: its key, where it belongs, the variable that gives
// it, and how a value is read into the Settings and out of them.
type setting struct {
	key      string
	family   family
	variable string
	read     func(v any, s *setting) (any, error) // the value to keep, if any; the error: what is wanted
	put      func(s *Settings, v any)
	get      func(s Settings) any

	low, high int // bounds of a number
}

// settings is the one list. Its order is that of the constants and of show. It
// holds no call, so the compiler lays it out and a start does nothing for it.
var settings = [numKeys]setting{
	{
		keyScope, familyConfig, "SELFIP_SCOPE", readScope,
		func(s *Settings, v any) { s.Scope = v.(string) },
		func(s Settings) any { return s.Scope },
		0, 0,
	},
	{
		keyGlobalDir, familyConfig, "SELFIP_GLOBAL_DIR", readFolder,
		func(s *Settings, v any) { s.GlobalDir = v.(string) },
		func(s Settings) any { return s.GlobalDir },
		0, 0,
	},
	{
		keyAutoPromote, familyConfig, "SELFIP_AUTO_PROMOTE", readBool,
		func(s *Settings, v any) { s.AutoPromote = v.(bool) },
		func(s Settings) any { return s.AutoPromote },
		0, 0,
	},
	{
		"language", familySettings, "SELFIP_LANGUAGE", readLanguage,
		func(s *Settings, v any) { s.Language = v.(string) },
		func(s Settings) any { return s.Language },
		0, 0,
	},
	{
		"injectChars", familySettings, "SELFIP_INJECT_CHARS", readNumber,
		func(s *Settings, v any) { s.InjectChars = v.(int) },
		func(s Settings) any { return s.InjectChars },
		0, 1_000_000_000,
	},
	{
		"hookBytes", familySettings, "SELFIP_HOOK_BYTES", readNumber,
		func(s *Settings, v any) { s.HookBytes = v.(int) },
		func(s Settings) any { return s.HookBytes },
		500, 10_000_000,
	},
	{
		"promptChars", familySettings, "SELFIP_PROMPT_CHARS", readNumber,
		func(s *Settings, v any) { s.PromptChars = v.(int) },
		func(s Settings) any { return s.PromptChars },
		0, 1_000_000,
	},
	{
		"searchChars", familySettings, "SELFIP_SEARCH_CHARS", readNumber,
		func(s *Settings, v any) { s.SearchChars = v.(int) },
		func(s Settings) any { return s.SearchChars },
		200, 1_000_000,
	},
	{
		"fileChars", familySettings, "SELFIP_FILE_CHARS", readNumber,
		func(s *Settings, v any) { s.FileChars = v.(int) },
		func(s Settings) any { return s.FileChars },
		1000, 100_000_000,
	},
	{
		"lockWait", familySettings, "SELFIP_LOCK_WAIT", readDuration,
		func(s *Settings, v any) { s.LockWait = v.(time.Duration) },
		func(s Settings) any { return s.LockWait },
		0, 0,
	},
	{
		"mainCheckout", familySettings, "SELFIP_MAIN_CHECKOUT", readBool,
		func(s *Settings, v any) { s.MainCheckout = v.(bool) },
		func(s Settings) any { return s.MainCheckout },
		0, 0,
	},
	{
		"background", familySettings, "SELFIP_BACKGROUND", readBool,
		func(s *Settings, v any) { s.Background = v.(bool) },
		func(s Settings) any { return s.Background },
		0, 0,
	},
	{
		"writes", familySettings, "SELFIP_WRITES", readWrites,
		func(s *Settings, v any) { s.Writes = v.(string) },
		func(s Settings) any { return s.Writes },
		0, 0,
	},
	{
		"keepDays", familySettings, "SELFIP_KEEP_DAYS", readNumber,
		func(s *Settings, v any) { s.KeepDays = v.(int) },
		func(s Settings) any { return s.KeepDays },
		0, 36_500,
	},
	{
		keyModelProvider, familySettings, "SELFIP_MODEL_PROVIDER", readProvider,
		func(s *Settings, v any) { s.ModelProvider = v.(string) },
		func(s Settings) any { return s.ModelProvider },
		0, 0,
	},
	{
		keyModelURL, familySettings, "SELFIP_MODEL_URL", readAddress,
		func(s *Settings, v any) { s.ModelURL = v.(string) },
		func(s Settings) any { return s.ModelURL },
		0, 0,
	},
	{
		keyModelName, familySettings, "SELFIP_MODEL_NAME", readName,
		func(s *Settings, v any) { s.ModelName = v.(string) },
		func(s Settings) any { return s.ModelName },
		0, 0,
	},
	{
		keyModelKeyEnv, familySettings, "SELFIP_MODEL_KEY_ENV", readVariable,
		func(s *Settings, v any) { s.ModelKeyEnv = v.(string) },
		func(s Settings) any { return s.ModelKeyEnv },
		0, 0,
	},
	{
		keyModelKeyFile, familySettings, "SELFIP_MODEL_KEY_FILE", readOwnFile,
		func(s *Settings, v any) { s.ModelKeyFile = v.(string) },
		func(s Settings) any { return s.ModelKeyFile },
		0, 0,
	},
	{
		keyModelCommand, familySettings, "SELFIP_MODEL_COMMAND", readCommand,
		func(s *Settings, v any) { s.ModelCommand = v.(string) },
		func(s Settings) any { return s.ModelCommand },
		0, 0,
	},
	{
		"modelEffort", familySettings, "SELFIP_MODEL_EFFORT", readEffort,
		func(s *Settings, v any) { s.ModelEffort = v.(string) },
		func(s Settings) any { return s.ModelEffort },
		0, 0,
	},
	{
		"modelTimeout", familySettings, "SELFIP_MODEL_TIMEOUT", readTimeout,
		func(s *Settings, v any) { s.ModelTimeout = v.(time.Duration) },
		func(s Settings) any { return s.ModelTimeout },
		0, 0,
	},
	{
		keyDailyTokens, familySettings, "SELFIP_DAILY_TOKENS", readNumber,
		func(s *Settings, v any) { s.DailyTokens = v.(int) },
		func(s Settings) any { return s.DailyTokens },
		0, 1_000_000_000,
	},
	{
		keyModelUse, familySettings, "SELFIP_MODEL_USE", readUse,
		func(s *Settings, v any) { s.ModelUse = v.(string) },
		func(s Settings) any { return s.ModelUse },
		0, 0,
	},
}

func (l *loader) defaults() {
	l.out = Settings{
		Scope: "workspace", AutoPromote: true, Language: "auto",
		InjectChars: 3200, HookBytes: 9000, PromptChars: 800, SearchChars: 2000,
		FileChars: 200_000, LockWait: 5 * time.Second, MainCheckout: true, Background: true, Writes: "auto", KeepDays: 90,
		ModelProvider: "none", ModelEffort: "auto", ModelTimeout: 45 * time.Second, DailyTokens: 400_000, ModelUse: everyUse,
		workspace: l.in.Workspace,
	}
	for i := range l.out.origins {
		l.out.origins[i].Layer = LayerDefault
	}
}

// indexOf returns the place of a key in the list, -1 when there is none.
func indexOf(key string) int {
	return slices.IndexFunc(settings[:], func(s setting) bool { return s.key == key })
}

// Keys lists the keys of all settings in the order in which they are shown.
func Keys() []string {
	var keys []string
	for _, s := range settings {
		keys = append(keys, s.key)
	}
	return keys
}

func keysOf(f family) []string {
	var keys []string
	for _, s := range settings {
		if s.family == f {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// Variables lists the environment variables that give settings, in the order of
// Keys.
func Variables() []string {
	var names []string
	for _, s := range settings {
		names = append(names, s.variable)
	}
	return names
}

// Item is one setting as a list of them shows it.
type Item struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // a string, bool or int
	Origin Origin `json:"origin"`
}

// Items lists every setting with its effective value and origin. A duration is
// the string that a file would hold.
func (s Settings) Items() []Item {
	var items []Item
	for i, set := range settings {
		value := set.get(s)
		if d, ok := value.(time.Duration); ok {
			value = d.String()
		}
		items = append(items, Item{set.key, value, s.origins[i]})
	}
	return items
}

// Origin returns where the value of key came from; the zero Origin for a key
// that does not exist.
func (s Settings) Origin(key string) Origin {
	if i := indexOf(key); i >= 0 {
		return s.origins[i]
	}
	return Origin{}
}

// ParseSetting reads key and value as a person writes them. It returns the key
// as files spell it and the value as JSON keeps it: a string, bool or int. A
// path is returned as typed. The error is a fault of kind Usage that names the
// nearest key, or what the value must be.
func ParseSetting(key, value string) (string, any, error) {
	i := slices.IndexFunc(settings[:], func(s setting) bool { return strings.EqualFold(s.key, strings.TrimSpace(key)) })
	if i < 0 {
		if near := text.Nearest(key, Keys()); near != "" {
			return "", nil, fault.New(fault.Usage, codeUnknown2, key, near)
		}
		return "", nil, fault.New(fault.Usage, codeUnknownKey, key, strings.Join(Keys(), ", "))
	}
	v, err := settings[i].read(typed(value), &settings[i])
	if err != nil {
		return "", nil, fault.New(fault.Usage, codeBadSetting, discreet(settings[i].key, value), settings[i].key, err)
	}
	if d, ok := v.(time.Duration); ok {
		v = d.String()
	}
	return settings[i].key, v, nil
}

// FileOf returns the file that holds key: the workspace's, or with global the
// one for all workspaces. It is a fault of kind Usage when there is no such
// key, Refused when the file is not JSON or its place is unknown.
func (s Settings) FileOf(key string, global bool) (string, error) {
	i := indexOf(key)
	if i < 0 {
		return "", fault.New(fault.Usage, codeUnknownKey, key, strings.Join(Keys(), ", "))
	}
	path := s.fileOf(settings[i].family, global)
	switch {
	case path == "":
		return "", fault.New(fault.Refused, codeNoHome)
	case !strings.HasSuffix(path, ".json"):
		return "", fault.New(fault.Refused, codeNotJSON, path)
	}
	return path, nil
}

func (s Settings) fileOf(f family, global bool) string {
	switch {
	case f == familyConfig && global:
		return s.HomeConfig
	case f == familyConfig:
		return s.WorkspaceConfig
	case global:
		return s.userFile
	}
	return s.settingsFile()
}
