package replay

// hostDifferences are those of samples of Host halves.
func hostDifferences() []group {
	return []group{
		{"03-inject-parking", "W7", "states are those of now", []place{
			{9, ".value.plugin.state", `"waiting"`, `"running"`},
			{9, ".value.runtime.state", `"waiting"`, `"running"`},
			{9, ".value.runtime.host.status", `"waiting"`, `"running"`},
			{18, "[0].latestRun.status", `"waiting"`, `"running"`},
			{18, "[0].latestRun.host.status", `"waiting"`, `"running"`},
			{18, "[0].latestRun.host.waitingFor", `["beacon","sonar"]`, `[]`},
		}},
		{"04-provide-consume", "W10", "the phase is the one that failed", []place{
			{10, "[0].latestRun.error.phase", `"host-load"`, `"host-apply"`},
		}},
		{"04-provide-consume", "W29", "a failure record has no stray member", []place{
			{10, "[0].latestRun.error.ok", `false`, ""},
		}},
		{"04-provide-consume", "W7", "states are those of now", []place{
			{13, ".value.plugin.state", `"running"`, `"waiting"`},
			{13, ".value.runtime.state", `"running"`, `"waiting"`},
			{13, ".value.runtime.host.status", `"running"`, `"waiting"`},
		}},
		{"04-provide-consume", "W15", "a service that is provided as undefined is there", []place{
			{19, ".value.host.status", `"waiting"`, `"running"`},
			{19, ".value.host.waitingFor", `["blank"]`, `[]`},
		}},
		{"09-apply-errors", "W20", "the message is the one that was thrown", []place{
			{1, ".error", `"RangeError: apply exploded"`, `"apply exploded"`},
			{4, "[0].latestRun.host.error", `"RangeError: apply exploded"`, `"apply exploded"`},
			{4, "[0].latestRun.error.message", `"RangeError: apply exploded"`, `"apply exploded"`},
			{5, ".value.runtime.host.error", `"RangeError: apply exploded"`, `"apply exploded"`},
			{7, ".error", `"Error: async apply exploded"`, `"async apply exploded"`},
		}},
		{"09-apply-errors", "W10", "the phase is the one that failed", []place{
			{4, "[0].latestRun.error.phase", `"host-load"`, `"host-apply"`},
		}},
		{"09-apply-errors", "W29", "a failure record has no stray member", []place{
			{4, "[0].latestRun.error.ok", `false`, ""},
		}},
		{"09-apply-errors", "W27", "a class is named as what it is", []place{
			{20, ".error", `"engine.class-called-without-new"`, `"host.class"`},
		}},
		{"09-apply-errors", "W6", "a failure after waking is recorded and told", []place{
			{33, ".value.plugin.state", `"waiting"`, `"failed"`},
			{33, ".value.runtime.state", `"waiting"`, `"failed"`},
			{33, ".value.runtime.host.status", `"waiting"`, `"failed"`},
			{33, ".value.runtime.host.error", "", `"failed after parking"`},
			{34, "", `[]`, `[{"to":"S-a","how":"steer","topic":"run-failed","mode":"run","target":"apply-9/pkg-9","pluginRunId":"run-9","returned":"running","reason":"host-half-failed","message":"failed after parking","stack":true,"currentPackageId":"pkg-9","nextPackageId":"none","tells":"inspect-fix-retry"}]`},
		}},
		{"10-eval-errors", "W19", "text that closes the wrapper does not parse", []place{
			{11, ".value", `{"status":"running","pluginId":"eval-12","packageId":"pkg-12","pluginRunId":"run-12","currentPackageId":"pkg-12","host":{"status":"running","provides":[],"waitingFor":[]},"client":{"status":"absent","waitingFor":[]}}`, ""},
			{11, ".meta", `{"pluginId":"eval-12","packageId":"pkg-12","pluginRunId":"run-12"}`, ""},
			{11, ".error", "", `"tool execution arguments must be losslessly JSON-serializable"`},
			{14, "", `[{"level":"log","tag":"cordis:eval-10","text":"awaited"},{"level":"log","tag":"cordis:eval-11","text":"thenable resolved"},{"level":"log","tag":"cordis:eval-12","text":"outer won, escaped = true"}]`, `[{"level":"log","tag":"cordis:eval-10","text":"awaited"},{"level":"log","tag":"cordis:eval-11","text":"thenable resolved"}]`},
			{16, "", `[["cordis/dynamic-package",{"pluginId":"eval-10","packageId":"pkg-10","pluginRunId":"run-10","name":"await"}],["cordis/dynamic-package",{"pluginId":"eval-11","packageId":"pkg-11","pluginRunId":"run-11…`, `[["cordis/dynamic-package",{"pluginId":"eval-10","packageId":"pkg-10","pluginRunId":"run-10","name":"await"}],["cordis/dynamic-package",{"pluginId":"eval-11","packageId":"pkg-11","pluginRunId":"run-11","name":"thenable"}]]`},
		}},
		{"10-eval-errors", "W29", "a failure record has no stray member", []place{
			{12, "[0].latestRun.error.ok", `false`, ""},
		}},
		{"12-syntax-errors", "19.3", "the place is that of the annotation itself", []place{
			{4, ".error", `"parse(code.host) line=2 caret=7+4 hint=async-body"`, `"parse(code.host) line=2 caret=11+1 hint=async-body"`},
		}},
		{"13-undeclared-service", "W18", "the services of the runner are out of reach", []place{
			{2, "[47].text", `"dynamic runner => object"`, `"dynamic runner => undefined"`},
			{2, "[48].text", `"inspect registry => object"`, `"inspect registry => undefined"`},
		}},
		{"14-node-globals", "19.1, 6.3", "the engine has no Intl and no WebAssembly; an object is written as Node writes it", []place{
			{2, "[0].text", `"{\"process\":\"undefined\",\"Buffer\":\"undefined\",\"require\":\"function\",\"module\":\"undefined\",\"exports\":\"undefined\",\"__dirname\":\"undefined\",\"global\":\"undefined\",\"globalThis\":\"o…`, `"{\n  process: 'undefined',\n  Buffer: 'undefined',\n  require: 'function',\n  module: 'undefined',\n  exports: 'undefined',\n  __dirname: 'undefined',\n  global: 'undefined',\n  globalThis: 'object',\n  window: 'undefined',\n  document: 'undefined',\n  setTimeout: 'function',\n  setInterval: 'function',\n  setImmediate: 'function',\n  clearTimeout: 'function',\n  clearInterval: 'function',\n  clearImmediate: 'undefined',\n  queueMicrotask: 'undefined',\n  structuredClone: 'undefined',\n  fetch: 'function',\n  URL: 'undefined',\n  URLSearchParams: 'undefined',\n  AbortController: 'undefined',\n  AbortSignal: 'undefined',\n  Event: 'undefined',\n  EventTarget: 'undefined',\n  performance: 'undefined',\n  crypto: 'undefined',\n  TextEncoder: 'function',\n  TextDecoder: 'function',\n  btoa: 'function',\n  atob: 'function',\n  console: 'object',\n  harness: 'object',\n  ctx: 'undefined',\n  React: 'undefined',\n  host: 'undefined',\n  styles: 'undefined',\n  Intl: 'undefined',\n  WebAssembly: 'undefined',\n  Atomics: 'object',\n  SharedArrayBuffer: 'function',\n  Proxy: 'function',\n  Reflect: 'object',\n  Symbol: 'function',\n  BigInt: 'function',\n  WeakRef: 'function',\n  FinalizationRegistry: 'function',\n  eval: 'function',\n  Function: 'function'\n}"`},
		}},
		{"14-node-globals", "6.3", "an object is written as Node writes it", []place{
			{2, "[14].text", `"errored {\"a\":1}"`, `"errored { a: 1 }"`},
		}},
		{"14-node-globals", "19.3", "arguments are objects of the realm they arrive in", []place{
			{3, ".value.sameProto", `false`, `true`},
		}},
		{"14-node-globals", "15.3", "names and signatures are those of our table", []place{
			{7, ".value.data.builtins[0].signatures", `["ctx.get(name: string): unknown | undefined","ctx.on(name: string, listener: Function): () => void","ctx.provide(name: string, value: unknown): () => void","ctx.effect(callback: Function, label?: string): () => void"]`, `["ctx.get(name: string): unknown | undefined","ctx.on(name: string, listener: Function, options?: boolean | { prepend?: boolean }): () => void","ctx.once(name: string, listener: Function): () => void","ctx.provide(name: string, value: unknown): () => void","ctx.effect(callback: Function, label?: string): () => void"]`},
			{7, ".value.data.builtins[1].signatures[1]", `"harness.defineTool(definition: ToolDefinition): ToolDefinition"`, `"harness.defineTool(definition: ToolDefinition): Tool"`},
			{7, ".value.data.builtins[1].signatures[2]", `"harness.registerTool(ctx: Context, tool: ToolDefinition): () => void"`, `"harness.registerTool(ctx: Context, tool: Tool): () => void"`},
			{7, ".value.data.builtins[2].signatures", `["console.log(...values): void","console.error(...values): void"]`, `["console.log(...values: unknown[]): void","console.info(...values: unknown[]): void","console.warn(...values: unknown[]): void","console.error(...values: unknown[]): void","console.debug(...values: unknown[]): void"]`},
			{7, ".value.data.builtins[3].signatures[0]", `"btoa(value: string): string"`, `"btoa(text: string): string"`},
			{7, ".value.data.builtins[4].signatures[0]", `"atob(value: string): string"`, `"atob(text: string): string"`},
			{7, ".value.data.builtins[5].signatures[0]", `"new TextEncoder()"`, `"new TextEncoder(): TextEncoder"`},
			{7, ".value.data.builtins[6].signatures[0]", `"new TextDecoder(label?: string)"`, `"new TextDecoder(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder"`},
		}},
		{"14-node-globals", "W14", "the types that signatures name come along", []place{
			{7, ".value.data.referencedTypes", `0`, `6`},
		}},
		{"15-events", "W17", "what an asynchronous listener throws is told, and ends nothing", []place{
			{10, "", `[{"kind":"rejection","message":"async listener failed"}]`, `[]`},
			{19, "", `[]`, `[{"to":"S-a","how":"steer","topic":"code-failed","target":"event-1/pkg-1","pluginRunId":"run-1","where":"listener","message":"async listener failed","stack":true}]`},
		}},
		{"17-update-rollback", "W20", "the message is the one that was thrown", []place{
			{11, ".error", `"Error: v3 is broken"`, `"v3 is broken"`},
			{15, ".error", `"Error: v3 is broken"`, `"v3 is broken"`},
		}},
		{"17-update-rollback", "W13", "all packages are counted", []place{
			{22, ".value.plugin.packageCount", `1`, `3`},
		}},
	}
}
