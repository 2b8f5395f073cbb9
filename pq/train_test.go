package pq

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// mse is the mean squared error of q on x.
func mse(t *testing.T, q *Quantizer, x vec.Matrix[float32]) (sum float64) {
	t.Helper()
	y := vec.NewMatrix[float32](x.Rows, x.Cols)
	if err := q.Decode(y, encode(t, q, x), 0); err != nil {
		t.Fatal(err)
	}
	for i := range x.Rows {
		sum += float64(vec.SquaredDistance(x.Row(i), y.Row(i)))
	}
	return sum / float64(x.Rows)
}

// TestTrainDescends: the error that Progress tells falls with every iteration, and is the quantizer's but for the last
// update, which can only lower it.
func TestTrainDescends(t *testing.T) {
	for _, c := range []Config{{M: 4}, {M: 4, NBits: 4}, {M: 4, PlusPlus: true},
		{M: 3, NBits: 4, Uneven: true, PlusPlus: true}} {
		x := clustered(700, 20, 5)
		var told []float64
		c.Progress = func(p Progress) {
			told = append(told, p.MSE)
			if p.Done < 1 || p.Done > p.Total || p.Total != c.M*c.Iterations {
				t.Errorf("progress %+v", p)
			}
		}
		c.Iterations = 6
		q := train(t, x, c)
		if len(told) == 0 || !slices.IsSortedFunc(told, func(a, b float64) int {
			if a > b*(1-1e-6) {
				return -1
			}
			return 1
		}) {
			t.Errorf("%+v: errors %v", c, told)
		}
		if got, last := mse(t, q, x), told[len(told)-1]; got > last*(1+1e-5) {
			t.Errorf("%+v: error %v after %v", c, got, last)
		}
	}
}

// TestTrainWorkers: the number of goroutines changes nothing, the seed does.
func TestTrainWorkers(t *testing.T) {
	x, numbers, iterations := clustered(9000, 6, 6), []int{2, 5}, 25
	if testing.Short() {
		numbers, iterations = []int{3}, 5
	}
	for _, c := range []Config{{M: 3, NBits: 4}, {M: 2, NBits: 4, PlusPlus: true}, {M: 3, NBits: 4, Rotations: 2}} {
		c.Seed = 1
		c.Workers, c.Iterations = 1, iterations
		c.PointsPerCentroid = 550
		want := train(t, x, c)
		for _, c.Workers = range numbers {
			got := train(t, x, c)
			if !slices.Equal(got.centroids, want.centroids) || !slices.Equal(got.rotation, want.rotation) {
				t.Errorf("%+v: another result than with one worker", c)
			}
		}
		c.Seed = 2
		if got := train(t, x, c); slices.Equal(got.centroids, want.centroids) {
			t.Errorf("%+v: the same result as with seed 1", c)
		}
	}
}

// TestTrainWaves: neither does training subspaces one after the other.
func TestTrainWaves(t *testing.T) {
	defer func(old int) { waveBytes = old }(waveBytes)
	x := clustered(500, 20, 21)
	for _, c := range []Config{{M: 7, NBits: 4, Uneven: true}, {M: 5, NBits: 4, Rotations: 2}} {
		waveBytes = 64 << 20
		want := train(t, x, c)
		for _, waveBytes = range []int{0, 4 * 500 * 9} {
			done := 0
			c.Progress = func(p Progress) { done = p.Done }
			if got := train(t, x, c); !slices.Equal(got.centroids, want.centroids) ||
				!slices.Equal(got.rotation, want.rotation) {
				t.Errorf("%+v: another result in waves of %d bytes", c, waveBytes)
			}
			if done != c.M*4 {
				t.Errorf("%+v: %d iterations told, want %d", c, done, c.M*4)
			}
		}
	}
}

// TestTrainDegenerate: duplicates and constant dimensions give finite centroids that reproduce the points exactly.
func TestTrainDegenerate(t *testing.T) {
	same := vec.NewMatrix[float32](300, 4)
	few := vec.NewMatrix[float32](1000, 4)
	for i := range same.Data {
		same.Data[i] = 3
	}
	for i := range few.Data {
		few.Data[i] = float32((i / 4 * 7) % 11 * (1 + i%4))
		if i%4 == 3 {
			few.Data[i] = -2
		}
	}
	exact := clustered(256, 4, 7) // as many points as centroids
	for name, x := range map[string]vec.Matrix[float32]{"all the same": same, "eleven points": few, "n = ksub": exact} {
		for _, plus := range []bool{false, true} {
			q := train(t, x, Config{M: 2, PlusPlus: plus, Iterations: 10})
			if e := mse(t, q, x); e > 1e-12 {
				t.Errorf("%s, k-means++ %v: error %v, want 0", name, plus, e)
			}
		}
	}
}

// TestReseed: centroids that lose their points come back: here all but a few start far from all of them.
func TestReseed(t *testing.T) {
	x := vec.NewMatrix[float32](64, 1)
	for i := range x.Data {
		x.Data[i] = float32(i % 16 * i % 16)
	}
	tr := &trainer{Config: Config{M: 1, NBits: 4, Workers: 1}, x: x, rows: sample(64, 0, 1)}
	tr.q, _ = newQuantizer(1, 1, 4)
	w := tr.newWave(0, 1)
	w.start()
	for i := range w.subs[0].centroids {
		w.subs[0].centroids[i] = 1e6 + float32(i)
	}
	w.subs[0].transpose(16)
	for range 40 {
		w.iterate()
	}
	if e := w.mse(); e != 0 {
		t.Errorf("error %v with as many centroids as values, centroids %v", e, w.subs[0].centroids)
	}
}

func TestTrainErrors(t *testing.T) {
	ctx := context.Background()
	x := clustered(300, 20, 8)
	bad := vec.NewMatrix[float32](300, 20)
	bad.Row(299)[19] = float32(math.Inf(1))
	huge := vec.NewMatrix[float32](300, 20)
	for i := range huge.Data {
		huge.Data[i] = math.MaxFloat32 / 4 * float32(i%7-3)
	}
	for _, c := range []struct {
		x      vec.Matrix[float32]
		config Config
		want   string
	}{
		{x, Config{M: 3}, "d=20 is no multiple of M=3"},
		{x, Config{}, "M=0 subspaces of d=20"},
		{x, Config{M: -1}, "M=-1 subspaces of d=20"},
		{x, Config{M: 21, Uneven: true}, "M=21 subspaces of d=20"},
		{x, Config{M: 21}, "M=21 subspaces of d=20"},
		{x, Config{M: 4, NBits: 6}, "nbits is 6, want 4 or 8"},
		{x.Slice(0, 255, 0, 20), Config{M: 4}, "255 training vectors for 256 centroids (NBits=8)"},
		{x.Slice(0, 15, 0, 20), Config{M: 4, NBits: 4}, "15 training vectors for 16 centroids"},
		{vec.Matrix[float32]{}, Config{M: 4}, "0 training vectors"},
		{x, Config{M: 4, Iterations: -1}, "Config.Iterations is -1"},
		{x, Config{M: 4, PointsPerCentroid: -2}, "Config.PointsPerCentroid is -2"},
		{x, Config{M: 4, Rotations: -3}, "Config.Rotations is -3"},
		{bad, Config{M: 4}, "row 299, column 19 is +Inf"},
		{huge, Config{M: 4}, "too large"},
		{huge, Config{M: 4, Rotations: 1}, "too large"},
		{vec.Matrix[float32]{Rows: 300, Cols: 20, Stride: 19, Data: x.Data}, Config{M: 4}, "stride 19"},
	} {
		_, err := Train(ctx, c.x, c.config)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "pq: ") {
			t.Errorf("%dx%d, %+v: error %v, want one with %q", c.x.Rows, c.x.Cols, c.config, err, c.want)
		}
	}
	for _, rotations := range []int{0, 2} {
		stopped, cancel := context.WithCancel(ctx)
		defer cancel()
		c := Config{M: 4, Rotations: rotations, Progress: func(Progress) { cancel() }}
		if _, err := Train(stopped, x, c); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled with %d rotations: error %v", rotations, err)
		}
	}
}

func TestNew(t *testing.T) {
	for name, q := range shapes(t) {
		same, err := New(q.d, q.m, q.nbits, q.centroids, q.rotation)
		if err != nil || !slices.Equal(same.columns, q.columns) {
			t.Errorf("%s: New of its own parts: %v", name, err)
		}
	}
	nan := make([]float32, 16*4)
	nan[16*2+5] = float32(math.NaN())
	skew := []float32{1, 0, 0.5, 1}
	for _, c := range []struct {
		d, m, nbits         int
		centroids, rotation []float32
		want                string
	}{
		{4, 2, 4, nan[:63], nil, "63 numbers for 16 centroids of 4 dimensions, want 64"},
		{4, 2, 4, nan, nil, "centroid 2 of subspace 1 has the coordinate NaN"},
		{4, 2, 5, nan, nil, "nbits is 5"},
		{2, 2, 4, make([]float32, 32), skew[:3], "a rotation of 3 numbers for d=2, want d² = 4"},
		{2, 2, 4, make([]float32, 32), skew, "inner product"},
		{2, 2, 4, make([]float32, 32), []float32{1, float32(math.NaN()), 0, 1}, "the rotation holds NaN at (0, 1)"},
		{2, 2, 4, make([]float32, 32), slices.Repeat([]float32{float32(math.NaN())}, 4),
			"the rotation holds NaN at (0, 0)"},
		{2, 2, 4, make([]float32, 32), []float32{1, 0, float32(math.Inf(-1)), 1}, "the rotation holds -Inf at (1, 0)"},
		{2, 2, 4, make([]float32, 32), []float32{}, "a rotation of 0 numbers for d=2"},
		{1 << 30, 1, 8, nil, nil, "want at most"},
	} {
		if _, err := New(c.d, c.m, c.nbits, c.centroids, c.rotation); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%d, %d, %d): error %v, want one with %q", c.d, c.m, c.nbits, err, c.want)
		}
	}
}
