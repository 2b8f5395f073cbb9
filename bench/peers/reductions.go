package main

import (
	"maps"

	"gonum.org/v1/gonum/floats"

	"github.com/dualgap/dualgap/bench/peers/plainc"
	"github.com/dualgap/dualgap/vec"
)

// What looks for something in a vector: its maximum, or what lies above p.alpha. FilterAbove writes y and idx, and leaves what it
// likes behind the elements found, which settle clears.

func init() {
	maps.Copy(dualgap32, reductions[float32]())
	maps.Copy(dualgap64, reductions[float64]())
	libraries32 = append(libraries32, c("c", strict[float32]()), c("c-fast", fast[float32]()))
	libraries64 = append(libraries64, c("c", strict[float64]()), c("c-fast", fast[float64]()))
	gonum64["Max"] = func(p *operands[float64], iters int) {
		for range iters {
			p.out = floats.Max(p.x)
		}
	}
	gonum64["ArgMax"] = func(p *operands[float64], iters int) {
		for range iters {
			p.out = float64(floats.MaxIdx(p.x))
		}
	}
}

func c[T vec.Float](name string, loops map[string]loop[T]) library[T] { return library[T]{name, loops} }

const above = 0.5 // one element in six is greater

// searches are the kernels here, which define their results; the operands are those of sums.
func searches[T vec.Float]() map[string]func(p *operands[T]) {
	return map[string]func(p *operands[T]){
		"Max": func(p *operands[T]) {
			p.out = p.x[0]
			for _, v := range p.x {
				p.out = max(p.out, v)
			}
		},
		"ArgMax": func(p *operands[T]) {
			arg := 0
			for i, v := range p.x {
				if v > p.x[arg] {
					arg = i
				}
			}
			p.out = T(arg)
		},
		"SumAbove": func(p *operands[T]) {
			for _, v := range p.x {
				if v > above {
					p.out += v - above + 1
				}
			}
		},
		"FilterAbove": func(p *operands[T]) {
			clear(p.y)
			count := 0
			for i, v := range p.x {
				if v > above {
					p.y[count], p.idx[count] = v, int32(i)
					count++
				}
			}
			p.out = T(count)
		},
		"Clip": func(p *operands[T]) {
			for i, v := range p.x {
				p.y[i] = min(max(v, -above), above)
			}
		},
	}
}

// clearRest clears what FilterAbove leaves behind the elements found.
func (p *operands[T]) clearRest() {
	clear(p.y[int(p.out):])
	clear(p.idx[int(p.out):])
}

// reductions are ours.
func reductions[T vec.Float]() map[string]loop[T] {
	return map[string]loop[T]{
		"Max": func(p *operands[T], iters int) {
			for range iters {
				p.out = vec.Max(p.x)
			}
		},
		"ArgMax": func(p *operands[T], iters int) {
			for range iters {
				p.out = T(vec.ArgMax(p.x))
			}
		},
		"SumAbove": func(p *operands[T], iters int) {
			for range iters {
				sum, count := vec.SumAbove(p.x, above)
				p.out = sum + T(count)
			}
		},
		"FilterAbove": func(p *operands[T], iters int) {
			for range iters {
				p.out = T(vec.FilterAbove(p.y, p.idx, p.x, above))
			}
		},
		"Clip": func(p *operands[T], iters int) {
			for range iters {
				vec.Clip(p.y, p.x, -above, above)
			}
		},
		"SparseDot": func(p *operands[T], iters int) {
			for range iters {
				p.out = vec.SparseDot(p.idx, p.x, p.y)
			}
		},
		"SparseAxpy": func(p *operands[T], iters int) {
			for range iters {
				vec.SparseAxpy(p.alpha, p.idx, p.x, p.y)
			}
		},
		"SparseGemvT": func(p *operands[T], iters int) {
			for range iters {
				vec.SparseGemvT(1, p.a, p.idx, p.x, 0, p.y)
			}
		},
		"SparseGer": func(p *operands[T], iters int) {
			for range iters {
				vec.SparseGer(p.alpha, p.idx, p.x, p.y, p.a)
			}
		},
	}
}

func strict[T vec.Float]() map[string]loop[T] {
	return map[string]loop[T]{
		"Max":         func(p *operands[T], iters int) { plainc.Max(iters, p.x, &p.out) },
		"ArgMax":      func(p *operands[T], iters int) { plainc.ArgMax(iters, p.x, &p.out) },
		"SumAbove":    func(p *operands[T], iters int) { plainc.SumAbove(iters, p.x, above, &p.out) },
		"FilterAbove": func(p *operands[T], iters int) { plainc.Filter(iters, p.x, above, p.y, p.idx, &p.out) },
		"Clip":        func(p *operands[T], iters int) { plainc.Clip(iters, p.y, p.x, -above, above) },
		"SparseDot":   func(p *operands[T], iters int) { plainc.SparseDot(iters, p.idx, p.x, p.y, &p.out) },
		"SparseAxpy":  func(p *operands[T], iters int) { plainc.SparseAxpy(iters, p.alpha, p.idx, p.x, p.y) },
		"SparseGemvT": func(p *operands[T], iters int) { plainc.SparseGemvT(iters, p.a.Data, p.idx, p.x, p.y) },
		"SparseGer":   func(p *operands[T], iters int) { plainc.SparseGer(iters, p.alpha, p.idx, p.x, p.y, p.a.Data) },
	}
}

func fast[T vec.Float]() map[string]loop[T] {
	return map[string]loop[T]{
		"Max":         func(p *operands[T], iters int) { plainc.MaxFast(iters, p.x, &p.out) },
		"ArgMax":      func(p *operands[T], iters int) { plainc.ArgMaxFast(iters, p.x, &p.out) },
		"SumAbove":    func(p *operands[T], iters int) { plainc.SumAboveFast(iters, p.x, above, &p.out) },
		"SparseDot":   func(p *operands[T], iters int) { plainc.SparseDotFast(iters, p.idx, p.x, p.y, &p.out) },
		"SparseGemvT": func(p *operands[T], iters int) { plainc.SparseGemvTFast(iters, p.a.Data, p.idx, p.x, p.y) },
	}
}
