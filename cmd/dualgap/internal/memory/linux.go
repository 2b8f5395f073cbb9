package memory

import (
	"bytes"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// linux returns what the kernel calls available, MemAvailable, or what control groups leave of it: each of those that
// the program is in, and those above, have a limit, of which what is in use counts, but not files that are cached.
func linux(root fs.FS) (available Size, ok bool) {
	if kilobytes := field(root, "proc/meminfo", "MemAvailable:"); kilobytes >= 0 {
		available, ok = Size(kilobytes)*1024, true
	}
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) { // 0::/a/b, or 8:memory:/a/b of version 1
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		mount, most, used, cached := "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
		switch {
		case strings.Contains(","+fields[1]+",", ",memory,"):
			mount, most, used, cached = "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
				"total_inactive_file"
		case fields[1] != "":
			continue
		}
		for group := path.Clean("/" + fields[2]); ; group = path.Dir(group) {
			dir := mount + strings.TrimSuffix(group, "/")
			limit, inUse := number(root, dir+"/"+most), number(root, dir+"/"+used)
			if limit >= 0 && inUse >= 0 {
				left := Size(max(0, limit-inUse+max(0, field(root, dir+"/memory.stat", cached))))
				if !ok || left < available {
					available, ok = left, true
				}
			}
			if group == "/" {
				break
			}
		}
	}
	return available, ok
}

// number reads a file that holds one, -1 where it does not.
func number(root fs.FS, name string) int64 {
	b, _ := fs.ReadFile(root, name)
	v, err := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64)
	if err != nil {
		return -1 // "max", say
	}
	return v
}

// field returns the number behind a word at the beginning of a line, -1 where there is none.
func field(root fs.FS, name, word string) int64 {
	b, _ := fs.ReadFile(root, name)
	for line := range strings.Lines(string(b)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == word {
			if v, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return v
			}
		}
	}
	return -1
}
