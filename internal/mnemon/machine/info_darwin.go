package machine

import (
	"syscall"
	"time"
)

func times(st *syscall.Stat_t) (access, change, birth time.Time) {
	return time.Unix(st.Atimespec.Unix()), time.Unix(st.Ctimespec.Unix()), time.Unix(st.Birthtimespec.Unix())
}
