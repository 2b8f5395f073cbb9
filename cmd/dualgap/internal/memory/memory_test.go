package memory

import (
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"1": 1, "12345": 12345, "500M": 500e6, "500m": 500e6, "8G": 8e9, "8GB": 8e9, "8 GB": 8e9,
		"7.5GiB": 7.5 * (1 << 30), "2Ki": 2048,
		"1e3B": 1000, "3T": 3e12, "": 0, "0": 0, "-1G": 0, "8X": 0, "G": 0, "nan": 0, "inf": 0, "1e99": 0, "9999P": 0,
		"5i": 0,
	} {
		var got Size
		if err := got.UnmarshalText([]byte(text)); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
	for size, want := range map[Size]string{0: "0 B", 999: "999 B", 1000: "1 KB", 12345678: "12.3 MB", 999_600: "1 MB",
		24e9: "24 GB"} {
		if size.String() != want {
			t.Errorf("%d: %v, want %s", size, size, want)
		}
	}
}

// TestLinux: the least of what the kernel and the groups leave, of either version of control groups.
func TestLinux(t *testing.T) {
	info := "MemTotal:  4000 kB\nMemFree: 1 kB\nMemAvailable:    2000 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  Size
	}{
		"no groups": {map[string]string{}, 2048000},
		"no limit": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n",
			"sys/fs/cgroup/a/memory.current": "1000\n",
		}, 2048000},
		"version 2": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "10000\n",
			"sys/fs/cgroup/a/b/memory.current": "4000\n",
			"sys/fs/cgroup/a/b/memory.stat":    "anon 1\ninactive_file 500\n",
		}, 6500},
		"the group above": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "9000\n",
			"sys/fs/cgroup/a/memory.current": "9500\n",
		}, 0},
		"a container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "7000\n",
			"sys/fs/cgroup/memory.current": "1000\n",
		}, 6000},
		"version 1": {map[string]string{
			"proc/self/cgroup": "9:name=systemd:/\n8:cpu,memory:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes":         "8000\n",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes":         "3000\n",
			"sys/fs/cgroup/memory/a/memory.stat":                   "inactive_file 9\ntotal_inactive_file 100\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":           "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":           "1\n",
			"sys/fs/cgroup/memory/a/memory.kmem.max_usage_in_byte": "1\n",
		}, 5100},
	} {
		root := fstest.MapFS{"proc/meminfo": {Data: []byte(info)}}
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got, ok := linux(root); got != c.want || !ok {
			t.Errorf("%s: %d, %t; want %d", name, got, ok, c.want)
		}
	}
	if got, ok := linux(fstest.MapFS{}); ok {
		t.Errorf("nothing known: %d", got)
	}
}

// TestLimit: the flag's, or most of what there is; garbage is not counted.
func TestLimit(t *testing.T) {
	defer Use(0)
	Use(5e9)
	if size, what := Limit(); size != 5e9 || what != "--memory 5 GB" {
		t.Errorf("%v, %s", size, what)
	}
	Use(0)
	if size, what := Limit(); size < 1e6 || !strings.Contains(what, "--memory") {
		t.Errorf("%v, %s", size, what)
	}
	before := Taken(0)
	garbage := make([]byte, 64<<20)
	if got := Taken(0); got < before+60<<20 {
		t.Errorf("%v, after %v and 64 MiB", got, before)
	}
	runtime.KeepAlive(garbage)
	garbage = nil
	if got := Taken(before + 10<<20); got > before+10<<20 {
		t.Errorf("%v with garbage, before %v", got, before)
	}
}
