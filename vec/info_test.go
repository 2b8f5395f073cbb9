package vec_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/vec"
)

func TestInfo(t *testing.T) {
	defer cpu.Set(cpu.Level)
	bits := map[string]int{"generic": 0, "neon": 128, "avx2": 256, "avx512": 512}
	for _, tier := range cpu.Tiers() {
		cpu.Set(tier)
		info := vec.Info()
		if info.Tier != tier.String() {
			t.Errorf("tier %q, want %q", info.Tier, tier)
		}
		if !slices.Contains(info.Tiers, info.Tier) || info.Tiers[len(info.Tiers)-1] != "generic" {
			t.Errorf("runnable tiers %q: want %q among them and generic last", info.Tiers, info.Tier)
		}
		if want, known := bits[info.Tier]; !known || info.VectorBits != want {
			t.Errorf("tier %s: %d-bit vectors, want %d", info.Tier, info.VectorBits, want)
		}
		if info.Name == "" || info.Why == "" {
			t.Errorf("no name or no reason: %+v", info)
		}
		if info.L1d < 0 || info.L2 < 0 || info.L3 < 0 {
			t.Errorf("negative cache sizes: %+v", info)
		}
		text := info.String()
		if lines := strings.Split(text, "\n"); len(lines) != 3 {
			t.Errorf("%d lines, want 3: %q", len(lines), text)
		}
		for _, part := range append(info.Tiers, info.Name, info.Why) {
			if !strings.Contains(text, part) {
				t.Errorf("%q does not tell %q", text, part)
			}
		}
		t.Log("\n" + text)
	}
}

// TestInfoTier: the program that runs the tests may know which tier it has made this CPU run.
func TestInfoTier(t *testing.T) {
	want := os.Getenv("DUALGAP_WANT_TIER")
	if want == "" {
		t.Skip("DUALGAP_WANT_TIER names no tier")
	}
	if info := vec.Info(); info.Tier != want {
		t.Errorf("tier %s is in use, want %s: %s", info.Tier, want, info.Why)
	}
}

// TestInfoUnknown: what is not known is left out, not printed as a zero.
func TestInfoUnknown(t *testing.T) {
	got := vec.CPUInfo{Name: "s390x CPU", Tier: "generic", Why: "no assembly", Tiers: []string{"generic"},
		L2: 1000}.String()
	want := "s390x CPU, L2 1000 B\ntier generic: no assembly\nrunnable: generic; DUALGAP_TIER chooses among them"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func ExampleInfo() {
	info := vec.Info()
	switch info.Tier {
	case "generic":
		fmt.Println("pure Go:", info.Why)
	default:
		fmt.Printf("%d numbers of type float32 at a time\n", info.VectorBits/32)
	}
}

func ExampleCPUInfo_String() {
	fmt.Println(vec.CPUInfo{
		Name:       "AMD EPYC 9354",
		Tier:       "avx2",
		Why:        "DUALGAP_TIER=avx2 asks for it",
		Tiers:      []string{"avx512", "avx2", "generic"},
		VectorBits: 256,
		L1d:        32 << 10,
		L2:         1 << 20,
		L3:         32 << 20,
	})
	// Output:
	// AMD EPYC 9354, L1d 32 KiB, L2 1 MiB, L3 32 MiB
	// tier avx2 (256-bit vectors): DUALGAP_TIER=avx2 asks for it
	// runnable: avx512, avx2, generic; DUALGAP_TIER chooses among them
}
