package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// loops is two functions with nested loops, as both generators print them.
var loops = map[string]string{
	"amd64": `#include "textflag.h"

// func sumAVX2(x *float32, n int) float32
// Requires: AVX
TEXT ·sumAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), AX
	SUBQ $0x08, CX
	JB   rows
	JE   end

	// The rows.
rows:

columns:
	VMOVUPS (AX), Y0
	DECQ    DX
	JNZ     columns
	ADDQ    $0x20, AX
	DECQ    CX
	JG      rows

end:
	VZEROUPPER
	RET

DATA mask<>+0(SB)/8, $0xffffffffffffffff
GLOBL mask<>(SB), RODATA|NOPTR, $8

// func Sum(x *float32, n int) float32
TEXT ·Sum(SB), NOSPLIT, $0-20
	JMP ·sumAVX2(SB)
`,
	"arm64": `#include "textflag.h"

// func sumNEON(x *float32, n int) float32
TEXT ·sumNEON(SB), NOSPLIT, $0-20
	MOVD x+0(FP), R0
	SUBS $8, R1, R1
	BLT rows
	TBZ $0, R1, end
	PCALIGN $16

rows:

columns:
	WORD $0x4e2bd463 // fadd v3.4s, v3.4s, v11.4s
	SUBS $1, R2, R2
	BNE columns
	ADD $4, R0, R0
	CBNZ R1, rows

end:
	RET

// func Sum(x *float32, n int) float32
TEXT ·Sum(SB), NOSPLIT, $0-20
	B ·sumNEON(SB)
`,
}

// TestBlocks: a block at each TEXT, label and fall-through, once where these are together.
func TestBlocks(t *testing.T) {
	want := map[string][]string{
		"amd64": {"sumAVX2  0", "sumAVX2  1", "sumAVX2 columns 0", "sumAVX2 columns 1", "sumAVX2 end 0", "Sum  0"},
		"arm64": {"sumNEON  0", "sumNEON  1", "sumNEON columns 0", "sumNEON columns 1", "sumNEON end 0", "Sum  0"},
	}
	first := map[string]string{"amd64": "\tVMOVUPS (AX), Y0", "arm64": "\tWORD $0x4e2bd463"}
	for arch, text := range loops {
		var got []string
		for _, b := range blocks("loops.s", text) {
			got = append(got, b.text+" "+b.name+" "+strconv.Itoa(b.past))
			if line := strings.Split(text, "\n")[b.line]; b.name == "columns" && b.past == 0 &&
				!strings.HasPrefix(line, first[arch]) {
				t.Errorf("%s: columns begins with %q", arch, line)
			}
		}
		if !slices.Equal(got, want[arch]) {
			t.Errorf("%s: blocks %q, want %q", arch, got, want[arch])
		}
	}
}

// TestCounted: counting adds lines and changes none, in the order of their bytes, and no label and no jump has another
// instruction behind it than the store; in the loops and in all committed assembly.
func TestCounted(t *testing.T) {
	for arch, text := range loops {
		checkCounted(t, "loops.s", arch, text)
		names, err := filepath.Glob("../../../asm/*/*_" + arch + ".s")
		if err != nil || len(names) == 0 {
			t.Fatalf("no assembly found: %v", err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			checkCounted(t, name, arch, string(text))
		}
	}
}

func checkCounted(t *testing.T, name, arch, text string) {
	t.Helper()
	f := file{name, text, blocks(name, text)}
	var rest []string
	labels := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if l, ok := strings.CutSuffix(line, ":"); ok {
			labels[l] = true
		}
	}
	at := 7
	head := false // of a block, whose store has not come yet
	for line := range strings.SplitSeq(counted(f, arch, at), "\n") {
		words := strings.Fields(line)
		switch {
		case arch == "arm64" && line == "\tMOVD $1, R16":
			continue
		case strings.Contains(line, "·blocksRun+"):
			if !strings.HasSuffix(line, "·blocksRun+"+strconv.Itoa(at)+"(SB)") {
				t.Errorf("%s: %q, want the byte %d", name, line, at)
			}
			at++
			head = false
			continue
		case strings.HasPrefix(line, "TEXT") || strings.HasSuffix(line, ":"):
			head = true
		case len(words) > 0 && line[0] == '\t' && words[0] != "//" && words[0] != "PCALIGN":
			if head {
				t.Errorf("%s: %q begins a block and is not counted", name, line)
			}
			last := words[len(words)-1]
			head = labels[last] || last == "RET" || words[0] == "JMP" || words[0] == "B"
		}
		rest = append(rest, line)
	}
	if at -= 7; at != len(f.blocks) || at == 0 {
		t.Errorf("%s: %d stores for %d blocks", name, at, len(f.blocks))
	}
	if strings.Join(rest, "\n") != text {
		t.Errorf("%s: without the stores the text is another", name)
	}
}

// TestCount: the files of a package, and what is made of two runs of its tests.
func TestCount(t *testing.T) {
	original, copied, run := t.TempDir(), t.TempDir(), t.TempDir()
	for _, tree := range []string{original, copied} {
		write(t, filepath.Join(tree, "asm/loops/sum_amd64.s"), loops["amd64"])
	}
	if err := each(copied, "amd64", count); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"sum_amd64.s":             "MOVB $1, ·blocksRun+5(SB)",
		"zz_blocks_amd64.go":      "var blocksRun [6]byte",
		"zz_blocks_amd64_test.go": `fmt.Sprintf("loops.%d", os.Getpid())`,
	} {
		text, err := os.ReadFile(filepath.Join(copied, "asm/loops", name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %q, %v, want %q in it", name, text, err, want)
		}
	}
	write(t, filepath.Join(run, "loops.1"), "\x01\x00\x01\x01\x00\x01")
	write(t, filepath.Join(run, "loops.22"), "\x01\x00\x01\x00\x01\x00")
	var out strings.Builder
	r := report{run: run}
	if err := each(original, "amd64", r.read); err != nil {
		t.Fatal(err)
	}
	if err := r.print(&out); err == nil || !strings.Contains(err.Error(), "1 basic blocks") ||
		!strings.Contains(out.String(), "5 basic blocks, 1 never run") ||
		!strings.Contains(out.String(), "asm/loops/sum_amd64.s:9: sumAVX2 behind jump 1\n") {
		t.Errorf("report: %v\n%s", err, out.String())
	}
	lacking := report{run: run, lacks: []string{"AVX2"}}
	if err := each(original, "amd64", lacking.read); err != nil || lacking.print(&out) != nil {
		t.Errorf("report without AVX2: %v", err)
	}
	write(t, filepath.Join(run, "loops.3"), "\x01")
	if err := each(original, "amd64", r.read); err == nil || !strings.Contains(err.Error(), "1 bytes") {
		t.Errorf("bytes of another table: %v", err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
