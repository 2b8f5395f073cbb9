package data

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
)

// watch is where Opened warns, and of which files it has.
var watch struct {
	sync.Mutex
	to   io.Writer // nil: nowhere
	seen map[string]bool
}

// Watch lets Opened warn on w, until stop is called. Without it Opened reads nothing.
func Watch(w io.Writer) (stop func()) {
	watch.Lock()
	defer watch.Unlock()
	watch.to, watch.seen = w, map[string]bool{}
	return func() {
		watch.Lock()
		defer watch.Unlock()
		watch.to = nil
	}
}

// Opened is told the files that a command is about to read. A file that the list has, known by the end of its path, is
// hashed; if its SHA-256 is another, a line warns, once a file. Errors are left to who reads it.
func Opened(paths ...string) { opened(files, paths) }

func opened(files []file, paths []string) {
	watch.Lock()
	defer watch.Unlock()
	if watch.to == nil {
		return
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil || watch.seen[path] {
			continue
		}
		watch.seen[path] = true
		for _, f := range files {
			if !strings.HasSuffix(filepath.ToSlash(path), "/"+f.path) {
				continue
			}
			if got, err := sumOf(path); err == nil && got != f.sum {
				fmt.Fprintf(watch.to, "bench: warning: %s: its SHA-256 is %s, want %s\n", path, got, f.sum)
			}
		}
	}
}
