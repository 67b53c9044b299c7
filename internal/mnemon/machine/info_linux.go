package machine

import (
	"syscall"
	"time"
)

func times(st *syscall.Stat_t) (access, change, birth time.Time) {
	return time.Unix(st.Atim.Unix()), time.Unix(st.Ctim.Unix()), time.Time{}
}
