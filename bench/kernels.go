package main

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/vec"
)

// Case is one kernel at one size.
type Case struct {
	Name string
	M, N int // M rows by N columns; M is 0 for vectors of N elements
	K    int // of a projection, else 0
}

// String returns the size alone.
func (c Case) String() string {
	switch {
	case c.K > 0:
		return fmt.Sprintf("%d, k=%d", c.N, c.K)
	case c.M > 0:
		return fmt.Sprintf("%dx%d", c.M, c.N)
	}
	return fmt.Sprint(c.N)
}

// Kernel is the speed of a kernel at one size, in one precision. Times are nanoseconds a call, the least of many; 0 where
// there is nothing to compare with.
type Kernel struct {
	Case
	Type    string
	NS      float64
	GBps    float64 // 10⁹ bytes a second, each operand counted once when it is read and once when it is written
	GoNS    float64 // of the pure-Go twin
	GonumNS float64
}

// cases is the table: short vectors, images of 784 pixels, vectors beyond the first cache; the weights of 784 features by 10 or
// 100 classes, and a matrix beyond the second cache.
func cases() (list []Case) {
	for _, name := range []string{"Dot", "SquaredDistance", "SquaredNorm", "Sum", "AbsSum", "Scale", "Axpy"} {
		for _, n := range []int{16, 784, 65536} {
			list = append(list, Case{Name: name, N: n})
		}
	}
	for _, name := range []string{"Ger", "Gemv", "GemvT"} {
		for _, size := range [][2]int{{784, 10}, {784, 100}, {4096, 1000}} {
			list = append(list, Case{Name: name, M: size[0], N: size[1]})
		}
	}
	for _, size := range [][2]int{{10, 3}, {100, 5}, {1000, 10}} {
		list = append(list, Case{Name: topKSimplex, N: size[0], K: size[1]})
	}
	return list
}

// bytes returns how many bytes a call loads and stores.
func (c Case) bytes(element int) int {
	n := c.N
	switch c.Name {
	case "Dot", "SquaredDistance", "Scale", topKSimplex:
		n = 2 * c.N
	case "Axpy":
		n = 3 * c.N
	case "Ger":
		n = 2*c.M*c.N + c.M + c.N
	case "Gemv", "GemvT":
		n = c.M*c.N + c.M + c.N
	}
	return n * element
}

// measureAll measures the cases in both precisions, each turn of an implementation a window long.
func measureAll(ctx context.Context, list []Case, window time.Duration, b *progress.Bar, out report) error {
	for i, c := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.Show(float64(i)/float64(len(list)), fmt.Sprintf("%s %v", c.Name, c))
		single, err := measure(c, "float32", 4, gonum32, window)
		if err != nil {
			return err
		}
		double, err := measure(c, "float64", 8, gonum64, window)
		if err != nil {
			return err
		}
		b.Clear()
		if err := out.kernel(single, double); err != nil {
			return err
		}
	}
	return nil
}

// measure compares the results of all implementations of c, and then their times.
func measure[T vec.Float](c Case, typ string, element int, gonum map[string]loop[T], window time.Duration) (Kernel, error) {
	loop, tier := ours[T]()[c.Name], cpu.Level
	runners := []runner[T]{{"dualgap", tier, loop}}
	twin, rival := 0, 0
	if tier != cpu.Generic && c.Name != topKSimplex { // which is pure Go itself
		twin = len(runners)
		runners = append(runners, runner[T]{"pure Go", cpu.Generic, loop})
	}
	if g, ok := gonum[c.Name]; ok {
		rival = len(runners)
		runners = append(runners, runner[T]{"gonum", tier, g})
	}
	if err := agree(c, runners); err != nil {
		return Kernel{}, fmt.Errorf("%s %v, %s: %w", c.Name, c, typ, err)
	}
	ns := alternate(runners, newOperands[T](c), window)
	k := Kernel{Case: c, Type: typ, NS: ns[0], GBps: float64(c.bytes(element)) / ns[0]}
	if twin > 0 {
		k.GoNS = ns[twin]
	}
	if rival > 0 {
		k.GonumNS = ns[rival]
	}
	return k, nil
}
