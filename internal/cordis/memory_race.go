//go:build race

package cordis

// halfMemory is no bound: the race detector alone takes more than a half may.
const halfMemory = 1 << 40
