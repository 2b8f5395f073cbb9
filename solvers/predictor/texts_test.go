package predictor

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// textExamples are what the committed models of LIBSVM and LIBLINEAR are trained on, and asked about.
func textExamples() [][]float64 {
	x := make([][]float64, 40)
	for i := range x {
		x[i] = make([]float64, 5)
		for j := range x[i] {
			if (i+j)%4 != 3 {
				x[i][j] = float64((7*i+13*j+3*i*j)%17)/8 - .25
			}
		}
	}
	return x
}

// TestLIBSVMTypes: models of svm-train of all its types answer as svm-predict does, and have its decision values.
func TestLIBSVMTypes(t *testing.T) {
	for kind, task := range map[string]string{"c_svc": Classes, "nu_svc": Classes, "one_class": Top,
		"epsilon_svr": Numbers, "nu_svr": Numbers} {
		p, err := Open(filepath.Join("..", "kernel", "testdata", kind+".libsvm"))
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := os.ReadFile(filepath.Join("..", "kernel", "testdata", kind+".decisions"))
		if err != nil {
			t.Fatal(err)
		}
		lines, seen := strings.Split(string(theirs), "\n"), map[string]int{}
		for i, x := range textExamples() {
			var label string
			var value float64
			if _, err := fmt.Sscan(lines[i], &label, &value); err != nil {
				t.Fatal(err)
			}
			q, err := p.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			own := p.Own(&q)[0]
			if p.Task() != task || math.Abs(own-value) > 1e-12 || task != Numbers && q.Label != label {
				t.Errorf("%s, example %d: task %s, label %s, value %v, svm-predict says %s, %v", kind, i, p.Task(),
					q.Label, own, label, value)
			}
			seen[q.Label]++
		}
		if task != Numbers && (seen["1"] == 0 || seen["-1"] == 0) {
			t.Errorf("%s: labels %v", kind, seen)
		}
	}
}

// TestZeroIsOutside: a score of 0 is outside for the programs whose texts these are.
func TestZeroIsOutside(t *testing.T) {
	for _, text := range []string{
		"solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\nbias -1\nrho 1\nw\n1 \n0 \n",
		"svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 1\nSV\n1 1:1 2:0 \n",
		"svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 1\nlabel 1 -1\nnr_sv 1 0\nSV\n1 1:1 2:0 \n",
	} {
		p, err := Read(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		for x, want := range map[float64]string{1: "-1", math.Nextafter(1, 2): "1"} {
			q, err := p.Predict([]float64{x, 0})
			if err != nil || q.Label != want {
				t.Errorf("%q of %v: label %q, want %s: %v", text, x, q.Label, want, err)
			}
		}
	}
}

// TestLIBLINEAROneClass: a model of LIBLINEAR's one class answers as its program does.
func TestLIBLINEAROneClass(t *testing.T) {
	p, err := Open(filepath.Join("..", "linear", "testdata", "oneclass.liblinear"))
	if err != nil {
		t.Fatal(err)
	}
	const theirs = "1 -1 -1 1 1 1 1 1 1 1 1 1 1 1 1 -1 1 -1 -1 1 1 1 -1 1 1 1 1 1 1 1 1 -1 1 1 -1 -1 1 1 1 1"
	for i, want := range strings.Fields(theirs) {
		q, err := p.Predict(textExamples()[i])
		if err != nil || q.Label != want {
			t.Errorf("example %d: %q, LIBLINEAR's predict says %s: %v", i, q.Label, want, err)
		}
	}
}
