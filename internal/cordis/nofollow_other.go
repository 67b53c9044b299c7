//go:build !unix

package cordis

// noFollow has no meaning here.
const noFollow = 0
