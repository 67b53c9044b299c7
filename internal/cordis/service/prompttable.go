package service

import "github.com/dshkit/dshkit/internal/cordis/catalog"

const nameTaken = "Error, code taken: another registration has this name."

func (p *prompt) table() *table {
	pieceDoc := params("piece", "A name of its own, the order among the others (0 by default), and the text or a function that gives it.")
	return &table{
		service: catalog.Service{Key: "systemPrompt", Description: "Texts that plugins add to the prompt of the agent, as long as they run."},
		types: []catalog.Type{
			{Name: "PromptText", Declaration: "type PromptText = string | (() => string | Promise<string>)"},
			{Name: "PromptPiece", Declaration: "interface PromptPiece { name: string; order?: number; text: PromptText }"},
			{Name: "AssembledPrompt", Declaration: "interface AssembledPrompt { system: string; context: string; tools: string; skipped: { name: string; message: string }[] }"},
		},
		methods: []*method{
			{effect: true, run: p.piece(partSystem), Method: catalog.Method{
				Name: "section", Signature: "section(piece: PromptPiece): () => void",
				Description: "Adds a section to the system prompt.", Parameters: pieceDoc, Throws: []string{nameTaken},
			}},
			{effect: true, run: p.piece(partContext), Method: catalog.Method{
				Name: "context", Signature: "context(piece: PromptPiece): () => void",
				Description: "Adds something that is said beside the conversation.", Parameters: pieceDoc, Throws: []string{nameTaken},
			}},
			{effect: true, run: p.piece(partTools), Method: catalog.Method{
				Name: "tools", Signature: "tools(piece: PromptPiece): () => void",
				Description: "Adds advice on the use of tools.", Parameters: pieceDoc, Throws: []string{nameTaken},
			}},
			{effect: true, run: p.variable, Method: catalog.Method{
				Name: "variable", Signature: "variable(name: string, value: PromptText): () => void",
				Description: "Gives a value to {{name}} in all texts.", Parameters: params("name", "A word.", "value", "The text, or a function that gives it."), Throws: []string{nameTaken},
			}},
			{async: true, run: p.show, Method: catalog.Method{
				Name: "assemble", Signature: "assemble(): Promise<AssembledPrompt>",
				Description: "Puts all texts together, by order, then by time of registration.",
				Returns:     "The parts. What a failing function would have given is skipped.",
			}},
		},
	}
}
