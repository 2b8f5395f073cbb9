package beam

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
)

// shards runs a pass as K workers would, one after another in this process: each by the step of Terms, whose bytes
// are then added in a tree by the combine of Terms. It measures what the model of docs/scaling.md is made of.
type shards struct {
	passes, rows, merges int
	bytes                int // of a shard's sums

	start, read, compute, sum time.Duration // of all shards; sum: of all merges
	slowest                   time.Duration // of a shard, summed over the passes
}

// pass is what sums of a pipeline are.
func (k *shards) pass(ctx context.Context, _ Driver, p ProblemSpec, w Asset, rows []Rows) (*Sums, error) {
	k.passes++
	all, slowest := make([][]byte, len(rows)), time.Duration(0)
	for i := range rows {
		b, took, err := k.shard(ctx, p, w, rows[i])
		if err != nil {
			return nil, err
		}
		all[i], slowest = b, max(slowest, took)
	}
	k.slowest += slowest
	start, add := time.Now(), &addFn{}
	for ; len(all) > 1; all = all[:(len(all)+1)/2] {
		for i := range len(all) / 2 {
			b, err := add.MergeAccumulators(all[2*i], all[2*i+1])
			if err != nil {
				return nil, err
			}
			all[i] = b
			k.merges++
		}
		if len(all)%2 == 1 {
			all[len(all)/2] = all[len(all)-1]
		}
	}
	k.sum += time.Since(start)
	var s Sums
	if err := s.UnmarshalBinary(all[0]); err != nil {
		return nil, err
	}
	s.settle()
	return &s, s.whole(p.N)
}

// shard returns the sums of a shard, and how long they took.
func (k *shards) shard(ctx context.Context, p ProblemSpec, w Asset, e Rows) (
	sums []byte, took time.Duration, err error,
) {
	born := time.Now()
	f := &termsFn{Problem: p, W: w}
	if err := f.Setup(ctx); err != nil {
		return nil, 0, err
	}
	emit := func(b []byte) { sums, k.bytes = b, len(b) }
	f.StartBundle(emit)
	setup := time.Now()
	var begin time.Time
	for range 2 { // more often than a worker does, to know the time of a read into memory that is there
		begin = time.Now()
		if _, err := f.pass.read(ctx, e); err != nil {
			return nil, 0, err
		}
	}
	read := time.Now()
	if err := f.ProcessElement(ctx, e, emit); err != nil {
		return nil, 0, err
	}
	if err := f.FinishBundle(emit); err != nil {
		return nil, 0, err
	}
	end := time.Now()
	k.rows += e.Count
	k.start += setup.Sub(born)
	k.read += read.Sub(begin)
	k.compute += end.Sub(read) - read.Sub(begin)
	return sums, end.Sub(read) + setup.Sub(born), nil
}

// log tells the parts of the model, and what they predict of a pass by K workers at once beside the slowest shard and
// the merges of a tree.
func (k *shards) log(t *testing.T, number int, out solvers.Outcome) {
	t.Helper()
	each, depth := time.Duration(k.passes*number), time.Duration(bits.Len(uint(number-1)))
	merge := time.Duration(0)
	if k.merges > 0 {
		merge = k.sum / time.Duration(k.merges)
	}
	t.Logf("%d shards: %v passes, certificate %v", number, out.Passes, out.Certificate)
	t.Logf("  a shard: start %v, read %v, compute %v, %d bytes of sums; a merge %v", k.start/each, k.read/each,
		k.compute/each, k.bytes, merge)
	t.Logf("  a row: read %.3f us, compute %.3f us", 1e6*k.read.Seconds()/float64(k.rows),
		1e6*k.compute.Seconds()/float64(k.rows))
	t.Logf("  a pass: the model has %v, the slowest shards and %d merges took %v", (k.start+k.read+k.compute)/each+
		depth*merge, depth, k.slowest/time.Duration(k.passes)+depth*merge)
}

// simulate trains by a number of shards of size rows.
func simulate(t *testing.T, p ProblemSpec, path string, f Format, size int, o TrainOptions) (
	*linear.Model[float64], solvers.Outcome,
) {
	t.Helper()
	rows := split(t, path, f, size)
	k, d := &shards{}, driver(t)
	d.Run = nil
	training, err := newSmoothTraining(t.Context(), d, p, o, rows)
	check(t, err)
	training.sums = k.pass
	out, err := training.run(t.Context())
	check(t, err)
	k.log(t, len(rows), out)
	m, err := linear.WithConstant(training.best.w, p.Bias, nil)
	check(t, err)
	return m, out
}

// TestShards: 64000 rows in 1, 100 and 1000 shards, without Beam: the same number of passes, the same certificate and
// the same weights, and sums of 16 d m bytes a shard and a head.
func TestShards(t *testing.T) {
	const n, d, m = 64000, 12, 5
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float32, n*d), make([]int, n)
	for i := range y {
		y[i] = rng.IntN(m)
		for j := range d {
			x[i*d+j] = float32(rng.NormFloat64())
		}
		x[i*d+y[i]] += 1.5
	}
	dir := t.TempDir()
	p := ProblemSpec{Loss: "topk-entropy", Lambda: 1e-3, N: n, Features: d, Classes: m, Labels: classes(t, dir, y),
		Workers: 1}
	path, format := raw(t, dir, "rows.f4", x), Format{Kind: Raw, Type: "f4", Cols: d}
	sameOfShards(t, p, path, format, []int{n, n / 100, n / 1000}, TrainOptions{Sample: 1000, Tol: 1e-5})
}

// sameOfShards trains by shards of each size, and compares with the first.
func sameOfShards(t *testing.T, p ProblemSpec, path string, f Format, sizes []int, o TrainOptions) {
	t.Helper()
	first, want := simulate(t, p, path, f, sizes[0], o)
	if want.Status != solvers.Converged {
		t.Error(want)
	}
	for _, size := range sizes[1:] {
		m, out := simulate(t, p, path, f, size, o)
		a, b := out.Certificate, want.Certificate
		if eps := 1e-12 * b.Primal; out.Passes != want.Passes || !near(a.Primal, b.Primal, eps) ||
			!near(a.Dual, b.Dual, eps) || farthest(first, m) > 1e-12 {
			t.Errorf("shards of %d rows: %v, want %v; the weights differ by %v", size, out, want, farthest(first, m))
		}
	}
}

// TestShardsFashion: the same of the 60000 images of Fashion-MNIST in 1, 100 and 938 shards, which begin at multiples
// of 64 rows: measured for docs/scaling.md.
func TestShardsFashion(t *testing.T) {
	path, l := fashion(t)
	n := len(l.Y)
	p := ProblemSpec{Loss: "topk-entropy", Lambda: 1 / (.01 * float64(n)), N: int64(n), Features: l.X.Cols, Classes: 10,
		Labels: classes(t, t.TempDir(), l.Y), Workers: 1}
	sameOfShards(t, p, path, Format{Kind: NPY, Cols: l.X.Cols}, []int{n, 640, 64}, TrainOptions{Sample: 6000})
}
