package families

import (
	"context"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
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

// attributes is images, their classes, and what these are like.
type attributes struct {
	*run
	train, test fashion.Images
	names       []string
	signs       vec.Matrix[float64] // of each class, ±1
}

// zeroShot trains multi-label machines that tell the attributes of classes of which they have seen no image, with a
// prior made of these attributes and without.
func zeroShot(ctx context.Context, r *run) error {
	z := &attributes{run: r}
	z.train, z.test = r.fashion()
	z.names, z.signs = samples.FashionAttributes()
	for _, prior := range []bool{false, true} {
		if err := z.method(ctx, prior); err != nil {
			return err
		}
	}
	return nil
}

// method chooses C, trains on all classes that are seen, and tests on the others.
func (z *attributes) method(ctx context.Context, prior bool) error {
	name := "1-vs-all"
	if prior {
		name = "M3L"
	}
	seen := z.seen()
	least, best := 2.*float64(len(seen)), 0.
	for step, c := range zeroShotCosts {
		sum := 0.0
		for k, class := range seen {
			done := float64(step*len(seen)+k) / float64(len(zeroShotCosts)*len(seen))
			z.bar.Show(done, "m3l "+name+" chooses C, without "+z.train.Classes[class])
			left := []int{class, seen[(k+1)%len(seen)], seen[(k+3)%len(seen)]}
			some := slices.DeleteFunc(slices.Clone(seen), func(c int) bool { return slices.Contains(left, c) })
			model, err := z.fit(ctx, prior, c, some, left, nil)
			if err != nil {
				return err
			}
			wrong, _, err := z.judge(model, left, z.train)
			if err != nil {
				return err
			}
			sum += wrong
		}
		if sum < least {
			least, best = sum, c
		}
	}
	rows, _ := z.of(z.train.Y, seen)
	tests, _ := z.of(z.test.Y, unseen)
	t := z.begin("m3l", name, "n", len(rows), "tests", len(tests))
	model, err := z.fit(ctx, prior, best, seen, unseen, t.progress)
	if model == nil {
		return err
	}
	t.stop(model.Outcome)
	if err != nil {
		t.record()
		return err
	}
	wrong, named, err := z.judge(model, unseen, z.test)
	if err != nil {
		return err
	}
	t.record(results.Value{Number: best, Unit: "C"}, percent(wrong, "wrong"), percent(named, "named"))
	return nil
}

// seen returns the classes that are not unseen.
func (z *attributes) seen() (seen []int) {
	for c := range z.train.Classes {
		if !slices.Contains(unseen, c) {
			seen = append(seen, c)
		}
	}
	return seen
}

// fit learns the attributes from the training examples of some classes; the prior is made of the attributes of other
// classes.
func (z *attributes) fit(ctx context.Context, prior bool, c float64, from, to []int, progress func(solvers.Progress)) (
	*m3l.Result[float32], error,
) {
	rows, sets := z.of(z.train.Y, from)
	p := m3l.Problem[float32]{X: design.Subset(z.train.X, rows), Sets: sets}
	if prior {
		var err error
		if p.R, err = m3l.Prior(z.signsOf(to), nil, zeroShotRidge); err != nil {
			return nil, err
		}
	}
	return p.Fit(ctx, m3l.Config{C: c, Labels: len(z.names), Bias: 1, Tol: z.Tol, Workers: 1, Progress: progress})
}

// signsOf returns the attributes of some classes.
func (z *attributes) signsOf(classes []int) vec.Matrix[float64] {
	m := vec.NewMatrix[float64](len(classes), len(z.names))
	for k, class := range classes {
		copy(m.Row(k), z.signs.Row(class))
	}
	return m
}

// judge tells, of the images of d that are of the given classes, the fraction of wrong attributes, and the fraction of
// images whose class is the one of these classes with the nearest attributes.
func (z *attributes) judge(m *m3l.Result[float32], classes []int, d fashion.Images) (wrong, named float64, err error) {
	rows, truth := z.of(d.Y, classes)
	test := design.Subset(d.X, rows)
	predicted, err := solvers.LabelSets(m, test, 0)
	if err != nil {
		return 0, 0, err
	}
	if wrong, err = metrics.HammingLoss(predicted, truth, len(z.names)); err != nil {
		return 0, 0, err
	}
	scores := vec.NewMatrix[float32](len(rows), len(z.names))
	if err = m.Scores(scores, test, nil); err != nil {
		return 0, 0, err
	}
	signs := z.signsOf(classes)
	for p, i := range rows {
		if classes[nearest(scores.Row(p), signs)] == d.Y[i] {
			named += 1 / float64(len(rows))
		}
	}
	return wrong, named, nil
}

// of returns the examples of the given classes, and their attributes as sets.
func (z *attributes) of(y, classes []int) (rows []int, sets [][]int) {
	for i, c := range y {
		if !slices.Contains(classes, c) {
			continue
		}
		var set []int
		for l, v := range z.signs.Row(c) {
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
