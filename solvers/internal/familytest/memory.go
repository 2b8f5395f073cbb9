package familytest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/file/filetest"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Sized is a problem that is told by its size: n random examples of d features, of which a share is not 0, and of the
// classes 0..m-1 in turn.
type Sized struct {
	N, D, M int
	Share   float64 // default: all
	Kernel  bool    // a Gaussian kernel of the examples
	Budget  int64   // of that; default: 20 MB
}

// Measures reports whether this process can measure memory: one whose collector stops all goroutines while it works, so
// that nothing dead is counted. Otherwise it runs the test again in such a process, and fails where that does.
func Measures(t *testing.T) bool {
	t.Helper()
	if _, is := filetest.Told(); is {
		return true
	}
	c := filetest.Again(t)
	c.Args, c.Env = append(c.Args, "-test.v"), append(c.Env, "GODEBUG=gcstoptheworld=2")
	out, err := c.CombinedOutput()
	t.Logf("%s", out)
	switch exit := new(exec.ExitError); {
	case errors.As(err, &exit):
		t.Error(err)
	case err != nil:
		t.Skip("no other process: ", err)
	}
	return false
}

// Memory fails where the memory that a problem tells is less than the most that is alive at a time in its training, or
// more than that by a quarter. A Memory leaves out what products of matrices copy: 2^19 bytes for each of the Config's
// Workers are allowed for them. Call it where Measures is true.
func Memory[P interface {
	Problem[C, R]
	Memory(C) (solvers.Memory, error)
}, C, R any](t *testing.T, p P, c C) {
	t.Helper()
	told, err := p.Memory(c)
	if err != nil {
		t.Fatal(err)
	}
	certificates := 0
	c = With(c, "Progress", func(p solvers.Progress) {
		if p.Certified {
			certificates++
		}
	})
	ctx, cancel := context.WithCancel(context.Background()) // where a context may end, states are kept
	defer cancel()
	alive, look := 0.0, newLooker()
	for k := 0; k < 2 || k < 20 && told.Bytes() > 1.25*alive && err == nil; k++ { // looks may miss the short moment
		alive = max(alive, look.peak(func() { _, err = p.Fit(ctx, c) }))
	}
	copies := float64(reflect.ValueOf(c).FieldByName("Workers").Int()) * (1 << 19)
	if err != nil || certificates == 0 || told.Bytes()+copies < alive || told.Bytes() > 1.25*alive {
		t.Errorf("%.4g bytes alive, with %d certificates, told were %.4g, %.2f times as much (%v):\n%v", alive,
			certificates, told.Bytes(), told.Bytes()/alive, err, told)
	}
	t.Logf("%.4g bytes alive, told were %.4g: %.2f", alive, told.Bytes(), told.Bytes()/alive)
}

// Discarded takes checkpoints, of which nothing is kept.
func Discarded() solvers.Checkpoint {
	return solvers.Checkpoint{Every: 20 * time.Millisecond, Save: func(write func(io.Writer) error) error {
		return write(io.Discard)
	}}
}

// Draw draws the examples, or their kernel, and the classes.
func Draw[T vec.Float](t testing.TB, s Sized) (x design.Matrix[T], k *kernel.Matrix[T], y []int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	m, y := vec.NewMatrix[T](s.N, s.D), make([]int, s.N)
	for i := range y {
		y[i] = i % s.M
		for j := range s.D {
			if s.Share == 0 || rng.Float64() < s.Share {
				m.Row(i)[j] = T(rng.Float64())
			}
		}
	}
	x = &dataset.Dense[T]{Matrix: m}
	if !s.Kernel {
		return x, nil, y
	}
	k, err := kernel.New(x, kernel.Gaussian{Gamma: 1}, cmp.Or(s.Budget, 20<<20))
	if err != nil {
		t.Fatal(err)
	}
	return nil, k, y
}
