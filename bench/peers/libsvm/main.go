// Command libsvm races rows of a Gaussian kernel matrix of sparse examples against those that LIBSVM computes when it
// trains, one thread each.
//
//	go run ./libsvm [-n 20242] [-rows 50] [-rounds 5]
//
// The examples have the shape of RCV1's training set: 47236 features, of which each has 75, frequent ones more often.
// Times are CPU milliseconds a row, each the least of all rounds, in which the two take turns; no row comes from a
// cache. Before a round counts, all values are compared. What the two need to lay out the examples does not count: it
// is shown.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

const gamma = 0.5

func main() {
	n := flag.Int("n", 20242, "`number` of examples")
	rows := flag.Int("rows", 50, "rows that each computes in a round")
	rounds := flag.Int("rounds", 5, "how often they take turns")
	flag.Parse()
	if err := run(*n, *rows, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "libsvm:", err)
		os.Exit(1)
	}
}

func run(n, rows, rounds int) error {
	if n < 1 || rows < 1 || rounds < 1 {
		return fmt.Errorf("-n %d -rows %d -rounds %d: want at least 1 of each", n, rows, rounds)
	}
	runtime.GOMAXPROCS(1)
	x := rcv1(n)
	start := race.CPUSeconds()
	r := race.NewExamples(x)
	defer r.Free()
	fmt.Printf("%-10s %12s %12s %8s %12s\n", "", "LIBSVM ms", "ours ms", "ratio", "layout ms")
	fmt.Printf("%-10s %12s %12s %8s %12.1f\n", "LIBSVM", "", "", "", 1e3*(race.CPUSeconds()-start))
	narrow, err := dataset.ConvertCSR[float32](x)
	if err != nil {
		return err
	}
	if err := raceRows(narrow, r, rows, rounds, "float32"); err != nil {
		return err
	}
	return raceRows(x, r, rows, rounds, "float64")
}

// raceRows prints one line.
func raceRows[T vec.Float](x *dataset.CSR[T], r *race.Examples, rows, rounds int, name string) error {
	n := x.Rows
	start := race.CPUSeconds()
	k, err := kernel.New(design.Matrix[T](x), kernel.Gaussian{Gamma: gamma}, 0)
	if err != nil {
		return err
	}
	layout := race.CPUSeconds() - start
	dst := vec.NewMatrix[T](1, n)
	ours, theirs := math.Inf(1), math.Inf(1)
	for round := range rounds {
		list := make([]int, rows)
		for p := range list {
			list[p] = (round*rows + p) * 7919 % n
		}
		if err := compare(k, r, dst, list[:min(3, rows)]); err != nil {
			return err
		}
		start := race.CPUSeconds()
		for _, i := range list {
			r.KernelRow(gamma, i)
		}
		middle := race.CPUSeconds()
		for p := range list {
			k.Rows(dst, list[p:p+1], 1)
		}
		theirs, ours = min(theirs, middle-start), min(ours, race.CPUSeconds()-middle)
	}
	scale := 1e3 / float64(rows)
	fmt.Printf("%-10s %12.3f %12.4f %8.1f %12.1f\n", name, scale*theirs, scale*ours, theirs/ours, 1e3*layout)
	return nil
}

// compare returns an error where values of rows differ by more than rounding to float32 explains: a squared distance of
// examples of norm 1 with 75 numbers each is off by (2*75+12)*2 units at most, the exponential by 8 and LIBSVM's by
// one.
func compare[T vec.Float](k *kernel.Matrix[T], r *race.Examples, dst vec.Matrix[T], rows []int) error {
	const bound = (gamma*(2*75+12)*2 + 9) * 0x1p-24
	for _, i := range rows {
		k.Rows(dst, []int{i}, 1)
		for j, want := range r.KernelRow(gamma, i) {
			if got := dst.Data[j]; !(math.Abs(float64(got)-float64(want)) <= bound) {
				return fmt.Errorf("row %d, column %d: %v, LIBSVM has %v", i, j, got, want)
			}
		}
	}
	return nil
}

// rcv1 returns n examples of norm 1 and 75 features, of which feature j has a share of about 1/(j+17): two examples
// have 5 features in common, as documents of RCV1 do.
func rcv1(n int) *dataset.CSR[float64] {
	const d, nnz, head = 47236, 75, 17
	rng := rand.New(rand.NewPCG(23, 24))
	x := &dataset.CSR[float64]{Rows: n, Cols: d, Ptr: []int{0}}
	for range n {
		row := make([]int32, 0, nnz)
		for len(row) < nnz {
			j := int32(head * (math.Pow(1+d/head, rng.Float64()) - 1))
			if j < d && !slices.Contains(row, j) {
				row = append(row, j)
			}
		}
		slices.Sort(row)
		values := make([]float64, nnz)
		for k := range values {
			values[k] = 0.1 + rng.Float64()
		}
		vec.Scale(1/math.Sqrt(vec.SquaredNorm(values)), values)
		x.Idx, x.Val, x.Ptr = append(x.Idx, row...), append(x.Val, values...), append(x.Ptr, len(x.Val)+nnz)
	}
	return x
}
