package main

import "os/exec"

// ownGroup leaves cmd as it is: there are no groups to end.
func ownGroup(*exec.Cmd) {}
