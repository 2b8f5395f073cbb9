package m3l

import (
	"bytes"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// animals reads the classes of Animals with Attributes, "train" or "test", ±1 for each of the 85 attributes, and the
// columns of two of them.
func animals(t *testing.T, split string, names ...string) (attributes vec.Matrix[float64], columns []int) {
	t.Helper()
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "awa-attributes.csv"))
	if err != nil {
		t.Skip(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		columns = append(columns, slices.Index(lines[0], name)-2)
	}
	var rows [][]float64
	for _, line := range lines[1:] {
		if line[1] != split {
			continue
		}
		row := make([]float64, len(line)-2)
		for l, v := range line[2:] {
			row[l] = 2*float64(v[0]-'0') - 1
		}
		rows = append(rows, row)
	}
	return matrixOf(rows), columns
}

// TestPriorOfAnimals: black and weak go together in the training classes and exclude each other in the test classes, by
// their correlation, of class labels and of R with a constant attribute, which holds the means, alike; and such an R,
// of rank 10 for 85 attributes, is a prior.
func TestPriorOfAnimals(t *testing.T) {
	for split, want := range map[string]struct{ r, correlation float64 }{"train": {.2, .3421}, "test": {-.8, -.6667}} {
		attributes, columns := animals(t, split, "black", "weak")
		b, w := columns[0], columns[1]
		if attributes.Cols != 85 {
			t.Fatalf("%d attributes", attributes.Cols)
		}
		sets := make([][]int, attributes.Rows)
		with := vec.NewMatrix[float64](attributes.Rows, 86)
		for c := range sets {
			copy(with.Row(c), attributes.Row(c))
			with.Row(c)[85] = 1
			for l, v := range attributes.Row(c) {
				if v > 0 {
					sets[c] = append(sets[c], l)
				}
			}
		}
		r := mustPrior(t, with, nil, 0)
		mean := r.Row(85)
		covariance := r.At(b, w) - mean[b]*mean[w]
		spread := math.Sqrt((r.At(b, b) - mean[b]*mean[b]) * (r.At(w, w) - mean[w]*mean[w]))
		correlations, err := Correlations(sets, 85, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range map[string][2]float64{
			"R": {mustPrior(t, attributes, nil, 0).At(b, w), want.r}, "correlation": {correlations.At(b, w),
				want.correlation},
			"correlation by R": {covariance / spread, want.correlation},
		} {
			if math.Abs(v[0]-v[1]) > .5e-4 {
				t.Errorf("%s: %s of black and weak %v, want %v", split, name, v[0], v[1])
			}
		}
		for name, r := range map[string]vec.Matrix[float64]{"Prior": mustPrior(t, attributes, nil, 0),
			"Correlations": correlations} {
			if err := checkCoupling(r, 85); err != nil {
				t.Errorf("%s of %s: %v", name, split, err)
			}
		}
	}
}

func mustPrior(t *testing.T, attributes vec.Matrix[float64], p []float64, ridge float64) vec.Matrix[float64] {
	t.Helper()
	r, err := Prior(attributes, p, ridge)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPrior: small numbers, all of them exact.
func TestPrior(t *testing.T) {
	attributes := matrixOf([][]float64{{1, -1, 1}, {1, 1, -1}, {1, 1, -4}})
	for _, c := range []struct {
		p     []float64
		ridge float64
		want  [][]float64
	}{
		{[]float64{2, 6, 0}, 0, [][]float64{{1, .5, -.5}, {.5, 1, -1}, {-.5, -1, 1}}},
		{[]float64{.125, .375, 0}, .25, [][]float64{{1.25, .5, -.5}, {.5, 1.25, -1}, {-.5, -1, 1.25}}},
		{[]float64{math.MaxFloat64 / 2, 0, math.MaxFloat64 / 2}, .5, [][]float64{{2.75, 0, -1.5}, {0, 2.75, -2.5},
			{-1.5, -2.5, 10.25}}},
	} {
		r := mustPrior(t, attributes, c.p, c.ridge)
		for l, row := range c.want {
			if !slices.Equal(r.Row(l), row) {
				t.Errorf("p %v, ridge %v: row %d is %v, want %v", c.p, c.ridge, l, r.Row(l), row)
			}
		}
	}
	uniform := mustPrior(t, attributes, nil, 0)
	if want := mustPrior(t, attributes, []float64{3, 3, 3}, 0); !slices.Equal(uniform.Data, want.Data) {
		t.Errorf("no p: %v, equal p: %v", uniform, want)
	}
}

func TestPriorErrors(t *testing.T) {
	good := [][]float64{{1, -1}, {1, 1}}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		want       string
		attributes vec.Matrix[float64]
		p          []float64
		ridge      float64
	}{
		{"attributes of 0 classes and 0 labels", vec.Matrix[float64]{}, nil, 0},
		{"attributes of 2 classes and 0 labels", vec.NewMatrix[float64](2, 0), nil, 0},
		{"attributes of 11586 labels, want at most 11585", vec.NewMatrix[float64](1, 11586), nil, 0},
		{"3 numbers are too few", vec.Matrix[float64]{Rows: 2, Cols: 2, Stride: 2, Data: make([]float64, 3)}, nil, 0},
		{"3 probabilities for 2 classes", matrixOf(good), []float64{1, 2, 3}, 0},
		{"0 probabilities for 2 classes", matrixOf(good), []float64{}, 0},
		{"probability -1 of class 1", matrixOf(good), []float64{1, -1}, 0},
		{"probability NaN of class 0", matrixOf(good), []float64{nan, 1}, 0},
		{"probability +Inf of class 1", matrixOf(good), []float64{1, inf}, 0},
		{"all 2 probabilities are 0", matrixOf(good), []float64{0, 0}, 0},
		{"a ridge of -0.5", matrixOf(good), nil, -.5},
		{"a ridge of NaN", matrixOf(good), nil, nan},
		{"a ridge of +Inf", matrixOf(good), nil, inf},
		{"attribute -Inf of class 0, label 1", matrixOf([][]float64{{1, -inf}, {1, 1}}), nil, 0},
		{"R of labels 1 and 1 is +Inf", matrixOf([][]float64{{1, 1e200}, {1, 1}}), nil, 0},
		{"R of labels 0 and 0 is +Inf", matrixOf(good), nil, math.MaxFloat64},
	} {
		if c.ridge == math.MaxFloat64 {
			c.attributes = matrixOf([][]float64{{2, 2}})
		}
		if _, err := Prior(c.attributes, c.p, c.ridge); err == nil || !strings.HasPrefix(err.Error(), "m3l: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestCorrelations: counted by hand, with a label never seen and one that is always there.
func TestCorrelations(t *testing.T) {
	sets := [][]int{{4, 0, 1}, {4, 0}, {4, 1, 0}, {2, 4}, {4}, {4, 2}}
	r, err := Correlations(sets, 5, 0) // 0 with 1: (6 * 2 - 3 * 2)/sqrt(3 * 3 * 2 * 4)
	if err != nil {
		t.Fatal(err)
	}
	c, d := 6/math.Sqrt(72), -4/math.Sqrt(64)
	want := [][]float64{{1, c, -c, 0, 0}, {c, 1, d, 0, 0}, {-c, d, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}}
	half, err := Correlations(sets, 5, .5)
	if err != nil {
		t.Fatal(err)
	}
	for l, row := range want {
		if !slices.Equal(r.Row(l), row) {
			t.Errorf("row %d: %v, want %v", l, r.Row(l), row)
		}
		for k, v := range row {
			if k != l {
				v /= 2
			}
			if half.At(l, k) != v {
				t.Errorf("shrunk by .5, labels %d and %d: %v, want %v", l, k, half.At(l, k), v)
			}
		}
	}
	for _, r := range []vec.Matrix[float64]{r, half} {
		if err := checkCoupling(r, 5); err != nil {
			t.Error(err)
		}
	}
	same, err := Correlations([][]int{{0, 1}, {2}, {0, 1}}, 3, 0)
	if err != nil || same.At(0, 1) != 1 || same.At(0, 2) != -1 || same.At(2, 1) != -1 {
		t.Errorf("labels that always go together, or never: %v, %v", same, err)
	}
}

func TestCorrelationsErrors(t *testing.T) {
	good := [][]int{{0}, {1, 0}, {}}
	for _, c := range []struct {
		want   string
		sets   [][]int
		labels int
		shrink float64
	}{
		{"no examples", nil, 3, 0},
		{"correlations of 0 labels", good, 0, 0},
		{"correlations of 11586 labels", good, 11586, 0},
		{"label 1 of row 1, want one in 0..0", good, 1, 0},
		{"label -1 of row 0", [][]int{{2, -1}}, 3, 0},
		{"label 2 stands twice in row 1", [][]int{{}, {2, 0, 2}}, 3, 0},
		{"shrunk by -0.1", good, 2, -.1},
		{"shrunk by 1.5", good, 2, 1.5},
		{"shrunk by NaN", good, 2, math.NaN()},
	} {
		if _, err := Correlations(c.sets, c.labels, c.shrink); err == nil || !strings.HasPrefix(err.Error(), "m3l: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	set := []int{1, 0}
	if _, err := Correlations([][]int{set}, 2, 0); err != nil || set[0] != 1 {
		t.Errorf("%v, and the set is %v now", err, set)
	}
}

// TestCheckPrior: what is no prior is refused by its numbers. One eigenvalue below 0 is found wherever it lies, and low
// rank is accepted, in labels of very different sizes and with labels that nothing is known of.
func TestCheckPrior(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		r    vec.Matrix[float64]
	}{
		"misshapen":  {"R is 2-by-3 for 3 labels", vec.NewMatrix[float64](2, 3)},
		"other size": {"R is 2-by-2 for 3 labels", vec.NewMatrix[float64](2, 2)},
		"columns":    {"R is 0-by-3 for 3 labels", vec.Matrix[float64]{Cols: 3}},
		"short": {"8 numbers are too few", vec.Matrix[float64]{Rows: 3, Cols: 3, Stride: 3,
			Data: make([]float64, 8)}},
		"unsymmetric": {"R of labels 2 and 0 is 0.25, but of 0 and 2 0.5: not symmetric",
			matrixOf([][]float64{{1, 0, .5}, {0, 1, 0}, {.25, 0, 1}})},
		"NaN": {"R of labels 1 and 0 is 0 and NaN",
			matrixOf([][]float64{{1, math.NaN(), 0}, {0, 1, 0}, {0, 0, 1}})},
		"infinite": {"R of labels 1 and 1 is +Inf", matrixOf([][]float64{{1, 0, 0}, {0, math.Inf(1), 0}, {0, 0, 1}})},
		"diagonal": {"R of labels 2 and 2 is -1", matrixOf([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}})},
		"pair": {"R of labels 2 and 1 is 3, more than the 2 that their own 4 and 1 allow",
			matrixOf([][]float64{{1, 0, 0}, {0, 1, 3}, {0, 3, 4}})},
		"zero": {"R of labels 1 and 0 is 0.1, more than the 0 that",
			matrixOf([][]float64{{1, .1, 0}, {.1, 0, 0}, {0, 0, 1}})},
		"indefinite": {"beside labels 0 to 1, label 2 has -0.62 times its own R of 1 left",
			matrixOf([][]float64{{1, 0, .9}, {0, 1, .9}, {.9, .9, 1}})},
	} {
		if err := checkCoupling(c.r, 3); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := checkCoupling(vec.Matrix[float64]{}, 3); err != nil {
		t.Errorf("empty: %v", err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, labels := range []int{1, 8, 40, 100} {
		const rank = 5
		p := vec.NewMatrix[float64](rank, labels)
		for l := range labels {
			size := math.Exp(5 * rng.NormFloat64())
			if l%7 == 3 {
				size = 0
			}
			for j := range rank {
				p.Row(j)[l] = size * rng.NormFloat64()
			}
		}
		r := mustPrior(t, p, nil, 0)
		if err := checkCoupling(r, labels); err != nil {
			t.Errorf("rank 5 of %d labels: %v", labels, err)
		}
		if labels <= rank {
			continue
		}
		// The least eigenvalue of a correlation matrix of rank 5 is 0; less 1e-8 I it is -1e-8.
		scaled := vec.NewMatrix[float64](labels, labels)
		for l := range labels {
			for k := range labels {
				if s := r.At(l, l) * r.At(k, k); s > 0 {
					scaled.Row(l)[k] = r.At(l, k) / math.Sqrt(s)
				}
			}
			if r.At(l, l) == 0 {
				scaled.Row(l)[l] = 1
			}
		}
		if err := checkCoupling(scaled, labels); err != nil {
			t.Errorf("correlations of rank 5 of %d labels: %v", labels, err)
		}
		for l := range labels {
			scaled.Row(l)[l] -= 1e-8
		}
		if err := checkCoupling(scaled, labels); err == nil ||
			!strings.Contains(err.Error(), "not positive semidefinite") {
			t.Errorf("rank 5 of %d labels, less 1e-8: %v", labels, err)
		}
	}
}

// TestCheckPriorBounds: what R may be off by is what is promised, to a few roundoffs: of two equal labels, whose R has
// the eigenvalue -e, with L = 2, priorOff = 2⁻⁴⁰, u = 2⁻⁵³ and γ = 3u, e may be 2 (2⁻⁴⁰ + 4u + 2γ) = 8202 2⁻⁵².
func TestCheckPriorBounds(t *testing.T) {
	for _, c := range []struct {
		v, u float64
		want string
	}{
		{0x1p-39, 0, ""},
		{math.Nextafter(0x1p-39, 1), 0, "not symmetric"},
		{0, math.Nextafter(0x1p-39, 1), "not symmetric"},
		{1 + 8197*0x1p-52, 1 + 8197*0x1p-52, ""},
		{1 + 8207*0x1p-52, 1 + 8207*0x1p-52, "beside labels 0 to 0"},
		{1 + 0x1p-38, 1 + 0x1p-38, "beside labels 0 to 0"},
		{1 + 0x1p-38 + 0x1p-52, 1 + 0x1p-38 + 0x1p-52, ", more than the 1"},
	} {
		for _, size := range []float64{1, 0x1p40} { // of the second label
			root := math.Sqrt(size)
			r := matrixOf([][]float64{{1, c.u * root}, {c.v * root, size}})
			switch err := checkCoupling(r, 2); {
			case c.want == "" && err != nil:
				t.Errorf("%+v, size %v: %v", c, size, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%+v, size %v: %v, want %q", c, size, err, c.want)
			}
		}
	}
}
