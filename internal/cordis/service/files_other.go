//go:build !unix

package service

import "io/fs"

const openNonblock = 0

func identity(fs.FileInfo) string { return "" }
