package asm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
)

// TestAssembly reads every generated file for amd64, on whatever architecture it runs, and holds each function to its
// tier: its instructions only, nothing of legacy SSE (which stalls beside AVX), and VZEROUPPER before every return.
func TestAssembly(t *testing.T) {
	if _, err := os.Stat("static_test.go"); err != nil {
		t.Skip("the sources are not here: ", err)
	}
	files, err := filepath.Glob("*/*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly found: %v", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := check(file, string(source))
		for _, f := range c.faults {
			t.Error(f)
		}
		entries := c.tiers[""]
		forms := make(map[cpu.Tier]int) // the kernels that have a form on a tier
		for _, i := range isas {
			forms[i.tier] = max(forms[i.tier], c.tiers[i.suffix])
		}
		// a kernel that pays by an extension alone has no other form
		alone := c.tiers["BF16"] == entries && c.tiers["AVX512"] == 0 && forms[cpu.AVX2] == 0
		if entries == 0 || forms[cpu.AVX512] != entries || forms[cpu.AVX2] != entries && !alone {
			t.Errorf("%s: %d functions for AVX-512, %d for AVX2, %d entries", file, forms[cpu.AVX512],
				forms[cpu.AVX2], entries)
		}
	}
}

// good is a file without fault; the cases of TestChecker each put one in its place.
const good = `
#include "textflag.h"

// func F(x *float32)
TEXT ·F(SB), NOSPLIT, $0-8
	CMPB github·com∕dualgap∕dualgap∕asm∕cpu·Level+0(SB), $0x03
	JNE  notAVX512
	JMP  ·fAVX512(SB)

notAVX512:
	CMPB github·com∕dualgap∕dualgap∕asm∕cpu·Level+0(SB), $0x02
	JNE  notAVX2
	JMP  ·fAVX2(SB)

notAVX2:
	JMP ·fGeneric(SB)

// func fAVX512(x *float32)
// Requires: AVX, AVX512F
TEXT ·fAVX512(SB), NOSPLIT, $0-8
	MOVQ      x+0(FP), AX
	KMOVW     AX, K1
	VMOVUPS.Z (AX), K1, Z20
	VZEROUPPER
	RET

DATA ones<>+0(SB)/8, $0xffffffffffffffff
GLOBL ones<>(SB), RODATA|NOPTR, $8

// func fAVX2(x *float32)
// Requires: AVX
TEXT ·fAVX2(SB), NOSPLIT, $0-8
	MOVQ    x+0(FP), AX
	TESTQ   AX, AX
	JZ      done
	VMOVUPS (AX), Y1
	VMOVSS  X1, (AX)

done:
	VZEROUPPER
	RET
`

// TestChecker: the checker finds each kind of fault, or TestAssembly would prove nothing.
func TestChecker(t *testing.T) {
	if c := check("good.s", good); c.faults != nil || c.tiers[""] != 1 || c.tiers["AVX2"] != 1 ||
		c.tiers["AVX512"] != 1 {
		t.Fatalf("faults in a sound file: %q, functions %v", c.faults, c.tiers)
	}
	vbmi := strings.NewReplacer("fAVX512", "fVBMI", "VMOVUPS.Z (AX), K1, Z20", "VPERMB Z1, Z1, Z1", "AVX512F",
		"AVX512VBMI").Replace(good)
	asks := strings.Replace(vbmi, "JNE  notAVX512\n",
		"JNE  notAVX512\n\tCMPB github·com∕dualgap∕dualgap∕asm∕cpu·VBMI+0(SB), $0x01\n\tJNE narrow\n", 1)
	asks = strings.Replace(asks, "\tJMP  ·fAVX2(SB)", "narrow:\n\tJMP  ·fAVX2(SB)", 1)
	if c := check("vbmi.s", asks); c.faults != nil || c.tiers["VBMI"] != 1 {
		t.Fatalf("faults in a sound file with VBMI: %q, functions %v", c.faults, c.tiers)
	}
	if faults := check("vbmi.s", vbmi).faults; !strings.Contains(strings.Join(faults, "\n"),
		"tier avx512 with []: jumps to fVBMI") {
		t.Errorf("entry that does not ask for VBMI: faults %q", faults)
	}
	bf16 := strings.NewReplacer("VBMI", "BF16", "VPERMB Z1, Z1, Z1",
		"BYTE $0x62; BYTE $0xb2; BYTE $0x76; BYTE $0x48; BYTE $0x52; BYTE $0xd1 // VDPBF16PS Z17, Z1, Z2").Replace(asks)
	if c := check("bf16.s", bf16); c.faults != nil || c.tiers["BF16"] != 1 {
		t.Fatalf("faults in a sound file with BF16: %q, functions %v", c.faults, c.tiers)
	}
	if faults := check("bf16.s", strings.Replace(bf16, "Z17", "Z16", 1)).faults; !strings.Contains(strings.Join(faults,
		"\n"), "not in avx512: BYTE") {
		t.Errorf("bytes that are not what their comment says: faults %q", faults)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"BF16 in AVX512", "VMOVUPS.Z (AX), K1, Z20", "BYTE $0x62; BYTE $0xb2; BYTE $0x76; BYTE $0x48; BYTE $0x52; " +
			"BYTE $0xd1 // VDPBF16PS Z17, Z1, Z2", "not in avx512: VDPBF16PS"},
		{"zmm in AVX2", "VMOVUPS (AX), Y1", "VMOVUPS (AX), Z1", "wants AVX-512"},
		{"upper register in AVX2", "VMOVUPS (AX), Y1", "VMOVUPS (AX), Y16", "wants AVX-512"},
		{"upper xmm in AVX2", "VMOVSS  X1, (AX)", "VMOVSS  X31, (AX)", "wants AVX-512"},
		{"mask in AVX2", "VMOVUPS (AX), Y1", "VMOVUPS (AX), K1, Y1", "wants AVX-512"},
		{"zeroing in AVX2", "VMOVUPS (AX), Y1", "VMOVUPS.Z (AX), Y1", "wants AVX-512"},
		{"EVEX mnemonic in AVX2", "VMOVUPS (AX), Y1", "VPTERNLOGD $1, Y1, Y1, Y1", "not in avx2"},
		{"EVEX form in AVX2", "VMOVUPS (AX), Y1", "VPERMPD (AX), Y1, Y1", "wants AVX-512"},
		{"VBMI in AVX512", "VMOVUPS.Z (AX), K1, Z20", "VPERMB Z1, Z1, Z1", "not in avx512"},
		{"VNNI in AVX512", "VMOVUPS.Z (AX), K1, Z20", "VPDPBUSD Z1, Z1, Z1", "not in avx512"},
		{"F16C", "VMOVUPS (AX), Y1", "VCVTPH2PS (AX), Y1", "not in avx2"},
		{"LZCNT", "TESTQ   AX, AX", "LZCNTQ AX, AX", "not in avx2"},
		{"raw bytes", "TESTQ   AX, AX", "BYTE $0x90", "not in avx2"},
		{"call", "TESTQ   AX, AX", "CALL ·g(SB)", "not in avx2"},
		{"legacy SSE", "VMOVSS  X1, (AX)", "MOVSS X1, (AX)", "legacy SSE"},
		{"legacy SSE in AVX512", "KMOVW     AX, K1", "MOVQ AX, X1", "legacy SSE"},
		{"no VZEROUPPER", "done:\n\tVZEROUPPER", "done:", "no VZEROUPPER"},
		{"jump past VZEROUPPER", "done:\n\tVZEROUPPER\n\tRET", "VZEROUPPER\ndone:\n\tRET", "no VZEROUPPER"},
		{"tail call", "VMOVSS  X1, (AX)", "JMP ·fGeneric(SB)", "no VZEROUPPER"},
		{"second RET", "JZ      done", "JZ done\n\tRET", "no VZEROUPPER"},
		{"falls off the end", "VZEROUPPER\n\tRET\n\nDATA", "VZEROUPPER\n\nDATA", "does not end"},
		{"Requires of another tier", "// Requires: AVX\n", "// Requires: AVX, AVX512VL\n", "requires AVX512VL"},
		{"Requires SSE", "// Requires: AVX\n", "// Requires: AVX, SSE\n", "requires SSE"},
		{"no Requires", "// Requires: AVX\n", "", "no line of what it requires"},
		{"work in an entry", "JMP ·fGeneric(SB)", "MOVQ AX, AX\n\tJMP ·fGeneric(SB)", "not an entry's instruction"},
		{"entry to the wrong tier", "JMP  ·fAVX512(SB)", "JMP  ·fAVX2(SB)",
			"tier avx512 with []: jumps to fAVX2"},
		{"entry to a higher tier", "JMP  ·fAVX2(SB)", "JMP  ·fAVX512(SB)",
			"tier avx2 with []: jumps to fAVX512"},
		{"entry of another kernel", "JMP  ·fAVX2(SB)", "JMP  ·gAVX2(SB)", "jumps to gAVX2"},
		{"swapped levels", "$0x03", "$0x02", "tier avx2 with []: jumps to fAVX512"},
		{"level of NEON", "$0x03", "$0x01", "tier neon with []: jumps to fAVX512"},
		{"unknown target", "TEXT ·fAVX2(SB)", "TEXT ·gAVX2(SB)", "not here"},
		{"unreached", "TEXT ·fAVX2(SB)", "TEXT ·gAVX2(SB)", "no entry jumps here"},
		{"entry without the twin", "JMP ·fGeneric(SB)", "RET", "not an entry's instruction"},
		{"entry with the wrong comparison", "JNE  notAVX2", "JEQ  notAVX2", "not an entry's instruction"},
		{"entry that falls off its end", "JMP ·fGeneric(SB)", "", "falls off"},
		{"entry that skips a tier", "\tCMPB github·com∕dualgap∕dualgap∕asm∕cpu·Level+0(SB), $0x02\n\tJNE  " +
			"notAVX2\n\tJMP  ·fAVX2(SB)\n\nnotAVX2:\n", "", "tier avx2 with []: jumps to fGeneric"},
		{"flag that stops a tier", "JNE  notAVX2\n",
			"JNE  notAVX2\n\tCMPB github·com∕dualgap∕dualgap∕asm∕cpu·SplitStores+0(SB), $0x01\n\tJNE notAVX2\n",
			"tier avx2 with []: jumps to fGeneric"},
		{"flag that stops a kernel without VBMI", "JNE  notAVX2\n",
			"JNE  notAVX2\n\tCMPB github·com∕dualgap∕dualgap∕asm∕cpu·VBMI+0(SB), $0x01\n\tJNE notAVX2\n",
			"tier avx2 with []: jumps to fGeneric"},
		{"unknown flag", "JNE  notAVX2\n", "JNE  notAVX2\n\tCMPB " +
			"github·com∕dualgap∕dualgap∕asm∕cpu·Wide+0(SB), $0x01\n\tJNE notAVX2\n", "asks for an unknown byte"},
	} {
		source := strings.Replace(good, c.old, c.new, 1)
		if source == good {
			t.Fatalf("%s: nothing replaced", c.name)
		}
		if faults := check("bad.s", source).faults; !strings.Contains(strings.Join(faults, "\n"), c.want) {
			t.Errorf("%s: faults %q, want one with %q", c.name, faults, c.want)
		}
	}
}
