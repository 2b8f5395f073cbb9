package beam

import (
	"fmt"
	"strings"
	"sync"
)

// halted are beginnings of paths that this process writes to no more. Prism does not wait for the steps of a pipeline
// whose context has ended: what is left of them would leave temporary files behind when the process ends.
var halted struct {
	sync.RWMutex // a writer of a file holds it for reading
	paths        map[string]bool
}

// halt waits for the files that are being written, and refuses others whose path begins with a prefix, until resume.
func halt(prefix string) {
	halted.Lock()
	defer halted.Unlock()
	if halted.paths == nil {
		halted.paths = map[string]bool{}
	}
	halted.paths[prefix] = true
}

// resume ends halt.
func resume(prefix string) {
	halted.Lock()
	defer halted.Unlock()
	delete(halted.paths, prefix)
}

// refused returns an error where halt refuses a path. The caller holds halted.
func refused(path string) error {
	for prefix := range halted.paths {
		if strings.HasPrefix(path, prefix) {
			return fmt.Errorf("beam: writing %s: the run has ended", path)
		}
	}
	return nil
}
