package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/vec"
)

// versionFlag prints the version and ends the command.
type versionFlag bool

// BeforeReset is called by kong as soon as the flag is read.
func (versionFlag) BeforeReset(_ context.Context, app *kong.Kong, out *output) error {
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintln(out.out, version(info, vec.Info()))
	app.Exit(0)
	return nil
}

// version returns two lines without a final newline: the version of the module, the commit where the build knows it,
// what Go compiled it for; and the CPU, the tier of the kernels and why it is this one. Without info, which a program
// has unless it was built in other ways than by Go's command, the version is unknown.
func version(info *debug.BuildInfo, cpu vec.CPUInfo) string {
	v, commit, changed, compiler := "(unknown)", "", "", runtime.Version()
	if info != nil {
		v, compiler = info.Main.Version, info.GoVersion
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = ", commit " + s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with changes"
			}
		}
	}
	return fmt.Sprintf("dualgap %s%s%s, %s %s/%s\n%s, tier %s: %s", v, commit, changed, compiler, runtime.GOOS,
		runtime.GOARCH, cpu.Name, cpu.Tier, cpu.Why)
}
