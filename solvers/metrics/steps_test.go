package metrics

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestSteps: all that is measured of small random predictions, of none and of ones that are refused, has the committed
// bits and words.
func TestSteps(t *testing.T) {
	prove.Steps(t, "testdata/steps.txt", func(add func(name string, h hash.Hash)) {
		eachPredictions(func(name string, p predictions[float32]) { metricsOf(name, p, add) })
		eachPredictions(func(name string, p predictions[float64]) { metricsOf(name, p, add) })
		constraints(add)
	})
}

// predictions are what metrics are asked of.
type predictions[T vec.Float] struct {
	m             int
	guesses, y    []int
	sets, truth   [][]int
	all           vec.Matrix[T]
	scores, parts []T // probabilities
	positive      []bool
	targets       []float64
	queries       []int
}

// drawPredictions draws predictions of n examples and m classes. Scores are whole numbers, many of them equal, or not.
func drawPredictions[T vec.Float](rng *rand.Rand, n, m int, equal bool) (p predictions[T]) {
	p.m, p.all = m, vec.NewMatrix[T](n, m)
	score := func() T {
		if equal {
			return T(rng.IntN(4))
		}
		return T(rng.NormFloat64())
	}
	set := func() (all []int) {
		for l := range m {
			if rng.IntN(3) == 0 {
				all = append(all, l)
			}
		}
		return all
	}
	for i := range n {
		p.guesses, p.y = append(p.guesses, rng.IntN(m)), append(p.y, rng.IntN(m))
		p.sets, p.truth = append(p.sets, set()), append(p.truth, set())
		p.scores, p.parts = append(p.scores, score()), append(p.parts, T(math.Floor(8*rng.Float64())/8))
		p.positive, p.targets = append(p.positive, rng.IntN(3) == 0), append(p.targets, rng.NormFloat64())
		p.queries = append(p.queries, rng.IntN(3))
		for l := range m {
			p.all.Row(i)[l] = score()
		}
	}
	return p
}

// eachPredictions calls do with predictions of many sizes, and with some that have one thing wrong each.
func eachPredictions[T vec.Float](do func(name string, p predictions[T])) {
	for _, n := range []int{0, 1, 2, 9, 60} {
		for _, equal := range []bool{false, true} {
			p := drawPredictions[T](rand.New(rand.NewPCG(uint64(n), 3)), n, 4, equal)
			do(fmt.Sprintf("%d examples, equal %v", n, equal), p)
		}
	}
	for k, spoil := range []func(p *predictions[T]){
		func(p *predictions[T]) { p.guesses[3] = -1 }, func(p *predictions[T]) { p.guesses[3] = 4 },
		func(p *predictions[T]) { p.y[5] = -1 }, func(p *predictions[T]) { p.y[5] = 4 },
		func(p *predictions[T]) { p.sets[0] = []int{-1} }, func(p *predictions[T]) { p.sets[0] = []int{4} },
		func(p *predictions[T]) { p.truth[8] = []int{4} }, func(p *predictions[T]) { p.truth[8] = []int{-1} },
		func(p *predictions[T]) { p.truth[8] = []int{1, 1} }, func(p *predictions[T]) { p.m = 0 },
		func(p *predictions[T]) { p.scores[0] = T(math.NaN()) },
		func(p *predictions[T]) { p.scores[8] = T(math.NaN()) },
		func(p *predictions[T]) { p.scores[1] = T(math.Inf(1)) },
		func(p *predictions[T]) { p.scores[1] = T(math.Inf(-1)) },
		func(p *predictions[T]) { p.parts[2] = 1.5 }, func(p *predictions[T]) { p.parts[2] = -.25 },
		func(p *predictions[T]) { p.parts[2] = 1 }, func(p *predictions[T]) { p.targets[2] = math.NaN() },
		func(p *predictions[T]) { p.all.Row(4)[2] = T(math.NaN()) },
		func(p *predictions[T]) { p.all.Row(4)[2] = T(math.Inf(1)) },
		func(p *predictions[T]) { p.queries[7] = -1 }, func(p *predictions[T]) { clear(p.positive) },
		func(p *predictions[T]) { p.positive = slices.Repeat([]bool{true}, 9) },
		func(p *predictions[T]) { p.y = p.y[:8] }, func(p *predictions[T]) { p.truth = p.truth[:8] },
		func(p *predictions[T]) { p.positive = p.positive[:8] }, func(p *predictions[T]) { p.targets = nil },
		func(p *predictions[T]) { p.queries = p.queries[:8] }, func(p *predictions[T]) { clear(p.scores) },
		func(p *predictions[T]) { clear(p.targets) },
	} {
		p := drawPredictions[T](rand.New(rand.NewPCG(7, 4)), 9, 4, false)
		spoil(&p)
		do(fmt.Sprint("spoiled ", k), p)
	}
}

// metricsOf notes all that metrics say of p.
func metricsOf[T vec.Float](name string, p predictions[T], add func(name string, h hash.Hash)) {
	h := sha256.New()
	note := func(all ...any) { fmt.Fprintln(h, all...) }
	note(Accuracy(p.guesses, p.y))
	counts, err := Confusion(p.guesses, p.y, p.m)
	if note(counts, err); err == nil {
		note(PerClass(counts), MeanRecall(PerClass(counts)))
	}
	note(HammingLoss(p.sets, p.truth, p.m))
	note(SubsetAccuracy(p.sets, p.truth, p.m))
	labels, err := PerLabel(p.sets, p.truth, p.m)
	note(labels, err, MicroF1(labels), MacroF1(labels))
	for k := range 7 {
		note(PrecisionAtK(p.all, p.truth, k-1))
		note(TopK(p.all, p.y, k-1))
		note(TopKRanked(p.sets, p.y, k-1))
		note(NDCG(p.scores, p.y, p.queries, k-1))
		note(NDCG(p.scores, p.y, nil, k-1))
		note(RecallAtK(p.scores, p.positive, p.queries, k-1))
		bins, err := Calibration(p.parts, p.positive, k-1)
		note(bins, err, CalibrationError(bins))
	}
	note(RankingLoss(p.all, p.truth))
	note(MeanAveragePrecision(p.scores, p.positive, p.queries))
	note(MeanReciprocalRank(p.scores, p.positive, p.queries))
	note(MeanAbsoluteError(p.scores, p.targets))
	note(MeanSquaredError(p.scores, p.targets))
	note(R2(p.scores, p.targets))
	for _, part := range []float64{-.1, 0, .1, .3, .5, .9, 1, 1.1, math.NaN()} {
		for _, all := range []bool{false, true} {
			note(AccuracyAtTop(p.scores, p.positive, part, all))
		}
		note(PrecisionAtRecall(p.scores, p.positive, part))
		for _, c := range []Constraint{RecallAtLeast(part), PrecisionAtLeast(part), FalseRateAtMost(part), {}} {
			note(Threshold(p.scores, p.positive, c))
			note(LabelThresholds(p.all, p.truth, c))
		}
		note(Density(p.scores, []float64{-1, 0, part}, part))
	}
	note(Silverman(p.scores))
	if roc, err := ROC(p.scores, p.positive); err != nil {
		note(err)
	} else {
		note(*roc)
	}
	if curve, err := PrecisionRecall(p.scores, p.positive); err != nil {
		note(err)
	} else {
		note(*curve)
	}
	add(fmt.Sprintf("%T, %s", T(0), name), h)
}

// constraints notes what constraints are read as.
func constraints(add func(name string, h hash.Hash)) {
	h := sha256.New()
	for _, text := range []string{"", "recall>=0.95", "recall = .5", "recall>0.5", "precision>=1", "precision>=0",
		"precision>=1.01", "false-rate<=0", "false-rate<=1", "false-rate=.25", "false-rate<=-1", "recall>=x",
		"recall>=NaN", "recall>= 1 ", "recall>=0", "f1>=.5"} {
		c, err := ParseConstraint(text)
		fmt.Fprintln(h, c, err)
	}
	add("constraints", h)
}
