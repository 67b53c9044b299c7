package service

import "syscall"

func changed(stat *syscall.Stat_t) int64 { return stat.Ctim.Nano() }
