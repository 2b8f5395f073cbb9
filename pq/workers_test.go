package pq

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestManyWorkers: numbers of goroutines for which there is no work take neither goroutines nor memory, and change
// nothing.
func TestManyWorkers(t *testing.T) {
	x := clustered(600, 8, 31)
	for _, c := range []Config{{M: 4, NBits: 4}, {M: 4, NBits: 4, Rotations: 1}} {
		want := train(t, x, c)
		codes := encode(t, want, x)
		for _, workers := range []int{1e9, math.MaxInt} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c.Workers = workers
			q := train(t, x, c)
			if !sameContents(q, want) {
				t.Errorf("%d workers: another quantizer", workers)
			}
			got, back := make([]byte, len(codes)), vec.NewMatrix[float32](600, 8)
			ix, err := NewIndex(q, L2)
			if err != nil {
				t.Fatal(err)
			}
			m, err := NewMatrix(q, 600, codes, MatrixOptions{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			w, dst := vec.NewMatrix[float32](8, 3), vec.NewMatrix[float32](600, 3)
			for range 2 {
				m.Scores(dst, w, nil)
				m.Accumulate(w, dst, nil)
			}
			_, searched := ix.SearchBatch(x, Search{K: 1}, workers)
			errs := []error{q.Encode(got, x, workers), q.Decode(back, codes, workers), ix.Add(x, workers), searched}
			for _, err := range errs {
				if err != nil {
					t.Errorf("%d workers: %v", workers, err)
				}
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 || !slices.Equal(got, codes) {
				t.Errorf("%d workers took %d bytes, or gave other codes", workers, took)
			}
		}
	}
}

// TestNegativeWorkers: they are an error that names the number; so are nil arguments.
func TestNegativeWorkers(t *testing.T) {
	x := clustered(20, 4, 32)
	q := train(t, x, Config{M: 2, NBits: 4})
	ix := goldenIndexOf(t, goldenQuantizer(t, 8), 5)
	codes := encode(t, q, x)
	_, trained := Train(context.Background(), x, Config{M: 2, NBits: 4, Workers: -3})
	var noContext context.Context
	_, noCtx := Train(noContext, x, Config{M: 2, NBits: 4})
	_, searched := ix.SearchBatch(vec.NewMatrix[float32](1, 2), Search{K: 1}, -3)
	_, matrix := NewMatrix(q, 0, nil, MatrixOptions{Workers: -3})
	_, noIndex := NewIndex(nil, L2)
	_, noMatrix := NewMatrix(nil, 0, nil, MatrixOptions{})
	for _, c := range []struct {
		err  error
		want string
	}{
		{trained, "pq: Config.Workers is -3"},
		{searched, "pq: workers is -3"},
		{matrix, "pq: MatrixOptions.Workers is -3"},
		{q.Encode(codes, x, -3), "pq: workers is -3"},
		{q.Decode(x, codes, -3), "pq: workers is -3"},
		{ix.Add(vec.NewMatrix[float32](1, 2), -3), "pq: workers is -3"},
		{noCtx, "pq: the context is nil"},
		{noIndex, "pq: the quantizer is nil"},
		{noMatrix, "pq: the quantizer is nil"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
	if ix.Len() != 5 {
		t.Errorf("%d vectors after an error, want 5", ix.Len())
	}
}
