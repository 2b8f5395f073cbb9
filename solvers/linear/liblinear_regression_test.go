package linear

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// svr is what liblinear-train -s 12 -B 1 -p 0.1 writes for four examples, and theirNumbers what
// liblinear-predict makes of these.
const svr = `solver_type L2R_L2LOSS_SVR_DUAL
nr_class 2
nr_feature 3
bias 1
w
0.3124235068733619 
0.5940816387777689 
-0.2919132568940586 
0.6043367637674205 
`

var theirNumbers = []float64{1.213801090029667, -0.29191325689405867, 1.7873724788281322, 0.68244264048576098}

// TestLIBLINEARRegression: the model predicts what liblinear-predict does, and is written as it was read, by each
// solver's name.
func TestLIBLINEARRegression(t *testing.T) {
	m, labels, err := ReadLIBLINEAR[float64](strings.NewReader(svr))
	if err != nil || labels != nil {
		t.Fatal(labels, err)
	}
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 3, []float64{1, .5, 0, -1, 0, 2, 0, 1.5, -1, .25, 0, 0})}
	scores := vec.NewMatrix[float64](4, 1)
	if err := m.Scores(scores, x, nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range theirNumbers {
		if got := scores.Data[i]; math.Abs(got-want) > 1e-15 {
			t.Errorf("example %d: %v, liblinear-predict says %v", i, got, want)
		}
	}
	for _, s := range []SolverType{L2RL2LossSVR, L2RL2LossSVRDual, L2RL1LossSVRDual} {
		var b bytes.Buffer
		if err := m.WriteLIBLINEARRegression(&b, 0, s); err != nil {
			t.Fatal(err)
		}
		if got, want := b.String(), strings.Replace(svr, "L2R_L2LOSS_SVR_DUAL", s.String(), 1); got != want {
			t.Errorf("%v: %q, want %q", s, got, want)
		}
	}
}

func TestLIBLINEARRegressionErrors(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(svr, "class 2", "class 3", 1):             "want 2 and none",
		strings.Replace(svr, "class 2", "class 2\nlabel 1 -1", 1): "want 2 and none",
		svr + "1": "after the last of 4-by-1 weights",
	} {
		if _, _, err := ReadLIBLINEAR[float64](strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	m, err := New(vec.NewMatrix[float64](2, 2), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"linear: output 2 of a model of 2 outputs": m.WriteLIBLINEARRegression(io.Discard, 2, L2RL2LossSVR),
		"linear: numbers as MCSVM_CS, which is of": m.WriteLIBLINEARRegression(io.Discard, 0, MCSVMCS),
		"linear: two classes as L2R_L1LOSS_SVR_DUAL": m.WriteLIBLINEAROutput(io.Discard, 0, [2]int{1, 2},
			L2RL1LossSVRDual),
		"linear: classes as L2R_L2LOSS_SVR, which is": m.WriteLIBLINEAR(io.Discard,
			LIBLINEAROptions{Solver: L2RL2LossSVR}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
