// Command search races searches for the nearest rows: ours, exact, against FAISS's exact index, and ours against the
// graph of hnswlib, which is not exact. One thread each.
//
//	go run ./search [-data DIR] [-run regexp] [-queries 1000] [-k 10] [-rounds 3]
//
// The sets are made, 100000 rows of 128 numbers about 1000 centres, and with -data Fashion-MNIST and MNIST, 60000
// images of 784 pixels, whose queries are their test images. Times are CPU time, the least of all rounds, in which the
// two take turns. Debian's FAISS is compiled for the least of CPUs: of its indexes the flat one alone, which runs on
// OpenBLAS, is a fair rival.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"

	"github.com/dualgap/dualgap/vec"
)

func main() {
	data := flag.String("data", "", "`folder` with Fashion-MNIST and MNIST")
	run := flag.String("run", "", "only sets whose name matches this `regexp`")
	queries := flag.Int("queries", 1000, "`number` of queries")
	k := flag.Int("k", 10, "neighbours")
	rounds := flag.Int("rounds", 3, "how often they take turns")
	flag.Parse()
	if err := races(*data, *run, *queries, *k, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

func races(data, run string, queries, k, rounds int) error {
	if queries < 1 || k < 1 || rounds < 1 {
		return fmt.Errorf("-queries %d -k %d -rounds %d: want at least 1 of each", queries, k, rounds)
	}
	wanted, err := regexp.Compile(run)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	runtime.GOMAXPROCS(1)
	for _, s := range sets(data) {
		if !wanted.MatchString(s.name) {
			continue
		}
		x, q, err := s.read()
		if err != nil {
			return err
		}
		q = q.Slice(0, min(queries, q.Rows), 0, q.Cols)
		fmt.Printf("%s: %d rows of %d numbers, %d queries, %d neighbours\n", s.name, x.Rows, x.Cols, q.Rows, k)
		for _, metric := range []vec.Metric{vec.L2, vec.InnerProduct} {
			if err := raceExact(x, q, metric, k, rounds); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if err := raceGraph(x, q, k, rounds); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
