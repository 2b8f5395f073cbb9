package exchange

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// check is a program for Debian's python3-onnx: its checker, with the types and shapes of all values.
const check = `
import sys, onnx
for path in sys.argv[1:]:
    onnx.checker.check_model(onnx.load(path), full_check=True)
`

// TestChecker: the models that WriteONNX writes are models to the checker of ONNX, where that is installed.
func TestChecker(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: ", err)
	}
	if out, err := exec.Command(python, "-c", "import onnx").CombinedOutput(); err != nil {
		t.Skipf("Debian's python3-onnx is not installed: %s", out)
	}
	rng, dir := rand.New(rand.NewPCG(11, 12)), t.TempDir()
	args := []string{"-c", check}
	for i := range 30 {
		m := randomModel[float32](t, rng)
		_, outputs := m.Dims()
		path := filepath.Join(dir, string(rune('a'+i))+".onnx")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteONNX(f, m, optionsFor(rng, outputs, m.Linear != nil)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if out, err := exec.Command(python, args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
