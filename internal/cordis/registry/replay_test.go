package registry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/internal/cordis/mention"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// stage plays a sample's scenario. What the sample's code would do stands in acts.
type stage struct {
	*world
	sample  string
	names   map[string]map[string]string // of steps with an id
	acts    map[string]act               // by the text of a half
	pending map[string]registry.Ticket   // of steps in the background
	page    bool
}

// act is what a half does.
type act struct {
	file     string
	fails    string // message of Host or Client code
	slow     bool   // the Host half settles when its step is joined
	waiting  []string
	crash    *registry.RenderFailure // on the first render
	provides []string
	handlers []string
}

// behaviour is what the halves of the samples do, by file.
var behaviour = map[string]act{
	"17-update-rollback/host.js":          {provides: []string{"feature"}},
	"17-update-rollback/host.v2.js":       {provides: []string{"feature"}},
	"17-update-rollback/host.v3.js":       {fails: "Error: v3 is broken"},
	"18-session-isolation/host.js":        {},
	"24-client-failures/host.js":          {provides: []string{"hostSide"}, handlers: []string{"ping"}},
	"24-client-failures/bad.host.js":      {fails: "Error: host half failed first"},
	"24-client-failures/throws.client.js": {fails: "evaluate: client body failed"}, "24-client-failures/noreturn.client.js": {fails: "evaluate: client.no-return"},
	"24-client-failures/number.client.js": {fails: "evaluate: client.not-a-plugin"}, "24-client-failures/apply.client.js": {fails: "activate: client apply failed"},
	"24-client-failures/parked.client.js": {waiting: []string{"not-on-this-page"}},
	"24-client-failures/timer-crash.client.js": {crash: &registry.RenderFailure{
		Slot: "shell.overlay", Message: "render.crash(shell.overlay: trap.client(setInterval)->timer)", Stack: "at", Abdicated: true,
	}},
	"25-future-approval/client.v3.js": {fails: "activate: v3 breaks"},
	"26-mention/bad.host.js":          {fails: "second version fails"},
	"27-transitions/slow.host.js":     {provides: []string{"slowService"}, slow: true},
	"27-transitions/never.host.js":    {slow: true},
}

func newStage(t *testing.T, sample string) *stage {
	return &stage{
		world: newWorld(t).slow(), sample: sample, names: map[string]map[string]string{}, acts: map[string]act{},
		pending: map[string]registry.Ticket{},
	}
}

// source reads a half and remembers what it does.
func (s *stage) source(file string) *registry.Source {
	if file == "" {
		return nil
	}
	content, err := os.ReadFile(filepath.Join(testdata, "cordis-samples", s.sample, file))
	if err != nil {
		s.t.Fatal(err)
	}
	a := behaviour[s.sample+"/"+file]
	a.file = file
	s.acts[string(content)] = a
	return ptr(registry.Source(content))
}

func (s *stage) arg(o *jsonvalue.Object, key string) string {
	value := text(o, key)
	if name, field, found := strings.Cut(strings.TrimPrefix(value, "$"), "."); found && value[0] == '$' {
		return s.names[name][field]
	}
	return value
}

func (s *stage) session(o *jsonvalue.Object) registry.Session {
	if id := text(o, "session"); id != "" {
		return registry.Session(id)
	}
	return me
}

// work lets the host do what was ordered, but for what is slow, and the page what it
// is asked for.
func (s *stage) work() {
	for done := true; done; {
		done = false
		for _, a := range s.orders {
			if s.acts[string(a.HostCode)].slow {
				continue
			}
			s.carryOut(a)
			done = true
			break
		}
	}
	if s.page {
		s.orchestrate()
	}
}

func (s *stage) carryOut(a registry.Action) {
	act := s.acts[string(a.HostCode)]
	switch s.take(a.RunID); {
	case a.Kind == registry.ActRetract:
		s.carry(s.r.Retracted(a.RunID))
	case act.fails != "":
		s.carry(s.r.HostFailed(a.RunID, registry.PhaseHostLoad, registry.Failure{Message: act.fails, Stack: "at"}))
	default:
		s.carry(s.r.HostStarted(a.RunID, registry.HostReport{Provides: act.provides}))
	}
}

// orchestrate is a page: it carries out what needs no approval.
func (s *stage) orchestrate() {
	for _, q := range s.r.Requests() {
		if !q.RequiresApproval {
			s.client(q.AgentID, q.PluginID, q.PackageID, q.Mode, q.RequestID, false)
		}
	}
}

// client is what a page does with one run (12.7).
func (s *stage) client(session registry.Session, plugin registry.PluginID, pkg registry.PackageID, m registry.Mode, q registry.RequestID, future bool) {
	page := s.page
	s.page = false
	defer func() { s.page = page }()
	t := s.ask(func(t registry.Ticket) registry.Decision {
		return s.r.RunHostHalf(t, registry.HostHalfCommand{Session: session, PluginID: plugin, PackageID: pkg, Mode: m, RequestID: q, Future: future})
	})
	s.work()
	half, isHalf := s.answer(t).(registry.HostHalf)
	if !isHalf {
		return
	}
	code, err := s.r.ClientCode(session, plugin, half.PluginRunID)
	if err != nil {
		return
	}
	act := s.acts[string(code.Code)]
	res := ok(half.PluginRunID, act.waiting...)
	if act.fails != "" {
		res = broken(half.PluginRunID, act.fails)
		res.StartedHere = &half.StartedHere
	}
	if act.crash != nil {
		s.carry(s.r.RenderFailed(session, plugin, half.PluginRunID, *act.crash))
	}
	if q != "" {
		s.resolve(q, res)
	} else {
		s.settle(plugin, res)
	}
	s.work()
}

// feedback takes the notices as the goldens have them, read from their texts.
func (s *stage) feedback() []any {
	out := []any{}
	for _, n := range s.notices {
		english := feedback.New(n, "en", s.now)
		facts, _ := feedback.Parse(english.Text)
		chinese, _ := feedback.Parse(feedback.New(n, "zh-CN", s.now).Text)
		equal(s.t, "facts of the Chinese text", chinese, facts)
		out = append(out, gist(string(n.Session), english.Kind, facts))
	}
	s.notices = nil
	return out
}

// gist puts facts in the order of the goldens.
func gist(to string, kind feedback.Kind, f map[string]string) any {
	how := "inject"
	if kind == feedback.Steer {
		how = "steer"
	}
	o := jsonvalue.Of("to", to, "how", how, "topic", f["topic"])
	set := func(keys ...string) {
		for _, key := range keys {
			o.Set(key, f[key])
		}
	}
	target := f["pluginId"] + "/" + f["packageId"]
	_, stack := f["stack"]
	switch registry.Topic(f["topic"]) {
	case registry.TopicRunSucceeded:
		set("mode")
		o.Set("target", target)
		set("pluginRunId", "currentPackageId")
	case registry.TopicRunRejected:
		set("mode")
		o.Set("target", target)
		set("pluginRunId")
		o.Set("tells", "do-not-repeat")
	case registry.TopicRunFailed:
		set("mode")
		o.Set("target", target)
		set("pluginRunId", "returned", "reason", "message")
		o.Set("stack", stack)
		set("currentPackageId", "nextPackageId")
		o.Set("tells", "inspect-fix-retry")
	case registry.TopicRenderFailed:
		o.Set("target", target)
		set("pluginRunId", "slot", "message")
		o.Set("stack", stack)
		o.Set("entryAbdicated", f["abdicated"] == "true")
		o.Set("tells", "define-fix-update")
	case registry.TopicUserRan:
		set("pluginId", "packageId", "pluginRunId", "currentPackageId")
	case registry.TopicUserRunFailed:
		set("pluginId", "packageId", "pluginRunId", "reason", "message", "currentPackageId", "nextPackageId")
	case registry.TopicUserStopped:
		set("pluginId", "currentPackageId")
	case registry.TopicUserRemoved:
		set("pluginId")
	}
	return o
}

// mentions are the context messages as the goldens have them.
func (s *stage) mentions(o *jsonvalue.Object) []any {
	out := []any{}
	if text(o, "from") != "" {
		return out
	}
	for _, id := range mention.Scan(text(o, "text")) {
		ref, err := s.r.Reference(s.session(o), id)
		if err != nil {
			out = append(out, jsonvalue.Of("topic", "mention-unavailable", "pluginId", string(id), "tells", "say-unavailable,no-replacement", "tagged", true))
			continue
		}
		content := mention.Text(ref, "en")
		record, _, _ := strings.Cut(strings.TrimPrefix(content, "<cordis_dynamic_plugin_context>\n"), "\n\n")
		v, _ := jsonvalue.Parse([]byte(record))
		_, rest, _ := strings.Cut(content, `cordis_run with mode "`)
		mode, _, _ := strings.Cut(rest, `"`)
		out = append(out, jsonvalue.Of(
			"topic", "mention", "reference", v, "base", string(ref.PluginID+"/"+registry.PluginID(ref.PackageID)), "nextRunMode", mode,
			"sourceIncluded", strings.Contains(content, "console."), "tagged", strings.HasSuffix(content, "</cordis_dynamic_plugin_context>"),
		))
	}
	return out
}
