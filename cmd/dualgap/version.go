package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/vec"
)

// versionFlag prints the version and ends the command.
type versionFlag bool

// BeforeReset is called by kong as soon as the flag is read.
func (versionFlag) BeforeReset(_ context.Context, app *kong.Kong, out *output) error {
	fmt.Fprintln(out.out, version())
	app.Exit(0)
	return nil
}

// version returns the version of the module, the commit that the program was built from where the build knows it, and
// what the kernels run on.
func version() string {
	v, commit, changed := "(unknown)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = ", commit " + s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with changes"
			}
		}
		commit += changed + ", " + info.GoVersion
	}
	cpu := vec.Info()
	return fmt.Sprintf("dualgap %s%s\n%s, tier %s: %s", v, commit, cpu.Name, cpu.Tier, cpu.Why)
}
