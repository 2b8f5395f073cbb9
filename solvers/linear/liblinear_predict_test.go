package linear

import (
	"io"
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
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// LIBLINEAR predicts with our model what we do, on 3000 images, and we with its model what it does.
func TestLIBLINEARPredict(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: 3000 images, many times, by another program")
	}
	for _, tool := range []string{"liblinear-train", "liblinear-predict"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	x, y := mnist[float64](t)
	x, y = first(x, 3000), y[:3000]
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	libsvm(t, file("all"), x, y)
	libsvm(t, file("train"), first(x, 1500), y[:1500])
	odd := make([]int, 1500)
	for i := range odd {
		odd[i] = 2*(y[i]%2) - 1
	}
	libsvm(t, file("two"), first(x, 1500), odd)
	predict := func(data, model string) (labels []int) {
		t.Helper()
		call := exec.Command("liblinear-predict", file(data), file(model), file("out"))
		if out, err := call.CombinedOutput(); err != nil {
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
	// written checks that liblinear-predict with the text says what want does: the labels of the examples in the file.
	written := func(t *testing.T, data string, write func(w io.Writer) error, want []int) {
		t.Helper()
		out, err := os.Create(file("ours"))
		if err != nil {
			t.Fatal(err)
		}
		if err := write(out); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		equal(t, want, predict(data, "ours"))
	}
	ten := nearestMean(t, first(x, 2000), y[:2000], 10)
	half := make([]int, len(y)) // of two classes, 0 to 4 and the rest
	for i, c := range y {
		half[i] = c / 5
	}
	two := nearestMean(t, first(x, 2000), half[:2000], 2)
	few := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](200, 3)} // numbers, so that scores are often equal
	rng := rand.New(rand.NewPCG(21, 22))
	for i := range few.Data {
		few.Data[i] = float64(rng.IntN(3) - 1)
	}
	libsvm(t, file("few"), few, make([]int, few.Rows))
	for _, solver := range classifiers {
		t.Run(solver.String(), func(t *testing.T) {
			for _, m := range []*Model[float64]{ten, two} {
				labels := []int{40, 37, 34, 31, 28, 25, 22, 19, 16, 13}[:m.w.Cols]
				for _, y := range [][]int{y[:2000], nil} {
					if m == two && y != nil {
						y = half[:2000]
					}
					written(t, "all", func(w io.Writer) error {
						return m.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: solver, Labels: labels, Y: y})
					}, predicted(t, m, x, labels))
				}
			}
			for outputs := 2; outputs < 5; outputs++ {
				m := drawModel(rng, 3, outputs, -1)
				written(t, "few", func(w io.Writer) error {
					return m.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: solver})
				},
					predicted(t, m, few, []int{0, 1, 2, 3}))
			}
			for c := 0; c < 10 && solver != MCSVMCS; c += 4 {
				sets, err := solvers.LabelSets(ten, x, 0)
				if err != nil {
					t.Fatal(err)
				}
				want, count := make([]int, len(sets)), 0
				for i, set := range sets {
					want[i] = -3
					if slices.Contains(set, c) {
						want[i] = 6
						count++
					}
				}
				if count < 100 || count > len(want)-100 {
					t.Errorf("output %d is above 0 for %d of %d images", c, count, len(want))
				}
				written(t, "all", func(w io.Writer) error {
					return ten.WriteLIBLINEAROutput(w, c, [2]int{6, -3}, solver)
				}, want)
			}
		})
	}
	for _, c := range []struct{ solver, y string }{{"4", "train"}, {"4", "two"}, {"1", "two"}, {"3", "train"}} {
		t.Run("read "+c.solver+" of "+c.y, func(t *testing.T) {
			train := exec.Command("liblinear-train", "-s", c.solver, "-B", "1", "-e", "1", "-q", file(c.y),
				file("theirs"))
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
			equal(t, predicted(t, m, &dataset.Dense[float64]{Matrix: x.Slice(0, x.Rows, 0, d)}, labels),
				predict("all", "theirs"))
		})
	}
}

// predicted returns the labels that m predicts.
func predicted(t *testing.T, m *Model[float64], x design.Matrix[float64], labels []int) []int {
	t.Helper()
	y, err := solvers.Predict(m, x, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range y {
		y[i] = labels[c]
	}
	return y
}

// equal checks that liblinear-predict says what we do.
func equal(t *testing.T, ours, theirs []int) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Fatalf("%d predictions, want %d", len(theirs), len(ours))
	}
	for i, label := range ours {
		if label != theirs[i] {
			t.Errorf("row %d: label %d, liblinear-predict says %d", i, label, theirs[i])
		}
	}
}

// nearestMean is the classifier by the nearest mean μ of a class: its scores <x, μ> - |μ|²/2, by a constant feature of
// -1/2.
func nearestMean(t *testing.T, x *dataset.Dense[float64], y []int, classes int) *Model[float64] {
	t.Helper()
	w, count := vec.NewMatrix[float64](x.Cols+1, classes), make([]float64, classes)
	for i, c := range y {
		count[c]++
		for j, v := range x.Row(i) {
			w.Row(j)[c] += v
		}
	}
	for j := range x.Cols {
		for c, v := range w.Row(j) {
			v /= count[c]
			w.Row(j)[c] = v
			w.Row(x.Cols)[c] += v * v
		}
	}
	m, err := WithConstant(w, -.5, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mnist[T vec.Float](t testing.TB) (*dataset.Dense[T], []int) {
	t.Helper()
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	file := func(kind string) string { return filepath.Join(data, "mnist", "t10k-"+kind+"-ubyte.gz") }
	set, err := dataset.OpenIDX[T](file("images-idx3"), file("labels-idx1"), dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		t.Skip(err)
	}
	return set.X, set.Y
}

func first[T vec.Float](x *dataset.Dense[T], n int) *dataset.Dense[T] {
	return &dataset.Dense[T]{Matrix: x.Slice(0, n, 0, x.Cols)}
}

// sparse returns x without its zeros.
func sparse[T vec.Float](x *dataset.Dense[T]) *dataset.CSR[T] {
	a := &dataset.CSR[T]{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				a.Idx, a.Val = append(a.Idx, int32(j)), append(a.Val, v)
			}
		}
		a.Ptr = append(a.Ptr, len(a.Val))
	}
	return a
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
	set := &dataset.Labeled[*dataset.CSR[float64]]{X: sparse(x), Labels: labels}
	if err := dataset.WriteLIBSVM(out, set, dataset.LIBSVMOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
