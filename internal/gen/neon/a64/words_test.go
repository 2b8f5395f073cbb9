package a64

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var wordLine = regexp.MustCompile(`^\tWORD \$0x([0-9a-f]{8}) // (.+)$`)

// checkWords returns the number of WORDs in src and an error unless each stands with a comment that is what it
// disassembles to.
func checkWords(src string) (n int, err error) {
	for i, line := range strings.Split(src, "\n") {
		code, _, _ := strings.Cut(line, "//")
		if !strings.Contains(strings.ToUpper(code), "WORD") {
			continue
		}
		m := wordLine.FindStringSubmatch(line)
		if m == nil {
			return n, fmt.Errorf("line %d: %q is no WORD with a comment", i+1, line)
		}
		bits, err := strconv.ParseUint(m[1], 16, 32)
		if err != nil {
			return n, fmt.Errorf("line %d: %v", i+1, err)
		}
		if got, err := disassemble(uint32(bits)); err != nil || got != m[2] {
			return n, fmt.Errorf("line %d: %s is %q (error %v), the comment says %q", i+1, m[1], got, err, m[2])
		}
		n++
	}
	return n, nil
}

// TestCommittedWords reads what is committed, not what the generator would write.
// Run it with -count=1: the cache of go test does not watch files outside this module.
func TestCommittedWords(t *testing.T) {
	files, err := filepath.Glob("../../../../asm/*/*_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d files, error %v", len(files), err)
	}
	words := 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := checkWords(string(src))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		words += n
	}
	if words == 0 {
		t.Errorf("%d files without one WORD", len(files))
	}
	t.Logf("%d words in %d files", words, len(files))
}

// TestCheckWords: each flipped bit, and each edit of a comment, must be seen.
func TestCheckWords(t *testing.T) {
	const text = "fmla v31.4s, v16.4s, v9.s[3]"
	const bits = 0x4fa91a1f
	if n, err := checkWords(fmt.Sprintf("\tWORD $0x%08x // %s\n", bits, text)); n != 1 || err != nil {
		t.Fatalf("%d words, error %v", n, err)
	}
	for b := range 32 {
		if _, err := checkWords(fmt.Sprintf("\tWORD $0x%08x // %s\n", bits^1<<b, text)); err == nil {
			t.Errorf("flipped bit %d went unseen", b)
		}
	}
	for _, line := range []string{
		"\tWORD $0x4fa91a1f // fmla v31.4s, v16.4s, v9.s[2]",
		"\tWORD $0x4fa91a1f //",
		"\tWORD $0x4fa91a1f",
		"\tWORD $1336482335 // " + text,
		"\tword $0x4fa91a1f",
		"\tADD R0, R1; WORD $0x4fa91a1f // " + text,
	} {
		if _, err := checkWords(line); err == nil {
			t.Errorf("%q went unseen", line)
		}
	}
}
