package gemm

import "unsafe"

func tilesGeneric[T float](m, n, k int, alpha T, a *T, ars, acs, mr, apanel int, b *T, ldb, nr, bpanel int, beta T,
	c *T, ldc int) {
	for i := 0; i < m; i += mr {
		for j := 0; j < n; j += nr {
			h, w := min(mr, m-i), min(nr, n-j)
			a, b, c := at(a, i/mr*apanel), at(b, j/nr*bpanel), at(c, i*ldc+j)
			for r := 0; r < h; r += 4 {
				for s := 0; s < w; s += 4 {
					t := tile[T]{rows: min(4, h-r), cols: min(4, w-s)}
					if t.rows == 4 && t.cols == 4 && k > 0 {
						t.addFull(k, at(a, r*ars), ars, acs, at(b, s), ldb)
					} else {
						t.add(k, at(a, r*ars), ars, acs, at(b, s), ldb)
					}
					t.write(alpha, beta, at(c, r*ldc+s), ldc)
				}
			}
		}
	}
}

// tile is a piece of C: the sums. Products are rounded before they are added, here and in the other twins: were they
// fused where the compiler likes, the bits would depend on how workers cut C into pieces.
type tile[T float] struct {
	rows, cols int
	sum        [4][4]T
}

func (t *tile[T]) add(k int, a *T, ars, acs int, b *T, ldb int) {
	for p := range k {
		row := unsafe.Slice(at(b, p*ldb), t.cols)
		for i := range t.rows {
			v := *at(a, i*ars+p*acs)
			for j, w := range row {
				t.sum[i][j] += T(v * w)
			}
		}
	}
}

// addFull is add for four rows and columns, two rows at a time since CPUs have 16 registers.
func (t *tile[T]) addFull(k int, a *T, ars, acs int, b *T, ldb int) {
	for i := 0; i < 4; i += 2 {
		x, y, q := at(a, i*ars), at(a, (i+1)*ars), b
		var s0, s1, s2, s3, r0, r1, r2, r3 T
		for p := k; ; { // k > 0
			row := (*[4]T)(unsafe.Pointer(q))
			v, w := *x, *y
			s0 += T(v * row[0])
			s1 += T(v * row[1])
			s2 += T(v * row[2])
			s3 += T(v * row[3])
			r0 += T(w * row[0])
			r1 += T(w * row[1])
			r2 += T(w * row[2])
			r3 += T(w * row[3])
			if p--; p <= 0 { // pointers go no further than the operands
				break
			}
			x, y, q = at(x, acs), at(y, acs), at(q, ldb)
		}
		t.sum[i], t.sum[i+1] = [4]T{s0, s1, s2, s3}, [4]T{r0, r1, r2, r3}
	}
}

func (t *tile[T]) write(alpha, beta T, c *T, ldc int) {
	for i := range t.rows {
		row := unsafe.Slice(at(c, i*ldc), t.cols)
		for j := range row {
			v := T(alpha * t.sum[i][j])
			if beta != 0 {
				v += T(beta * row[j])
			}
			row[j] = v
		}
	}
}

// at returns the address of p[i].
func at[T float](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*unsafe.Sizeof(*p)))
}

func tilesF32Generic(m, n, k int, alpha float32, a *float32, ars, acs, mr, apanel int, b *float32, ldb, nr, bpanel int,
	beta float32, c *float32, ldc int) {
	tilesGeneric(m, n, k, alpha, a, ars, acs, mr, apanel, b, ldb, nr, bpanel, beta, c, ldc)
}

func tilesF64Generic(m, n, k int, alpha float64, a *float64, ars, acs, mr, apanel int, b *float64, ldb, nr, bpanel int,
	beta float64, c *float64, ldc int) {
	tilesGeneric(m, n, k, alpha, a, ars, acs, mr, apanel, b, ldb, nr, bpanel, beta, c, ldc)
}
