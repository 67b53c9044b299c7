//go:build unix

package cordis

import "syscall"

// noFollow keeps the log from being whatever a link points to.
const noFollow = syscall.O_NOFOLLOW
