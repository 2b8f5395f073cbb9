package pq

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestMatrixNeighbours: rows that follow one another are multiplied where they lie; the bits equal the bits of a matrix
// of these rows alone. With whole blocks of 4096 the lists of all rows serve them, too.
func TestMatrixNeighbours(t *testing.T) {
	const n, d, parts = 9000, 12, 6
	r := rand.New(rand.NewPCG(31, 32))
	for _, tables := range []Tables{Float32, Int16, Int8} {
		for _, rotate := range []bool{false, true} {
			x := randomMatrix(t, r, n, d, parts, 4, rotate, MatrixOptions{Tables: tables, Workers: 2})
			for _, part := range [][2]int{{0, 4096}, {4096, 8192}, {4096, n}, {8192, n}, {256, 1300}, {512, 4608},
				{4096, 6000}, {300, 2000}} {
				rows := make([]int, 0, n)
				for i := part[0]; i < part[1]; i++ {
					rows = append(rows, i)
				}
				alone, code := &Matrix{q: x.q, o: x.o}, make([]byte, parts)
				for _, i := range rows {
					for q := range parts {
						code[q] = x.blocks[x.at(i, q)]
					}
					packed := make([]byte, x.q.CodeSize())
					x.q.pack(packed, code)
					alone.add(packed)
				}
				for _, m := range []int{1, 5, 16, 70} {
					name := fmt.Sprintf("tables %d, rotated %t, rows %v, %d outputs", tables, rotate, part, m)
					w, a := randomRows(r, d, m), randomRows(r, len(rows), m)
					got, want := vec.NewMatrix[float32](len(rows), m), vec.NewMatrix[float32](len(rows), m)
					x.Scores(got, w, rows)
					alone.Scores(want, w, nil)
					if !slices.Equal(got.Data, want.Data) {
						t.Errorf("%s: scores differ", name)
					}
					got, want = vec.NewMatrix[float32](d, m), vec.NewMatrix[float32](d, m)
					for i := range d {
						copy(got.Row(i), w.Row(i))
						copy(want.Row(i), w.Row(i))
					}
					x.Accumulate(got, a, rows)
					alone.Accumulate(want, a, nil)
					if !slices.Equal(got.Data, want.Data) {
						t.Errorf("%s: Xᵀ A differs", name)
					}
				}
			}
			if count := len(x.lists); count != 3 {
				t.Errorf("%d lists of all rows", count)
			}
		}
	}
}
