package pq

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// bruteForce encodes by the exact distance, in float64, to every centroid. It returns the number of parts where another
// centroid is nearer than the one chosen, by more than float32 can tell: dsub+2 roundings of each distance.
func bruteForce(t *testing.T, q *Quantizer, x vec.Matrix[float32], codes []byte) (different int) {
	t.Helper()
	for i := range x.Rows {
		row := x.Row(i)
		if q.rotation != nil { // as Encode rotates, block by block
			row = q.rotate(make([]float32, q.d), x.Slice(i, i+1, 0, q.d)).Row(0)
		}
		for j := range q.m {
			from, to := q.Subspace(j)
			centroids := q.Centroids(j)
			best, least, chosen := 0, math.Inf(1), 0.0
			part := q.codePart(codes[i*q.CodeSize():], j)
			for c := range q.ksub {
				var d float64
				for k, v := range centroids.Row(c) {
					e := float64(row[from+k]) - float64(v)
					d += float64(e * e)
				}
				if d < least {
					best, least = c, d
				}
				if c == part {
					chosen = d
				}
			}
			if best != part {
				different++
				if bound := least * (1 + float64(to-from+2)/(1<<22)); chosen > bound && q.rotation == nil {
					t.Fatalf("row %d, subspace %d: chose %d at %v, nearest is %d at %v", i, j, part, chosen, best,
						least)
				}
			}
		}
	}
	return different
}

// TestEncodeNearest: every part is the nearest centroid, on every tier, alone and in batches.
func TestEncodeNearest(t *testing.T) {
	for name, q := range shapes(t) {
		x := clustered(300, 20, 2)
		var want []byte
		prove.Tiers(func(tier cpu.Tier) {
			codes := encode(t, q, x)
			if n := bruteForce(t, q, x, codes); n > 0 {
				t.Errorf("%s on %v: %d parts of %d differ from exact arithmetic's", name, tier, n, 300*q.m)
			}
			if want == nil {
				want = codes
			} else if q.rotation == nil && !bytes.Equal(want, codes) {
				t.Errorf("%s on %v: other codes than on the best tier", name, tier)
			}
			for _, n := range []int{0, 1, 2, 5, 6, 7, 15, 16, 17, 33, 255, 256, 257} {
				if got := encode(t, q, x.Slice(0, n, 0, 20)); !bytes.Equal(got, codes[:n*q.CodeSize()]) {
					t.Errorf("%s on %v: the first %d alone have other codes", name, tier, n)
				}
			}
			one := make([]byte, q.CodeSize())
			for i := range 20 {
				if err := q.EncodeVector(one, x.Row(i)); err != nil ||
					!bytes.Equal(one, codes[i*len(one):][:len(one)]) {
					t.Errorf("%s on %v: vector %d by itself is %v (error %v), want %v", name, tier, i, one, err,
						codes[i*len(one):][:len(one)])
				}
			}
		})
	}
}

// TestEncodeSift: the same on every descriptor, with strides.
func TestEncodeSift(t *testing.T) {
	x := sift(t)
	if testing.Short() {
		x = x.Slice(0, 260, 0, 128)
	}
	wide := vec.NewMatrix[float32](x.Rows, 131)
	for i := range x.Rows {
		copy(wide.Row(i), x.Row(i))
	}
	for _, m := range []int{8, 16, 32} {
		if testing.Short() && m != 16 {
			continue
		}
		q := train(t, x, Config{M: m, Iterations: 2})
		codes := encode(t, q, wide.Slice(0, x.Rows, 0, 128))
		if n := bruteForce(t, q, x, codes); n > 0 {
			t.Errorf("M=%d: %d of %d parts differ from exact arithmetic's", m, n, x.Rows*m)
		}
	}
}

// TestDecode: a code stands for the centroids that it names, and the centroids are their own codes.
func TestDecode(t *testing.T) {
	for name, q := range shapes(t) {
		x := clustered(40, 20, 3)
		codes := encode(t, q, x)
		got := vec.NewMatrix[float32](x.Rows, 20)
		if err := q.Decode(got, codes, 2); err != nil {
			t.Fatal(err)
		}
		size := q.CodeSize()
		one := make([]float32, 20)
		for i := range x.Rows {
			if err := q.DecodeVector(one, codes[i*size:][:size]); err != nil ||
				vec.SquaredDistance(one, got.Row(i)) != 0 {
				t.Fatalf("%s: vector %d by itself is %v (error %v), want %v", name, i, one, err, got.Row(i))
			}
			for j := range q.m {
				from, to := q.Subspace(j)
				want := q.Centroids(j).Row(q.codePart(codes[i*size:], j))
				if q.rotation == nil && vec.SquaredDistance(one[from:to], want) != 0 {
					t.Fatalf("%s: subspace %d of vector %d is %v, want %v", name, j, i, one[from:to], want)
				}
			}
		}
		if again := encode(t, q, got); !bytes.Equal(again, codes) && q.rotation == nil {
			t.Errorf("%s: decoded vectors have other codes", name)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	x := clustered(300, 20, 4)
	q := train(t, x, Config{M: 5})
	nan, far := vec.NewMatrix[float32](300, 20), vec.NewMatrix[float32](300, 20)
	copy(nan.Data, x.Data)
	copy(far.Data, x.Data)
	nan.Row(270)[3] = float32(math.NaN())
	far.Row(3)[7] = 1e30
	inf := append([]float32(nil), x.Row(0)...)
	inf[19] = float32(math.Inf(-1))
	for _, c := range []struct {
		err  error
		want string
	}{
		{q.Encode(make([]byte, 1500), nan, 0), "row 270, column 3 is NaN"},
		{q.Encode(make([]byte, 1500), far, 0), "overflows"},
		{q.EncodeVector(make([]byte, 5), inf), "row 0, column 19 is -Inf"},
		{q.EncodeVector(make([]byte, 5), far.Row(3)), "overflows"},
		{q.Encode(make([]byte, 1499), x, 0), "1499 bytes for the codes of 300 rows, want 1500 of 5 bytes each"},
		{q.Encode(nil, x.Slice(0, 3, 0, 19), 0), "19 dimensions, want d=20"},
		{q.Encode(nil, vec.Matrix[float32]{Rows: 3, Cols: 20, Stride: 20}, 0), "0 numbers are too few"},
		{q.EncodeVector(make([]byte, 5), x.Data[:21]), "21 dimensions, want d=20"},
		{q.EncodeVector(make([]byte, 4), x.Row(0)), "4 bytes for a code, want 5"},
		{q.Decode(x, make([]byte, 7), 0), "7 bytes of codes for 300 rows, want 1500"},
		{q.DecodeVector(x.Row(0), make([]byte, 7)), "a code of 7 bytes, want 5"},
		{q.DecodeVector(x.Data[:2], make([]byte, 5)), "2 dimensions, want d=20"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !strings.HasPrefix(c.err.Error(), "pq: ") {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}

func TestAllocs(t *testing.T) {
	x := clustered(300, 20, 4)
	q := train(t, x, Config{M: 5, Rotations: 1})
	code, back := make([]byte, 5), make([]float32, 20)
	table := q.NewTable()
	for name, f := range map[string]func(){
		"EncodeVector": func() { q.EncodeVector(code, x.Row(1)) },
		"DecodeVector": func() { q.DecodeVector(back, code) },
		"Table.Set":    func() { table.Set(L2, x.Row(2)) },
	} {
		if n := prove.Allocs(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
