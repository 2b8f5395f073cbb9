package kernel

import (
	"bytes"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/vec"
)

// regression is what svm-train -s 3 -t 2 -g 0.5 -p 0.1 writes for four examples, and predicted what svm-predict makes
// of these.
const regression = `svm_type epsilon_svr
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 4
rho -0.9227750875438776
SV
0.7363716609088854 1:1 2:0.5 
-1 1:-1 3:2 
0.9452940278977433 2:1.5 3:-1 
-0.6816656888066287 1:0.25 
`

var predicted = []float64{1.3998196184624472, -0.10549144379656461, 1.9000901775711481, 0.85009019044236278}

// TestLIBSVMRegression: the model predicts what svm-predict does, and its text, written again, reads back as the same.
func TestLIBSVMRegression(t *testing.T) {
	m, rho, err := ReadLIBSVMRegression[float64](strings.NewReader(regression), 0)
	if err != nil || rho != -0.9227750875438776 {
		t.Fatal(rho, err)
	}
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 3, []float64{1, .5, 0, -1, 0, 2, 0, 1.5, -1, .25, 0, 0})}
	scores := vec.NewMatrix[float64](4, 1)
	predict := func(m *Expansion[float64], rho float64) {
		t.Helper()
		if err := m.Scores(scores, x, nil); err != nil {
			t.Fatal(err)
		}
		for i, want := range predicted {
			if got := scores.Data[i] - rho; math.Abs(got-want) > 1e-14 {
				t.Errorf("example %d: %v, svm-predict says %v", i, got, want)
			}
		}
	}
	predict(m, rho)
	var b bytes.Buffer
	if err := m.WriteLIBSVMRegression(&b, 0, rho); err != nil {
		t.Fatal(err)
	}
	again, rho, err := ReadLIBSVMRegression[float64](bytes.NewReader(b.Bytes()), 0)
	if err != nil {
		t.Fatal(err)
	}
	predict(again, rho)
	nu := strings.Replace(regression, "epsilon_svr", "nu_svr", 1)
	if _, rho, err = ReadLIBSVMRegression[float64](strings.NewReader(nu), 0); err != nil {
		t.Error(rho, err)
	}
}

func TestLIBSVMRegressionErrors(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(regression, "epsilon_svr", "c_svc", 1):       `svm_type "c_svc", want epsilon_svr`,
		strings.Replace(regression, "total", "label 1 -1\ntotal", 1): "with label or nr_sv",
		strings.Replace(regression, "total", "nr_sv 2 2\ntotal", 1):  "with label or nr_sv",
		strings.Replace(regression, "sv 4", "sv 3", 1):               "-0.68",
		strings.Replace(regression, "sv 4", "sv 5", 1):               "the text ends",
		strings.Replace(regression, "rho", "probA", 1):               "SV before",
	} {
		if _, _, err := ReadLIBSVMRegression[float64](strings.NewReader(text), 0); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	m, _, err := ReadLIBSVMRegression[float64](strings.NewReader(regression), 0)
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"output 1 of a model of 1 outputs": m.WriteLIBSVMRegression(io.Discard, 1, 0),
		"rho = NaN":                        m.WriteLIBSVMRegression(io.Discard, 0, math.NaN()),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	var zero Expansion[float64]
	if err := zero.WriteLIBSVMRegression(io.Discard, 0, 0); err == nil {
		t.Error("the zero Expansion is written")
	}
}

// TestLIBSVMOneClassMarks: the numbers by which newer versions have probabilities of one class change nothing, and are
// ten.
func TestLIBSVMOneClassMarks(t *testing.T) {
	text, err := os.ReadFile("testdata/one_class.libsvm")
	if err != nil {
		t.Fatal(err)
	}
	m, rho, err := ReadLIBSVMOneClass[float64](bytes.NewReader(text), 0)
	if err != nil || rho != 1.9841077073750719 || len(m.Support()) != 21 {
		t.Errorf("%v, rho %v, %v", m, rho, err)
	}
	for want, change := range map[string][2]string{
		`prob_density_marks "SV", want a finite number`:  {" 0.60497262648160754", ""},
		`"0.5", want a line of a one_class model's head`: {"\nSV", " 0.5\nSV"},
	} {
		_, _, err := ReadLIBSVMOneClass[float64](strings.NewReader(strings.Replace(string(text), change[0], change[1],
			1)), 0)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Whatever is read of regression or of one class is written and read as the same.
func FuzzReadLIBSVMWithoutLabels(f *testing.F) {
	for _, name := range []string{"one_class", "epsilon_svr", "nu_svr"} {
		text, err := os.ReadFile("testdata/" + name + ".libsvm")
		if err != nil {
			f.Fatal(err)
		}
		for _, text := range damage.Seeds(text, damage.Text, 8) {
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		var again bytes.Buffer
		m, rho, err := ReadLIBSVMOneClass[float64](strings.NewReader(text), 0)
		if err == nil {
			if m, err = m.WithBias([]float64{0 - rho}); err == nil {
				err = m.WriteLIBSVMOneClass(&again, 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, same, err := ReadLIBSVMOneClass[float64](&again, 0)
			if err != nil || same != rho {
				t.Errorf("rho %v, again %v: %v", rho, same, err)
			}
			return
		}
		if m, rho, err = ReadLIBSVMRegression[float64](strings.NewReader(text), 0); err != nil {
			return
		}
		if err := m.WriteLIBSVMRegression(&again, 0, rho); err != nil {
			t.Fatal(err)
		}
		_, same, err := ReadLIBSVMRegression[float64](&again, 0)
		if err != nil || same != rho {
			t.Errorf("rho %v, again %v: %v", rho, same, err)
		}
	})
}
