package results

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/dualgap/dualgap/vec"
)

// ThisMachine returns the lines of configuration of this CPU and this program, at a time.
func ThisMachine(now time.Time) []Pair {
	i := vec.Info()
	i.Tiers = i.Tiers[max(slices.Index(i.Tiers, i.Tier), 0):] // DUALGAP_TIER may ask for a lower one than the best
	return []Pair{
		{"cpu", i.Name}, {"cpu-id", FileName()}, {"cores", fmt.Sprint(runtime.NumCPU())},
		{"l1d", fmt.Sprint(i.L1d)}, {"l2", fmt.Sprint(i.L2)}, {"l3", fmt.Sprint(i.L3)},
		{"tier", i.Tier}, {"tiers", strings.Join(i.Tiers, " ")}, {"why", i.Why},
		{"goos", runtime.GOOS}, {"goarch", runtime.GOARCH}, {"go", runtime.Version()},
		{"date", now.UTC().Format("2006-01-02")},
	}
}

// FileName returns the name of this CPU for a file, without an ending: what the CPU calls itself, and its generation,
// since clouds call many of them the same.
func FileName() string {
	return fileName(vec.Info().Name, cpuid.CPU.VendorID == cpuid.AMD, cpuid.CPU.Family, cpuid.CPU.Model)
}

var others = regexp.MustCompile(`[^a-z0-9]+`)

func fileName(brand string, amd bool, family, model int) string {
	name := strings.Trim(others.ReplaceAllString(strings.ToLower(brand), "-"), "-")
	if zen := zen(family, model); amd && zen > 0 {
		return fmt.Sprintf("%s-zen%d", name, zen)
	}
	if family == 0 {
		return name
	}
	return fmt.Sprintf("%s-family%d-model%d", name, family, model)
}

// zen returns the generation of AMD's Zen, or 0, from the family and model that CPUID tells.
func zen(family, model int) int {
	switch {
	case family == 23 && model < 0x30:
		return 1
	case family == 23:
		return 2
	case family == 25 && (model>>4 == 1 || model>>4 == 6 || model>>4 == 7 || model>>4 == 0xa):
		return 4
	case family == 25:
		return 3
	case family == 26:
		return 5
	}
	return 0
}
