package main

import (
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/floats"

	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/bench/peers/plainc"
	"github.com/dualgap/dualgap/vec"
)

type (
	loop[T vec.Float]     = cases.Loop[T]
	operands[T vec.Float] = cases.Operands[T]
)

// library is one implementation: its loop for each kernel that it has.
type library[T vec.Float] struct {
	name  string
	loops map[string]loop[T]
}

// The first is ours, the others are its rivals. What SLEEF and Highway have joins them where they run.
var (
	libraries32 = libraries(openblas32, gonum32)
	libraries64 = libraries(openblas64, gonum64)
)

// libraries returns ours, and the rivals that the table has: gonum with what it must compose, the standard library's
// functions, and what a program in Go writes that has no other.
func libraries[T vec.Float](openblas, composed map[string]loop[T]) []library[T] {
	ours, goloops := map[string]loop[T]{}, map[string]loop[T]{}
	for _, k := range cases.Table[T]() {
		add(ours, k.Name, k.Ours)
		add(composed, k.Name, k.Gonum)
		add(goloops, k.Name, k.Plain)
	}
	return []library[T]{
		{"dualgap", ours}, {"openblas", openblas}, {"gonum", composed},
		{"math", only(goloops, "Exp", "Log", "Sqrt")}, {"go", only(goloops, "Sort", "ArgSort", "TopK")},
		{"c", strict[T]()}, {"c-fast", fast[T]()},
	}
}

func add[T vec.Float](loops map[string]loop[T], name string, f loop[T]) {
	if f != nil {
		loops[name] = f
	}
}

func only[T vec.Float](loops map[string]loop[T], names ...string) map[string]loop[T] {
	some := map[string]loop[T]{}
	for _, name := range names {
		some[name] = loops[name]
	}
	return some
}

var blas gonum.Implementation

// gonum32 is what gonum has in no routine of its BLAS: a squared distance only by way of copy, axpy, dot.
var gonum32 = map[string]loop[float32]{
	"SquaredDistance": func(p *operands[float32], iters int) {
		for tmp := p.Scratch(); iters > 0; iters-- {
			blas.Scopy(len(p.X), p.X, 1, tmp, 1)
			blas.Saxpy(len(p.X), -1, p.Y, 1, tmp, 1)
			p.Out = blas.Sdot(len(p.X), tmp, 1, tmp, 1)
		}
	},
}

// gonum64 is the same in double precision, where package floats has a sum, a difference in one pass, and others.
var gonum64 = map[string]loop[float64]{
	"SquaredDistance": func(p *operands[float64], iters int) {
		for tmp := p.Scratch(); iters > 0; iters-- {
			floats.AddScaledTo(tmp, p.X, -1, p.Y)
			p.Out = blas.Ddot(len(p.X), tmp, 1, tmp, 1)
		}
	},
	"Sum": func(p *operands[float64], iters int) {
		for range iters {
			p.Out = floats.Sum(p.X)
		}
	},
	"Add": func(p *operands[float64], iters int) {
		for range iters {
			floats.AddTo(p.Z, p.X, p.Y)
		}
	},
	"Mul": func(p *operands[float64], iters int) {
		for range iters {
			floats.MulTo(p.Z, p.X, p.Y)
		}
	},
	"Max": func(p *operands[float64], iters int) {
		for range iters {
			p.Out = floats.Max(p.X)
		}
	},
	"ArgMax": func(p *operands[float64], iters int) {
		for range iters {
			p.Out = float64(floats.MaxIdx(p.X))
		}
	},
}

const above = cases.Above

// strict are loops in C, compiled for this CPU.
func strict[T vec.Float]() map[string]loop[T] {
	return map[string]loop[T]{
		"Add":         func(p *operands[T], iters int) { plainc.Add(iters, p.Z, p.X, p.Y) },
		"Mul":         func(p *operands[T], iters int) { plainc.Mul(iters, p.Z, p.X, p.Y) },
		"Sqrt":        func(p *operands[T], iters int) { plainc.Sqrt(iters, p.Y, p.X) },
		"Max":         func(p *operands[T], iters int) { plainc.Max(iters, p.X, &p.Out) },
		"ArgMax":      func(p *operands[T], iters int) { plainc.ArgMax(iters, p.X, &p.Out) },
		"SumAbove":    func(p *operands[T], iters int) { plainc.SumAbove(iters, p.X, above, &p.Out) },
		"FilterAbove": func(p *operands[T], iters int) { plainc.Filter(iters, p.X, above, p.Y, p.Idx, &p.Out) },
		"Clip":        func(p *operands[T], iters int) { plainc.Clip(iters, p.Y, p.X, -above, above) },
		"SparseDot":   func(p *operands[T], iters int) { plainc.SparseDot(iters, p.Idx, p.X, p.Y, &p.Out) },
		"SparseAxpy":  func(p *operands[T], iters int) { plainc.SparseAxpy(iters, p.Alpha, p.Idx, p.X, p.Y) },
		"SparseGemvT": func(p *operands[T], iters int) { plainc.SparseGemvT(iters, p.A.Data, p.Idx, p.X, p.Y) },
		"SparseGer":   func(p *operands[T], iters int) { plainc.SparseGer(iters, p.Alpha, p.Idx, p.X, p.Y, p.A.Data) },
	}
}

// fast are the same with -ffast-math, where that makes a difference.
func fast[T vec.Float]() map[string]loop[T] {
	return map[string]loop[T]{
		"Max":         func(p *operands[T], iters int) { plainc.MaxFast(iters, p.X, &p.Out) },
		"ArgMax":      func(p *operands[T], iters int) { plainc.ArgMaxFast(iters, p.X, &p.Out) },
		"SumAbove":    func(p *operands[T], iters int) { plainc.SumAboveFast(iters, p.X, above, &p.Out) },
		"SparseDot":   func(p *operands[T], iters int) { plainc.SparseDotFast(iters, p.Idx, p.X, p.Y, &p.Out) },
		"SparseGemvT": func(p *operands[T], iters int) { plainc.SparseGemvTFast(iters, p.A.Data, p.Idx, p.X, p.Y) },
	}
}
