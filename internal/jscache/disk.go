package jscache

import (
	"os"
	"path/filepath"
)

// Disk reads the files of plugins, for the module loader.
type Disk struct{}

// ReadFile returns the contents of a file.
func (Disk) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

// RealPath follows all symbolic links of a path.
func (Disk) RealPath(name string) (string, error) { return filepath.EvalSymlinks(name) }

// IsFolder says whether a folder is there.
func (Disk) IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
