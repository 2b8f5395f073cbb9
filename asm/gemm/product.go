package gemm

import "unsafe"

// Product is C = Alpha A B + Beta C with an M-by-K matrix A and a K-by-N matrix B: element (i, p) of A is
// A[i*ARow+p*ACol], element (p, j) of B is B[p*BRow+j*BCol], where one of each pair of strides is 1, and element (i, j)
// of C is C[i*LDC+j]. With Beta = 0 C is not read; with Alpha = 0 or K = 0 neither are A and B.
type Product[T float] struct {
	M, N, K    int
	Alpha      T
	A          *T
	ARow, ACol int
	B          *T
	BRow, BCol int
	Beta       T
	C          *T
	LDC        int

	form form // set where the product is a part of another
	kc   int  // most terms of a sum at a time, if not the shape's
	copy bool // B is worth a copy however small A is
}

// Run computes the product.
func (p *Product[T]) Run() {
	if p.M <= 0 || p.N <= 0 {
		return
	}
	if p.Alpha == 0 || p.K <= 0 {
		p.scale()
		return
	}
	s := shapeOf[T]()
	if p.form == unknown {
		p.form = p.choose(s)
	}
	switch p.form {
	case byDots:
		p.runDots(s)
	case bySwap:
		p.runSwapped(s)
	default:
		p.runTiles(s)
	}
}

func (p *Product[T]) runTiles(s *shape) {
	if p.copyA(s) || p.copyB() || p.K > p.depth(s) {
		p.runBlocks(s)
		return
	}
	mr, nr := s.tile(p.M, p.N, p.K, p.placeOfB())
	if isF32[T]() { // not by way of tiles: copying all arguments once more is felt in small products
		TilesF32(p.M, p.N, p.K, float32(p.Alpha), f32(p.A), p.ARow, p.ACol, mr, mr*p.ARow, f32(p.B), p.BRow, nr, nr,
			float32(p.Beta), f32(p.C), p.LDC)
	} else {
		TilesF64(p.M, p.N, p.K, float64(p.Alpha), f64(p.A), p.ARow, p.ACol, mr, mr*p.ARow, f64(p.B), p.BRow, nr, nr,
			float64(p.Beta), f64(p.C), p.LDC)
	}
}

// scale sets C = Beta C.
func (p *Product[T]) scale() {
	if p.Beta == 1 {
		return
	}
	var none T
	tiles(p.M, p.N, 0, 0, &none, 1, 1, 1, 1, &none, 1, 1, 1, p.Beta, p.C, p.LDC)
}

func (p *Product[T]) runBlocks(s *shape) {
	l := p.plan(s)
	var w *workspace
	var roomA, roomB *T
	if l.packA || l.packB {
		w = workspaces.Get().(*workspace)
		defer workspaces.Put(w)
		sizeA, sizeB := 0, 0
		if l.packA {
			sizeA = multiple(l.mc, l.mr) / l.mr * wholeGroups[T](l.mr) * l.kc
		}
		if l.packB {
			sizeB = multiple(l.nc, l.nr) / l.nr * wholeGroups[T](l.nr) * l.kc
		}
		roomA, roomB = room[T](w, sizeA, sizeB)
	}
	for k := 0; k < p.K; k += l.kc {
		for i := 0; i < p.M; i += l.mc {
			part := *p
			part.M, part.K = min(l.mc, p.M-i), min(l.kc, p.K-k)
			part.A = at(p.A, i*p.ARow+k*p.ACol)
			if k > 0 {
				part.Beta = 1
			}
			apanel := l.mr * p.ARow
			if l.packA {
				apanel = part.packA(l.mr, roomA)
			}
			for j := 0; j < p.N; j += l.nc {
				part.N = min(l.nc, p.N-j)
				part.B, part.BRow, part.BCol = at(p.B, k*p.BRow+j*p.BCol), p.BRow, p.BCol
				bpanel := l.nr
				if l.packB {
					bpanel = part.packB(l.nr, roomB, i > 0 && l.nc >= p.N)
				}
				tiles(part.M, part.N, part.K, p.Alpha, part.A, part.ARow, part.ACol, l.mr, apanel,
					part.B, part.BRow, l.nr, bpanel, part.Beta, at(p.C, i*p.LDC+j), p.LDC)
			}
		}
	}
}

// packA replaces A by a copy in panels of mr rows, of which it returns the distance.
func (p *Product[T]) packA(mr int, to *T) (panel int) {
	width := wholeGroups[T](mr)
	panel = width * p.K
	if p.ARow == 1 {
		packPanels(p.K, p.M, p.A, p.ACol, to, mr)
	} else {
		for i := 0; i < p.M; i += mr {
			packColumns(min(mr, p.M-i), p.K, at(p.A, i*p.ARow), p.ARow, at(to, i/mr*panel), width)
		}
	}
	p.A, p.ARow, p.ACol = to, 1, width
	return panel
}

// packB replaces B by a copy in panels of nr columns, of which it returns the distance. The copy may be there already.
func (p *Product[T]) packB(nr int, to *T, there bool) (panel int) {
	width := wholeGroups[T](nr)
	panel = width * p.K
	switch {
	case there:
	case p.BCol == 1:
		packPanels(p.K, p.N, p.B, p.BRow, to, nr)
	default:
		for j := 0; j < p.N; j += nr {
			packColumns(min(nr, p.N-j), p.K, at(p.B, j*p.BCol), p.BCol, at(to, j/nr*panel), width)
		}
	}
	p.B, p.BRow, p.BCol = to, width, 1
	return panel
}

// Where rows lie so far apart that each is in a page of its own or nearly so, that many are copied side by side: of so
// few a CPU foresees what comes next, and finds their pages at once.
const (
	far     = 2048
	streams = 8
)

// packPanels copies the m-by-n matrix src in panels of a number of columns.
func packPanels[T float](m, n int, src *T, lds int, dst *T, columns int) {
	width, step := wholeGroups[T](columns), m
	if lds*int(unsafe.Sizeof(*src)) >= far {
		step = streams
	}
	for i := 0; i < m; i += step {
		for j := 0; j < n; j += columns {
			packRows(min(step, m-i), min(columns, n-j), at(src, i*lds+j), lds, at(dst, j/columns*width*m+i*width),
				width)
		}
	}
}
