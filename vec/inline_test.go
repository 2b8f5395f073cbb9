package vec_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// TestInline asks the compiler whether the typed functions inline: a call less is a third of the time of a short
// vector.
func TestInline(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("wants the go command: ", err)
	}
	out, err := exec.Command(goCommand, "build", "-gcflags=-m=2", ".").CombinedOutput()
	if err != nil {
		t.Skipf("go build: %v\n%s", err, out)
	}
	can := make(map[string]string)
	for _, m := range regexp.MustCompile(`(?m)can inline (\w+) with cost (\d+) as`).FindAllSubmatch(out, -1) {
		can[string(m[1])] = string(m[2])
	}
	for _, f := range []string{"Dot32", "Dot64", "SquaredDistance32", "SquaredDistance64", "Axpy32", "Axpy64",
		"MixedDot", "MixedAxpy", "match"} {
		switch cost, err := strconv.Atoi(can[f]); {
		case err != nil:
			why := regexp.MustCompile(`(?m)cannot inline ` + f + `:.*$`).Find(out)
			t.Errorf("%s does not inline: %s", f, why)
		default:
			t.Logf("%s costs %d of the inliner's budget", f, cost)
		}
	}
}
