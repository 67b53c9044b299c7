package catalog

// HostBuiltins are the names that a Host half has without asking. The sandbox
// offers exactly these (spec/cordis.md 6.3).
func HostBuiltins() []Builtin {
	return []Builtin{
		{"ctx", "What apply is given: verbs, declared services, tools. It is no global.", []string{
			"ctx.get(name: string): unknown | undefined",
			"ctx.on(name: string, listener: Function, options?: boolean | { prepend?: boolean }): () => void",
			"ctx.once(name: string, listener: Function): () => void",
			"ctx.provide(name: string, value: unknown): () => void",
			"ctx.effect(callback: Function, label?: string): () => void",
		}},
		{"harness", "What connects the half to its Client half and to the tools of the agent.", []string{
			"harness.handle(method: string, handler: (args: JsonValue) => JsonValue | Promise<JsonValue>): () => void",
			"harness.defineTool(definition: ToolDefinition): Tool",
			"harness.registerTool(ctx: Context, tool: Tool): () => void",
		}},
		{"console", "Lines for the log of the host, each with the plugin's id.", []string{
			"console.log(...values: unknown[]): void",
			"console.info(...values: unknown[]): void",
			"console.warn(...values: unknown[]): void",
			"console.error(...values: unknown[]): void",
			"console.debug(...values: unknown[]): void",
		}},
		{"btoa", "The base64 of a text in UTF-8.", []string{"btoa(text: string): string"}},
		{"atob", "The text in UTF-8 of a base64. It never throws.", []string{"atob(text: string): string"}},
		{"TextEncoder", "The standard constructor: a text to its bytes in UTF-8.", []string{"new TextEncoder(): TextEncoder"}},
		{"TextDecoder", "The standard constructor: bytes to a text.", []string{"new TextDecoder(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder"}},
	}
}
