package dualgap_test

import (
	"go/build"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/dualgap/dualgap"

// foreign lists what each part of the library may need beside the standard library. An import of vec costs no more than
// this.
var foreign = []struct {
	prefix  string
	modules []string
}{
	{"vec/gonumblas", []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "gonum.org/v1/gonum"}},
	// singular values
	{"pq", []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "gonum.org/v1/gonum"}},
	// the same
	{"internal/spectral", []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "gonum.org/v1/gonum"}},
	// the same
	{"solvers/papers/rankone", []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "gonum.org/v1/gonum"}},
	// the same
	{"solvers/internal/nuclear", []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "gonum.org/v1/gonum"}},
	// the same
	{"solvers/tracenorm", []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2", "gonum.org/v1/gonum"}},
	{"", []string{"golang.org/x/sys", "github.com/klauspost/cpuid/v2"}},
}

// Solvers reach data through design.Matrix, so they import no storage. Predictions are another matter: package
// predictor takes examples as they come, and memtest and hostile, which tests alone import, make some.
var (
	storage = []string{"dataset", "pq"}
	readers = []string{"solvers/predictor", "solvers/internal/hostile",
		"solvers/internal/familytest"}
)

func TestDependencies(t *testing.T) {
	for pkg, deps := range dependencies(t, "vec", "project", "pq", "solvers", "asm", "dataset", "exchange",
		"internal/unchecked", "internal/cholesky", "internal/spectral") {
		for _, dep := range deps {
			if own, ok := strings.CutPrefix(dep, module+"/"); ok {
				if a, b := floor(t, pkg), floor(t, own); b > a {
					t.Errorf("%s on floor %d needs %s on floor %d", pkg, a, own, b)
				}
				if within(pkg, "solvers") && !slices.Contains(readers, pkg) &&
					slices.ContainsFunc(storage, func(s string) bool { return within(own, s) }) {
					t.Errorf("%s needs %s: solvers know no storage", pkg, own)
				}
			} else if strings.Contains(strings.Split(dep, "/")[0], ".") && !allowed(pkg, dep) {
				t.Errorf("%s needs %s", pkg, dep)
			}
		}
	}
}

// dependencies returns what every package under the directories needs, tests excepted, on the platform of this test.
func dependencies(t *testing.T, dirs ...string) map[string][]string {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	cmd := exec.Command(tool, "list", "-tags="+strings.Join(build.Default.BuildTags, ","),
		"-f", "{{.ImportPath}}{{range .Deps}} {{.}}{{end}}", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], module+"/")
		if slices.ContainsFunc(dirs, func(dir string) bool { return within(pkg, dir) }) {
			found[pkg] = fields[1:]
		}
	}
	if len(found["vec"]) == 0 {
		t.Fatalf("go list does not know vec: %s", out)
	}
	return found
}

// within reports whether pkg is dir or lies below it.
func within(pkg, dir string) bool {
	return pkg == dir || strings.HasPrefix(pkg, strings.TrimSuffix(dir, "/")+"/")
}

// floor is the floor of ARCHITECTURE.md that pkg stands on: it may import those on floors below, and on its own.
func floor(t *testing.T, pkg string) int {
	in := func(dirs ...string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return within(pkg, dir) })
	}
	switch {
	case in("vec", "internal/container", "internal/unchecked", "internal/cholesky", "internal/spectral"):
		return 1
	case in("internal/chart", "internal/page"):
		return 5
	case in("asm", "internal"):
		return 0
	case in("dataset", "project", "pq", "solvers/design"):
		return 2
	case pkg == "solvers", in("solvers/linear", "solvers/loss", "solvers/kernel", "solvers/metrics", "solvers/model"):
		return 3
	case in("solvers", "exchange"):
		return 4
	case in("bench", "cmd"):
		return 5
	}
	t.Errorf("%s is on no floor: add it to ARCHITECTURE.md and to this test", pkg)
	return 0
}

func allowed(pkg, dep string) bool {
	for _, f := range foreign {
		if f.prefix == "" || within(pkg, f.prefix) {
			return slices.ContainsFunc(f.modules, func(m string) bool { return within(dep, m) })
		}
	}
	return false
}
