package pq

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// ScalarConfig says what TrainScalar makes. The zero value of a field stands for its default; numbers below 0 are
// errors that name the field.
type ScalarConfig struct {
	Turn Turn // PCA (default) or Hadamard
	Dims int  // principal axes that a code keeps; default all, as Hadamard must
	Bits int  // of each, 1, 2, 4 (default) or 8

	// Tails is the number of norms, 4 bytes each, that an index keeps of the coordinates that codes leave out: the
	// first of Dims of them, the next of 2 Dims, and so on, the last of all that are left. Default 2; fewer where that
	// is enough. To compute all but the last one costs as many more axes.
	Tails int

	Sample  int    // most training vectors, drawn at random; default 16384
	Seed    uint64 // of all that is drawn at random
	Workers int    // goroutines; 0 stands for one for each core. The result does not depend on it
}

// withDefaults returns c with its zero values replaced, or an error that names what is impossible.
func (c ScalarConfig) withDefaults(x vec.Matrix[float32]) (ScalarConfig, error) {
	for _, f := range []struct {
		name  string
		value *int
		zero  int
	}{
		{"Dims", &c.Dims, x.Cols}, {"Bits", &c.Bits, 4}, {"Tails", &c.Tails, 2}, {"Sample", &c.Sample, 16384},
	} {
		if *f.value < 0 {
			return c, fmt.Errorf("pq: ScalarConfig.%s is %d", f.name, *f.value)
		}
		if *f.value == 0 {
			*f.value = f.zero
		}
	}
	var err error
	if c.Workers, err = workersOf("ScalarConfig.Workers", c.Workers); err != nil {
		return c, err
	}
	if err := x.Validate(); err != nil {
		return c, fmt.Errorf("pq: training vectors: %w", err)
	}
	if x.Rows < 1 {
		return c, fmt.Errorf("pq: %d training vectors, want at least 1", x.Rows)
	}
	return c, nil
}
