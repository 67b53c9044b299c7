//go:build race

package child_test

// raced says that this is a build with the race detector, whose processes take
// far more memory than a half may have.
const raced = true
