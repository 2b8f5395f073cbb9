package prove

import (
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	features "golang.org/x/sys/cpu"

	"github.com/dualgap/dualgap/asm/cpu"
)

// Steps fails where small runs take other steps than the committed ones: file has a line for each, its name and a
// digest of what it told. A change of a tolerance, an order or a size that leaves answers right is seen here, and in no
// other test. run adds the runs in the order of their lines. DUALGAP_DIGESTS=write writes the file anew. The tier is
// avx2 and the code Go's own for amd64; elsewhere, and on emulated CPUs, which are slow, the test is skipped.
func Steps(t *testing.T, file string, run func(add func(name string, h hash.Hash))) {
	if Platform() != "amd64" || !slices.Contains(cpu.Tiers(), cpu.AVX2) || Emulated() {
		t.Skip("steps are committed for the tier avx2 of amd64, as Go compiles for v1 and v2")
	}
	write := os.Getenv("DUALGAP_DIGESTS") == "write"
	var committed []string
	if !write {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		committed = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	var lines []string
	Tiers(func(tier cpu.Tier) {
		if tier != cpu.AVX2 {
			return
		}
		run(func(name string, h hash.Hash) {
			line, k := fmt.Sprintf("%s: %s", name, hex.EncodeToString(h.Sum(nil)[:6])), len(lines)
			lines = append(lines, line)
			if !write && (k >= len(committed) || line != committed[k]) {
				t.Errorf("%s, want line %d of %s", line, k+1, file)
			}
		})
	})
	if write {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if len(lines) != len(committed) {
		t.Errorf("%d runs, and %d lines of %s", len(lines), len(committed), file)
	}
}

// Emulated reports whether the CPU is an emulated one of amd64.
func Emulated() bool { return os.Getenv("DUALGAP_QEMU_X86") != "" }

// Slow reports whether it is, or the race detector looks on.
func Slow() bool { return Emulated() || raceEnabled }

// Platform is an architecture, and how Go's own code is compiled and computes there: it fuses x*y+z on some CPUs of
// amd64 if asked to, and math.Exp does where the CPU can.
func Platform() string {
	name := runtime.GOARCH
	if name != "amd64" {
		return name
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" && s.Value != "v1" && s.Value != "v2" {
				name += "/" + s.Value
			}
		}
	}
	if !features.X86.HasFMA || !features.X86.HasAVX {
		name += "/unfused"
	}
	return name
}
