package main

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// raceGraph prints recall against queries a second: hnswlib's graph with more and more effort, ours by codes with
// more and more candidates that are compared by the originals, and ours with more and more lists, then proved. One
// query at a time.
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

// codes prints lines of codes: of a product quantizer, a byte for each eight numbers, and of principal axes, as many
// bytes, in lists.
func codes(x, q vec.Matrix[float32], k, rounds int, idx []int32) error {
	bytes := x.Cols / 8
	err := line(x, q, k, rounds, idx, fmt.Sprintf("codes of %d bytes", bytes), func() (*pq.Index, error) {
		quantizer, err := pq.Train(context.Background(), x, pq.Config{M: bytes, Workers: 1})
		if err != nil {
			return nil, err
		}
		return pq.NewIndexOf(quantizer, pq.IndexConfig{Metric: pq.L2, Vectors: true})
	}, []pq.Search{{Candidates: k}, {Candidates: 2 * k}, {Candidates: 5 * k}, {Candidates: 20 * k}})
	if err != nil {
		return err
	}
	lists := int(math.Sqrt(float64(x.Rows)))
	var searches []pq.Search
	for _, probes := range []int{2, 4, 8, 16, 32} {
		searches = append(searches, pq.Search{Candidates: 5 * k, Probes: probes})
	}
	return line(x, q, k, rounds, idx, fmt.Sprintf("axes of 4 bits, %d bytes, in %d lists", bytes, lists),
		func() (*pq.Index, error) {
			scalar, err := pq.TrainScalar(context.Background(), x, pq.ScalarConfig{Dims: 2 * bytes, Workers: 1})
			if err != nil {
				return nil, err
			}
			centres, err := pq.TrainLists(context.Background(), x, lists, 0, 1)
			if err != nil {
				return nil, err
			}
			return pq.NewIndexOf(scalar, pq.IndexConfig{Metric: pq.L2, Bounds: true, Vectors: true, Lists: centres})
		}, append(searches, pq.Search{Budget: all}))
}

// all is a Budget that says to prove what is found.
const all = math.MaxInt

// line builds an index and prints recall against queries a second, for each way to search.
func line(x, q vec.Matrix[float32], k, rounds int, idx []int32, name string, empty func() (*pq.Index, error),
	searches []pq.Search) error {
	var index *pq.Index
	var err error
	built := timed(func() {
		if index, err = empty(); err == nil {
			err = index.Add(x, 1)
		}
	})
	if err != nil {
		return err
	}
	fmt.Printf("  %s, built in %.1f s:", name, built)
	found, near := make([]int64, len(idx)), []pq.Neighbor(nil)
	for _, search := range searches {
		search.K = k
		seconds, err := race.Alternate(rounds, func() (float64, error) {
			var err error
			return timed(func() {
				for i := 0; i < q.Rows && err == nil; i++ {
					if search.Budget == all {
						near, _, err = index.Certify(near, q.Row(i), search)
					} else {
						near, err = index.Search(near, q.Row(i), search)
					}
					for j, n := range near {
						found[i*k+j] = int64(n.ID)
					}
				}
			}), err
		})
		if err != nil {
			return err
		}
		if search.Budget == all {
			fmt.Print("  proved:")
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
