package topk

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Written and read again a model has the same bits, whatever the numbers.
func TestLIBLINEARRoundTrip(t *testing.T) {
	t.Run("float32", roundTrip[float32])
	t.Run("float64", roundTrip[float64])
}

func roundTrip[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, bias := range []T{0, .1, -1} {
		d, m := 1+rng.IntN(9), 2+rng.IntN(5)
		rows := d
		if bias != 0 {
			rows++
		}
		a := &Model[T]{w: vec.NewMatrix[T](rows, m), d: d, bias: bias}
		for i := range a.w.Data {
			a.w.Data[i] = T(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(60)-30)))
		}
		labels, y := rng.Perm(100)[:m], []int{m - 1, m - 1, 0}
		var text bytes.Buffer
		if err := a.WriteLIBLINEAR(&text, labels, y); err != nil {
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
		if f, c := b.Dims(); f != d || c != m || b.Bias() != sign*bias {
			t.Fatalf("%d features, %d classes, bias %v; want %d, %d, %v", f, c, b.Bias(), d, m, sign*bias)
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

// header is that of 3 classes and 2 features.
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
	m, labels, err = ReadLIBLINEAR[float32](strings.NewReader(strings.ReplaceAll(header+"1 2 3 4\r\n5 1e-3", "-1", "0.5") + " 7 8 9"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []float32{1, 2, 3, 4, 5, 1e-3, 7, 8, 9}; !slices.Equal(m.Weights().Data, want) || m.Bias() != .5 || !slices.Equal(labels, []int{3, 1, -2}) {
		t.Errorf("%v, bias %v, labels %v", m.Weights().Data, m.Bias(), labels)
	}
}

func TestReadLIBLINEARErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "line 1: the text ends, need a line of the header",
		"# a comment":                  `line 1: "#", need solver_type`,
		"solver_type\n":                "line 2: the text ends, need a solver",
		"solver_type L2R_L2LOSS_SVR\n": `line 1: solver_type "L2R_L2LOSS_SVR", need a classifier`,
		"nr_class 1":                   `nr_class "1", need an integer from 2`,
		"nr_class 99999999999":         `nr_class "99999999999", need an integer`,
		"nr_feature x":                 `nr_feature "x", need an integer from 1`,
		"bias nan":                     `bias "nan", need a finite number`,
		"label 1":                      "label, need it once, and after nr_class",
		"nr_class 2\nlabel 1 1":        "line 2: label 1 stands for the classes 0 and 1",
		"nr_class 2\nlabel 1 2.5":      `line 2: label "2.5", need an integer`,
		"nr_class 2\nlabel 1 2 3\n":    `line 2: "3", need`,
		"w 1":                          "weights before solver_type",
		"solver_type L2R_LR\nw":        "weights with nr_class 0 and 0 labels",
		"solver_type L2R_LR nr_class 2 label 1 2\nw":                 "line 2: weights before nr_feature",
		header + "1 2 3\n4 5\n":                                      "line 9: the text ends, need weight",
		header + "1 2 3\n4 x 6\n":                                    `line 8: weight "x", need a finite number`,
		header + "1 2 3\n4 inf 6\n":                                  `line 8: weight "inf", need a finite number`,
		header + "1 2 3\n4 1e39 6\n":                                 "line 8: weight 1e+39 is beyond float32",
		header + "1 2 3\n4 5 6\n7\n":                                 `line 9: "7" after the last of 2-by-3 weights`,
		header + strings.Repeat("1", 500):                            "goes on for more than 400 characters",
		strings.Replace(header, "bias -1", "bias 1e50", 1) + nine:    "bias 1e+50 is beyond float32",
		strings.Replace(header, "ture 2", "ture 2147483646", 1):      "line 7: the text ends, need weight", // or, of 32 bits:
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
	if _, _, err := ReadLIBLINEAR[float32](io.MultiReader(strings.NewReader(header+"1 2"), failing{broken})); !errors.Is(err, broken) {
		t.Errorf("%v, want that of the reader", err)
	}
	m := drawModel(rand.New(rand.NewPCG(1, 1)), 2, 3, 0)
	for _, c := range []struct {
		labels, y []int
		want      string
	}{
		{[]int{1, 2}, nil, "2 labels for 3 classes"},
		{[]int{1, 2, 1}, nil, "label 1 stands for the classes 0 and 2"},
		{nil, []int{0, 3}, "label 3 of row 1, need one in 0..2"},
	} {
		if err := m.WriteLIBLINEAR(io.Discard, c.labels, c.y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

const nine = "1 2 3 4 5 6 7 8 9"

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// Whatever is read is written and read as the same.
func FuzzReadLIBLINEAR(f *testing.F) {
	f.Add(header + "1 2 3\n4 5 6\n")
	f.Add(strings.Replace(header, "-1", "1", 1) + nine)
	f.Add("solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 1\nbias 0\nw\n.5\n1\n")
	f.Add(strings.Replace(header, "nr_feature 2", "nr_feature 2147483646", 1) + "1")
	f.Fuzz(func(t *testing.T, text string) {
		a, labels, err := ReadLIBLINEAR[float64](strings.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := a.WriteLIBLINEAR(&again, labels, nil); err != nil {
			t.Fatal(err)
		}
		b, labels2, err := ReadLIBLINEAR[float64](&again)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.w.Data, b.w.Data) || a.d != b.d || a.bias != b.bias || !slices.Equal(labels, labels2) {
			t.Errorf("%+v, read again %+v", a.w, b.w)
		}
	})
}

// LIBLINEAR predicts with our model what we do, on 10,000 images, and we with its model what it does.
func TestLIBLINEARPredict(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: 10,000 images by another program")
	}
	for _, tool := range []string{"liblinear-train", "liblinear-predict"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	x, y := mnist[float64](t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	libsvm(t, file("all"), x, y)
	libsvm(t, file("train"), first(x, 1500), y[:1500])
	predict := func(model string) (labels []int) {
		t.Helper()
		if out, err := exec.Command("liblinear-predict", file("all"), file(model), file("out")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(file("out"))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Fields(string(text)) {
			v, err := strconv.Atoi(line)
			if err != nil {
				t.Fatal(err)
			}
			labels = append(labels, v)
		}
		return labels
	}
	t.Run("written", func(t *testing.T) {
		c := Config{K: 2, Lambda: 1 / (.01 * 2000), Bias: -.5}
		r, err := Fit(t.Context(), solvers.Features[float64](first(x, 2000)), y[:2000], c)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int, 10)
		for class := range labels {
			labels[class] = 40 - 3*class
		}
		out, err := os.Create(file("ours"))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.WriteLIBLINEAR(out, labels, y[:2000]); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		same(t, r.Model, solvers.Features[float64](x), labels, predict("ours"))
	})
	t.Run("read", func(t *testing.T) {
		train := exec.Command("liblinear-train", "-s", "4", "-B", "1", "-e", "1", "-q", file("train"), file("theirs"))
		if out, err := train.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		in, err := os.Open(file("theirs"))
		if err != nil {
			t.Fatal(err)
		}
		m, labels, err := ReadLIBLINEAR[float64](in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		// The images it saw may end in columns without ink.
		d, _ := m.Dims()
		same(t, m, solvers.Features[float64](&dataset.Dense[float64]{Matrix: x.Slice(0, x.Rows, 0, d)}), labels, predict("theirs"))
	})
}

// same checks that m predicts the labels want.
func same(t *testing.T, m *Model[float64], x solvers.Features[float64], labels, want []int) {
	t.Helper()
	got, err := m.PredictAll(x)
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != len(got) {
		t.Fatalf("%d predictions, want %d", len(want), len(got))
	}
	for i, c := range got {
		if labels[c] != want[i] {
			t.Errorf("row %d: label %d, liblinear-predict says %d", i, labels[c], want[i])
		}
	}
}

func libsvm(t *testing.T, path string, x *dataset.Dense[float64], y []int) {
	t.Helper()
	values := make([]float64, len(y))
	for i, c := range y {
		values[i] = float64(c)
	}
	labels, err := dataset.NumericLabels(values, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := dataset.WriteLIBSVM(out, &dataset.Labeled[*dataset.CSR[float64]]{X: sparse(x), Labels: labels}, dataset.LIBSVMOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
