package exchange

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/vec"
)

// runtime computes the values of a graph for one example, as the definitions of the operators say, in float64: an
// oracle that shares nothing with ReadONNX but the messages.
type runtime struct {
	t      *testing.T
	values map[string][]float64
	labels map[string]string

	// Of each score the sum of the magnitudes of its terms, times the number of roundings of one term and their sum: an
	// error of float32 is at most 2^-24 times that, to first order.
	bounds []float64
}

// run returns the values and the labels of a graph.
func run(t *testing.T, m *onnx.Model, x []float64) runtime {
	t.Helper()
	r := runtime{t: t, values: map[string][]float64{m.Graph.Inputs[0].Name: x}, labels: map[string]string{}}
	for i := range m.Graph.Nodes {
		n := &m.Graph.Nodes[i]
		if len(n.In) == 0 || r.values[n.In[0]] == nil {
			t.Fatalf("%s before what it reads: %q", n.Op, n.In)
		}
		a := &onnx.Attrs{Node: n}
		r.node(a, r.values[n.In[0]])
		if a.Err != nil {
			t.Fatal(a.Err)
		}
	}
	for _, o := range m.Graph.Outputs {
		columns := len(r.values[o.Name])
		if m.Graph.Nodes[len(m.Graph.Nodes)-1].Op == "SVMClassifier" {
			columns = max(columns, 2) // of two classes runtimes return the score of each
		}
		if len(o.Dims) == 2 && o.Dims[1].Size != int64(columns) {
			t.Fatalf("%q has %d columns, and the file tells of %d", o.Name, columns, o.Dims[1].Size)
		}
	}
	return r
}

func (r *runtime) node(a *onnx.Attrs, x []float64) {
	last := a.Out[len(a.Out)-1]
	switch a.Op {
	case "Scaler":
		offset, scale := a.Floats("offset"), a.Floats("scale")
		for j, v := range x {
			r.values[last] = append(r.values[last], (v-float64(offset[j]))*float64(scale[j]))
		}
	case "Normalizer":
		norm := 0.
		for _, v := range x {
			norm += v * v
		}
		for _, v := range x {
			r.values[last] = append(r.values[last], v/math.Sqrt(norm))
		}
	case "LinearClassifier", "LinearRegressor":
		w := a.Floats("coefficients")
		for c, b := range a.Floats("intercepts") {
			row := w[c*len(x) : (c+1)*len(x)]
			r.values[last] = append(r.values[last], float64(b)+product(row, x))
			r.bounds = append(r.bounds, float64(len(x)+6)*(math.Abs(float64(b))+product(absolute(row), absolute(x))))
		}
		if a.Op == "LinearClassifier" {
			best := slices.Index(r.values[last], slices.Max(r.values[last]))
			r.labels[a.Out[0]] = labelAt(a, best)
		}
	case "SVMClassifier":
		r.values[last], r.bounds, r.labels[a.Out[0]] = oneAgainstOne(a, x)
	case "SVMRegressor":
		z, sum := a.Floats("support_vectors"), float64(a.Floats("rho")[0])
		if n := len(a.Floats("coefficients")); int64(n) != a.Int("n_supports", 0) || n*len(x) != len(z) {
			r.t.Fatalf("%d coefficients of %d numbers", n, len(z))
		}
		bound := math.Abs(sum) * 16
		for p, v := range a.Floats("coefficients") {
			row := z[p*len(x) : (p+1)*len(x)]
			sum += float64(v) * value(a, row, x)
			bound += math.Abs(float64(v)) * roundings(a, row, x)
		}
		r.values[last], r.bounds = []float64{sum}, append(r.bounds, bound)
	case "Concat":
		for _, name := range a.In {
			r.values[last] = append(r.values[last], r.values[name]...)
		}
	case "Binarizer":
		t, _ := a.Find("threshold", onnx.KindFloat)
		for _, v := range x {
			above := 0.
			if float32(v) > t.Float {
				above = 1
			}
			r.values[last] = append(r.values[last], above)
		}
	case "Cast":
		if a.Int("to", 0) != onnx.Int64 {
			r.t.Fatalf("a Cast to type %d", a.Int("to", 0))
		}
		r.values[last] = x
	default:
		r.t.Fatalf("the operator %s", a.Op)
	}
}

func labelAt(a *onnx.Attrs, c int) string {
	if ints := a.Ints("classlabels_ints"); ints != nil {
		return fmt.Sprint(ints[c])
	}
	return a.Strings("classlabels_strings")[c]
}

func product(z []float32, x []float64) (sum float64) {
	for j, v := range z {
		sum += float64(v) * x[j]
	}
	return sum
}

// value is the kernel of a support vector and an example.
func value(a *onnx.Attrs, z []float32, x []float64) float64 {
	p := a.Floats("kernel_params")
	switch a.String("kernel_type", "") {
	case "LINEAR":
		return product(z, x)
	case "POLY":
		return math.Pow(float64(p[0])*product(z, x)+float64(p[1]), float64(p[2]))
	}
	distance := 0.
	for j, v := range z {
		distance += (float64(v) - x[j]) * (float64(v) - x[j])
	}
	return math.Exp(-float64(p[0]) * distance)
}

func absolute[T vec.Float](x []T) []T {
	y := slices.Clone(x)
	for j, v := range y {
		y[j] = max(v, -v)
	}
	return y
}

// roundings bounds a kernel's value in units of 2^-24, of which a sum of up to 40 terms and 16 further operations may
// each be off one, in the value itself, and in what the value is computed from.
func roundings(a *onnx.Attrs, z []float32, x []float64) float64 {
	p := a.Floats("kernel_params")
	z, x = absolute(z), absolute(x)
	switch n := float64(len(x) + 50); a.String("kernel_type", "") {
	case "LINEAR":
		return n * product(z, x)
	case "POLY":
		return float64(p[2]+1) * n * math.Pow(float64(p[0])*product(z, x)+float64(p[1]), float64(p[2]))
	default: // e^-t has the error e^-t of the error of t = gamma |x - z|², by inner products
		norms := product(z, x)
		for j, v := range z {
			norms += float64(v*v)/2 + x[j]*x[j]/2
		}
		return n * (1 + 2*float64(p[0])*norms)
	}
}

// oneAgainstOne returns the decision of each pair of classes with bounds as runtime has them, and the label with most
// votes. As in LIBSVM, coefficients have a column for each support vector and a row for each other class.
func oneAgainstOne(a *onnx.Attrs, x []float64) (scores, bounds []float64, label string) {
	counts, z, a1 := a.Ints("vectors_per_class"), a.Floats("support_vectors"), a.Floats("coefficients")
	total, start := 0, make([]int, len(counts))
	for c, n := range counts {
		start[c] = total
		total += int(n)
	}
	k, r := make([]float64, total), make([]float64, total)
	for p := range k {
		row := z[p*len(x) : (p+1)*len(x)]
		k[p], r[p] = value(a, row, x), roundings(a, row, x)
	}
	votes, rho := make([]int, len(counts)), a.Floats("rho")
	for i := range counts {
		for j := i + 1; j < len(counts); j++ {
			s := float64(rho[len(scores)])
			bound := 16 * math.Abs(s)
			for p := start[i]; p < start[i]+int(counts[i]); p++ {
				s += float64(a1[(j-1)*total+p]) * k[p]
				bound += math.Abs(float64(a1[(j-1)*total+p])) * r[p]
			}
			for p := start[j]; p < start[j]+int(counts[j]); p++ {
				s += float64(a1[i*total+p]) * k[p]
				bound += math.Abs(float64(a1[i*total+p])) * r[p]
			}
			bounds = append(bounds, bound)
			if scores = append(scores, s); s > 0 {
				votes[i]++
			} else {
				votes[j]++
			}
		}
	}
	return scores, bounds, labelAt(a, slices.Index(votes, slices.Max(votes)))
}

// 100 random models have in a runtime of ONNX the scores that they have here, and decide as they do.
func TestRuntime(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 100 {
		m := randomModel[float32](t, rng)
		d, outputs := m.Dims()
		o := optionsFor(rng, outputs, m.Linear != nil)
		var b bytes.Buffer
		if err := WriteONNX(&b, m, o); err != nil {
			t.Fatal(err)
		}
		file, err := onnx.Parse(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		scaling, err := dataset.ScalingOf(m.Notes())
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			raw, row := make([]float64, d), matrix[float32](rng, 1, d, 0)
			vec.Convert(raw, row.Data)
			if err := dataset.ScaleRow(row.Data, scaling, row.Data, nil); err != nil {
				t.Fatal(err)
			}
			own := vec.NewMatrix[float32](1, outputs)
			if err := m.Scores(own, &dataset.Dense[float32]{Matrix: row}, nil); err != nil {
				t.Fatal(err)
			}
			compare(t, run(t, file, raw), own.Data, m.Names(), o, m.Kernel != nil)
		}
	}
}

// compare compares the values of a graph with the scores of a model.
func compare(t *testing.T, r runtime, own []float32, names []string, o ONNXOptions, kernel bool) {
	t.Helper()
	want := own
	if kernel && o.Decision == Classes {
		want = nil
		for i := range own {
			for _, v := range own[i+1:] {
				want = append(want, own[i]-v)
			}
		}
	}
	if len(r.values["scores"]) != len(want) {
		t.Fatalf("%d scores, want %d", len(r.values["scores"]), len(want))
	}
	for c, v := range r.values["scores"] {
		if e := math.Abs(v - float64(want[c])); !(e <= 0x1p-24*r.bounds[c]) {
			t.Errorf("%v: score %d is %v, want %v: off by %v, want %v at most", o, c, v, want[c], e,
				0x1p-24*r.bounds[c])
		}
	}
	sorted := slices.Sorted(slices.Values(own))
	if last := len(sorted) - 1; o.Decision == Classes && sorted[last]-sorted[last-1] > 1e-4 {
		best := slices.Index(own, sorted[last])
		label := fmt.Sprint(best)
		if names != nil {
			label = names[best]
		}
		if r.labels["label"] != label {
			t.Errorf("label %q, want %q: %v", r.labels["label"], label, own)
		}
	}
	for c, v := range own {
		switch {
		case o.Decision == Labels && v*v > 1e-8 && r.values["labels"][c] == 1 != (v > 0),
			o.Decision == Ranks && math.Abs(float64(v)-o.Threshold) > 1e-4 &&
				r.values["positive"][c] == 1 != (float64(v) >= o.Threshold):
			t.Errorf("%v of the score %v: %v and %v", o, v, r.values["labels"], r.values["positive"])
		case o.OneClass && r.values["label"][0] != 2*r.values["positive"][0]-1:
			t.Errorf("%v of the score %v: label %v, positive %v", o, v, r.values["label"], r.values["positive"])
		}
	}
}
