package service

import "github.com/dshkit/dshkit/internal/cordis/catalog"

// sharedTypes are what signatures of several services name.
func sharedTypes() []catalog.Type {
	return []catalog.Type{
		{Name: "JsonValue", Declaration: "type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }"},
		{Name: "AbortSignal", Declaration: "interface AbortSignal { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void }"},
	}
}

const (
	targetDoc    = "What fs.resolve or fs.listDir gave."
	signalDoc    = "Ends the call early when it is aborted."
	policyDoc    = "Ignored here: what a plugin may reach is what the user has granted."
	needsRead    = "GrantError, code not-granted: the user has not granted fs:read for this path."
	needsWrite   = "GrantError, code not-granted: the user has not granted fs:write for this path."
	noFile       = "Error, code ENOENT: there is no such file."
	otherVersion = "Error, code version-conflict: the file is not in the expected version."
)

func (f *files) table() *table {
	return &table{
		service: catalog.Service{Key: "fs", Description: "Files of the workspace that the user has granted, and no others: resolve a path first, then use the target. A write replaces the file whole, or not at all."},
		types:   fsTypes(),
		methods: append(f.readingMethods(), f.writingMethods()...),
	}
}

func (f *files) readingMethods() []*method {
	return []*method{
		{async: true, run: f.resolve, Method: catalog.Method{
			Name: "resolve", Signature: "resolve(path: string, opts?: { cwd?: string; signal?: AbortSignal }): Promise<FsTarget>",
			Description: "Makes a target of a path, following links where the user has granted reading. The file need not exist.",
			Parameters:  params("path", "Absolute, or below the workspace.", "opts", "cwd: where a path begins that is not absolute."),
			Returns:     "The target. It says nothing about whether the file exists or may be used.",
		}},
		{run: f.processPath, Method: catalog.Method{
			Name: "processPath", Signature: "processPath(target: FsTarget): string",
			Description: "The path as a program takes it.", Parameters: params("target", targetDoc), Returns: "The absolute path.",
		}},
		{run: f.fileURL, Method: catalog.Method{
			Name: "fileUrl", Signature: "fileUrl(target: FsTarget): string",
			Description: "The path as a URL.", Parameters: params("target", targetDoc), Returns: "A URL that begins with file://.",
		}},
		{run: f.contains, Method: catalog.Method{
			Name: "contains", Signature: "contains(parent: FsTarget, child: FsTarget): boolean",
			Description: "Says whether one target is another, or lies below it.", Parameters: params("parent", targetDoc, "child", targetDoc), Returns: "Whether it does, by their paths.",
		}},
		{async: true, run: f.stat, Method: catalog.Method{
			Name: "stat", Signature: "stat(target: FsTarget, signal?: AbortSignal): Promise<FsInfo | undefined>",
			Description: "What a target is.", Parameters: params("target", targetDoc, "signal", signalDoc),
			Returns: "Version, type and, of a file, size in bytes; undefined when nothing is there.", Throws: []string{needsRead},
		}},
		{async: true, run: f.lstat, Method: catalog.Method{
			Name: "lstat", Signature: "lstat(path: string, opts?: { cwd?: string }, signal?: AbortSignal): Promise<FsPathInfo | undefined>",
			Description: "What a path is itself: a link at its end is not followed.",
			Parameters:  params("path", "Absolute, or below the workspace.", "opts", "cwd: where a path begins that is not absolute.", "signal", signalDoc),
			Returns:     "As stat, with the type symlink for a link; undefined when nothing is there.", Throws: []string{needsRead},
		}},
		{async: true, run: f.readText, Method: catalog.Method{
			Name: "readText", Signature: "readText(target: FsTarget, signal?: AbortSignal): Promise<string>",
			Description: "The whole text of a file in UTF-8, of at most 8 MiB.", Parameters: params("target", targetDoc, "signal", signalDoc),
			Returns: "The text. Bytes that are no UTF-8 become U+FFFD.", Throws: []string{needsRead, noFile, "Error, code EFBIG: the file is larger. Use streamText."},
		}},
		{async: true, run: f.streamText, Method: catalog.Method{
			Name: "streamText", Signature: "streamText(target: FsTarget, signal?: AbortSignal): Promise<AsyncIterable<string>>",
			Description: "The text of a file of any size, piece by piece.", Parameters: params("target", targetDoc, "signal", "Ends the opening early when it is aborted."),
			Returns: "Pieces of at most 64 KiB. Leaving the loop closes the file.", Throws: []string{needsRead, noFile},
		}},
		{async: true, run: f.readBytes, Method: catalog.Method{
			Name: "readBytes", Signature: "readBytes(target: FsTarget, signal: AbortSignal | undefined, maxBytes: number): Promise<Uint8Array>",
			Description: "The bytes of a file.", Parameters: params("target", targetDoc, "signal", signalDoc, "maxBytes", "How large the file may be; never more than 8 MiB."),
			Returns: "All bytes.", Throws: []string{needsRead, noFile, "Error, code EFBIG: the file is larger than maxBytes."},
		}},
		{async: true, run: f.listDir, Method: catalog.Method{
			Name: "listDir", Signature: "listDir(target: FsTarget, signal?: AbortSignal): Promise<FsDirEntry[]>",
			Description: "What is in a folder, by name. A link is of the type other.", Parameters: params("target", targetDoc, "signal", signalDoc),
			Returns: "At most 10000 entries.", Throws: []string{needsRead, noFile, "Error, code ENOTDIR: it is no folder.", "Error, code EFBIG: there are more entries."},
		}},
	}
}

func (f *files) writingMethods() []*method {
	return []*method{
		{async: true, run: f.writeText, Method: catalog.Method{
			Name: "writeText", Signature: "writeText(target: FsTarget, content: string, expected?: FsWriteIntent, signal?: AbortSignal, sandboxPolicy?: SandboxExecutionPolicy): Promise<FsWriteOutcome>",
			Description: "Replaces a file by a text, or makes it, with the folders that it is in.",
			Parameters:  params("target", targetDoc, "content", "The text, of at most 8 MiB.", "expected", "What the file must be for the change to happen; whatever it is without.", "signal", signalDoc, "sandboxPolicy", policyDoc),
			Returns:     "What was done, the new version, and the text before (null when there was none) and after.",
			Throws:      []string{needsWrite, otherVersion, "Error, code EEXIST: it exists, and createIfAbsent was asked."},
		}},
		{async: true, run: f.editText, Method: catalog.Method{
			Name: "editText", Signature: "editText(target: FsTarget, edit: FsEditRequest, expected?: { version: FsVersion }, signal?: AbortSignal, sandboxPolicy?: SandboxExecutionPolicy): Promise<FsEditOutcome>",
			Description: "Replaces a part of a file.",
			Parameters:  params("target", targetDoc, "edit", "oldString must be in the file once, or replaceAll be true.", "expected", "The version that the file must have.", "signal", signalDoc, "sandboxPolicy", policyDoc),
			Returns:     "The new version, and the text before and after.",
			Throws:      []string{needsWrite, noFile, otherVersion, "Error, code edit-not-found or edit-ambiguous: oldString is not in the file, or more than once."},
		}},
	}
}

func fsTypes() []catalog.Type {
	return []catalog.Type{
		{Name: "FsTarget", Declaration: "interface FsTarget { targetKey: string; displayPath: string }"},
		{Name: "FsVersion", Declaration: "type FsVersion = string"},
		{Name: "FsInfo", Declaration: "interface FsInfo { version: FsVersion; type: 'file' | 'directory' | 'other'; size?: number }"},
		{Name: "FsPathInfo", Declaration: "interface FsPathInfo { version: FsVersion; type: 'file' | 'directory' | 'symlink' | 'other'; size?: number }"},
		{Name: "FsDirEntry", Declaration: "interface FsDirEntry { name: string; type: 'file' | 'directory' | 'other'; target: FsTarget; version?: FsVersion; size?: number }"},
		{Name: "FsWriteIntent", Declaration: "type FsWriteIntent = { kind: 'createIfAbsent' } | { kind: 'replaceIfVersion'; version: FsVersion }"},
		{Name: "FsWriteOutcome", Declaration: "interface FsWriteOutcome { operation: 'create' | 'update'; version: FsVersion; before: string | null; after: string }"},
		{Name: "FsEditRequest", Declaration: "interface FsEditRequest { oldString: string; newString: string; replaceAll: boolean }"},
		{Name: "FsEditOutcome", Declaration: "interface FsEditOutcome { version: FsVersion; before: string; after: string }"},
		{Name: "SandboxExecutionPolicy", Declaration: "type SandboxExecutionPolicy = { [key: string]: JsonValue }"},
	}
}
