package vec

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/klauspost/cpuid/v2"
)

// CPUInfo says what this CPU is and which kernels run on it.
type CPUInfo struct {
	Name        string   // as the CPU calls itself, or the architecture where it does not
	Tier        string   // the kernels in use: avx512, avx2, neon or generic
	Why         string   // how that came about, in words
	Tiers       []string // what can run here, best first; the last is always generic
	VectorBits  int      // width of the registers that Tier uses; 0 for generic, which is pure Go
	L1d, L2, L3 int      // cache sizes in bytes as the CPU reports them; 0 when unknown
}

// Info reports what this CPU runs and why. The environment variable DUALGAP_TIER, read when the program starts, forces
// a lower tier; one that cannot run is not an error, but Why tells of it.
func Info() CPUInfo {
	c := &cpuid.CPU
	info := CPUInfo{
		Name:       strings.TrimSpace(c.BrandName),
		Tier:       cpu.Level.String(),
		Why:        cpu.Why(),
		VectorBits: vectorBits(cpu.Level),
		L1d:        known(c.Cache.L1D),
		L2:         known(c.Cache.L2),
		L3:         known(c.Cache.L3),
	}
	if info.Name == "" {
		info.Name = runtime.GOARCH + " CPU"
	}
	for _, t := range cpu.Tiers() {
		info.Tiers = append(info.Tiers, t.String())
	}
	return info
}

// known is the size of a cache, 0 where cpuid has -1: it does not know it.
func known(size int) int { return max(size, 0) }

// String returns three lines without a final newline: the CPU, the tier in use and why, and the tiers that could be.
func (c CPUInfo) String() string {
	var b strings.Builder
	b.WriteString(c.Name)
	for _, cache := range []struct {
		name  string
		bytes int
	}{{"L1d", c.L1d}, {"L2", c.L2}, {"L3", c.L3}} {
		if cache.bytes > 0 {
			fmt.Fprintf(&b, ", %s %s", cache.name, byteSize(cache.bytes))
		}
	}
	fmt.Fprintf(&b, "\ntier %s", c.Tier)
	if c.VectorBits > 0 {
		fmt.Fprintf(&b, " (%d-bit vectors)", c.VectorBits)
	}
	fmt.Fprintf(&b, ": %s\n", c.Why)
	fmt.Fprintf(&b, "runnable: %s; %s chooses among them", strings.Join(c.Tiers, ", "), cpu.Env)
	return b.String()
}

func vectorBits(t cpu.Tier) int {
	switch t {
	case cpu.AVX512:
		return 512
	case cpu.AVX2:
		return 256
	case cpu.NEON:
		return 128
	}
	return 0
}

// byteSize spells a cache size in the unit it is a whole number of.
func byteSize(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
