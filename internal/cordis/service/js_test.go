//go:build unix

package service_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// plugin is a Host half that uses the services, and the World that it sees.
type plugin struct {
	half.World // what these tests do not need fails by being nil
	w          *world
	circle     *half.Circle
	run        half.Half
}

func (p *plugin) caller() service.Caller {
	c := p.w.caller
	if p.run != nil {
		c.Peer = p.run
	}
	c.Watch = p.circle.Watch
	return c
}

func (p *plugin) Service(_ context.Context, name string) (any, bool) {
	return p.w.services.Value(name)
}

func (p *plugin) Injected(_ context.Context, name string) (any, bool) {
	return p.w.services.Value(name)
}

func (p *plugin) Live(name string) bool {
	_, ok := p.w.services.Value(name)
	return ok
}

func (p *plugin) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	return p.w.services.Call(ctx, p.caller(), f, args)
}

func (p *plugin) Await(ctx context.Context, q wire.Promise) (any, error) {
	return p.w.services.Await(ctx, p.caller(), q)
}

func (p *plugin) Log(level, text string)                      { p.w.t.Log(level, text) }
func (p *plugin) Report(f half.Failure)                       { p.w.t.Errorf("reported: %+v", f) }
func (p *plugin) Tools(context.Context) []half.ToolDefinition { return nil }

// load runs a half with this body of apply.
func (w *world) load(body string) *plugin {
	w.t.Helper()
	p := &plugin{w: w, circle: half.NewCircle()}
	starter := child.NewInProcess(child.Settings{Circle: p.circle})
	w.t.Cleanup(func() {
		if err := starter.Close(); err != nil {
			w.t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	w.t.Cleanup(cancel)
	source := half.Source{PluginID: "clock-1", PackageID: "pkg-1", RunID: "run-1", EvalTimeout: patience, Code: `
		return { inject: ['fs', 'shell', 'web', 'systemPrompt', 'skills', 'storage'], apply(ctx) { ` + body + ` } }`}
	var err error
	if p.run, err = starter.Start(ctx, source, p); err != nil {
		w.t.Fatal(err)
	}
	if err := p.run.Load(ctx); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// invoke calls a handler of the half.
func (p *plugin) invoke(method string) string {
	p.w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	v, err := p.run.Invoke(ctx, method, nil)
	if err != nil {
		p.w.t.Fatalf("%s: %v", method, err)
	}
	return jsonvalue.Format(v)
}

// Plugin code has the services as it knows them from the reference: promises,
// async iterators, bytes, getters, signals, disposers, errors with codes.
func TestServicesInJavaScript(t *testing.T) {
	w := newWorld(t, "fs:write out", "shell *")
	w.write("skills/cut/SKILL.md", "# Cut\n")
	p := w.load(`
		harness.handle('files', async () => {
			const target = await ctx.fs.resolve('out/a.txt')
			const made = await ctx.fs.writeText(target, 'one €', { kind: 'createIfAbsent' })
			const edited = await ctx.fs.editText(target, { oldString: 'one', newString: 'two', replaceAll: false }, { version: made.version })
			let streamed = ''
			for await (const piece of await ctx.fs.streamText(target)) streamed += piece
			const bytes = await ctx.fs.readBytes(target, undefined, 100)
			const list = await ctx.fs.listDir(await ctx.fs.resolve('out'))
			const none = await ctx.fs.stat(await ctx.fs.resolve('out/none'))
			return { text: await ctx.fs.readText(target), before: edited.before, streamed, bytes: [bytes instanceof Uint8Array, bytes.length], names: list.map(e => e.name + ' ' + e.type + ' ' + e.target.displayPath), none: none === undefined,
				contains: ctx.fs.contains(await ctx.fs.resolve('out'), target) }
		})
		harness.handle('refused', async () => {
			try { await ctx.fs.readText(await ctx.fs.resolve('secret')) } catch (e) { return { error: e instanceof Error, name: e.name, code: e.code, message: e.message } }
		})
		harness.handle('shell', async () => {
			const result = await ctx.shell.run(ctx.shell.resolve({ command: 'printf hi; exit 3' }))
			const process = ctx.shell.start({ command: 'cat', stdin: 'typed' })
			const exit = await process.done
			return { code: result.exitCode, text: result.stdout.text, exit: exit.status, status: process.status, out: process.readOutput().delta }
		})
		harness.handle('killed', async () => {
			const process = await ctx.get('bash').start({ command: 'sleep 1000' })
			const before = process.status
			process.kill()
			await process.done
			return [before, process.status, process.signal]
		})
		harness.handle('storage', async () => {
			await ctx.storage.set('k', { a: [1, null] })
			return [await ctx.storage.get('k'), await ctx.storage.keys(), await ctx.storage.delete('k'), (await ctx.storage.get('k')) === undefined]
		})
		harness.handle('skills', async () => [await ctx.skills.list(), (await ctx.skills.read('cut')).content])
		ctx.systemPrompt.section({ name: 'mine', order: 1, text: () => 'Made by a function.' })
		const undo = ctx.systemPrompt.section({ name: 'other', text: 'Gone soon.' })
		harness.handle('prompt', async () => { undo(); return ctx.systemPrompt.assemble() })
		ctx.web.registerSearchProvider({ async search(request) { return { content: 'about ' + request.query, sources: [{ url: 'http://a.test' }], truncated: false } } })
		harness.handle('search', () => ctx.web.search({ query: 'clocks' }))
	`)
	for method, want := range map[string]string{
		"files":   `{"text":"two €","before":"one €","streamed":"two €","bytes":[true,7],"names":["a.txt file out/a.txt"],"none":true,"contains":true}`,
		"refused": `{"error":true,"name":"GrantError","code":"not-granted","message":"fs.readText: plugin clock-1 may not read secret: the user of this workspace can allow it with ` + "`cordis grant allow fs:read ./secret`" + `"}`,
		"shell":   `{"code":3,"text":"hi","exit":"completed","status":"completed","out":"typed"}`,
		"killed":  `["running","killed","SIGKILL"]`,
		"storage": `[{"a":[1,null]},["k"],true,true]`,
		"skills":  `[[{"name":"cut","description":"","path":"skills/cut/SKILL.md"}],"# Cut\n"]`,
		"prompt":  `{"system":"Made by a function.","context":"","tools":"","skipped":[]}`,
		"search":  `{"content":"about clocks","sources":[{"url":"http://a.test"}],"truncated":false}`,
	} {
		if diff := cmp.Diff(want, p.invoke(method)); diff != "" {
			t.Errorf("%s: %s", method, diff)
		}
	}
}

// Registrations are effects: they end when the plugin unloads, without Release.
func TestRegistrationsAreEffects(t *testing.T) {
	w := newWorld(t)
	p := w.load(`ctx.systemPrompt.section({ name: 'mine', text: 'Here.' })`)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if got, err := w.services.Prompt(ctx); err != nil || got.System != "Here." {
		t.Fatalf("%+v, %v", got, err)
	}
	rest, err := p.run.BeginUnload(ctx)
	if err = errors.Join(err, rest(ctx)); err != nil {
		t.Fatal(err)
	}
	if got, err := w.services.Prompt(ctx); err != nil || got.System != "" {
		t.Fatalf("%+v, %v", got, err)
	}
}
