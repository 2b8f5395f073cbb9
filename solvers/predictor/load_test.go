package predictor_test

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// TestLoad: 64 goroutines ask one predictor, while models are trained and an index is searched and changed, for as long
// as DUALGAP_LOAD says (10m; without it less than a second). Every answer is the one that a single goroutine got
// before, memory in use does not grow, and no goroutine is left. It tells the latency of answers.
func TestLoad(t *testing.T) {
	last := 500 * time.Millisecond
	if v := os.Getenv("DUALGAP_LOAD"); v != "" {
		var err error
		if last, err = time.ParseDuration(v); err != nil {
			t.Fatal(err)
		}
	}
	digits := samples.Digits[float32]()
	p := predictorOf(t, digits)
	want := make([]string, digits.X.Rows)
	for i := range want {
		want[i] = predict(t, p, digits.X.Row(i))
	}
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(context.Background(), last)
	defer cancel()
	var all sync.WaitGroup
	var latencies [64]histogram
	for g := range latencies {
		all.Go(func() {
			for i := g; ctx.Err() == nil; i++ {
				start, at := time.Now(), i%len(want)
				got := predict(t, p, digits.X.Row(at))
				latencies[g].add(time.Since(start))
				if got != want[at] {
					t.Errorf("example %d: %s, want %s", at, got, want[at])
					return
				}
			}
		})
	}
	var trainings, changes atomic.Int64
	all.Go(func() {
		for seed := uint64(0); ctx.Err() == nil; seed++ {
			c := topk.Config{Lambda: .01, Seed: seed, Workers: 2}
			if _, err := topk.Fit(ctx, digits.X, digits.Y, c); err == nil {
				trainings.Add(1)
			} else if ctx.Err() == nil {
				t.Error(err)
				return
			}
		}
	})
	all.Go(func() { change(t, ctx, digits.X.Matrix, &changes) })
	used := memory(ctx, last/40)
	all.Wait()
	// Of what is in use the second half of the time has no more than the first.
	half := len(used) / 2
	if half > 4 && slices.Max(used[half:]) > slices.Max(used[:half])*5/4+1<<20 {
		t.Errorf("memory in use grew: %d bytes", used)
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > time.Minute {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
	var sum histogram
	for g := range latencies {
		sum.join(&latencies[g])
	}
	t.Logf("%d answers of 64 goroutines on %d CPUs in %v: p50 %v, p99 %v, p99.9 %v", sum.count(),
		runtime.GOMAXPROCS(0), last, sum.quantile(.5), sum.quantile(.99), sum.quantile(.999))
	t.Logf("%d trainings, %d changes of the index", trainings.Load(), changes.Load())
	if last >= time.Minute && (trainings.Load() == 0 || changes.Load() == 0) {
		t.Error("nothing was trained or changed meanwhile")
	}
	t.Logf("bytes in use: %d at most in the first half, %d in the second", slices.Max(used[:max(half, 1)]),
		slices.Max(used[half:]))
}

// predictorOf opens the file of a model of the digits.
func predictorOf(t *testing.T, digits *dataset.Labeled[*dataset.Dense[float32]]) *predictor.Predictor {
	t.Helper()
	r, err := topk.Fit(context.Background(), digits.X, digits.Y, topk.Config{Lambda: .01})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := r.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	p, err := predictor.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// predict returns the answer for a row and its scores.
func predict(t *testing.T, p *predictor.Predictor, row []float32) string {
	q, err := p.Predict32(row)
	if err != nil {
		t.Error(err)
	}
	return fmt.Sprint(q.Label, q.Scores)
}

// change adds rows to an index, finds each with proof, and removes them, until ctx ends.
func change(t *testing.T, ctx context.Context, x vec.Matrix[float32], changes *atomic.Int64) {
	codec, err := pq.TrainScalar(context.Background(), x, pq.ScalarConfig{Dims: 32})
	if err != nil {
		t.Error(err)
		return
	}
	ix, err := pq.NewIndexOf(codec, pq.IndexConfig{Bounds: true, Vectors: true})
	if err == nil {
		err = ix.Add(x, 1)
	}
	n := x.Rows
	for at := 0; err == nil && ctx.Err() == nil; at = (at + 1) % n {
		id := uint64(n + at)
		var found []pq.Neighbor
		if err = ix.AddIDs([]uint64{id}, x.Slice(at, at+1, 0, x.Cols), 1); err == nil {
			found, _, err = ix.Certify(nil, x.Row(at), pq.Search{K: 2})
		}
		if err == nil && !slices.ContainsFunc(found, func(f pq.Neighbor) bool { return f.Distance == 0 }) {
			err = fmt.Errorf("row %d, just added, is not found: %v", at, found)
		}
		if got := ix.Remove(id); err == nil && got != 1 {
			err = fmt.Errorf("%d removed of id %d", got, id)
		}
		if changes.Add(1)%1000 == 0 {
			ix.Compact()
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// memory returns how many bytes were in use, from time to time until ctx ends.
func memory(ctx context.Context, every time.Duration) (used []uint64) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		used = append(used, m.HeapAlloc)
	}
	return used
}

// histogram counts durations by their first four bits: within a sixteenth.
type histogram [64 << 3]int

func (h *histogram) add(d time.Duration) {
	n := uint64(max(d, 8))
	e := bits.Len64(n) - 4
	h[e<<3+int(n>>e&7)]++
}

func (h *histogram) join(other *histogram) {
	for i, c := range other {
		h[i] += c
	}
}

func (h *histogram) count() (n int) {
	for _, c := range h {
		n += c
	}
	return n
}

// quantile is the upper end of the bucket that has it.
func (h *histogram) quantile(q float64) time.Duration {
	left := int(q * float64(h.count()))
	for i, c := range h {
		if left -= c; left < 0 {
			return time.Duration((8 + uint64(i&7) + 1) << (i >> 3))
		}
	}
	return 0
}
