package main

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// The kernels that sort and select find several vectors in y, of which each call takes the next: branches on the order of
// one would soon be learnt by heart. Sort copies it to x and sorts it there; ArgSort writes idx; TopK writes the greatest
// M elements to x and their positions to idx.

func init() {
	maps.Copy(dualgap32, sorting[float32]())
	maps.Copy(dualgap64, sorting[float64]())
	libraries32 = append(libraries32, plainGo[float32]())
	libraries64 = append(libraries64, plainGo[float64]())
}

// sorting are ours.
func sorting[T vec.Float]() map[string]loop[T] {
	return map[string]loop[T]{
		"Sort": func(p *operands[T], iters int) {
			for range iters {
				copy(p.x, p.next())
				vec.Sort(p.x)
			}
		},
		"ArgSort": func(p *operands[T], iters int) {
			for range iters {
				vec.ArgSort(p.idx, p.next())
			}
		},
		"TopK": func(p *operands[T], iters int) {
			for range iters {
				vec.TopK(p.x, p.idx, p.next())
			}
		},
	}
}

// plainGo is what a program writes that has the standard library.
func plainGo[T vec.Float]() library[T] {
	var h []element[T]
	return library[T]{"go", map[string]loop[T]{
		"Sort": func(p *operands[T], iters int) {
			for range iters {
				copy(p.x, p.next())
				slices.Sort(p.x)
			}
		},
		"ArgSort": func(p *operands[T], iters int) {
			for range iters {
				x := p.next()
				for j := range p.idx {
					p.idx[j] = int32(j)
				}
				slices.SortFunc(p.idx, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
			}
		},
		"TopK": func(p *operands[T], iters int) {
			for range iters {
				h = heapTopK(p.next(), p.x, p.idx, h[:0])
			}
		},
	}}
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

// sortPlainly computes the kernel's result for the first vector.
func (p *operands[T]) sortPlainly() {
	x := p.turn(0)
	order := make([]int32, len(x))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
	switch p.kernel {
	case "Sort":
		for i, at := range order {
			p.x[i] = x[at]
		}
	case "ArgSort":
		copy(p.idx, order)
	case "TopK":
		slices.Reverse(order)
		for i, at := range order[:len(p.idx)] {
			p.x[i], p.idx[i] = x[at], at
		}
	}
}

// placeUnsorted sets x, y and idx up for a case of sorting: 65536 elements in y, or one vector if that is more.
func (p *operands[T]) placeUnsorted(c Case, shift int) {
	p.turns = max(1, 65536/c.N)
	length := c.N
	if c.Kernel == "TopK" {
		length = c.M
	}
	p.x, p.y = aligned[T](length, shift), aligned[T](p.turns*c.N, shift)
	if c.Kernel != "Sort" {
		p.idx = make([]int32, length)
	}
}

// turn returns vector i.
func (p *operands[T]) turn(i int) []T {
	n := len(p.y) / p.turns
	return p.y[i*n:][:n]
}

// next returns the vector whose turn it is.
func (p *operands[T]) next() []T {
	x := p.turn(p.at)
	p.at = (p.at + 1) % p.turns
	return x
}

// shuffle fills y with numbers in random order, which differ from each other within each vector.
func (p *operands[T]) shuffle(r *rand.Rand) {
	for i := range p.turns {
		x := p.turn(i)
		for j, v := range r.Perm(len(x)) {
			x[j] = (T(v)+T(r.Float32())/4)/T(len(x)) - 0.5
		}
	}
	clear(p.x)
	clear(p.idx)
	p.at = 0
}
