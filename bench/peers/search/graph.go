package main

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// raceGraph prints recall against queries a second: hnswlib's graph with more and more effort, and ours by codes with
// more and more candidates that are compared by the originals. One query at a time.
func raceGraph(x, q vec.Matrix[float32], k, rounds int) error {
	idx, dist := make([]int32, q.Rows*k), vec.NewMatrix[float32](q.Rows, k)
	vec.NewSearcher(x, vec.L2).Nearest(idx, dist, q, 1)
	var theirs graph
	var err error
	built := timed(func() { theirs, err = newGraph(x) })
	if err != nil {
		return err
	}
	defer theirs.free()
	fmt.Printf("  hnswlib, %d links, built in %.1f s:", links, built)
	found := make([]int64, len(idx))
	for _, effort := range []int{10, 20, 40, 80, 160} {
		seconds, err := race.Alternate(rounds, func() (float64, error) {
			return timed(func() { theirs.search(found, q, k, max(effort, k)) }), nil
		})
		if err != nil {
			return err
		}
		point(recall(idx, found, k), seconds[0], q.Rows)
	}
	fmt.Println()
	return codes(x, q, k, rounds, idx)
}

// codes prints the line of codes of a product quantizer, a byte for each eight numbers.
func codes(x, q vec.Matrix[float32], k, rounds int, idx []int32) error {
	var index *pq.Index
	var err error
	built := timed(func() {
		var quantizer *pq.Quantizer
		if quantizer, err = pq.Train(context.Background(), x, pq.Config{M: x.Cols / 8, Workers: 1}); err != nil {
			return
		}
		if index, err = pq.NewIndex(quantizer, pq.L2); err == nil {
			err = index.Add(x, 1)
		}
	})
	if err != nil {
		return err
	}
	fmt.Printf("  codes of %d bytes, built in %.1f s:", x.Cols/8, built)
	found, near := make([]int64, len(idx)), []pq.Neighbor(nil)
	for _, candidates := range []int{k, 2 * k, 5 * k, 20 * k} {
		search := pq.Search{K: k, Candidates: candidates, Vector: pq.Rows(x)}
		seconds, err := race.Alternate(rounds, func() (float64, error) {
			var err error
			return timed(func() {
				for i := 0; i < q.Rows && err == nil; i++ {
					near, err = index.Search(near, q.Row(i), search)
					for j, n := range near {
						found[i*k+j] = int64(n.ID)
					}
				}
			}), err
		})
		if err != nil {
			return err
		}
		point(recall(idx, found, k), seconds[0], q.Rows)
	}
	fmt.Println()
	return nil
}

// point prints a recall and a speed.
func point(recall, seconds float64, queries int) {
	fmt.Printf("  %.4f at %.0f/s", recall, float64(queries)/seconds)
}

// recall is the part of the k nearest rows that is among the k found.
func recall(idx []int32, found []int64, k int) float64 {
	hits := 0
	for from := 0; from < len(idx); from += k {
		for _, row := range idx[from : from+k] {
			for _, f := range found[from : from+k] {
				if f == int64(row) {
					hits++
				}
			}
		}
	}
	return float64(hits) / float64(len(idx))
}
