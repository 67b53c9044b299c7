//go:build !race

package cordis

// halfMemory is the bound that halves have anyway.
const halfMemory = 0
