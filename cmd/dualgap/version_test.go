package main

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// The version says what the build knows: a release, a commit of a clone, with changes or without, or nothing.
func TestVersion(t *testing.T) {
	cpu := vec.CPUInfo{Name: "a CPU", Tier: "avx2", Why: "the best this CPU runs"}
	target := " " + runtime.GOOS + "/" + runtime.GOARCH + "\na CPU, tier avx2: the best this CPU runs"
	built := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.99", Main: debug.Module{Version: version}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{built("v0.1.0"), "dualgap v0.1.0, go1.99"},
		{built("(devel)", commit), "dualgap (devel), commit 0123456789ab, go1.99"},
		{built("(devel)", commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
			"dualgap (devel), commit 0123456789ab with changes, go1.99"},
		{built("(devel)", debug.BuildSetting{Key: "vcs.revision", Value: "12"}), "dualgap (devel), commit 12, go1.99"},
		{nil, "dualgap (unknown), " + runtime.Version()},
	} {
		if got := version(c.info, cpu); got != c.want+target {
			t.Errorf("%q, want %q", got, c.want+target)
		}
	}
}
