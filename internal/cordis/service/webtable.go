package service

import "github.com/dshkit/dshkit/internal/cordis/catalog"

func (w *web) table() *table {
	return &table{
		service: catalog.Service{Key: "web", Description: "Pages over http and https from hosts that the user has granted. Another plugin can take over fetching, and searching needs one."},
		types:   webTypes(),
		methods: []*method{
			{async: true, run: w.fetch, Method: catalog.Method{
				Name: "fetch", Signature: "fetch(request: WebFetchRequest, signal?: AbortSignal): Promise<WebFetchResult>",
				Description: "Gets a page. Redirects are followed to granted hosts.",
				Parameters:  params("request", "The absolute URL.", "signal", signalDoc),
				Returns:     "The page, of at most 2 MiB. A status of failure is a result, no error.",
				Throws:      []string{"GrantError, code not-granted: the user has not granted web for this host, or for the private address that it leads to.", "Error, code unsupported-content: the page is neither html nor text.", "TimeoutError, code ETIMEDOUT: it took more than 30 seconds."},
			}},
			{async: true, run: w.search, Method: catalog.Method{
				Name: "search", Signature: "search(request: WebSearchRequest, signal?: AbortSignal): Promise<WebSearchResult>",
				Description: "Searches with the provider that was registered last.",
				Parameters:  params("request", "The query, and how many sources at most.", "signal", signalDoc),
				Returns:     "Sources, and perhaps an answer made of them.",
				Throws:      []string{"Error, code no-provider: no plugin has registered one."},
			}},
			{effect: true, run: w.register(&w.fetches, "fetch"), Method: catalog.Method{
				Name: "registerFetchProvider", Signature: "registerFetchProvider(provider: { fetch(request: WebFetchRequest, signal?: AbortSignal): Promise<WebFetchResult> }): () => void",
				Description: "Takes over fetching. The provider that was registered last is asked.", Parameters: params("provider", "Its fetch gives what web.fetch gives."),
			}},
			{effect: true, run: w.register(&w.finds, "search"), Method: catalog.Method{
				Name: "registerSearchProvider", Signature: "registerSearchProvider(provider: { search(request: WebSearchRequest, signal?: AbortSignal): Promise<WebSearchResult> }): () => void",
				Description: "Makes searching possible. The provider that was registered last is asked.", Parameters: params("provider", "Its search gives what web.search gives."),
			}},
		},
	}
}

func webTypes() []catalog.Type {
	return []catalog.Type{
		{Name: "WebFetchRequest", Declaration: "interface WebFetchRequest { url: string }"},
		{Name: "WebFetchResult", Declaration: "interface WebFetchResult { url: string; statusCode: number; body: { kind: 'html' | 'text'; content: string }; truncated: boolean }"},
		{Name: "WebSearchRequest", Declaration: "interface WebSearchRequest { query: string; maxResults?: number }"},
		{Name: "WebSource", Declaration: "interface WebSource { url: string; title?: string; snippet?: string; publishedAt?: string }"},
		{Name: "WebSearchResult", Declaration: "interface WebSearchResult { content?: string; sources: WebSource[]; truncated: boolean }"},
	}
}
