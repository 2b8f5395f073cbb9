// Package cpu decides which tier of kernels runs, and says why.
//
// A tier is a set of instructions that a complete set of kernels is written for. The choice is made once, when the
// program starts, from what golang.org/x/sys/cpu reports: the best tier all of whose features are present. The
// environment variable DUALGAP_TIER names a lower one; GODEBUG=cpu.avx512f=off and its kin are obeyed too, since
// x/sys/cpu obeys them.
//
// This package belongs to the kernels of this module and makes no promise of compatibility; programs ask vec.Info.
package cpu

import (
	"fmt"
	"os"
	"strings"
)

// Tier is a set of instructions with a full set of kernels. Tiers of one architecture are ordered: a higher one may use
// all that a lower one may.
type Tier uint8

// The numbers are compared in assembly (internal/gen): keep both in step.
const (
	Generic Tier = 0 // pure Go
	NEON    Tier = 1 // arm64: the baseline of every arm64 CPU
	AVX2    Tier = 2 // amd64: AVX, AVX2, FMA, BMI1, BMI2, POPCNT
	AVX512  Tier = 3 // amd64: AVX2 and AVX-512 F, BW, DQ, VL
)

var names = [...]string{Generic: "generic", NEON: "neon", AVX2: "avx2", AVX512: "avx512"}

// String returns the name by which DUALGAP_TIER and benchmarks know the tier.
func (t Tier) String() string {
	if int(t) < len(names) {
		return names[t]
	}
	return fmt.Sprintf("Tier(%d)", uint8(t))
}

// Env is the environment variable that forces a lower tier.
const Env = "DUALGAP_TIER"

// Level is the tier in use. The entry of every kernel reads it, at each call; write it by Set only.
var Level, why = choose(os.Getenv(Env))

// SplitStores says that this CPU writes 512 bits in two turns, as AMD's Zen 4 does: kernels that are bound by their
// stores then run their AVX2 form, which is up to a sixth faster there. Like Level it is read by the entries of kernels
// and written only by tests.
var SplitStores = splitStores()

// Extensions that belong to no tier: kernels that gain by one ask for it on top of their tier, and run another form
// where it lacks. Like Level these are written only by tests.
var (
	VBMI    = has.vbmi    // AVX-512: permutations of bytes
	VNNI    = has.vnni    // AVX-512: sums of products of bytes
	BF16    = has.bf16    // AVX-512: sums of products of bfloat16
	VPOPCNT = has.vpopcnt // AVX-512: the ones of each word of 32 or 64 bits
	F16C    = has.f16c    // AVX2: conversions from and to float16
	Gather  = has.gather  // AVX-512: gathers are faster than loads one by one
	DotProd = has.dotProd // NEON: sums of products of bytes
)

// has is what detection found of them.
var has = extensions()

// extension lists them.
type extension struct{ vbmi, vnni, bf16, vpopcnt, f16c, gather, dotProd bool }

// Extensions returns the bytes of all extensions, for tests, which switch them off.
func Extensions() []*bool { return []*bool{&VBMI, &VNNI, &BF16, &VPOPCNT, &F16C, &Gather, &DotProd} }

// Why says in a sentence how Level came about.
func Why() string { return why }

// Tiers returns the tiers that this CPU can run, best first; the last is always Generic.
func Tiers() []Tier {
	t, _ := detect()
	return append(t, Generic)
}

// Set makes t the tier in use and returns the one before. It is meant for tests and benchmarks, while no kernel runs in
// another goroutine. It panics when this CPU cannot run t.
func Set(t Tier) (old Tier) {
	old = Level
	for _, can := range Tiers() {
		if t == can {
			Level = t
			return old
		}
	}
	panic("cpu: tier " + t.String() + " cannot run here: " + why)
}

// choose returns the tier to use and the reason. A wish that cannot be granted falls back to the best tier, and the
// reason says so.
func choose(wish string) (Tier, string) {
	runnable, missing := detect()
	best := append(runnable, Generic)[0]
	reason := "the best this CPU runs"
	if missing != "" {
		reason += " (" + missing + ")"
	}
	if wish == "" {
		return best, reason
	}
	wish = strings.ToLower(strings.TrimSpace(wish))
	for _, t := range append(runnable, Generic) {
		if t.String() == wish {
			return t, Env + "=" + wish + " asks for it"
		}
	}
	for _, name := range names {
		if name == wish {
			return best, fmt.Sprintf("%s=%s cannot run here; %s", Env, wish, reason)
		}
	}
	return best, fmt.Sprintf("%s=%q is none of %s; %s", Env, wish, strings.Join(names[:], ", "), reason)
}
