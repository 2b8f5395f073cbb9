package cpu

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	seen := make(map[string]bool)
	for tier := Generic; tier <= AVX512; tier++ {
		name := tier.String()
		if seen[name] || name == "" || name != strings.ToLower(name) || strings.ContainsAny(name, " ()") {
			t.Errorf("tier %d: name %q", tier, name)
		}
		seen[name] = true
	}
	if got := (AVX512 + 1).String(); got != "Tier(4)" {
		t.Errorf("tier 4 is %q", got)
	}
}

func TestTiers(t *testing.T) {
	tiers := Tiers()
	if !slices.IsSortedFunc(tiers, func(a, b Tier) int { return int(b) - int(a) }) || tiers[len(tiers)-1] != Generic {
		t.Errorf("tiers %v, want the best first and generic last", tiers)
	}
	want := map[string][]Tier{"amd64": {AVX512, AVX2, Generic}, "arm64": {NEON, Generic}}[runtime.GOARCH]
	for _, tier := range tiers {
		if tier != Generic && !slices.Contains(want, tier) {
			t.Errorf("tier %v on %s", tier, runtime.GOARCH)
		}
	}
	if !slices.Contains(tiers, Level) {
		t.Errorf("tier %v is in use, runnable are %v", Level, tiers)
	}
}

// TestWantTier lets a caller make sure of the tier under which it runs the tests.
func TestWantTier(t *testing.T) {
	t.Logf("%v: %s", Level, Why())
	if want := os.Getenv("DUALGAP_WANT_TIER"); want != "" && want != Level.String() {
		t.Errorf("tier %v is in use, want %s: %s", Level, want, Why())
	}
}

func TestChoose(t *testing.T) {
	best, reason := choose("")
	if best != Tiers()[0] || !strings.HasPrefix(reason, "the best this CPU runs") {
		t.Errorf("no wish: %v, %q", best, reason)
	}
	for tier := Generic; tier <= AVX512; tier++ {
		for _, wish := range []string{tier.String(), strings.ToUpper(tier.String()), " " + tier.String() + "\n"} {
			got, why := choose(wish)
			if slices.Contains(Tiers(), tier) {
				if got != tier || why != Env+"="+tier.String()+" asks for it" {
					t.Errorf("wish %q: %v, %q", wish, got, why)
				}
			} else if got != best || why != Env+"="+tier.String()+" cannot run here; "+reason {
				t.Errorf("wish %q, which cannot run: %v, %q", wish, got, why)
			}
		}
	}
	for _, wish := range []string{"sse", "avx-512", "Tier(4)", "avx2,generic", `"`} {
		got, why := choose(wish)
		if got != best || !strings.Contains(why, "is none of generic, neon, avx2, avx512; "+reason) {
			t.Errorf("wish %q: %v, %q", wish, got, why)
		}
	}
}

func TestSet(t *testing.T) {
	defer Set(Level)
	for _, tier := range Tiers() {
		before := Level
		if old := Set(tier); old != before || Level != tier {
			t.Errorf("Set(%v) returned %v after %v and left %v", tier, old, before, Level)
		}
	}
	for tier := Generic; tier <= AVX512+1; tier++ {
		if slices.Contains(Tiers(), tier) {
			continue
		}
		func() {
			before := Level
			defer func() {
				msg, _ := recover().(string)
				if !strings.Contains(msg, "cpu: tier "+tier.String()+" cannot run here") || Level != before {
					t.Errorf("Set(%v): panic %q, then tier %v after %v", tier, msg, Level, before)
				}
			}()
			Set(tier)
		}()
	}
}

// TestMissing starts this test's program again with single features switched off.
func TestMissing(t *testing.T) {
	if runtime.GOARCH != "amd64" || len(Tiers()) < 3 {
		t.Skipf("wants a CPU with all tiers of amd64, has %v", Tiers())
	}
	for _, c := range []struct{ off, tier, why string }{
		{"cpu.avx512f=off", "avx2", "avx512 lacks avx512f"},
		{"cpu.avx512bw=off,cpu.avx512vl=off", "avx2", "avx512 lacks avx512bw, avx512vl"},
		{"cpu.avx512dq=off", "avx2", "avx512 lacks avx512dq"},
		{"cpu.fma=off", "generic", "avx2 lacks fma"},
		{"cpu.popcnt=off", "generic", "avx2 lacks popcnt"},
		{"cpu.bmi2=off,cpu.avx512f=off", "generic", "avx2 lacks bmi2"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWantTier$", "-test.v")
		cmd.Env = append(os.Environ(), "GODEBUG="+c.off, Env+"=", "DUALGAP_WANT_TIER="+c.tier)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), c.why) {
			t.Errorf("%s: %v, want tier %s since %q:\n%s", c.off, err, c.tier, c.why, out)
		}
	}
}
