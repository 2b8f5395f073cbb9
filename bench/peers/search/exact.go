package main

import (
	"fmt"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/vec"
)

// raceExact prints a line: all queries in one call, ours and FAISS's. Then it compares the answers: rounding leaves
// FAISS some neighbours in another order.
func raceExact(x, q vec.Matrix[float32], metric vec.Metric, k, rounds int) error {
	theirs, err := newFlat(x, metric)
	if err != nil {
		return err
	}
	defer theirs.free()
	ours := vec.NewSearcher(x, metric)
	idx, dist := make([]int32, q.Rows*k), vec.NewMatrix[float32](q.Rows, k)
	theirIdx, theirDist := make([]int64, len(idx)), make([]float32, len(idx))
	seconds, err := race.Alternate(rounds, func() (float64, error) {
		return timed(func() { ours.Nearest(idx, dist, q, 1) }), nil
	}, func() (float64, error) {
		return timed(func() { theirs.search(theirIdx, theirDist, q, k) }), nil
	}, func() (float64, error) {
		return timed(func() { products(x, q) }), nil
	})
	if err != nil {
		return err
	}
	differ := 0
	for i, row := range idx {
		if int64(row) != theirIdx[i] {
			differ++
		}
	}
	fmt.Printf("  exact, %-12v %8.1f ms, FAISS %8.1f: %.2f times; products alone %.1f; FAISS differs at %d of %d\n",
		metric, 1e3*seconds[0], 1e3*seconds[1], seconds[1]/seconds[0], 1e3*seconds[2], differ, len(idx))
	return nil
}

// timed is the CPU time of f.
func timed(f func()) float64 {
	start := race.CPUSeconds()
	f()
	return race.CPUSeconds() - start
}

// products computes the products of all queries and rows, by blocks, and drops them.
func products(x, q vec.Matrix[float32]) {
	const rows = 1024
	c := vec.NewMatrix[float32](q.Rows, rows)
	for i := 0; i < x.Rows; i += rows {
		block := x.Slice(i, min(i+rows, x.Rows), 0, x.Cols)
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, q, block, 0, c.Slice(0, q.Rows, 0, block.Rows))
	}
}
