package descriptor

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

func TestSIFT(t *testing.T) {
	if n := SIFT(made(64, 64, func(x, y int) float64 { return 0.5 })).X.Rows; n != 0 {
		t.Errorf("%d patches of a constant image", n)
	}
	if n := SIFT(noise(15, 40)).X.Rows; n != 0 {
		t.Errorf("%d patches of an image smaller than one", n)
	}
	p := noise(64, 70)
	a, b, dim := SIFT(p), SIFT(p.turned()), SIFT(p.dimmed())
	if a.X.Rows != 9*10 || b.X.Rows != a.X.Rows || dim.X.Rows != a.X.Rows {
		t.Fatalf("%d, %d and %d patches, want 90", a.X.Rows, b.X.Rows, dim.X.Rows)
	}
	of := map[[2]int][]float32{}
	for i, at := range b.At {
		of[at] = b.X.Row(i)
	}
	for i, at := range a.At {
		x := a.X.Row(i)
		near(t, "norm", float64(vec.Norm(x)), 1, 1e-5)
		turned := of[[2]int{p.H - at[1], at[0]}]
		if turned == nil {
			t.Fatalf("no turned patch of %v", at)
		}
		for k, v := range x {
			row, column, o := k/32, k/8%4, k%8
			near(t, "turned", float64(turned[(column*4+3-row)*8+(o+2)%8]), float64(v), 1e-4)
			near(t, "dimmed", float64(dim.X.Row(i)[k]), float64(v), 1e-4)
		}
	}
	edge := SIFT(made(64, 64, func(x, y int) float64 { return step(y, 30) }))
	for i := range edge.X.Rows {
		for k, v := range edge.X.Row(i) {
			if k%8 != 2 && v > 1e-4 {
				t.Fatalf("patch %d of an edge downwards has %v in direction %d", i, v, k%8)
			}
		}
	}
}

// rows are n rows of three well parted groups, d wide; group g has about g+1 of six, mean g in each column, and
// deviation 0.1 (column + 1) / d.
func rows(n, d int) vec.Matrix[float32] {
	x, r := vec.NewMatrix[float32](n, d), rand.New(rand.NewPCG(3, 4))
	for i := range n {
		g := []int{0, 1, 1, 2, 2, 2}[i%6]
		for j := range d {
			x.Row(i)[j] = float32(float64(g) + 0.1*float64(j+1)/float64(d)*r.NormFloat64())
		}
	}
	return x
}

func TestWords(t *testing.T) {
	x, last := rows(3000, 5), math.Inf(1)
	for iterations := range 8 {
		words := Words(x, 7, iterations, 1)
		loss := 0.0
		for i, c := range Nearest(x, words) {
			d := vec.SquaredDistance(x.Row(i), words.Row(c))
			for o := range words.Rows {
				if vec.SquaredDistance(x.Row(i), words.Row(o)) < d-1e-6 {
					t.Fatalf("row %d: word %d is nearer than %d", i, o, c)
				}
			}
			loss += float64(d)
		}
		if loss > last*(1+1e-6) {
			t.Errorf("%d iterations: loss %v, was %v", iterations, loss, last)
		}
		last = loss
	}
	if last/3000 > 5*0.01 { // each group has a word: its variance is below 0.01 a column
		t.Errorf("mean loss %v", last/3000)
	}
	p := SIFT(noise(64, 70))
	counts := Counts(p, Words(p.X, 10, 3, 1), 3)
	for l := range 3 {
		near(t, "counts of a level", total(counts[first(l)*10:first(l+1)*10]), float64(p.X.Rows), 0)
	}
	if empty := Counts(Patches{Width: 3, Height: 3}, vec.NewMatrix[float32](10, 4), 3); total(empty) != 0 {
		t.Error("words of no patches")
	}
}

func TestEM(t *testing.T) {
	x := rows(1200, 4)
	means := vec.MatrixOf(3, 4, []float32{0.3, 0.3, 0.3, 0.3, 0.8, 1.5, 1, 1, 1.7, 2, 2, 2.2})
	m, history := EM(x, means, 25, 1e-4)
	for k := 1; k < len(history); k++ {
		if history[k] < history[k-1]-1e-10 {
			t.Errorf("log-likelihood %v after %v", history[k], history[k-1])
		}
	}
	for g, w := range m.Weights {
		near(t, "weight", w, float64(g+1)/6, 1e-3)
		for j := range 4 {
			near(t, "mean", m.Means.Row(g)[j], float64(g), 0.03)
			near(t, "deviation", math.Sqrt(m.Variance.Row(g)[j]), 0.1*float64(j+1)/4, 0.01)
		}
	}
	for _, v := range m.Gradient(x) { // the optimum
		near(t, "gradient", float64(v), 0, 1e-3)
	}
	near(t, "log-likelihood", history[len(history)-1], logLikelihood(m, x), 1e-6)
}

// logLikelihood is the mean of log p over the rows, by the definition.
func logLikelihood(m *Mixture, x vec.Matrix[float32]) (sum float64) {
	for i := range x.Rows {
		p := 0.0
		for c, w := range m.Weights {
			for j, v := range x.Row(i) {
				variance := m.Variance.Row(c)[j]
				z := float64(v) - m.Means.Row(c)[j]
				w *= math.Exp(-z*z/(2*variance)) / math.Sqrt(2*math.Pi*variance)
			}
			p += w
		}
		sum += math.Log(p) / float64(x.Rows)
	}
	return sum
}

// TestGradient: Fisher's gradient is the one of finite differences, each by the root of Fisher's information.
func TestGradient(t *testing.T) {
	m := &Mixture{[]float64{0.2, 0.5, 0.3}, vec.MatrixOf(3, 2, []float64{0, 0.4, 0.9, 1.2, 1.7, 2.5}),
		vec.MatrixOf(3, 2, []float64{0.3, 0.2, 0.5, 0.1, 0.2, 0.9})}
	x := rows(60, 2)
	got := m.Gradient(x)
	const h = 1e-5
	slope := func(set func(by float64)) float64 {
		set(h)
		above := logLikelihood(m, x)
		set(-2 * h)
		below := logLikelihood(m, x)
		set(h)
		return (above - below) / (2 * h)
	}
	for c, w := range m.Weights {
		for j := range 2 {
			mean, variance := &m.Means.Row(c)[j], &m.Variance.Row(c)[j]
			s := math.Sqrt(*variance)
			want := slope(func(by float64) { *mean += by }) * s / math.Sqrt(w)
			near(t, "by a mean", float64(got[c*2+j]), want, 1e-5)
			want = slope(func(by float64) { r := math.Sqrt(*variance) + by; *variance = r * r }) * s / math.Sqrt(2*w)
			near(t, "by a deviation", float64(got[6+c*2+j]), want, 1e-5)
		}
	}
	fv := m.FisherVector(x)
	near(t, "norm", float64(vec.Norm(fv)), 1, 1e-6)
	for i, v := range fv {
		ratio := float64(v) * math.Abs(float64(v)) / float64(got[i])
		near(t, "power", ratio, float64(fv[0])*math.Abs(float64(fv[0]))/float64(got[0]), 1e-4*math.Abs(ratio))
	}
	if none := m.FisherVector(vec.NewMatrix[float32](0, 2)); len(none) != 12 || total(none) != 0 {
		t.Errorf("of no rows: %v", none)
	}
}
