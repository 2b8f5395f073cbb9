package project

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// scalars are the arguments of projections beside vectors.
type scalars struct {
	k                      int
	r, rho, gamma, l, u, q float64
	rel                    Relation
	extraB, extraL, extraU int // elements that the vectors of a weighted knapsack have too many
	extraTh                int // thresholds too many
}

func goodScalars() scalars { return scalars{k: 2, r: 1, rho: 1, gamma: 1, l: -1, u: 1, q: 2} }

// exported is an exported function that writes to dst.
type exported[T vec.Float] struct {
	name  string
	tell  func(dst, a []T, s scalars, w *Workspace[T]) (told any, err error)
	uses  string // the scalars that it takes, Knapsack's as l
	sizes string // what it says about lengths, by the lengths of dst and a
	bad   []bad
}

func (p *exported[T]) call(dst, a []T, s scalars, w *Workspace[T]) error {
	_, err := p.tell(dst, a, s, w)
	return err
}

// bad is a change that makes scalars bad, and what the function says, for three elements. It panics, unless it returns
// an error.
type bad struct {
	set  func(s *scalars)
	want string
}

const (
	byLength = "dst has %d elements, a has %d"
	byRows   = "dst is %dx1, a is %dx1"
)

// projections is the table of all exported projections.
func projections[T vec.Float]() []exported[T] {
	inf, nan := math.Inf(1), math.NaN()
	ks := []bad{
		{func(s *scalars) { s.k = 0 }, "k = 0 is not in 1..3, the dimension"},
		{func(s *scalars) { s.k = -1 }, "k = -1 is not in 1..3, the dimension"},
		{func(s *scalars) { s.k = 4 }, "k = 4 is not in 1..3, the dimension"},
	}
	radius := func(more string) []bad {
		return []bad{
			{func(s *scalars) { s.r = -1 }, "r = -1, want r >= 0" + more},
			{func(s *scalars) { s.r = -inf }, "r = -Inf, want r >= 0" + more},
			{func(s *scalars) { s.r = nan }, "r = NaN, want r >= 0" + more},
		}
	}
	finite := append(radius(" and finite"), bad{func(s *scalars) { s.r = inf }, "r = +Inf, want r >= 0 and finite"})
	rhos := []bad{
		{func(s *scalars) { s.rho = -2 }, "rho = -2, want 0 <= rho < Inf"},
		{func(s *scalars) { s.rho = nan }, "rho = NaN, want 0 <= rho < Inf"},
		{func(s *scalars) { s.rho = inf }, "rho = +Inf, want 0 <= rho < Inf"},
	}
	gammas := func(more string, values ...float64) (b []bad) {
		for _, v := range values {
			b = append(b, bad{func(s *scalars) { s.gamma = v }, fmt.Sprintf("gamma = %v, want %s", v, more)})
		}
		return b
	}
	smooth := gammas("0 <= gamma < Inf", -1, nan, inf)
	entropy := gammas("gamma > 0 and finite", 0, -1, nan, inf)
	join := func(lists ...[]bad) (b []bad) {
		for _, l := range lists {
			b = append(b, l...)
		}
		return b
	}
	bounds := func(l, u float64) func(s *scalars) { return func(s *scalars) { s.l, s.u = l, u } }
	sum := func(rel Relation, r float64) func(s *scalars) { return func(s *scalars) { s.rel, s.r = rel, r } }
	weighted := func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
		fill := func(n int, v float64) []T {
			x := make([]T, len(a)+n)
			for i := range x {
				x[i] = T(v)
			}
			return x
		}
		return WeightedKnapsack(dst, a, fill(s.extraB, 1), fill(s.extraL, s.l), fill(s.extraU, s.u), s.rel, T(s.r), w)
	}
	column := func(x []T) vec.Matrix[T] { return vec.MatrixOf(len(x), 1, x) }
	return []exported[T]{
		{"TopKSimplex", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return TopKSimplex(dst, a, s.k, T(s.r), T(s.rho), w), nil
		}, "k r rho", byLength, join(ks, radius(""), rhos)},
		{"TopKSimplexBeta", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return TopKSimplexBeta(dst, a, s.k, T(s.r), T(s.rho), w), nil
		}, "k r rho", byLength, join(ks, radius(""), rhos)},
		{"TopKSimplexSmooth", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return TopKSimplexSmooth(dst, a, s.k, T(s.r), T(s.rho), T(s.gamma), w), nil
		}, "k r rho gamma", byLength, join(ks, radius(""), rhos, smooth)},
		{"TopKSimplexBetaSmooth", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return TopKSimplexBetaSmooth(dst, a, s.k, T(s.r), T(s.rho), T(s.gamma), w), nil
		}, "k r rho gamma", byLength, join(ks, radius(""), rhos, smooth)},
		{"Permutahedron", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			beta := make([]float64, max(0, s.k))
			for j := range beta {
				beta[j] = 1 / float64(1+j)
			}
			return Permutahedron(dst, a, beta, T(s.r), T(s.rho), w), nil
		}, "k r rho", byLength, join([]bad{ks[0], ks[2]}, radius("")[:1], finite[3:], rhos)},
		{"TopKCone", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return TopKCone(dst, a, s.k, T(s.rho), w), nil
		}, "k rho", byLength, join(ks, rhos)},
		{"Orthant", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return Orthant(dst, a, T(s.rho), w), nil
		}, "rho", byLength, rhos},
		{"Simplex", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return Simplex(dst, a, s.rel, T(s.r), w), nil
		}, "r rel", byLength, finite},
		{"Knapsack", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return Knapsack(dst, a, T(s.l), T(s.u), s.rel, T(s.r), w)
		}, "r rel l", byLength, []bad{
			{bounds(1, 0), "bounds 1 and 0, want l <= u"}, {bounds(nan, 0), "bounds NaN and 0, want l <= u"},
			{bounds(0, nan), "bounds 0 and NaN"},
			{bounds(inf, inf), "bounds +Inf and +Inf"}, {bounds(-inf, -inf), "bounds -Inf and -Inf"},
			{sum(Equal, nan), "r = NaN is not finite"}, {sum(AtMost, -inf), "r = -Inf is not finite"},
			{sum(AtMost, inf), "r = +Inf is not finite"},
			{sum(Equal, 4), "3 elements between -1 and 1 cannot sum to 4"},
			{sum(AtMost, -4), "3 elements between -1 and 1 cannot sum to -4"},
		}},
		{"WeightedKnapsack", weighted, "r rel l", byLength, []bad{
			{bounds(1, 0), "bounds 1 and 0"}, {bounds(nan, 0), "bounds NaN and 0"},
			{bounds(0, nan), "bounds 0 and NaN"},
			{bounds(inf, inf), "bounds +Inf and +Inf"}, {bounds(-inf, -inf), "bounds -Inf and -Inf"},
			{sum(Equal, nan), "r = NaN is not finite"}, {sum(AtMost, -inf), "r = -Inf is not finite"},
			{sum(AtMost, inf), "r = +Inf is not finite"},
			{sum(Equal, 4), "<b,x> is in [-3, 3], r = 4"}, {sum(AtMost, -4), "<b,x> is in [-3, 3], r = -4"},
			{func(s *scalars) { s.extraB = 1 }, "a has 3 elements, b 4, l 3, u 3"}, {func(s *scalars) { s.extraB = -1 },
				"a has 3 elements, b 2, l 3, u 3"},
			{func(s *scalars) { s.extraL = 1 }, "a has 3 elements, b 3, l 4, u 3"}, {func(s *scalars) { s.extraL = -1 },
				"a has 3 elements, b 3, l 2, u 3"},
			{func(s *scalars) { s.extraU = 1 }, "a has 3 elements, b 3, l 3, u 4"}, {func(s *scalars) { s.extraU = -1 },
				"a has 3 elements, b 3, l 3, u 2"},
		}},
		{"Box", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			Box(dst, a, T(s.l), T(s.u))
			return nil, nil
		}, "l", byLength, []bad{{bounds(1, 0), "bounds 1 and 0, want l <= u"}, {bounds(nan, 1), "bounds NaN and 1"},
			{bounds(0, nan), "bounds 0 and NaN"}}},
		{"L1Ball", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return L1Ball(dst, a, T(s.r), w), nil
		}, "r", byLength, radius("")},
		{"L2Ball", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return L2Ball(dst, a, T(s.r)), nil
		}, "r", byLength, radius("")},
		{"GroupBall", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return GroupBall(column(dst), column(a), s.q, T(s.r), w), nil
		}, "r q", byRows, append(radius(""), bad{func(s *scalars) { s.q = 0.5 }, "q = 0.5, want q >= 1"},
			bad{func(s *scalars) { s.q = nan }, "q = NaN, want q >= 1"})},
		{"EntropySimplex", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return EntropySimplex(dst, a, T(s.r), T(s.gamma), w), nil
		}, "r gamma", byLength, join(finite, entropy)},
		{"TopKEntropy", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			return TopKEntropy(dst, a, s.k, T(s.r), T(s.rho), T(s.gamma), w), nil
		}, "k r rho gamma", byLength, join(ks, radius("")[:1], finite[3:], rhos, entropy)},
		{"Rows", func(dst, a []T, s scalars, w *Workspace[T]) (any, error) {
			all := make([]Thresholds, len(a)+s.extraTh)
			Rows(column(dst), column(a), all, func(dst, a []T) Thresholds { return Simplex(dst, a, s.rel, 1, w) })
			return all, nil
		}, "rel", byRows, []bad{
			{func(s *scalars) { s.extraTh = 1 }, "4 thresholds for 3 rows"}, {func(s *scalars) { s.extraTh = -1 },
				"2 thresholds for 3 rows"},
		}},
	}
}

// TestTableIsComplete: what writes to dst is in the table.
func TestTableIsComplete(t *testing.T) {
	known := map[string]bool{}
	for _, p := range projections[float64]() {
		known[p.name] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Name.IsExported() && f.Type.Params.List[0].Names[0].Name == "dst" &&
				!known[f.Name.Name] {
				t.Errorf("%s is not in the table", f.Name.Name)
			}
		}
	}
}
