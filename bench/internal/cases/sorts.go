package cases

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// sorts find in y the vector that Next returns. Sort copies it to x and sorts it there; ArgSort writes positions; TopK
// writes the greatest M elements to x, and their positions.
func sorts[T vec.Float]() []Kernel[T] {
	sizes := lengths(16, 100, 1000, 10000, 1000000)
	var heap []element[T]
	return []Kernel[T]{
		{
			Name: "Sort", bench: common, peers: sizes, shape: sorted, fill: shuffle[T],
			costs: costs{moved: n4, held: n2}, // it copies first
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					copy(p.X, p.Next())
					vec.Sort(p.X)
				}
			},
			Plain: each(func(p *Operands[T]) {
				copy(p.X, p.Next())
				slices.Sort(p.X)
			}),
		},
		{
			Name: "ArgSort", peers: sizes, shape: argSorted, costs: costs{moved: n1}, fill: shuffle[T],
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.ArgSort(p.Idx, p.Next())
				}
			},
			Plain: each(func(p *Operands[T]) {
				x := p.Next()
				for j := range p.Idx {
					p.Idx[j] = int32(j)
				}
				slices.SortFunc(p.Idx, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
			}),
		},
		{
			Name: "TopK", shape: selected, costs: costs{moved: n1}, fill: shuffle[T],
			peers: [][]int{{10, 1000}, {100, 1000}, {10, 10000}, {100, 10000}, {10, 1000000}, {100, 1000000}}, // M of N
			Ours: func(p *Operands[T], iters int) {
				for range iters {
					vec.TopK(p.X, p.Idx, p.Next())
				}
			},
			Plain: each(func(p *Operands[T]) { heap = heapTopK(p.Next(), p.X, p.Idx, heap[:0]) }),
		},
	}
}

// shuffle sets y to numbers in random order, which differ from each other within each vector.
func shuffle[T vec.Float](p *Operands[T], random *rand.Rand) {
	for i := range p.Turns {
		x := p.Y[i*p.n:][:p.n]
		for j, v := range random.Perm(len(x)) {
			x[j] = (T(v)+T(random.Float32())/4)/T(len(x)) - 0.5
		}
	}
	clear(p.X)
	clear(p.Idx)
	p.At = 0
}

type element[T vec.Float] struct {
	value T
	at    int32
}

// heapTopK keeps the k greatest elements in a heap h with the least of them at its root, which an element must beat.
func heapTopK[T vec.Float](x, values []T, idx []int32, h []element[T]) []element[T] {
	k := len(values)
	for i, v := range x[:k] {
		h = append(h, element[T]{v, int32(i)})
	}
	for i := k/2 - 1; i >= 0; i-- {
		siftDown(h, i)
	}
	for i, v := range x[k:] {
		if v > h[0].value {
			h[0] = element[T]{v, int32(k + i)}
			siftDown(h, 0)
		}
	}
	slices.SortFunc(h, func(a, b element[T]) int { return cmp.Compare(b.value, a.value) })
	for i, e := range h {
		values[i], idx[i] = e.value, e.at
	}
	return h
}

func siftDown[T vec.Float](h []element[T], i int) {
	e := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].value < h[child].value {
			child++
		}
		if h[child].value >= e.value {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = e
}
