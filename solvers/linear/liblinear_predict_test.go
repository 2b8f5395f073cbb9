package linear

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

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
		call := exec.Command("liblinear-predict", file("all"), file(model), file("out"))
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
	t.Run("written", func(t *testing.T) {
		m := nearestMean(t, first(x, 2000), y[:2000], 10)
		labels := make([]int, 10)
		for class := range labels {
			labels[class] = 40 - 3*class
		}
		out, err := os.Create(file("ours"))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.WriteLIBLINEAR(out, labels, y[:2000]); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		same(t, m, x, labels, predict("ours"))
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
		same(t, m, &dataset.Dense[float64]{Matrix: x.Slice(0, x.Rows, 0, d)}, labels, predict("theirs"))
	})
}

// same checks that m predicts the labels want.
func same(t *testing.T, m *Model[float64], x solvers.Features[float64], labels, want []int) {
	t.Helper()
	got, err := solvers.Predict(m, x, 0)
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
