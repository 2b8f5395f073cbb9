//go:build amd64 && !purego

package cpu

import (
	"strings"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// detect returns the runnable assembly tiers, best first, and what keeps the next one from running. GODEBUG can switch
// single features off, so each tier asks for every feature its kernels use.
func detect() (t []Tier, missing string) {
	x := cpu.X86
	lack := func(tier Tier, have map[string]bool) bool {
		var names []string
		for _, name := range []string{"avx", "avx2", "fma", "bmi1", "bmi2", "popcnt", "avx512f", "avx512bw", "avx512dq",
			"avx512vl"} {
			if has, asked := have[name]; asked && !has {
				names = append(names, name)
			}
		}
		if names != nil {
			missing = tier.String() + " lacks " + strings.Join(names, ", ")
		}
		return names != nil
	}
	if lack(AVX2, map[string]bool{"avx": x.HasAVX, "avx2": x.HasAVX2, "fma": x.HasFMA, "bmi1": x.HasBMI1,
		"bmi2": x.HasBMI2, "popcnt": x.HasPOPCNT}) {
		return nil, missing
	}
	if lack(AVX512, map[string]bool{"avx512f": x.HasAVX512F, "avx512bw": x.HasAVX512BW, "avx512dq": x.HasAVX512DQ,
		"avx512vl": x.HasAVX512VL}) {
		return []Tier{AVX2}, missing
	}
	return []Tier{AVX512, AVX2}, ""
}

// splitStores knows Zen 4 by AMD's family 19h (Zen 3, of the same family, has no AVX-512).
func splitStores() bool { return cpuid.CPU.VendorID == cpuid.AMD && cpuid.CPU.Family == 0x19 }

// extensions asks for AVX-512 and AVX too, whose registers they work on. x/sys/cpu does not know F16C.
//
// Gathers are fast from Intel's Sapphire Rapids on, which was the first to have AVX-512 FP16. On Intel's CPUs before it
// microcode slows them down (Gather Data Sampling, CVE-2022-40982), and AMD's CPUs load element by element.
func extensions() extension {
	x := cpu.X86
	wide := x.HasAVX512F && x.HasAVX512BW
	return extension{vbmi: wide && x.HasAVX512VBMI, vnni: wide && x.HasAVX512VNNI, bf16: wide && x.HasAVX512BF16,
		vpopcnt: wide && x.HasAVX512VPOPCNTDQ, f16c: x.HasAVX && cpuid.CPU.Supports(cpuid.F16C),
		gather: wide && cpuid.CPU.VendorID == cpuid.Intel && cpuid.CPU.Supports(cpuid.AVX512FP16)}
}
