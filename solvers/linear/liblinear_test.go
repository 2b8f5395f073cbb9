package linear

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/vec"
)

// Written and read again a model of several classes has the same bits, whatever the numbers.
func TestLIBLINEARRoundTrip(t *testing.T) {
	t.Run("float32", roundTrip[float32])
	t.Run("float64", roundTrip[float64])
}

// classifiers are all solvers of LIBLINEAR that tell classes apart.
var classifiers = []SolverType{MCSVMCS, L2RL1LossSVCDual, L2RL2LossSVCDual, L2RL2LossSVC, L2RLR, L2RLRDual,
	L1RL2LossSVC, L1RLR}

func roundTrip[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, bias := range []T{0, .1, -1} {
		d, m := 1+rng.IntN(9), 3+rng.IntN(5)
		rows := d
		if bias != 0 {
			rows++
		}
		w := vec.NewMatrix[T](rows, m)
		for i := range w.Data {
			w.Data[i] = T(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(60)-30)))
		}
		a, err := WithConstant(w, bias, nil)
		if err != nil {
			t.Fatal(err)
		}
		labels, y := rng.Perm(100)[:m], []int{m - 1, m - 1, 0}
		var text bytes.Buffer
		if err := a.WriteLIBLINEAR(&text, LIBLINEAROptions{Labels: labels, Y: y,
			Solver: classifiers[rng.IntN(len(classifiers))]}); err != nil {
			t.Fatal(err)
		}
		b, got, err := ReadLIBLINEAR[T](&text)
		if err != nil {
			t.Fatal(err)
		}
		order := []int{m - 1, 0}
		for c := 1; c < m-1; c++ {
			order = append(order, c)
		}
		sign := T(1)
		if bias < 0 {
			sign = -1
		}
		if f, c := b.Dims(); f != d || c != m || b.Constant() != sign*bias {
			t.Fatalf("%d features, %d classes, constant %v; want %d, %d, %v", f, c, b.Constant(), d, m, sign*bias)
		}
		for p, c := range order {
			if got[p] != labels[c] {
				t.Errorf("column %d has the label %d, want %d", p, got[p], labels[c])
			}
			for j := range rows {
				want := a.w.Row(j)[c]
				if j == d {
					want *= sign
				}
				if b.w.Row(j)[p] != want {
					t.Errorf("weight %d of column %d: %v, want %v", j, p, b.w.Row(j)[p], want)
				}
			}
		}
	}
}

// header is the header of 3 classes and 2 features.
const header = "solver_type MCSVM_CS\nnr_class 3\nlabel 3 1 -2\nnr_feature 2\nbias -1\nw\n"

func TestReadLIBLINEAR(t *testing.T) {
	two := "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 7 5\nnr_feature 2\nbias 0\nw\n1 \n-1 \n9 \n"
	m, labels, err := ReadLIBLINEAR[float32](strings.NewReader(two))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    []float32
		want int
	}{{[]float32{2, 1}, 7}, {[]float32{1, 2}, 5}, {[]float32{1, 1}, 5}} { // 0 is the second label, as there
		if got := labels[m.Predict(c.x)]; got != c.want {
			t.Errorf("%v: label %d, want %d", c.x, got, c.want)
		}
	}
	m, labels, err = ReadLIBLINEAR[float32](strings.NewReader(strings.Replace(two, "L2R_L2LOSS_SVC_DUAL", "MCSVM_CS",
		1) + "5 5 5"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []float32{-1, 1, -9, 9}; !slices.Equal(m.Weights().Data, want) || !slices.Equal(labels, []int{5, 7}) {
		t.Errorf("%v, want %v, labels %v", m.Weights().Data, want, labels) // of a row the first number counts
	}
	for _, solver := range strings.Fields("L2R_LR L2R_L2LOSS_SVC_DUAL L2R_L2LOSS_SVC L2R_L1LOSS_SVC_DUAL MCSVM_CS " +
		"L1R_L2LOSS_SVC L1R_LR L2R_LR_DUAL") {
		text := strings.NewReplacer("MCSVM_CS", solver, "bias -1", "bias 1").Replace(header) + nine
		if _, _, err := ReadLIBLINEAR[float32](strings.NewReader(text)); err != nil {
			t.Errorf("%s: %v", solver, err)
		}
	}
	tenth := strings.Replace(header, "bias -1", "bias 0.1", 1) + nine // no float32
	if m, _, err := ReadLIBLINEAR[float32](strings.NewReader(tenth)); err != nil || m.Constant() != .1 {
		t.Errorf("%v, %v", m, err)
	}
	text := strings.ReplaceAll(header+"1 2 3 4\r\n5 1e-3", "-1", "0.5") + " 7 8 9"
	m, labels, err = ReadLIBLINEAR[float32](strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := []float32{1, 2, 3, 4, 5, 1e-3}; !slices.Equal(m.Weights().Data, want) {
		t.Errorf("%v, want %v", m.Weights().Data, want)
	}
	if !slices.Equal(m.Bias(), []float32{3.5, 4, 4.5}) || m.Constant() != .5 || !slices.Equal(labels, []int{3, 1, -2}) {
		t.Errorf("bias %v, constant %v, labels %v", m.Bias(), m.Constant(), labels)
	}
}

func TestReadLIBLINEARErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "line 1: the text ends, want a line of the header",
		"# a comment":                `line 1: "#", want solver_type`,
		"solver_type\n":              "line 2: the text ends, want a solver",
		"solver_type ONECLASS_SVM\n": `line 1: solver_type "ONECLASS_SVM", want a classifier`,
		"nr_class 1":                 `nr_class "1", want an integer from 2`,
		"nr_class 99999999999":       `nr_class "99999999999", want an integer`,
		"nr_feature x":               `nr_feature "x", want an integer from 1`,
		"bias nan":                   `bias "nan", want a finite number`,
		"label 1":                    "label, want it once, and after nr_class",
		"nr_class 2\nlabel 1 1":      "line 2: label 1 stands for the classes 0 and 1",
		"nr_class 2\nlabel 1 2.5":    `line 2: label "2.5", want an integer`,
		"nr_class 2\nlabel 1 2 3\n":  `line 2: "3", want`,
		"w 1":                        "weights before solver_type",
		"solver_type L2R_LR\nw":      "weights with nr_class 0 and 0 labels",
		"solver_type L2R_LR nr_class 2 label 1 2\nw":               "line 2: weights before nr_feature",
		header + "1 2 3\n4 5\n":                                    "line 9: the text ends, want weight",
		header + "1 2 3\n4 x 6\n":                                  `line 8: weight "x", want a finite number`,
		header + "1 2 3\n4 inf 6\n":                                `line 8: weight "inf", want a finite number`,
		header + "1 2 3\n4 1e39 6\n":                               "line 8: weight 1e+39 is beyond float32",
		header + "1 2 3\n4 5 6\n7\n":                               `line 9: "7" after the last of 2-by-3 weights`,
		header + strings.Repeat("1", 500):                          "goes on for more than 400 characters",
		strings.Replace(header, "bias -1", "bias 1e50", 1) + nine:  "bias 1e+50 is beyond float32",
		strings.Replace(header, "bias -1", "bias 1e-50", 1) + nine: "bias 1e-50 is beyond float32",
		// or, of 32 bits:
		strings.Replace(header, "ture 2", "ture 2147483646", 1):      "line 7: the text ends, want weight",
		strings.Replace(header, "class 3", "class 3\nnr_class 4", 1): "line 5: ",
	} {
		_, _, err := ReadLIBLINEAR[float32](strings.NewReader(text))
		if strconv.IntSize == 32 && strings.Contains(text, "2147483646") {
			want = "beyond this machine's memory"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	broken := errors.New("broken")
	ends := io.MultiReader(strings.NewReader(header+"1 2"), failing{broken})
	if _, _, err := ReadLIBLINEAR[float32](ends); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's", err)
	}
}

const nine = "1 2 3 4 5 6 7 8 9"

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// Whatever is read is written and read as the same.
func FuzzReadLIBLINEARText(f *testing.F) {
	f.Add(header + "1 2 3\n4 5 6\n")
	for _, text := range damage.Seeds([]byte(strings.Replace(header, "-1", "1", 1)+nine), damage.Text, 20) {
		f.Add(string(text))
	}
	f.Add("solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 1\nbias 0\nw\n.5\n1\n")
	f.Add("solver_type MCSVM_CS\nnr_class 2\nlabel 1 -1\nnr_feature 1\nbias 2\nw\n.5 4\n1e308 0\n")
	f.Add(strings.Replace(header, "nr_feature 2", "nr_feature 2147483646", 1) + "1")
	f.Add(svr)
	f.Fuzz(func(t *testing.T, text string) {
		a, labels, err := ReadLIBLINEAR[float64](strings.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		solver := MCSVMCS
		if first := a.w.Slice(0, a.w.Rows, 0, 1); a.w.Cols == 2 && isZero(first) { // it was one column
			solver = L2RL2LossSVCDual
		}
		if labels == nil {
			err = a.WriteLIBLINEARRegression(&again, 0, L2RL2LossSVR)
		} else {
			err = a.WriteLIBLINEAR(&again, LIBLINEAROptions{Solver: solver, Labels: labels})
		}
		if err != nil {
			t.Fatal(err)
		}
		b, labels2, err := ReadLIBLINEAR[float64](&again)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.w.Data, b.w.Data) || a.d != b.d || a.constant != b.constant ||
			!slices.Equal(labels, labels2) {
			t.Errorf("%+v, read again %+v", a.w, b.w)
		}
	})
}

func isZero(w vec.Matrix[float64]) bool {
	for j := range w.Rows {
		if vec.AbsSum(w.Row(j)) != 0 {
			return false
		}
	}
	return true
}

// drawModel returns a model with weights of few values, so that scores tie.
func drawModel(rng *rand.Rand, d, m int, constant float64) *Model[float64] {
	rows := d
	if constant != 0 {
		rows++
	}
	w := vec.NewMatrix[float64](rows, m)
	for i := range w.Data {
		w.Data[i] = float64(rng.IntN(3) - 1)
	}
	model, err := WithConstant(w, constant, nil)
	if err != nil {
		panic(err)
	}
	return model
}
