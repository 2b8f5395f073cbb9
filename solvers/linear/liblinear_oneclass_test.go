package linear

import (
	"bytes"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/vec"
)

// oneClassText is the model that LIBLINEAR 2.50 has trained on oneClassExamples.
func oneClassText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/oneclass.liblinear")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func oneClassExamples() *dataset.Dense[float64] {
	x := vec.NewMatrix[float64](40, 5)
	for i := range x.Rows {
		for j := range x.Row(i) {
			if (i+j)%4 != 3 {
				x.Row(i)[j] = float64((7*i+13*j+3*i*j)%17)/8 - .25
			}
		}
	}
	return &dataset.Dense[float64]{Matrix: x}
}

// decisions are what LIBLINEAR's predict_values says of the examples: it predicts 1 where they are above 0.
var decisions = []float64{1.0031344294458555, -0.26744908211503171, -4.0094594311312903e-10, 1.8979489652052881,
	2.4047689506679517, 0.80234724714698791, 4.5652832695999308, 7.4567877943867611, 0.99004883703930657,
	1.7465583039849393, 0.41405355814584466, 3.652062090214478, 6.9248858730701208, 2.816354633246958,
	3.6123809963512206, -0.12579986529633258, 4.8631142075426812, -4.0094549902391918e-10, -0.53884871510286336,
	0.60267694534010419, 3.4483940939140338, 8.0189233031546792e-10, -0.80392746364702417, 1.6283132597128573,
	9.3832311299448516, 2.0140073856990255, 3.3386110301934653, 2.3567900703492932, 3.4353085015074849,
	6.5472099017105823, 3.0735322816493045, -1.4479356338229894, 1.4004005846415164, 3.083803716163882,
	-1.0776974298047799, -0.71945882318655352, 3.4490866577624089, 0.2674490825159781, 2.1206300084005965,
	0.0090179874498828028}

// TestLIBLINEAROneClass: of LIBLINEAR's model the score less 0 is its decision value, and the text is written as it was
// read. A bias, which its training has not and its prediction has, counts.
func TestLIBLINEAROneClass(t *testing.T) {
	text := oneClassText(t)
	m, err := ReadLIBLINEAROneClass[float64](strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	scores := vec.NewMatrix[float64](40, 1)
	if err := m.Scores(scores, oneClassExamples(), nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range decisions {
		if got := scores.Data[i]; math.Abs(got-want) > 1e-14 {
			t.Errorf("example %d: %v, LIBLINEAR says %v", i, got, want)
		}
	}
	var b bytes.Buffer
	if err := m.WriteLIBLINEAROneClass(&b, 0); err != nil {
		t.Fatal(err)
	}
	if theirs, ours := strings.Fields(text), strings.Fields(b.String()); !slices.EqualFunc(theirs, ours, sameWord) {
		t.Errorf("%q, want %q", ours, theirs)
	}
	m, err = ReadLIBLINEAROneClass[float64](strings.NewReader(strings.Replace(text, "bias -1", "bias 0.5", 1) + "3 \n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Scores(scores, oneClassExamples(), nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2.5031344294458555, 1.2325509178849683, 1.4999999995990545} {
		if got := scores.Data[i]; math.Abs(got-want) > 1e-14 {
			t.Errorf("with a bias, example %d: %v, LIBLINEAR says %v", i, got, want)
		}
	}
}

// sameWord reports whether two words are the same, or the same float64.
func sameWord(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err == nil && err2 == nil && x == y
}

// TestWriteLIBLINEAROneClass: any output is written, with its offset by whatever constant feature, or none.
func TestWriteLIBLINEAROneClass(t *testing.T) {
	for _, c := range []struct {
		constant float32
		rows     int
		rho      string
	}{{0, 2, "0"}, {-.5, 3, "3"}, {1, 3, "-6"}} {
		w := vec.MatrixOf(3, 2, []float32{1, 2, 3, 4, 5, 6})
		m, err := WithConstant(w.Slice(0, c.rows, 0, 2), c.constant, nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := m.WriteLIBLINEAROneClass(&b, 1); err != nil {
			t.Fatal(err)
		}
		want := "solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\nbias -1\nrho " + c.rho + "\nw\n2 \n4 \n"
		if b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
	m, err := WithConstant(vec.MatrixOf(2, 1, []float64{1, 1e200}), 1e200, nil)
	if err != nil {
		t.Fatal(err)
	}
	var zero Model[float64]
	two := m.WriteLIBLINEAROutput(io.Discard, 0, [2]int{1, -1}, OneClassSVM)
	for want, err := range map[string]error{
		"linear: output 1 of a model of 1 outputs":             m.WriteLIBLINEAROneClass(io.Discard, 1),
		"linear: output 0 of a model of 0 outputs":             zero.WriteLIBLINEAROneClass(io.Discard, 0),
		"linear: the offset of output 0 is +Inf":               m.WriteLIBLINEAROneClass(io.Discard, 0),
		"linear: two classes as ONECLASS_SVM, which is of one": two,
		"linear: numbers as ONECLASS_SVM":                      m.WriteLIBLINEARRegression(io.Discard, 0, OneClassSVM),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestReadLIBLINEAROneClassErrors(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(oneClassText(t), old, new, 1) }
	for text, want := range map[string]string{
		"":                                         "line 1: the text ends",
		with("ONECLASS_SVM", "L2R_LR"):             `line 1: solver_type "L2R_LR", want ONECLASS_SVM`,
		with("ONECLASS_SVM", "ONE"):                `solver_type "ONE", want ONECLASS_SVM`,
		with("class 2", "class 3"):                 "weights of one class with nr_class 3 and 0 labels",
		with("class 2", "class 2\nlabel 1 -1"):     "and 2 labels, want 2 and none",
		with("rho 3.1496088464081233\n", ""):       "weights of one class with rho NaN",
		with("rho 3.1496088464081233", "rho nan"):  `line 5: rho "nan", want a finite number`,
		with("rho 3.1496088464081233", "rho"):      `line 6: rho "w", want a finite number`,
		with("rho 3.1496088464081233", "rho 1e39"): "the offset by rho 1e+39 and bias -1 is beyond float32",
		with("bias -1", "bias 1"):                  "line 12: the text ends, want weight",
		oneClassText(t) + "1":                      `"1" after the last of 5-by-1 weights`,
	} {
		if _, err := ReadLIBLINEAROneClass[float32](strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	_, _, err := ReadLIBLINEAR[float32](strings.NewReader(strings.Replace(header, "bias", "rho 1\nbias", 1) + nine))
	if err == nil || !strings.Contains(err.Error(), "weights of classification with rho 1, which is for ONECLASS_SVM") {
		t.Error(err)
	}
}

// Whatever is read is written and read as the same, but for a bias, which becomes a part of rho.
func FuzzReadLIBLINEAROneClass(f *testing.F) {
	for _, text := range damage.Seeds([]byte(oneClassText(f)), damage.Text, 20) {
		f.Add(string(text))
	}
	f.Add(strings.Replace(oneClassText(f), "bias -1", "bias 2", 1) + "1e308")
	f.Add(strings.Replace(oneClassText(f), "feature 5", "feature 2147483646", 1))
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ReadLIBLINEAROneClass[float64](strings.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := a.WriteLIBLINEAROneClass(&again, 0); err != nil {
			t.Fatal(err)
		}
		b, err := ReadLIBLINEAROneClass[float64](&again)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.w.Data, b.w.Data) || a.d != b.d || a.constant != b.constant {
			t.Errorf("%+v, read again %+v", a.w, b.w)
		}
	})
}
