package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/vec"
)

// sets are the problems, with C.
var sets = []struct {
	name    string
	c       float64
	targets bool
	one     bool // class alone
	open    func(data string) (*problem, error)
}{
	{"spambase/n=4601/d=57", 1, false, false, spambase},
	{"mnist/n=60000/d=784", .01, false, false, mnist},
	{"rcv1sub1/n=3000/d=47236", 1, false, false, rcv1sub1},
	{"documents/n=20242/d=47236", 1, false, false, documents},
	{"digits/n=1797/d=64", 1, false, true, digits},
	{"winequality/n=4898/d=12", 1, false, true, wine},
	{"winequality/n=4898/d=12", 1, true, false, wine},
	{"mnist/n=60000/d=784", .01, true, false, mnistTargets},
	{"documents/n=20242/d=47236", 1, true, false, documentTargets},
}

// spambase has its features scaled to at most 1, and a constant.
func spambase(data string) (*problem, error) {
	set, err := dataset.OpenLIBSVM[float64](filepath.Join(data, "spambase.svm.gz"), dataset.LIBSVMOptions{})
	if err != nil {
		return nil, err
	}
	return &problem{x: scaled(set.X), y: set.Y}, nil
}

// scaled divides each feature by its largest size and adds a constant one.
func scaled(x *dataset.CSR[float64]) *dataset.CSR[float64] {
	most := make([]float64, x.Cols)
	for k, j := range x.Idx {
		most[j] = max(most[j], math.Abs(x.Val[k]))
	}
	to := &dataset.CSR[float64]{Rows: x.Rows, Cols: x.Cols + 1, Ptr: []int{0}}
	for i := range x.Rows {
		columns, values := x.Row(i)
		for k, j := range columns {
			to.Idx, to.Val = append(to.Idx, j), append(to.Val, values[k]/most[j])
		}
		to.Idx, to.Val = append(to.Idx, int32(x.Cols)), append(to.Val, 1)
		to.Ptr = append(to.Ptr, len(to.Val))
	}
	return to
}

// mnist tells images of 8 from the others.
func mnist(data string) (*problem, error) {
	p, err := images(data)
	if err != nil {
		return nil, err
	}
	for i, y := range p.y {
		p.y[i] = 0
		if y == 8 {
			p.y[i] = 1
		}
	}
	return p, nil
}

// mnistTargets has the digits as targets.
func mnistTargets(data string) (*problem, error) {
	p, err := images(data)
	if err != nil {
		return nil, err
	}
	for _, y := range p.y {
		p.targets = append(p.targets, float64(y))
	}
	p.y, p.epsilon = nil, .1
	return p, nil
}

func images(data string) (*problem, error) {
	file := func(name string) string { return filepath.Join(data, "mnist", name) }
	set, err := dataset.OpenIDX[float64](file("train-images-idx3-ubyte.gz"), file("train-labels-idx1-ubyte.gz"),
		dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		return nil, err
	}
	x, err := set.X.CSR()
	return &problem{x: x, y: set.Y}, err
}

// rcv1sub1 tells the documents with the most frequent label from the others.
func rcv1sub1(data string) (*problem, error) {
	set, err := dataset.OpenLIBSVM[float64](filepath.Join(data, "rcv1sub1.mlsvm.gz"),
		dataset.LIBSVMOptions{Sets: true})
	if err != nil {
		return nil, err
	}
	count := map[int]int{}
	most := 0
	for _, s := range set.Sets {
		for _, l := range s {
			if count[l]++; count[l] > count[most] {
				most = l
			}
		}
	}
	y := make([]int, len(set.Sets))
	for i, s := range set.Sets {
		if slices.Contains(s, most) {
			y[i] = 1
		}
	}
	return &problem{x: set.X, y: y}, nil
}

// documents are of the shape of RCV1's training set: 47236 features, of which each document has 75, feature j with a
// share of about 1/(j+17). A linear model makes their classes, one in 20 false.
func documents(string) (*problem, error) {
	p, scores, rng := drawn()
	for _, s := range scores {
		y := 0
		if (s > 0) != (rng.IntN(20) == 0) {
			y = 1
		}
		p.y = append(p.y, y)
	}
	return p, nil
}

// documentTargets are the scores of that model, with noise.
func documentTargets(string) (*problem, error) {
	p, scores, rng := drawn()
	for _, s := range scores {
		p.targets = append(p.targets, s+.1*rng.NormFloat64())
	}
	p.epsilon = .1
	return p, nil
}

func drawn() (p *problem, scores []float64, rng *rand.Rand) {
	const n, d, nnz, head = 20242, 47236, 75, 17
	rng = rand.New(rand.NewPCG(23, 24))
	teacher := make([]float64, d)
	for j := range teacher {
		teacher[j] = rng.NormFloat64()
	}
	x := &dataset.CSR[float64]{Rows: n, Cols: d, Ptr: []int{0}}
	for range n {
		row := make([]int32, 0, nnz)
		for len(row) < nnz {
			j := int32(head * (math.Pow(1+d/head, rng.Float64()) - 1))
			if j < d && !slices.Contains(row, j) {
				row = append(row, j)
			}
		}
		slices.Sort(row)
		values, score := make([]float64, nnz), 0.0
		for k := range values {
			values[k] = .1 + rng.Float64()
		}
		vec.Scale(1/math.Sqrt(vec.SquaredNorm(values)), values)
		for k, j := range row {
			score += values[k] * teacher[j]
		}
		x.Idx, x.Val, x.Ptr = append(x.Idx, row...), append(x.Val, values...), append(x.Ptr, len(x.Val)+nnz)
		scores = append(scores, score)
	}
	return &problem{x: x}, scores, rng
}

// wine has the ratings of the white wines as targets, with its features scaled to at most 1, and a constant.
func wine(data string) (*problem, error) {
	set, err := dataset.OpenLIBSVM[float64](filepath.Join(data, "winequality-white.svm.gz"), dataset.LIBSVMOptions{})
	if err != nil {
		return nil, err
	}
	p := &problem{x: scaled(set.X), epsilon: .1}
	for _, y := range set.Y {
		p.targets = append(p.targets, float64(y))
	}
	return p, nil
}

// digits are the embedded images of digits, with ink from 0 to 1.
func digits(string) (*problem, error) {
	set := samples.Digits[float64]()
	x, err := set.X.CSR()
	if err != nil {
		return nil, err
	}
	vec.Scale(1./16, x.Val)
	return &problem{x: x, y: set.Y}, nil
}
