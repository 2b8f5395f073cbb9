package main

import (
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
)

func TestFairer(t *testing.T) {
	for _, c := range []struct {
		core string
		best cpu.Tier
		bf16 bool
		want string
	}{
		{"Prescott", cpu.AVX512, true, "Cooperlake"}, {"Prescott", cpu.AVX512, false, "SkylakeX"},
		{"Prescott", cpu.AVX2, false, "Haswell"}, {"Prescott", cpu.Generic, false, ""},
		{"Sandybridge", cpu.AVX2, false, "Haswell"}, {"Haswell", cpu.AVX512, false, "SkylakeX"},
		{"Haswell", cpu.AVX2, false, ""}, {"Zen", cpu.AVX2, false, ""}, {"SkylakeX", cpu.AVX512, true, ""},
		{"Cooperlake", cpu.AVX512, true, ""}, {"NEOVERSEN1", cpu.NEON, false, ""},
	} {
		if got := fairer(c.core, c.best, c.bf16); got != c.want {
			t.Errorf("%s on %v, BF16 %t: %q, want %q", c.core, c.best, c.bf16, got, c.want)
		}
	}
}
