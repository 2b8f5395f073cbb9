package pq

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestMixer: it is a rotation, its inverse undoes it, and one number is spread over all of them.
func TestMixer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 81))
	for _, d := range []int{1, 2, 3, 4, 5, 7, 8, 16, 20, 31, 64, 100, 784} {
		m := randomMixer(d, uint64(d))
		x, y := make([]float64, d), make([]float64, d)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		copy(y, x)
		m.turn(y)
		if before, after := vec.Norm(x), vec.Norm(y); math.Abs(after/before-1) > 1e-14 {
			t.Errorf("d=%d: a length of %v becomes %v", d, before, after)
		}
		if d > 4 && slices.Equal(x, y) {
			t.Errorf("d=%d: nothing changed", d)
		}
		m.back(y)
		for i := range x {
			if math.Abs(x[i]-y[i]) > 1e-14*(1+math.Abs(x[i])) {
				t.Fatalf("d=%d: number %d comes back as %v, was %v", d, i, y[i], x[i])
			}
		}
		for i := range d {
			clear(x)
			x[i] = 1
			if m.turn(x); d >= 64 && magnitude(x) > 6/math.Sqrt(float64(d)) {
				t.Errorf("d=%d: number %d alone becomes %v somewhere", d, i, magnitude(x))
			}
		}
	}
}

// TestScalarTurn: the rows of PCA have the variance of the principal axes, those that codes keep share it.
func TestScalarTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 81))
	x := vec.NewMatrix[float32](4000, 12)
	for i := range x.Rows { // variances 2^-t, about 5
		for k := range x.Cols {
			x.Row(i)[k] = 5 + float32(r.NormFloat64()*math.Exp2(-float64(k)/2))
		}
	}
	s := trainScalar(t, x, ScalarConfig{Dims: 4, Tails: 2})
	if s.D() != 12 || s.Dims() != 4 || s.Bits() != 4 || s.Turn() != PCA || s.Tails() != 2 || s.CodeSize() != 2 {
		t.Errorf("d=%d, %d of %d bits, %v, %d tails, %d bytes", s.D(), s.Dims(), s.Bits(), s.Turn(), s.Tails(),
			s.CodeSize())
	}
	axes := s.Axes()
	if axes.Rows != 8 || rightAngles(axes) > 1e-5 {
		t.Fatalf("%d axes, off by %v from orthonormal ones", axes.Rows, rightAngles(axes))
	}
	for a := range axes.Rows {
		var sum float64
		for i := range x.Rows {
			v := 0.0
			for k, w := range axes.Row(a) {
				v += float64(w) * float64(x.Row(i)[k]-s.mean[k])
			}
			sum += v * v / float64(x.Rows)
		}
		least, most := 0.125, 1.0 // of the four first, some mixture
		if a >= 4 {
			least, most = math.Exp2(-float64(a)), math.Exp2(-float64(a))
		}
		if sum < 0.8*least || sum > 1.2*most {
			t.Errorf("axis %d has variance %v, want %v to %v", a, sum, least, most)
		}
	}
	if h := trainScalar(t, x, ScalarConfig{Turn: Hadamard}); h.Axes().Rows != 0 || h.Turn().String() != "Hadamard" {
		t.Errorf("%v has %d axes", h.Turn(), h.Axes().Rows)
	}
}

// TestScalarDecode: what codes stand for points where the vectors point, the better the more bits, and has the typical
// distance from the mean.
func TestScalarDecode(t *testing.T) {
	x := clustered(600, 64, 82)
	for _, turn := range []Turn{PCA, Hadamard} {
		for bits, want := range map[int]float64{1: 0.68, 2: 0.88, 4: 0.97, 8: 0.9998} {
			s := trainScalar(t, x, ScalarConfig{Turn: turn, Bits: bits})
			codes, y := make([]byte, x.Rows*s.CodeSize()), vec.NewMatrix[float32](x.Rows, 64)
			if err := s.Encode(codes, x, 0); err != nil {
				t.Fatal(err)
			}
			if err := s.Decode(y, codes, 0); err != nil {
				t.Fatal(err)
			}
			for i := range x.Rows {
				var xy, xx, yy float64
				for k, m := range s.mean {
					a, b := float64(x.Row(i)[k])-float64(m), float64(y.Row(i)[k])-float64(m)
					xy, xx, yy = xy+a*b, xx+a*a, yy+b*b
				}
				length := math.Sqrt(yy) / float64(s.typical)
				if cos := xy / math.Sqrt(xx*yy); cos < want || length < 0.7 || length > 1.3 {
					t.Fatalf("%v, %d bits, row %d: cosine %v, want %v; length %v", turn, bits, i, cos, want, length)
				}
			}
		}
	}
}

// TestScalarSame: the same seed gives the same codec and codes, whatever the number of goroutines; another seed gives
// another one.
func TestScalarSame(t *testing.T) {
	x := clustered(500, 20, 83)
	for name, c := range scalars {
		c.Workers = 1
		s := trainScalar(t, x, c)
		c.Workers = 1 << 30
		if other := trainScalar(t, x, c); !sameContents(s, other) {
			t.Errorf("%s: other workers make another one", name)
		}
		codes, again := make([]byte, x.Rows*s.CodeSize()), make([]byte, x.Rows*s.CodeSize())
		one, seven := s.Encode(codes, x, 1), s.Encode(again, x, 7)
		if one != nil || seven != nil || !bytes.Equal(codes, again) {
			t.Errorf("%s: codes differ, or errors %v, %v", name, one, seven)
		}
		c.Seed += 17
		if other := trainScalar(t, x, c); s.Dims() > 1 && sameContents(s, other) {
			t.Errorf("%s: another seed makes the same", name)
		}
	}
}

// TestScalarRecall: searches by codes find most of the nearest, the more the more bytes, and a proof reads few
// originals.
func TestScalarRecall(t *testing.T) {
	x := sift(t)
	base, queries := x.Slice(50, x.Rows, 0, 128), x.Slice(0, 50, 0, 128)
	want := truth(base, queries, L2, 10)
	for _, c := range []struct {
		ScalarConfig
		recall, read float64
	}{
		{ScalarConfig{Dims: 64}, 0.83, 0.08}, {ScalarConfig{}, 0.9, 0.05}, {ScalarConfig{Bits: 8}, 0.98, 0.02},
		{ScalarConfig{Turn: Hadamard, Bits: 1}, 0.5, 0.7}, {ScalarConfig{Turn: Hadamard, Bits: 2}, 0.73, 0.25},
	} {
		ix := boundsOf(t, trainScalar(t, base, c.ScalarConfig), L2, base, nil)
		answers, err := ix.SearchBatch(queries, Search{K: 10}, 0)
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for i := range queries.Rows {
			read += certifies(t, "SIFT", ix, base, queries.Row(i), Search{K: 10})
		}
		part, recall := float64(read)/float64(base.Rows*queries.Rows), found(answers, want)
		if t.Logf("%+v: recall %.3f, read %.4f", c.ScalarConfig, recall, part); recall < c.recall || part > c.read {
			t.Errorf("%+v: recall %.3f, read %.4f, want %.3f, %.4f", c.ScalarConfig, recall, part, c.recall, c.read)
		}
	}
}

func TestScalarAllocs(t *testing.T) {
	x := clustered(2000, 20, 84)
	for name, c := range scalars {
		ix := boundsOf(t, trainScalar(t, x, c), L2, x, nil)
		dst, s := make([]Neighbor, 0, 10), Search{K: 10, Vector: Rows(x)}
		if n := prove.Allocs(50, func() { dst, _, _ = ix.Certify(dst, x.Row(3), s) }); n != 0 {
			t.Errorf("%s: Certify: %v allocations", name, n)
		}
		if n := prove.Allocs(50, func() { dst, _ = ix.Search(dst, x.Row(3), Search{K: 10}) }); n != 0 {
			t.Errorf("%s: Search: %v allocations", name, n)
		}
	}
}

func TestScalarErrors(t *testing.T) {
	x := clustered(300, 20, 85)
	s := trainScalar(t, x, ScalarConfig{Dims: 6})
	nan := clustered(3, 20, 86)
	nan.Row(1)[4] = float32(math.NaN())
	large := clustered(3, 20, 86)
	for i := range large.Data {
		large.Data[i] = 2e38 * float32(i/20-1)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	failed := func(ctx context.Context, x vec.Matrix[float32], c ScalarConfig) error {
		_, err := TrainScalar(ctx, x, c)
		return err
	}
	of := func(c ScalarConfig) error { return failed(context.Background(), x, c) }
	_, plain := NewIndex(s, L2)
	_, nobody := NewIndexOf((*Scalar)(nil), IndexConfig{Bounds: true})
	_, full := s.WriteTo(failingWriter{})
	var noContext context.Context
	for _, c := range []struct {
		err  error
		want string
	}{
		{failed(noContext, x, ScalarConfig{}), "the context is nil"},
		{failed(ended, x, ScalarConfig{}), ""},
		{failed(context.Background(), nan, ScalarConfig{}), "row 1, column 4 is NaN"},
		{failed(context.Background(), large, ScalarConfig{}), "too large"},
		{failed(context.Background(), x.Slice(0, 0, 0, 20), ScalarConfig{}), "0 training vectors, want at least 1"},
		{failed(context.Background(), vec.Matrix[float32]{Rows: 3, Cols: 20, Stride: 20}, ScalarConfig{}), "too few"},
		{of(ScalarConfig{Dims: 21}), "Dims is 21, want 1 to d=20"},
		{of(ScalarConfig{Dims: -1}), "ScalarConfig.Dims is -1"},
		{of(ScalarConfig{Dims: 6, Turn: Hadamard}), "Dims is 6 of d=20"},
		{of(ScalarConfig{Turn: 2}), "there is no Turn(2)"},
		{of(ScalarConfig{Bits: 3}), "Bits is 3, want 1, 2, 4 or 8"},
		{of(ScalarConfig{Tails: 9}), "Tails is 9, want 1 to 8"},
		{of(ScalarConfig{Sample: -5}), "ScalarConfig.Sample is -5"},
		{of(ScalarConfig{Workers: -2}), "ScalarConfig.Workers is -2"},
		{s.Encode(make([]byte, 9), nan, 0), "row 1, column 4 is NaN"},
		{s.Encode(make([]byte, 8), nan, 0), "8 bytes for the codes of 3 rows, want 9 of 3 bytes each"},
		{s.Encode(nil, x.Slice(0, 3, 0, 19), 0), "19 dimensions, want d=20"},
		{s.Encode(make([]byte, 900), x, -1), "workers is -1"},
		{s.Decode(x, make([]byte, 7), 0), "7 bytes of codes for 300 rows, want 900 of 3 bytes each"},
		{s.Decode(x.Slice(0, 3, 0, 19), make([]byte, 9), 0), "19 dimensions, want d=20"},
		{s.Decode(x, make([]byte, 900), -1), "workers is -1"},
		{plain, "an index of a Scalar needs IndexConfig.Bounds"},
		{nobody, "the quantizer is nil"},
		{full, "disk full"},
	} {
		if c.want == "" && c.err == context.Canceled {
			continue
		}
		if !says(c.err, c.want) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}
