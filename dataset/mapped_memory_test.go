package dataset_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// TestMappedTrains: training on examples in a file takes memory for its own state alone, though four fifths of the
// numbers are 0, so that a copy as sparse rows would be quicker. Files of 2 GB, of which the one of bytes has four
// times as many examples, and so four times the state:
//
//	DUALGAP_MAP_MB=2048 go test -run=TestMappedTrains -v -timeout=1h ./dataset
func TestMappedTrains(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: trainings on 16 MB")
	}
	size := 16
	if s := os.Getenv("DUALGAP_MAP_MB"); s != "" {
		var err error
		if size, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	const d, m = 784, 10
	for _, kind := range []string{"f4", "u1"} {
		bytes := map[string]int{"f4": 4, "u1": 1}[kind]
		n := size << 20 / bytes / d
		path, y := bigFile(t, n, d, m, kind)
		x, err := dataset.MapNPY[float32](path, dataset.NPYOptions{Scale: map[string]float64{"u1": 1. / 255}[kind]})
		if err != nil {
			t.Fatal(err)
		}
		if !x.InFile() {
			t.Skip("files are read into memory on this system")
		}
		var before, after runtime.MemStats
		debug.FreeOSMemory() // what other tests have left
		runtime.ReadMemStats(&before)
		base, rest := resident("RssAnon"), 0
		watch := func(solvers.Progress) { rest = max(rest, resident("RssAnon")-base) }
		start := time.Now()
		r, err := topk.Fit[float32](context.Background(), x, y, topk.Config{Lambda: 1. / float64(n), Tol: .05,
			Epochs: 30, Progress: watch})
		if err != nil {
			t.Fatal(err)
		}
		watch(solvers.Progress{})
		runtime.ReadMemStats(&after)
		t.Logf("%s: %d examples, %d MB, %v after %d epochs and %.1f s, %v; %d MB of memory beside the map, %d MB of "+
			"the map",
			kind, n, size, r.Status, r.Epochs, time.Since(start).Seconds(), r.Certificate, rest>>10,
			resident("RssFile")>>10)
		if r.Status != solvers.Converged {
			t.Errorf("%s: %v, %v", kind, r.Status, r.Certificate)
		}
		// The state is A and its certificate, some numbers of each example; a copy as sparse rows would take 8 bytes
		// for each number that is not 0.
		if took, sparse := after.TotalAlloc-before.TotalAlloc, uint64(n*d/5*8); took > sparse {
			t.Errorf("%s: allocated %d MB, a sparse copy takes %d MB", kind, took>>20, sparse>>20)
		}
		if kind == "f4" && rest>>10 > 300 {
			t.Errorf("%s: %d MB of memory beside the map", kind, rest>>10)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		os.Remove(path)
	}
}

// bigFile writes examples of m classes, each with pixels of its own, most of them 0, and returns their classes.
func bigFile(t *testing.T, n, d, m int, kind string) (path string, y []int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "big.npy")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewPCG(35, 36))
	block, o := vec.NewMatrix[float32](1, d), dataset.NPYOptions{Type: kind, Scale: 1. / 255}
	if kind == "f4" {
		o.Scale = 1
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }",
		map[string]string{"f4": "<f4", "u1": "|u1"}[kind], n, d)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00\x76\x00%-117s\n", head)
	for range n {
		class := rng.IntN(m)
		y = append(y, class)
		clear(block.Data)
		for range d / 5 {
			j := rng.IntN(d)
			if rng.IntN(4) == 0 {
				j = j/m*m + class
			}
			block.Data[min(j, d-1)] = float32(rng.IntN(256)) / 255
		}
		var row strings.Builder
		if err := dataset.WriteNPY(&row, &dataset.Dense[float32]{Matrix: block}, o); err != nil {
			t.Fatal(err)
		}
		w.WriteString(row.String()[128:])
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path, y
}

// resident returns a line of /proc/self/status in KiB, 0 where there is none.
func resident(name string) int {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kib, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kib
		}
	}
	return 0
}
