package kernel

import (
	"fmt"
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
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// svm is a folder of files for LIBSVM's programs.
type svm struct {
	testing.TB
	dir string
}

func newSVM(t *testing.T) svm {
	t.Helper()
	if testing.Short() {
		t.Skip("left out by -short: another program")
	}
	for _, tool := range []string{"svm-train", "svm-predict"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	return svm{t, t.TempDir()}
}

func (s svm) file(name string) string { return filepath.Join(s.dir, name) }

func (s svm) write(name string, write func(w io.Writer) error) {
	s.Helper()
	out, err := os.Create(s.file(name))
	if err != nil {
		s.Fatal(err)
	}
	if err := write(out); err != nil {
		s.Fatal(err)
	}
	if err := out.Close(); err != nil {
		s.Fatal(err)
	}
}

// examples writes x with the labels y, or, of values of a precomputed kernel, rows of all their numbers.
func (s svm) examples(name string, x design.Matrix[float64], y []int, precomputed bool) {
	s.Helper()
	n, d := x.Dims()
	row := vec.NewMatrix[float64](1, d)
	s.write(name, func(w io.Writer) error {
		var text []byte
		for i := range n {
			text = fmt.Append(text, y[i])
			if precomputed {
				text = fmt.Append(text, " 0:", i+1)
			}
			x.Gather(row, []int{i})
			for j, v := range row.Data {
				if v != 0 || precomputed {
					text = fmt.Append(text, " ", j+1, ":", strconv.FormatFloat(v, 'g', -1, 64))
				}
			}
			text = append(text, '\n')
		}
		_, err := w.Write(text)
		return err
	})
}

// predict returns the labels that svm-predict says.
func (s svm) predict(data, model string) (labels []int) {
	s.Helper()
	predict := exec.Command("svm-predict", s.file(data), s.file(model), s.file("out"))
	if out, err := predict.CombinedOutput(); err != nil {
		s.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(s.file("out"))
	if err != nil {
		s.Fatal(err)
	}
	for _, word := range strings.Fields(string(text)) {
		v, err := strconv.Atoi(word)
		if err != nil {
			s.Fatal(err)
		}
		labels = append(labels, v)
	}
	return labels
}

// same checks that svm-predict says labels[0] where the score of the output is above rho and labels[1] elsewhere, and
// that both happen.
func (s svm) same(m *Expansion[float64], x design.Matrix[float64], output int, labels [2]int, rho float64,
	theirs []int) {
	s.Helper()
	n, _ := x.Dims()
	_, outputs := m.Dims()
	scores, count := vec.NewMatrix[float64](n, outputs), 0
	if err := m.Scores(scores, x, nil); err != nil {
		s.Fatal(err)
	}
	if len(theirs) != n {
		s.Fatalf("%d predictions for %d examples", len(theirs), n)
	}
	for i := range n {
		want := labels[1]
		if scores.Row(i)[output] > rho {
			want = labels[0]
			count++
		}
		if theirs[i] != want {
			s.Errorf("row %d: score %v, svm-predict says %d", i, scores.Row(i)[output], theirs[i])
		}
	}
	if count == 0 || count == n {
		s.Errorf("scores of output %d: %d of %d above rho", output, count, n)
	}
}

// means is the model whose scores are the inner product with the mean of an output's examples, less the mean of the
// others: by sets of outputs.
func means(t testing.TB, k *Matrix[float64], sets [][]int, outputs int) *Expansion[float64] {
	t.Helper()
	a, count := vec.NewMatrix[float64](len(sets), outputs), make([]float64, outputs)
	for _, set := range sets {
		for _, c := range set {
			count[c]++
		}
	}
	for i, set := range sets {
		for c := range outputs {
			if slices.Contains(set, c) {
				a.Row(i)[c] = 1 / count[c]
			} else if i%3 > 0 { // others are no support vectors of this output
				a.Row(i)[c] = -1.5 / (float64(len(sets)) - count[c])
			}
		}
	}
	m, err := NewExpansion(k, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// svm-predict with our models predicts what we do, on digits, dense, and on reports, sparse, of several labels each.
func TestSVMPredict(t *testing.T) {
	s := newSVM(t)
	digits := samples.Digits[float64]()
	t.Run("digits", func(t *testing.T) {
		sets := make([][]int, digits.X.Rows)
		for i, c := range digits.Y {
			sets[i] = []int{c}
		}
		// 16 levels of ink in 64 places
		ks := []Kernel{Linear{}, Polynomial{Degree: 3, Scale: 1e-3, Offset: 1}, Gaussian{Gamma: 1e-3}, nil,
			Sum{{1, Gaussian{Gamma: 1e-3}}, {1, Constant{Value: 1}}}}
		predictOutputs(svm{t, s.dir}, design.Matrix[float64](digits.X), sets, 10, ks)
	})
	t.Run("reports", func(t *testing.T) {
		data := os.Getenv("DUALGAP_DATA")
		if data == "" {
			t.Skip("DUALGAP_DATA does not name the folder of larger sets")
		}
		set, err := dataset.OpenLIBSVM[float64](filepath.Join(data, "tmc2007-500-train.mlsvm.gz"),
			dataset.LIBSVMOptions{Sets: true, MaxRows: 1000})
		if err != nil {
			t.Skip(err)
		}
		ks := []Kernel{Linear{}, Polynomial{Degree: 2, Scale: .1}, Gaussian{Gamma: .05}}
		predictOutputs(svm{t, s.dir}, design.Matrix[float64](set.X), set.Sets, 22, ks)
	})
}

// predictOutputs compares some outputs of models whose support vectors are among the first half of x. The kernel nil is
// a Gaussian one that is given as a matrix.
func predictOutputs(s svm, x design.Matrix[float64], sets [][]int, outputs int, ks []Kernel) {
	s.Helper()
	n, _ := x.Dims()
	half := make([]int, n/2)
	for i := range half {
		half[i] = i
	}
	train := design.Subset(x, half)
	y := make([]int, n)
	s.examples("all", x, y, false)
	for _, k := range ks {
		test, data, of := x, "all", k
		if k == nil {
			of = Gaussian{Gamma: 1e-3}
		}
		matrix, err := New(train, of, 0)
		if err != nil {
			s.Fatal(err)
		}
		if k == nil {
			values := vec.NewMatrix[float64](len(half), len(half))
			matrix.Rows(values, half, 1)
			if matrix, err = Precomputed(values); err != nil {
				s.Fatal(err)
			}
			test, data = &dataset.Dense[float64]{Matrix: values}, "given"
			s.examples("given", test, y, true)
		}
		m := means(s, matrix, sets[:len(half)], outputs)
		for c := 0; c < outputs; c += 7 {
			labels := [2]int{c + 1, -7}
			s.write("model", func(w io.Writer) error { return m.WriteLIBSVM(w, c, labels) })
			s.same(m, test, c, labels, 0, s.predict(data, "model"))
		}
	}
}

// A model without support vectors has scores of 0, and svm-predict knows the second label alone.
func TestSVMPredictNone(t *testing.T) {
	s := newSVM(t)
	x := draw[float64](rand.New(rand.NewPCG(41, 42)), 6, 4, 1)["dense"]
	k, err := New(x, Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewExpansion(k, vec.NewMatrix[float64](6, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.examples("all", x, make([]int, 6), false)
	s.write("model", func(w io.Writer) error { return m.WriteLIBSVM(w, 0, [2]int{1, -1}) })
	if got := s.predict("all", "model"); !slices.Equal(got, []int{-1, -1, -1, -1, -1, -1}) {
		t.Errorf("%v, want -1", got)
	}
}

// We predict with the models of svm-train what svm-predict does.
func TestSVMTrain(t *testing.T) {
	s := newSVM(t)
	digits := samples.Digits[float64]()
	x, y := design.Matrix[float64](digits.X), make([]int, digits.X.Rows)
	for i, c := range digits.Y {
		y[i] = 2*(c%2) - 1
	}
	s.examples("all", x, y, false)
	train := 600
	s.examples("train", &dataset.Dense[float64]{Matrix: digits.X.Slice(0, train, 0, digits.X.Cols)}, y[:train], false)
	for _, options := range []string{"-t 0", "-t 1 -d 2 -g .001 -r 1", "-t 2 -g .001", "-t 2 -g .001 -b 1"} {
		call := exec.Command("svm-train", append(strings.Fields(options+" -q"), s.file("train"), s.file("model"))...)
		if out, err := call.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		in, err := os.Open(s.file("model"))
		if err != nil {
			t.Fatal(err)
		}
		m, labels, rho, err := ReadLIBSVM[float64](in, digits.X.Cols)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		s.same(m, x, 0, labels, rho, s.predict("all", "model"))
	}
}
