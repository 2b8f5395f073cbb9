package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// table is the variable that a block of an architecture's package writes to.
const table = "blocksRun"

// On arm64 a store takes a register: R16, which no kernel uses, and the assembler's own, R27, for the address.
var taken = regexp.MustCompile(`\bR(16|27)\b`)

// count writes the package's files with a store at the head of each block, and the Go files that belong to them.
func count(s source) error {
	at := 0
	for _, f := range s.files {
		if r := taken.FindString(f.text); r != "" && s.arch == "arm64" {
			return fmt.Errorf("%s uses %s, which counting needs", f.name, r)
		}
		if err := os.WriteFile(f.name, []byte(counted(f, s.arch, at)), 0o644); err != nil {
			return err
		}
		at += len(f.blocks)
	}
	constraint := "//go:build !purego\n\npackage " + s.name + "\n\n"
	variable := fmt.Sprintf("%svar %s [%d]byte // which basic blocks have run\n", constraint, table, at)
	if err := os.WriteFile(filepath.Join(s.dir, "zz_blocks_"+s.arch+".go"), []byte(variable), 0o644); err != nil {
		return err
	}
	main := constraint + strings.NewReplacer("NAME", s.name, "TABLE", table).Replace(testMain)
	return os.WriteFile(filepath.Join(s.dir, "zz_blocks_"+s.arch+"_test.go"), []byte(main), 0o644)
}

// testMain is what the test binary does at its end.
const testMain = `import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	name := filepath.Join(os.Getenv("DUALGAP_BLOCKS"), fmt.Sprintf("NAME.%d", os.Getpid()))
	if err := os.WriteFile(name, TABLE[:], 0o644); err != nil {
		panic(err)
	}
	os.Exit(code)
}
`

// counted is the text of a file whose first block has the byte number at. The stores change neither flags nor
// registers, but R16.
func counted(f file, arch string, at int) string {
	var out strings.Builder
	next := 0
	for i, line := range strings.SplitAfter(f.text, "\n") {
		if next < len(f.blocks) && f.blocks[next].line == i {
			store := "\tMOVB $1, ·%s+%d(SB)\n"
			if arch == "arm64" {
				store = "\tMOVD $1, R16\n\tMOVB R16, ·%s+%d(SB)\n"
			}
			fmt.Fprintf(&out, store, table, at+next)
			next++
		}
		out.WriteString(line)
	}
	return out.String()
}
