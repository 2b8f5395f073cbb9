package main

import (
	"context"
	"slices"
	"time"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// unseen are the classes without training examples: pullover, dress, sneaker. Each has attributes that others have, in
// a way that no other has them: long sleeves without a front that opens, where all else with long sleeves opens; torso
// and legs covered at once; toes hidden, but not the ankle. What the other classes teach about attributes that go
// together is wrong for them. They were chosen for that, before anything was trained.
var unseen = []int{2, 3, 7}

// What the zero-shot models are trained with: the ridge of m3l.Prior, and what C is chosen from. Of each method it is
// the C with the fewest wrong attributes where three of the other classes are taken for unseen: the seven triples k,
// k+1, k+3 modulo 7, in which each two classes are together once.
const zeroShotRidge = .1

var zeroShotCosts = []float64{1e-5, 1e-4, 1e-3, 1e-2}

// ZeroShot is what is known of models that tell the attributes of classes which they have never seen.
type ZeroShot struct {
	Method  string
	C       float64
	Hamming float64 // fraction of wrong attributes of test examples of unseen classes
	Named   float64 // fraction of these whose class has the nearest attributes of the unseen ones
	Seconds float64 // of training, the choice of C included
}

// zeroShot is examples, their classes, and what these are like.
type zeroShot struct {
	x, test    solvers.Features[float32]
	y, testY   []int
	classes    []string
	names      []string
	attributes vec.Matrix[float64] // of each class, ±1
	tol        float64
}

func newZeroShot(o options) *zeroShot {
	train, test := samples.FashionMNIST[float32]()
	p := &problem{options: o}
	z := &zeroShot{classes: train.Classes, tol: o.tol}
	z.x, z.y = p.part(train)
	z.test, z.testY = p.part(test)
	z.names, z.attributes = samples.FashionAttributes()
	return z
}

// zeroShotAll trains with and without the prior, and reports both.
func zeroShotAll(ctx context.Context, z *zeroShot, b *progress.Bar, out report) error {
	if err := out.zeroShotProblem(z); err != nil {
		return err
	}
	for _, prior := range []bool{false, true} {
		r, err := z.method(ctx, prior, b)
		b.Clear()
		if err != nil {
			return err
		}
		if err := out.zeroShot(z, r); err != nil {
			return err
		}
	}
	return nil
}

// method chooses C, trains on all classes that are seen, and tests on the others.
func (z *zeroShot) method(ctx context.Context, prior bool, b *progress.Bar) (ZeroShot, error) {
	start, m := time.Now(), ZeroShot{Method: "1-vs-all"}
	if prior {
		m.Method = "M3L"
	}
	seen := z.seen()
	least := 2. * float64(len(seen))
	for step, c := range zeroShotCosts {
		sum := 0.0
		for k, class := range seen {
			done := float64(step*len(seen)+k) / float64(len(zeroShotCosts)*len(seen))
			b.Show(done, m.Method+" without "+z.classes[class])
			left := []int{class, seen[(k+1)%len(seen)], seen[(k+3)%len(seen)]}
			some := slices.DeleteFunc(slices.Clone(seen), func(c int) bool { return slices.Contains(left, c) })
			hamming, _, err := z.train(ctx, prior, c, some, left, z.x, z.y)
			if err != nil {
				return m, err
			}
			sum += hamming
		}
		if sum < least {
			least, m.C = sum, c
		}
	}
	var err error
	m.Hamming, m.Named, err = z.train(ctx, prior, m.C, seen, unseen, z.test, z.testY)
	m.Seconds = time.Since(start).Seconds()
	return m, err
}

// seen returns the classes that are not unseen.
func (z *zeroShot) seen() (seen []int) {
	for c := range z.classes {
		if !slices.Contains(unseen, c) {
			seen = append(seen, c)
		}
	}
	return seen
}

// train learns the attributes from the examples of some classes, and tells the fraction of wrong ones, and of classes
// named right, on those examples of x that are of other classes.
func (z *zeroShot) train(
	ctx context.Context, prior bool, c float64, from, to []int, x solvers.Features[float32], y []int,
) (hamming, named float64, err error) {
	rows, sets := z.of(z.y, from)
	p := m3l.Problem[float32]{X: solvers.Subset(z.x, rows), Sets: sets}
	others := vec.NewMatrix[float64](len(to), len(z.names))
	for k, class := range to {
		copy(others.Row(k), z.attributes.Row(class))
	}
	if prior {
		if p.R, err = m3l.Prior(others, nil, zeroShotRidge); err != nil {
			return 0, 0, err
		}
	}
	m, err := p.Fit(ctx, m3l.Config{C: c, Labels: len(z.names), Bias: 1, Tol: z.tol, Workers: 1})
	if err != nil {
		return 0, 0, err
	}
	rows, truth := z.of(y, to)
	test := solvers.Subset(x, rows)
	predicted, err := solvers.LabelSets(m, test, 0)
	if err != nil {
		return 0, 0, err
	}
	if hamming, err = metrics.HammingLoss(predicted, truth, len(z.names)); err != nil {
		return 0, 0, err
	}
	scores := vec.NewMatrix[float32](len(rows), len(z.names))
	if err = m.Scores(scores, test, nil); err != nil {
		return 0, 0, err
	}
	for p, i := range rows {
		if to[nearest(scores.Row(p), others)] == y[i] {
			named += 1 / float64(len(rows))
		}
	}
	return hamming, named, nil
}

// of returns the examples of the given classes, and their attributes as sets.
func (z *zeroShot) of(y, classes []int) (rows []int, sets [][]int) {
	for i, c := range y {
		if !slices.Contains(classes, c) {
			continue
		}
		var set []int
		for l, v := range z.attributes.Row(c) {
			if v > 0 {
				set = append(set, l)
			}
		}
		rows, sets = append(rows, i), append(sets, set)
	}
	return rows, sets
}

// nearest returns the row of attributes at the least distance of the scores. All rows have the same norm, so that it is
// the one with the largest inner product.
func nearest(scores []float32, attributes vec.Matrix[float64]) int {
	products := make([]float64, attributes.Rows)
	for k := range products {
		for l, v := range attributes.Row(k) {
			products[k] += v * float64(scores[l])
		}
	}
	return vec.ArgMax(products)
}
