package unchecked

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestInline asks the compiler whether the functions with a single call inline: they are there to save one.
func TestInline(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("wants the go command: ", err)
	}
	out, err := exec.Command(goCommand, "test", "-c", "-o", os.DevNull, "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Skipf("go test -c: %v\n%s", err, out)
	}
	names := []string{"Is32", "HingeStep32", "HingeStep64", "Small32", "Small64", "Prune32", "Prune64", "Above32",
		"Above64",
		"Clip32", "Clip64", "Prefetch", "MaxIndex", "Generic", "Prunes", "SortsByVectors"}
	// elsewhere a call of the twin takes what the inliner allows
	if runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" {
		names = append(names, "EntropyBegin32", "EntropyBegin64", "EntropyStep32", "EntropyStep64",
			"BoxHinge32", "BoxHinge64", "BoxSquared32", "BoxSquared64")
	}
	for _, f := range names {
		if !regexp.MustCompile(`(?m)inlining call to ` + f + `\b`).Match(out) {
			t.Errorf("%s does not inline: %s", f, regexp.MustCompile(`(?m)cannot inline `+f+`\b.*$`).Find(out))
		}
	}
}

// instances calls what is to be inlined, as generic code does.
func instances[T vec.Float](x []T, u *float64, p *SmallProblem) bool {
	if Is32[T]() {
		HingeStep32(x, x, x, 0, u, 1, 1, 0, 0)
		EntropyBegin32(x, x, u, u, 0)
		EntropyStep32(x, x, u, 0, nil)
		BoxHinge32(x, x, x, nil, 1, 0)
		BoxSquared32(x, x, x, nil, 1, 0)
		Small32(x, x, 1, SmallEqual, p)
		Above32(x, x, 0)
		Prune32(x, nil, nil, x, x, 0, nil)
		Clip32(x, x, 0, 0, 0, 0, 0)
	} else {
		HingeStep64(x, x, x, 0, u, 1, 1, 0, 0)
		EntropyBegin64(x, x, u, u, 0)
		EntropyStep64(x, x, u, 0, nil)
		BoxHinge64(x, x, x, nil, 1, 0)
		BoxSquared64(x, x, x, nil, 1, 0)
		Small64(x, x, 1, SmallEqual, p)
		Above64(x, x, 0)
		Prune64(x, nil, nil, x, x, 0, nil)
		Clip64(x, x, 0, 0, 0, 0, 0)
	}
	Prefetch(x)
	MaxIndex(nil)
	return Generic() || Prunes() || SortsByVectors()
}

var _, _ = instances[float32], instances[float64]
