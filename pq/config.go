package pq

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// Config says what Train makes. Only M is required; the zero value of another field stands for its default. Numbers
// below 0 are errors that name the field.
type Config struct {
	M     int // number of subspaces
	NBits int // bits of each part of a code, 8 (default) or 4

	// Uneven allows an M that does not divide the number of dimensions d: the first d mod M subspaces are then one
	// dimension wider than the others. Without it such an M is an error.
	Uneven bool

	Iterations        int  // of k-means in each subspace; default 25
	PointsPerCentroid int  // most training vectors for each centroid, drawn at random; default 256
	PlusPlus          bool // start with k-means++ instead of random vectors

	// Rotations is the number of rounds in which a rotation R of all dimensions is fitted first, so that subspaces
	// share the variance: optimized product quantization, OPQ. The default 0 stands for no rotation; 10 to 20 rounds
	// are enough. Encoding then costs d² more operations a vector.
	Rotations int

	Seed     uint64         // of all that is drawn at random
	Workers  int            // goroutines; 0 stands for one for each core. The result does not depend on it
	Progress func(Progress) // if not nil, called after each iteration by the goroutine that called Train
}

// Progress tells how far training is.
type Progress struct {
	Rotation    int     // rounds of OPQ that are done, up to Config.Rotations
	Done, Total int     // iterations of k-means that are done, and at most, summed over subspaces
	MSE         float64 // mean of |x - x̂|² over the sample, in the subspaces that Done counts
}

const (
	defaultIterations        = 25
	defaultPointsPerCentroid = 256
)

// withDefaults returns c with its zero values replaced, or an error that names what is impossible.
func (c Config) withDefaults(x vec.Matrix[float32]) (Config, error) {
	for _, f := range []struct {
		name  string
		value *int
		zero  int
	}{
		{"NBits", &c.NBits, 8},
		{"Iterations", &c.Iterations, defaultIterations},
		{"PointsPerCentroid", &c.PointsPerCentroid, defaultPointsPerCentroid},
		{"Rotations", &c.Rotations, 0},
	} {
		if *f.value < 0 {
			return c, fmt.Errorf("pq: Config.%s is %d", f.name, *f.value)
		}
		if *f.value == 0 {
			*f.value = f.zero
		}
	}
	var err error
	if c.Workers, err = workersOf("Config.Workers", c.Workers); err != nil {
		return c, err
	}
	if err := x.Validate(); err != nil {
		return c, fmt.Errorf("pq: training vectors: %w", err)
	}
	if 0 < c.M && c.M <= x.Cols && !c.Uneven && x.Cols%c.M != 0 {
		return c, fmt.Errorf("pq: d=%d is no multiple of M=%d; Config.Uneven allows subspaces of two widths",
			x.Cols, c.M)
	}
	if ksub := 1 << c.NBits; (c.NBits == 4 || c.NBits == 8) && x.Rows < ksub {
		return c, fmt.Errorf("pq: %d training vectors for %d centroids (NBits=%d): at least one for each is needed",
			x.Rows, ksub, c.NBits)
	}
	return c, nil
}
