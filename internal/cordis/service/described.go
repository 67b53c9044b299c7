package service

import "github.com/dshkit/dshkit/internal/cordis/catalog"

// What lives in the sandbox, or is emitted by the host, is described here all
// the same, so that one catalogue holds everything.

func timerTable() *table {
	delay := "Milliseconds."
	described := func(m catalog.Method) *method { return &method{Method: m} }
	return &table{described: true, service: catalog.Service{
		Key: "timer", Description: "Timers that end with the plugin. Declared, their verbs are on ctx too.",
	}, methods: []*method{
		described(catalog.Method{
			Name: "timeout", Signature: "timeout(callback: () => void, delay: number): () => void",
			Description: "Calls back once.", Parameters: params("callback", "What is called.", "delay", delay),
		}),
		described(catalog.Method{
			Name: "timeout", Signature: "timeout(delay: number): Promise<void>",
			Description: "Waits. It is rejected when the plugin unloads first.", Parameters: params("delay", delay),
		}),
		described(catalog.Method{
			Name: "interval", Signature: "interval(callback: () => void, delay: number): () => void",
			Description: "Calls back again and again.", Parameters: params("callback", "What is called.", "delay", delay),
		}),
		described(catalog.Method{
			Name: "interval", Signature: "interval<R = any>(delay: number): AsyncIterableIterator<void, R, void>",
			Description: "Ticks to wait for. One that nobody waits for is dropped.", Parameters: params("delay", delay), Returns: "An iterator that ends with return(), and is rejected when the plugin unloads.",
		}),
		described(catalog.Method{
			Name: "throttle", Signature: "throttle<F extends (...args: any[]) => void>(callback: F, delay: number, noTrailing?: boolean): F & { dispose: () => void }",
			Description: "A function that calls back at most once in a while: at once, and with the latest arguments afterwards.",
			Parameters:  params("callback", "What is called.", "delay", delay, "noTrailing", "No call afterwards."), Returns: "The function, with a dispose that cancels the call afterwards.",
		}),
		described(catalog.Method{
			Name: "debounce", Signature: "debounce<F extends (...args: any[]) => void>(callback: F, delay: number): F & { dispose: () => void }",
			Description: "A function that calls back once it has not been called for a while, with the latest arguments.",
			Parameters:  params("callback", "What is called.", "delay", delay), Returns: "The function, with a dispose that cancels the call.",
		}),
	}}
}

func toolsTable() *table {
	return &table{described: true, service: catalog.Service{
		Key: "tools", Description: "The tools of the agent. It is always on ctx, without being declared.",
	}, types: []catalog.Type{
		{Name: "ToolInfo", Declaration: "interface ToolInfo { name: string; description: string; parameters: JsonValue }"},
		{Name: "ToolDefinition", Declaration: "interface ToolDefinition { name: string; description: string; parameters: { [name: string]: JsonValue }; output: ToolOutput; timeoutMs?: number; execute(args: any, exec: { signal: AbortSignal }): JsonValue | Promise<JsonValue> }"},
		{Name: "ToolOutput", Declaration: "interface ToolOutput { schema: JsonValue; render(args: any, value: any): { type: string }[]; presentationMeta?(args: any, value: any): JsonValue }"},
		{Name: "Tool", Declaration: "interface Tool { readonly name: string }"},
		{Name: "Context", Declaration: "interface Context { get(name: string): unknown; on(name: string, listener: Function): () => void; provide(name: string, value: unknown): () => void; effect(callback: Function): () => void; tools: { register(tool: Tool): () => void } }"},
	}, methods: []*method{
		{Method: catalog.Method{
			Name: "register", Signature: "register(tool: Tool): () => void",
			Description: "Makes a tool callable for the agent.", Parameters: params("tool", "What harness.defineTool gave."),
		}},
		{Method: catalog.Method{
			Name: "schemas", Signature: "schemas(): ToolInfo[]",
			Description: "The tools that the agent sees.", Returns: "Their names, descriptions and parameters, nothing that can be called.",
		}},
		{Method: catalog.Method{
			Name: "get", Signature: "get(name: string): ToolInfo | undefined",
			Description: "One tool that the agent sees.", Parameters: params("name", "Of the tool."), Returns: "What schemas gives of it; undefined when there is none.",
		}},
	}}
}

// events are what a host emits of its own.
func events() []catalog.Event {
	return []catalog.Event{
		{Name: "system-prompt/change", Description: "The texts of systemPrompt have changed.", Mode: catalog.Emit, Signature: "'system-prompt/change'(): void"},
		{Name: "tools/change", Description: "The tools that the agent sees have changed.", Mode: catalog.Emit, Signature: "'tools/change'(): void"},
	}
}
