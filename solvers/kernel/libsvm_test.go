package kernel

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
	"testing/iotest"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// ofKernel is a model of 4 examples of 3 features, whose second output has the coefficients -2, 0, .5 and 1: the second
// example is no support vector. It is precomputed where k is nil.
func ofKernel[T vec.Float](t testing.TB, k Kernel, thin bool) *Expansion[T] {
	t.Helper()
	x := &dataset.CSR[T]{Rows: 4, Cols: 3, Ptr: []int{0, 1, 1, 3, 3}, Idx: []int32{1, 0, 2}, Val: []T{.1, 3, -1e-40}}
	if thin {
		x.Cols = 40
	}
	var matrix *Matrix[T]
	var err error
	if k == nil {
		one := vec.NewMatrix[T](4, 4)
		for i := range 4 {
			one.Row(i)[i] = 1
		}
		matrix, err = Precomputed(one)
	} else {
		matrix, err = New(design.Matrix[T](x), k, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewExpansion(matrix, vec.MatrixOf(4, 2, []T{1, -2, 0, 0, 1, .5, 0, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWriteLIBSVM(t *testing.T) {
	const rest = "nr_class 2\ntotal_sv 3\nrho 0\nlabel 7 -1\nnr_sv 2 1\nSV\n"
	shifted := Sum{{1, Gaussian{Gamma: .1}}, {2, Constant{Value: 2}}} // its coefficients sum to -.5
	for _, c := range []struct {
		k            Kernel
		kernel, rows string
	}{
		{Linear{}, "linear\n", "0.5 1:3 3:-1e-40 \n1 \n-2 2:0.1 \n"},
		{Polynomial{Degree: 3}, "polynomial\ndegree 3\ngamma 1\ncoef0 0\n", "0.5 1:3 3:-1e-40 \n1 \n-2 2:0.1 \n"},
		{Polynomial{Degree: 2, Scale: .25, Offset: 1.5}, "polynomial\ndegree 2\ngamma 0.25\ncoef0 1.5\n",
			"0.5 1:3 3:-1e-40 \n1 \n-2 2:0.1 \n"},
		{Gaussian{Gamma: .1}, "rbf\ngamma 0.1\n", "0.5 1:3 3:-1e-40 \n1 \n-2 2:0.1 \n"},
		{shifted, "rbf\ngamma 0.1\n", "0.5 1:3 3:-1e-40 \n1 \n-2 2:0.1 \n"},
		{nil, "precomputed\n", "0.5 0:3 \n1 0:4 \n-2 0:1 \n"},
	} {
		for _, thin := range []bool{false, true} {
			m := ofKernel[float64](t, c.k, thin)
			if _, is := m.vectors.(*sparseVectors[float64]); c.k != nil && is != thin {
				t.Errorf("vectors are %T", m.vectors)
			}
			var got strings.Builder
			if err := m.WriteLIBSVM(&got, 1, [2]int{7, -1}); err != nil {
				t.Fatal(err)
			}
			want := "svm_type c_svc\nkernel_type " + c.kernel + rest + c.rows
			if _, is := c.k.(Sum); is {
				want = strings.Replace(want, "rho 0", "rho 2", 1)
			}
			if got.String() != want {
				t.Errorf("%q, want %q", got.String(), want)
			}
		}
	}
	var got strings.Builder
	if err := ofKernel[float32](t, Linear{}, true).WriteLIBSVM(&got, 1, [2]int{7, -1}); err != nil {
		t.Fatal(err)
	}
	if want := "\n-2 2:0.10000000149011612 \n"; !strings.HasSuffix(got.String(), want) {
		t.Errorf("%q, want %q in the end", got.String(), want)
	}
}

func TestWriteLIBSVMErrors(t *testing.T) {
	linear := ofKernel[float64](t, Linear{}, false)
	write := func(k Kernel) error { return ofKernel[float64](t, k, false).WriteLIBSVM(io.Discard, 0, [2]int{1, 2}) }
	for want, err := range map[string]error{
		"kernel: output 2 of a model of 2 outputs":         linear.WriteLIBSVM(io.Discard, 2, [2]int{1, 2}),
		"kernel: output -1 of a model of 2 outputs":        linear.WriteLIBSVM(io.Discard, -1, [2]int{1, 2}),
		"kernel: label 3 stands for the classes 0 and 1":   linear.WriteLIBSVM(io.Discard, 0, [2]int{3, 3}),
		"kernel: LIBSVM has no kernel kernel.Sum; it has":  write(Sum{{1, Linear{}}}),
		"kernel: LIBSVM has no kernel kernel.Constant; it": write(Sum{{1, Constant{1}}, {1, Constant{1}}}),
		"kernel: the zero Expansion has no coefficients": new(Expansion[float64]).WriteLIBSVM(io.Discard, 0,
			[2]int{1, 2}),
		"kernel: LIBSVM has no kernel kernel.centred; it has": (&Expansion[float64]{k: centred{},
			c: linear.c}).WriteLIBSVM(io.Discard, 0, [2]int{1, 2}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if strconv.IntSize == 64 {
		degree := int64(1) << 31
		if err := write(Polynomial{Degree: int(degree), Scale: .1}); err == nil ||
			!strings.Contains(err.Error(), "Degree 2147483648") {
			t.Error(err)
		}
	}
}

// What is read has the scores of what was written, and is written as the same text.
func TestLIBSVMRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	const n, d = 30, 9
	for _, density := range []float64{.05, 1} {
		for storage, x := range draw[float64](rng, n, d, density) {
			for _, k := range kernels[:5] {
				matrix, err := New(x, k, 0)
				if err != nil {
					t.Fatal(err)
				}
				roundTrip(t, storage, matrix, coefficients[float64](rng, n, 3), d, x)
			}
		}
	}
	values := vec.NewMatrix[float64](n, n)
	for i := range n {
		values.Row(i)[i] = 1 + rng.Float64()
	}
	given, err := Precomputed(values)
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, "given", given, coefficients[float64](rng, n, 2), n, &dataset.Dense[float64]{Matrix: values})
}

func roundTrip(t *testing.T, name string, k *Matrix[float64], a vec.Matrix[float64], d int,
	x design.Matrix[float64]) {
	t.Helper()
	m, err := NewExpansion(k, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	examples, _ := x.Dims()
	scores := vec.NewMatrix[float64](examples, a.Cols)
	if err := m.Scores(scores, x, nil); err != nil {
		t.Fatal(err)
	}
	for output := range a.Cols {
		var text, again bytes.Buffer
		if err := m.WriteLIBSVM(&text, output, [2]int{5, -6}); err != nil {
			t.Fatal(err)
		}
		want := text.String()
		got, labels, rho, err := ReadLIBSVM[float64](&text, d)
		if err != nil {
			t.Fatalf("%s, %#v: %v", name, k.Kernel(), err)
		}
		if features, outputs := got.Dims(); features != d || outputs != 1 || labels != [2]int{5, -6} || rho != 0 {
			t.Fatalf("%d features, %d outputs, labels %v, rho %v", features, outputs, labels, rho)
		}
		if err := got.WriteLIBSVM(&again, 0, labels); err != nil || again.String() != want {
			t.Errorf("%s, %#v: written again %q, want %q, error %v", name, k.Kernel(), again.String(), want, err)
		}
		dst := vec.NewMatrix[float64](examples, 1)
		if err := got.Scores(dst, x, nil); err != nil {
			t.Fatal(err)
		}
		for i := range examples {
			// Two sums of the same terms in different orders, of vectors that are stored in different ways, as in
			// expansion, each off by that bound.
			bound := 0.0
			for p, j := range m.c.Support {
				v, size := 0.0, 0.0
				if k.Kernel() == nil {
					v = x.(*dataset.Dense[float64]).Row(i)[j]
					size = v
				} else {
					pair := vec.NewMatrix[float64](2, d)
					x.Gather(pair, []int{i, j})
					v, size = value(k.Kernel(), pair.Row(0), pair.Row(1))
				}
				bound += math.Abs(m.c.A.Row(p)[output]) * 0x1p-52 * (4*float64(d+3)*size +
					float64(len(m.c.Support)+3)*math.Abs(v))
			}
			if diff := math.Abs(dst.Data[i] - scores.Row(i)[output]); diff > 2*bound {
				t.Fatalf("%s, %#v: score %v of row %d, before %v", name, k.Kernel(), dst.Data[i], i,
					scores.Row(i)[output])
			}
		}
	}
}

const head = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nprobA " +
	"-2\nprobB 0\nnr_sv 1 1\nSV\n"

// The example of svm-train's text: rho and what the text leaves open.
func TestReadLIBSVM(t *testing.T) {
	m, labels, rho, err := ReadLIBSVM[float32](strings.NewReader(head+"1 1:1 4:-2 \n-1e0\t2:0 3:7\r\n\n"), 0)
	if err != nil {
		t.Fatal(err)
	}
	d, outputs := m.Dims()
	if d != 4 || outputs != 1 || m.Len() != 2 || !slices.Equal(m.Support(), []int{0, 1}) ||
		m.Kernel() != (Gaussian{.5}) ||
		!slices.Equal(m.Coefficients().Data, []float32{1, -1}) || labels != [2]int{1, -1} || rho != .25 {
		t.Errorf("%d features, %d outputs, %d examples, support %v, kernel %v, coefficients %v, labels %v, rho %v",
			d, outputs, m.Len(), m.Support(), m.Kernel(), m.Coefficients(), labels, rho)
	}
	given := strings.Replace(head, "rbf\ngamma 0.5", "precomputed", 1)
	m, _, _, err = ReadLIBSVM[float32](strings.NewReader(given+"1 0:9\n-2 0:3"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := m.Dims(); d != 9 || m.Len() != 9 || !slices.Equal(m.Support(), []int{2, 8}) ||
		!slices.Equal(m.Coefficients().Data, []float32{-2, 1}) {
		t.Errorf("%d features, %d examples, support %v, coefficients %v", d, m.Len(), m.Support(), m.Coefficients())
	}
}

func TestReadLIBSVMErrors(t *testing.T) {
	given := strings.Replace(head, "rbf\ngamma 0.5", "precomputed", 1)
	with := func(old, new string) string { return strings.Replace(head, old, new, 1) + "1 1:1\n-1 2:1\n" }
	for text, want := range map[string]string{
		"":                                      "kernel: LIBSVM model, line 1: the text ends",
		"solver_type MCSVM_CS":                  `line 1: "solver_type", want a line of a c_svc model's header`,
		with("c_svc", "nu_svr"):                 `line 1: svm_type "nu_svr", want c_svc`,
		with("rbf", "sigmoid"):                  `kernel_type "sigmoid", want linear, polynomial, rbf or precomputed`,
		with("gamma 0.5", ""):                   "Gaussian of Gamma 0, want a finite number above 0",
		with("rbf", "polynomial"):               "polynomial of Degree 0, want at least 1",
		with("0.5", "0 coef0 -1"):               "Gaussian of Gamma 0",
		with("class 2", "class 3"):              "line 4: nr_class 3, want 2",
		with("rho 0.25\n", ""):                  "SV before svm_type, kernel_type, nr_class, label or rho",
		with("label 1 -1\n", ""):                "SV before svm_type",
		with("rho 0.25", "rho nan"):             `line 6: rho "nan"`,
		with("nr_sv 1 1", "nr_sv 1"):            `an integer from 0`,
		with("nr_sv 1 1", "nr_sv 2147483646 1"): "nr_sv 2147483646 and 1, want 2147483646 at most",
		with("nr_sv 1 1", ""):                   "SV with total_sv 2 and nr_sv of -1 in all",
		with("sv 2", "sv 3"):                    "SV with total_sv 3 and nr_sv of 2 in all",
		with("label 1 -1", "label 1 1"):         "label 1 stands for the classes 0 and 1",
		head:                                    "the text ends after 0 of 2 support vectors",
		head + "1 1:1\n":                        "the text ends after 1 of 2 support vectors",
		head + "1 1:1\n-1\n1 1:1":               `line 14: "1" after the last of 2 support vectors`,
		head + "1:1 1:1\n":                      `line 12: "1:1", want a coefficient`,
		head + "1 1:1 1\n":                      `line 12: "1", want index:value`,
		strings.TrimSpace(head) + " 1 1:1\n":    `line 11: "1", want index:value`,
		head + "1 1:1 1:2":                      "index 1 after 1",
		head + "1 2:0 1:2":                      "index 1 after 2",
		head + "1 0:1":                          `index "0", want an integer from 1 to 9`,
		head + "1 10:1":                         `index "10", want an integer from 1 to 9`,
		head + "1 1:x":                          `value "x"`,
		head + "1 1:1:1":                        `value "1:1"`,
		head + "1 1:1e39":                       "value 1e+39 is beyond float32",
		head + "-1e39 1:1":                      "coefficient -1e+39 is beyond float32",
		head + "1 1:1e19\n-1 1:1":               "|x|² = 1e+38 of row 0, want at most",
		given + "1 0:1\n-1 0:1":                 "kernel: LIBSVM model: example 1 is a support vector twice",
		given + "1 0:10":                        `number of an example "10", want an integer from 1 to 9`,
		given + "1 1:1":                         `"1:1" of support vector 0, want 0:number, once`,
		given + "1 0:1 0:2":                     `"0:2" of support vector 0, want 0:number, once`,
		given + "1\n-1 0:2":                     `"0:2" of support vector 1, want 0:number, once`,
		given + "1 0:1\n-1":                     "the text ends after support vector 1, want 0:number",
	} {
		if _, _, _, err := ReadLIBSVM[float32](strings.NewReader(text), 9); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, _, _, err := ReadLIBSVM[float32](strings.NewReader(head), -1); err == nil ||
		!strings.Contains(err.Error(), "-1 features") {
		t.Error(err)
	}
	broken := errors.New("broken")
	if _, _, _, err := ReadLIBSVM[float32](io.MultiReader(strings.NewReader(head+"1 "), iotest.ErrReader(broken)),
		9); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's", err)
	}
}

// Whatever is read is written, read, and written as the same, and can be used.
func FuzzReadLIBSVMText(f *testing.F) {
	for _, text := range damage.Seeds([]byte(head+"1 1:1 4:-2\n-1 2:3\n"), damage.Text, 20) {
		f.Add(string(text), 0)
	}
	f.Add(strings.Replace(head, "rbf\ngamma 0.5", "precomputed", 1)+"-1 0:2\n1 0:1\n", 3)
	f.Add(strings.Replace(head, "rbf", "polynomial\ncoef0 1\ndegree 2", 1)+"1\n0 2147483646:1", 0)
	f.Add("svm_type c_svc kernel_type linear nr_class 2 total_sv 0 rho 0 label 1 0 nr_sv 0 0 SV", 0)
	f.Add(strings.Replace(head, "nr_sv 1 1", "nr_sv 2147483646 0", 1), 0)
	f.Fuzz(func(t *testing.T, text string, features int) {
		m, labels, _, err := ReadLIBSVM[float64](strings.NewReader(text), features)
		if err != nil {
			return
		}
		d, _ := m.Dims()
		write := func(m *Expansion[float64]) []byte {
			var b bytes.Buffer
			if err := m.WriteLIBSVM(&b, 0, labels); err != nil {
				t.Fatal(err)
			}
			return b.Bytes()
		}
		first := write(m)
		again, labels2, rho, err := ReadLIBSVM[float64](bytes.NewReader(first), d)
		if err != nil || labels2 != labels || rho != 0 {
			t.Fatalf("%q: labels %v, rho %v, error %v", first, labels2, rho, err)
		}
		if second := write(again); !bytes.Equal(first, second) {
			t.Errorf("%q, read again %q", first, second)
		}
		x := &dataset.CSR[float64]{Rows: 2, Cols: d, Ptr: []int{0, 1, 1}, Idx: []int32{int32(d - 1)}, Val: []float64{1}}
		if d <= 1<<20 || m.Kernel() != nil { // a precomputed kernel takes all d numbers of an example
			if err := m.ScoresWorkers(vec.NewMatrix[float64](2, 1), x, nil, 1); err != nil {
				t.Error(err)
			}
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadExpansion[float64](&file); err != nil {
			t.Error(err)
		}
	})
}
