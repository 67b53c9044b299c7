package mnemon

import (
	"bytes"
	"context"
	"math"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/text"
)

// The codes of settings, each with its English sentence.
const (
	codeSettingsSyntax = "mnemon-settings-syntax" // this is no JSON
	codeSettingsObject = "mnemon-settings-object" // this is no JSON object
	codeSettingsValue  = "mnemon-settings-value"  // %s: want %s

	warnSetting     = "mnemon-setting"      // settings.json: unknown key %q
	warnSettingNear = "mnemon-setting-near" // settings.json: unknown key %q (did you mean %q?)
)

// Settings are what a workspace has decided for its turns.
type Settings struct {
	StrategyTypeID  string   // memoryView.strategyTypeId; "" means the only one there is
	SourceTimeoutMs *float64 // sourceTimeoutMs; nil means the Core's default
	Budget          compose.Budget
}

// maxTimeoutMs is the most that Core takes.
const maxTimeoutMs = 300_000

// The keys of settings.json. memoryView is the originals' word.
const (
	keyView     = "memoryView"
	keyStrategy = "strategyTypeId"
	keyTimeout  = "sourceTimeoutMs"
	keyBudget   = "budget"
)

// Settings reads .mnemon/settings.json.
func (w *Workspace) Settings() (Settings, []Warning, error) {
	data, err := w.read(settingsFile)
	if err != nil {
		return Settings{}, nil, err
	}
	s, warnings, err := parseSettings(data)
	return s, warnings, w.damaged(settingsFile, err)
}

func parseSettings(data []byte) (s Settings, warnings []Warning, err error) {
	s.Budget = compose.DefaultBudget
	o, err := settingsObject(data)
	if err != nil {
		return s, nil, err
	}
	for key, v := range o.All() {
		switch key {
		case keyView:
			warnings, err = s.view(v, warnings)
		case keyTimeout:
			n, ok := jsonvalue.Number(v)
			if !ok || n != math.Trunc(n) || n < 1 || n > maxTimeoutMs {
				return s, nil, badSetting(key, "a number of milliseconds from 1 to 300000")
			}
			s.SourceTimeoutMs = &n
		case keyBudget:
			warnings, err = s.budget(v, warnings)
		default:
			warnings = append(warnings, unknownSetting(key, keyView, keyTimeout, keyBudget))
		}
		if err != nil {
			return s, nil, err
		}
	}
	return s, warnings, nil
}

func settingsObject(data []byte) (*jsonvalue.Object, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(data) == 0 {
		return nil, nil
	}
	v, err := jsonvalue.Parse(data)
	if err != nil {
		return nil, fault.New(fault.Damaged, codeSettingsSyntax).Because(err)
	}
	o, ok := jsonvalue.Map(v)
	if !ok {
		return nil, fault.New(fault.Damaged, codeSettingsObject)
	}
	return o, nil
}

func badSetting(key, want string) error {
	return fault.New(fault.Damaged, codeSettingsValue, key, want)
}

func unknownSetting(key string, known ...string) Warning {
	if near := text.Nearest(key, known); near != "" {
		return Warning{Code: warnSettingNear, Args: []any{key, near}}
	}
	return Warning{Code: warnSetting, Args: []any{key}}
}

func (s *Settings) view(v any, warnings []Warning) ([]Warning, error) {
	o, ok := jsonvalue.Map(v)
	if !ok {
		return nil, badSetting(keyView, "an object")
	}
	for key, v := range o.All() {
		if key != keyStrategy {
			warnings = append(warnings, unknownSetting(key, keyStrategy))
			continue
		}
		if s.StrategyTypeID, ok = jsonvalue.Text(v); !ok {
			return nil, badSetting(keyView+"."+keyStrategy, "a text")
		}
	}
	return warnings, nil
}

func (s *Settings) budget(v any, warnings []Warning) ([]Warning, error) {
	o, ok := jsonvalue.Map(v)
	if !ok {
		return nil, badSetting(keyBudget, "an object")
	}
	places := budgetPlaces(&s.Budget)
	for key, v := range o.All() {
		place := places[key]
		if place == nil {
			warnings = append(warnings, unknownSetting(key, BudgetKeys()...))
			continue
		}
		n, ok := jsonvalue.Number(v)
		if !ok || n != float64(int(n)) || n < 1 {
			return nil, badSetting(keyBudget+"."+key, "a whole number from 1")
		}
		*place = int(n)
	}
	return warnings, nil
}

// UseStrategy makes the workspace's turns use a Strategy type; "" leaves the
// choice to what is installed.
func (w *Workspace) UseStrategy(ctx context.Context, typeID string) error {
	return w.dir.Update(ctx, settingsFile, func(old []byte) ([]byte, error) {
		o, err := settingsObject(old)
		if err != nil {
			return nil, w.damaged(settingsFile, err)
		}
		view, _ := o.Map(keyView)
		if typeID == "" {
			view = view.Without(keyStrategy)
		} else {
			view = view.With(keyStrategy, typeID)
		}
		return []byte(jsonvalue.FormatIndent(o.With(keyView, view), "  ") + "\n"), nil
	})
}

// BudgetKeys lists the members of a budget, in order.
func BudgetKeys() []string {
	return []string{"maxProjectionCharacters", "maxRoutes", "maxActions", "maxEvidenceResults", "maxEvidenceCharacters"}
}

func budgetPlaces(b *compose.Budget) map[string]*int {
	places := []*int{&b.MaxProjectionCharacters, &b.MaxRoutes, &b.MaxActions, &b.MaxEvidenceResults, &b.MaxEvidenceCharacters}
	byKey := map[string]*int{}
	for i, key := range BudgetKeys() {
		byKey[key] = places[i]
	}
	return byKey
}
