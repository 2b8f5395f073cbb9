// Command compressed races products in the compressed domain (pq.Matrix) against the same products of the decoded
// matrix, by OpenBLAS and by this library, on one thread each.
//
//	go run ./compressed [-n 16384] [-d 4096] [-dsub 16] [-m 1,8,32,128] [-workers 1] [-rounds 5]
//
// Scores is X W, Accumulate is Xᵀ A, X n-by-d, W d-by-m and A n-by-m. Times of the compressed products hold their
// tables; the lists that a first Accumulate makes are made before. Each round runs all in turn, and its ratios are the
// others' times over the time of the compressed product; the table shows their medians. The last column is the error
// relative to the dense result, in the Frobenius norm.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

func main() {
	n := flag.Int("n", 16384, "examples")
	d := flag.Int("d", 4096, "features")
	dsub := flag.Int("dsub", 16, "features in a subspace")
	list := flag.String("m", "1,8,32,128", "columns of W")
	workers := flag.Int("workers", 1, "goroutines of the compressed products")
	rounds := flag.Int("rounds", 5, "how often all take turns")
	flag.Parse()
	if err := run(*n, *d, *dsub, *list, *workers, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "compressed:", err)
		os.Exit(1)
	}
}

func run(n, d, dsub int, list string, workers, rounds int) error {
	if n < 1 || d < 1 || dsub < 1 || d%dsub != 0 || workers < 1 || rounds < 1 || flag.NArg() > 0 {
		return fmt.Errorf("want positive numbers, d a multiple of dsub, and no arguments; have n=%d d=%d dsub=%d "+
			"workers=%d rounds=%d %q", n, d, dsub, workers, rounds, flag.Args())
	}
	single()
	q, codes, err := random(n, d, d/dsub)
	if err != nil {
		return err
	}
	x := vec.NewMatrix[float32](n, d)
	if err := q.Decode(x, codes, 1); err != nil {
		return err
	}
	fmt.Printf("%v\nn=%d d=%d dsub=%d: %d MB as float32, %d as codes; %d goroutines, median of %d rounds\n\n",
		vec.Info(), n, d, dsub, n*d*4>>20, len(codes)>>20, workers, rounds)
	fmt.Printf("%-10s %4s %-8s %9s %12s %8s %12s %8s %9s\n", "product", "m", "tables", "ms", "OpenBLAS ms", "ratio",
		"dense ms", "ratio", "error")
	for field := range strings.SplitSeq(list, ",") {
		m, err := strconv.Atoi(field)
		if err != nil || m < 1 {
			return fmt.Errorf("-m %s: %q is not a positive number", list, field)
		}
		for tables, name := range []string{"float32", "int16", "int8"} {
			p, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{Tables: pq.Tables(tables), Workers: workers})
			if err != nil {
				return err
			}
			w, a := drawn(d, m), drawn(n, m)
			race("Scores", name, m, rounds,
				func(c vec.Matrix[float32]) { p.Scores(c, w, nil) },
				func(c vec.Matrix[float32]) { sgemm(false, x, w, c) },
				func(c vec.Matrix[float32]) { vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w, 0, c) }, n)
			race("Accumulate", name, m, rounds,
				func(c vec.Matrix[float32]) { clear(c.Data); p.Accumulate(c, a, nil) },
				func(c vec.Matrix[float32]) { sgemm(true, x, a, c) },
				func(c vec.Matrix[float32]) { vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, a, 0, c) }, d)
			runtime.GC()
		}
	}
	return nil
}

// race prints one line.
func race(product, tables string, m, rounds int, compressed, openblas, dense func(c vec.Matrix[float32]), rows int) {
	got, want := vec.NewMatrix[float32](rows, m), vec.NewMatrix[float32](rows, m)
	var ms, theirs, ours, ratio, ratioOurs []float64
	timed := func(f func(c vec.Matrix[float32]), c vec.Matrix[float32]) float64 {
		best := math.Inf(1)
		for range 3 {
			start := time.Now()
			f(c)
			best = min(best, time.Since(start).Seconds()*1e3)
		}
		return best
	}
	compressed(got)
	for range rounds {
		t := timed(compressed, got)
		b, g := timed(openblas, want), timed(dense, want)
		ms, theirs, ours = append(ms, t), append(theirs, b), append(ours, g)
		ratio, ratioOurs = append(ratio, b/t), append(ratioOurs, g/t)
	}
	var off, all float64
	for i, v := range want.Data {
		e := float64(got.Data[i]) - float64(v)
		off += e * e
		all += float64(v) * float64(v)
	}
	fmt.Printf("%-10s %4d %-8s %9.3f %12.3f %8.2f %12.3f %8.2f %9.1e\n", product, m, tables, median(ms), median(theirs),
		median(ratio), median(ours), median(ratioOurs), math.Sqrt(off/all))
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// random returns a quantizer of random centroids, and random codes: speed does not depend on what they stand for.
func random(n, d, m int) (*pq.Quantizer, []byte, error) {
	r := rand.New(rand.NewPCG(1, 2))
	centroids := make([]float32, 256*d)
	for i := range centroids {
		centroids[i] = float32(r.NormFloat64())
	}
	q, err := pq.New(d, m, 8, centroids, nil)
	if err != nil {
		return nil, nil, err
	}
	codes := make([]byte, n*m)
	for i := range codes {
		codes[i] = byte(r.Uint32())
	}
	return q, codes, nil
}

func drawn(rows, cols int) vec.Matrix[float32] {
	r := rand.New(rand.NewPCG(3, 4))
	a := vec.NewMatrix[float32](rows, cols)
	for i := range a.Data {
		a.Data[i] = float32(r.NormFloat64())
	}
	return a
}
