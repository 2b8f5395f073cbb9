package filetest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Alone runs the test that calls it once more, in a process whose mounts nobody else sees, with temporary files in
// memory, and reports whether this is that process. Where the system allows none the test is skipped.
func Alone(t *testing.T) bool {
	t.Helper()
	if _, is := Told(); is {
		mount(t, "tmpfs", os.TempDir(), "tmpfs", 0, "") // no disk to wait for
		return true
	}
	c := Again(t, "alone")
	c.Args = append(c.Args, "-test.v")
	c.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if id := os.Getuid(); id != 0 {
		c.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := c.CombinedOutput()
	switch {
	case c.ProcessState == nil:
		t.Skip("no process with mounts of its own: ", err)
	case err != nil:
		t.Errorf("%v: %s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	}
	return false
}

// Refusal is a folder in which no file can be written, for a reason.
type Refusal struct {
	Name  string
	Cause error
	// Make returns the folder, which has the files with the text Old; not where there is no folder.
	Make func(t *testing.T, files []string) (dir string)
}

// Old is the text of files that stay.
const Old = "old file\n"

// Refusals are the folders of a disk that is full, in the middle of a file or at its first byte, of one that has no
// place for another file, of one that may only be read, of files that cannot be replaced, and folders that are none. A
// process of Alone may ask for them.
var Refusals = []Refusal{
	{"a full disk", syscall.ENOSPC, func(t *testing.T, files []string) string {
		dir := mounted(t, "size=256k", files)
		fill(t, filepath.Join(dir, "ballast"))
		return dir
	}},
	{"a disk with 4 KiB", syscall.ENOSPC, func(t *testing.T, files []string) string {
		dir := mounted(t, "size=256k", files)
		size := fill(t, filepath.Join(dir, "ballast"))
		if err := os.Truncate(filepath.Join(dir, "ballast"), size-1<<12); err != nil {
			t.Fatal(err)
		}
		return dir
	}},
	{"no more files", syscall.ENOSPC, func(t *testing.T, files []string) string {
		dir := mounted(t, "nr_inodes=20", files)
		for k := 0; ; k++ {
			if f, err := os.Create(filepath.Join(dir, "ballast"+string(rune('a'+k)))); err == nil {
				f.Close()
			} else if errors.Is(err, syscall.ENOSPC) {
				return dir
			} else {
				t.Fatal(err)
			}
		}
	}},
	{"a disk to read", syscall.EROFS, func(t *testing.T, files []string) string {
		dir := mounted(t, "", files)
		mount(t, "tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
		return dir
	}},
	{"files that are mounts", syscall.EBUSY, func(t *testing.T, files []string) string {
		dir := t.TempDir()
		old(t, dir, files)
		for _, name := range files {
			path := filepath.Join(dir, name)
			mount(t, path, path, "", syscall.MS_BIND, "")
			t.Cleanup(func() { syscall.Unmount(path, syscall.MNT_DETACH) })
		}
		return dir
	}},
	{"no folder", syscall.ENOENT, func(t *testing.T, files []string) string {
		return filepath.Join(t.TempDir(), "none")
	}},
	{"a file in place of the folder", syscall.ENOTDIR, func(t *testing.T, files []string) string {
		dir := t.TempDir()
		old(t, dir, []string{"file"})
		return filepath.Join(dir, "file")
	}},
}

// Whole fails unless the folder of a refusal has its files as they were, and no others.
func (r Refusal) Whole(t *testing.T, what, dir string, files []string) {
	t.Helper()
	if r.Cause == syscall.ENOENT || r.Cause == syscall.ENOTDIR {
		return
	}
	for _, name := range files {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != Old {
			t.Errorf("%s, %s: %s has %d bytes, %v", what, r.Name, name, len(b), err)
		}
	}
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if !strings.HasPrefix(f.Name(), "ballast") && !slices.Contains(files, f.Name()) {
			t.Errorf("%s, %s: left %s", what, r.Name, f.Name())
		}
	}
}

// mounted returns a folder that is a file system in memory.
func mounted(t *testing.T, options string, files []string) string {
	t.Helper()
	dir := t.TempDir()
	mount(t, "tmpfs", dir, "tmpfs", 0, options)
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	old(t, dir, files)
	return dir
}

func mount(t *testing.T, source, target, kind string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount(source, target, kind, flags, options); err != nil {
		t.Skipf("mount of %s: %v", target, err)
	}
}

func old(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(Old), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// fill writes a file until the disk is full, and returns how long it is.
func fill(t *testing.T, path string) (size int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for page := make([]byte, 1<<12); ; {
		n, err := f.Write(page)
		size += int64(n)
		switch {
		case errors.Is(err, syscall.ENOSPC):
			return size
		case err != nil:
			t.Fatal(err)
		}
	}
}
