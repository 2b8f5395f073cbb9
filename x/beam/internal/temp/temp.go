// Package temp gives a process a folder of temporary files of its own. Beam's SDK leaves an empty file in os.TempDir
// for each pipeline that Prism runs, beamloopbackworker-*, and removes none.
package temp

import "os"

// Within runs a function, and returns its exit code, with a folder that os.TempDir returns, here and in processes that
// this one starts. In the end it removes the folder with all that is in it; os.TempDir then is what it was.
func Within(pattern string, run func() int) (code int, err error) {
	remove, err := own(pattern)
	if err != nil {
		return 1, err
	}
	defer remove()
	return run(), nil
}

func own(pattern string) (remove func(), err error) {
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		return nil, err
	}
	names := []string{"TMPDIR", "TMP"} // of Unix, of Windows
	before := map[string]string{}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			before[name] = value
		}
		os.Setenv(name, dir)
	}
	return func() {
		for _, name := range names {
			if value, ok := before[name]; ok {
				os.Setenv(name, value)
			} else {
				os.Unsetenv(name)
			}
		}
		os.RemoveAll(dir)
	}, nil
}
