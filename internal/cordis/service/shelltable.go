package service

import "github.com/dshkit/dshkit/internal/cordis/catalog"

const needsShell = "GrantError, code not-granted: the user has not granted shell for this program, or for any line."

func (s *shell) table() *table {
	return &table{
		alias: "bash",
		service: catalog.Service{
			Key: "shell", Description: "Programs that the user has granted. A line that needs no shell starts its program directly; with operators, variables or patterns it needs the grant of all lines. Programs get PATH, HOME, LANG and what env sets.",
		},
		types: shellTypes(),
		methods: []*method{
			{run: s.resolve, Method: catalog.Method{
				Name: "resolve", Signature: "resolve(request: ShellRequest): ShellSpec",
				Description: "Fills in what a request leaves open. It looks at nothing.", Parameters: params("request", "What shall run, and where."),
				Returns: "What run and start take.",
			}},
			{async: true, run: s.run, Method: catalog.Method{
				Name: "run", Signature: "run(spec: ShellSpec): Promise<ShellResult>",
				Description: "Runs a program to its end. When the time is over or the signal aborted, it is killed with all it has started; what it left running is killed at its end.",
				Parameters:  params("spec", "What resolve gave, or a request."),
				Returns:     "How it ended and what it wrote. A program that fails is a result, no error.",
				Throws:      []string{needsShell, "Error, code ENOENT: there is no such program."},
			}},
			{run: s.start, Method: catalog.Method{
				Name: "start", Signature: "start(spec: ShellSpec): ShellProcess",
				Description: "Starts a program that goes on by itself. It is killed when the plugin stops.",
				Parameters:  params("spec", "What resolve gave, or a request. Without timeoutMs it has all the time."),
				Returns:     "The running program.",
				Throws:      []string{needsShell, "Error, code ENOENT: there is no such program.", "RangeError, code limit: the plugin runs too many programs."},
			}},
		},
	}
}

func shellTypes() []catalog.Type {
	return []catalog.Type{
		{Name: "ShellRequest", Declaration: "interface ShellRequest { command: string; workdir?: string; timeoutMs?: number; stdoutMaxBytes?: number; signal?: AbortSignal; stdin?: string; env?: { [name: string]: string } }"},
		{Name: "ShellSpec", Declaration: "interface ShellSpec extends ShellRequest { workdir: string; timeoutMs: number; stdoutMaxBytes: number }"},
		{Name: "ShellOutput", Declaration: "interface ShellOutput { text: string; truncated: boolean; spillPath?: string }"},
		{Name: "ShellResult", Declaration: "interface ShellResult { exitCode: number | null; signal: string | null; timedOut: boolean; aborted: boolean; timeoutMs: number; stdout: ShellOutput; stderr: ShellOutput }"},
		{Name: "ShellExit", Declaration: "interface ShellExit { status: 'completed' | 'killed'; exitCode: number | null; signal: string | null }"},
		{Name: "ShellProcess", Declaration: "interface ShellProcess { readonly status: 'running' | 'completed' | 'killed'; readonly exitCode: number | null; readonly signal: string | null; readonly done: Promise<ShellExit>; readOutput(): { delta: string; lossy: boolean }; kill(): void }"},
	}
}
