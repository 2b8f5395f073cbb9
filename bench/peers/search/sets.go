package main

import (
	"math/rand/v2"
	"path/filepath"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/vec"
)

// set is rows and queries.
type set struct {
	name string
	read func() (x, q vec.Matrix[float32], err error)
}

// sets returns the made one and, where there is a folder, those in it.
func sets(dir string) []set {
	all := []set{{"made", made}}
	if dir == "" {
		return all
	}
	for _, name := range []string{"fashion-mnist", "mnist"} {
		all = append(all, set{name, func() (x, q vec.Matrix[float32], err error) {
			train, test, err := fashion.Open(filepath.Join(dir, name))
			if err != nil {
				return x, q, err
			}
			return train.X.Matrix, test.X.Matrix, nil
		}})
	}
	return all
}

// made returns points around centres.
func made() (x, q vec.Matrix[float32], err error) {
	const n, m, d, centres = 100000, 1000, 128, 1000
	r := rand.New(rand.NewPCG(1, 2))
	c := vec.NewMatrix[float32](centres, d)
	for i := range c.Data {
		c.Data[i] = float32(r.NormFloat64())
	}
	points := func(n int) vec.Matrix[float32] {
		x := vec.NewMatrix[float32](n, d)
		for i := range n {
			centre := c.Row(r.IntN(centres))
			for j, row := 0, x.Row(i); j < d; j++ {
				row[j] = centre[j] + float32(r.NormFloat64())/2
			}
		}
		return x
	}
	return points(n), points(m), nil
}
