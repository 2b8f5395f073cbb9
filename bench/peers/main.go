// Command peers compares the kernels of this module with the kernels of OpenBLAS and gonum, alternated in one process.
//
//	go run . [-run regexp] [-tier name] [-rounds 5] [-window 20ms] [-misalign 0] [-json]
//
// See README.md for how to read what it prints.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
)

func main() {
	pattern := flag.String("run", "", "measure the cases whose name matches this `regexp`, in any case of letters")
	tier := flag.String("tier", "", "`name` of the tier that ours run on (default: the best)")
	rounds := flag.Int("rounds", 5, "how often ours and the rivals take turns")
	window := flag.Duration("window", 20*time.Millisecond, "how long each turn lasts")
	misalign := flag.Int("misalign", 0, "start every vector and matrix this many `elements` after a 64-byte boundary")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	instead, err := insistOnFair()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
	insteadOf = instead
	if err := run(*pattern, *tier, *rounds, *window, *misalign, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(pattern, tier string, rounds int, window time.Duration, misalign int, asJSON bool) error {
	wanted, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return err
	}
	if rounds < 1 || misalign < 0 || flag.NArg() > 0 {
		return fmt.Errorf("want rounds >= 1, misalign >= 0 and no arguments; have %d, %d, %q", rounds, misalign,
			flag.Args())
	}
	if err := setTier(tier); err != nil {
		return err
	}
	runtime.LockOSThread()
	debug.SetGCPercent(-1)

	report := newReport(misalign, rounds)
	table := io.Discard
	if !asJSON {
		table = os.Stdout
	}
	report.printHead(table)
	for _, c := range Cases() {
		if !wanted.MatchString(c.String()) {
			continue
		}
		var impls []string
		ns, err := alternate(func() ([]runner, error) {
			runners, err := newTrial(c, misalign)
			impls = names(runners)
			return runners, err
		}, rounds, window)
		if err != nil {
			return err
		}
		result := newResult(c, impls, ns)
		report.Results = append(report.Results, result)
		result.print(table)
		runtime.GC() // the operands of the case
	}
	if len(report.Results) == 0 {
		return fmt.Errorf("no case matches %q", pattern)
	}
	if err := report.addPairs(wanted, window); err != nil {
		return err
	}
	report.printPairs(table)
	if asJSON {
		return report.writeJSON(os.Stdout)
	}
	return nil
}

// setTier makes the tier of that name the one in use; no name leaves it as it is.
func setTier(name string) error {
	var names []string
	for _, t := range cpu.Tiers() {
		if name == t.String() {
			cpu.Set(t)
		}
		names = append(names, t.String())
	}
	if name != "" && name != cpu.Level.String() {
		return fmt.Errorf("tier %q: this CPU runs %s", name, strings.Join(names, ", "))
	}
	return nil
}
