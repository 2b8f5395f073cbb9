package ints

import (
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// value is a byte as the number that it stands for.
func value(b byte, signed bool) int {
	if signed && b >= 128 {
		return int(b) - 256
	}
	return int(b)
}

// TestPairs: every pair of bytes, alone among zeros at a place that wanders, gives its product and its squared
// difference, in every form.
func TestPairs(t *testing.T) {
	const n = 139
	signs := map[string][2]bool{"dotInt8": {true, true}, "sqdistInt8": {true, true}, "mulvecInt8": {true, true},
		"mixedmulvec": {false, true}, "dotUint8": {}, "sqdistUint8": {}, "mulvecUint8": {}}
	prove.Forms(func(form string) {
		for _, k := range kernels {
			sign, ok := signs[k.name]
			if !ok {
				continue
			}
			a := &args{m: 1, n: n, x: make([]byte, 9*n), y: make([]byte, n)}
			if k.rows {
				a.dst, a.m = make([]int32, 9), 9
			}
			for p := range 1 << 16 {
				if prove.Quick() && p%31 != 0 {
					continue
				}
				i, row := (p+p>>8)%n, 0
				if k.rows {
					row = p % 9
				}
				a.x[row*n+i], a.y[i] = byte(p), byte(p>>8)
				k.run(a)
				v, w := value(byte(p), sign[0]), value(byte(p>>8), sign[1])
				want, got := v*w, a.ret[0]
				if k.name[0] == 's' {
					want = (v - w) * (v - w)
				}
				if k.rows {
					got = int(a.dst[row])
				}
				if got != want {
					t.Fatalf("%s on %s: %d and %d at %d give %d, want %d", k.name, form, v, w, i, got, want)
				}
				a.x[row*n+i], a.y[i] = 0, 0
			}
		}
	})
}

// TestTwinsExact holds the twins to sums of big integers.
func TestTwinsExact(t *testing.T) {
	r := prove.Rand(7)
	for _, f := range fills {
		for _, n := range []int{0, 1, 31, 32, 100, 1000, Chunk} {
			x, y := make([]byte, n), make([]byte, n)
			f.fill(x, r)
			f.fill(y, r)
			for _, signed := range []bool{false, true} {
				dot, dist := new(big.Int), new(big.Int)
				for i := range x {
					v, w := big.NewInt(int64(value(x[i], signed))), big.NewInt(int64(value(y[i], signed)))
					dot.Add(dot, new(big.Int).Mul(v, w))
					d := new(big.Int).Sub(v, w)
					dist.Add(dist, d.Mul(d, d))
				}
				v, w := mem[uint8](x), mem[uint8](y)
				got, gotDist := dotUint8Generic(v, w, n), sqdistUint8Generic(v, w, n)
				if signed {
					v, w := mem[int8](x), mem[int8](y)
					got, gotDist = dotInt8Generic(v, w, n), sqdistInt8Generic(v, w, n)
				}
				if int64(got) != dot.Int64() || int64(gotDist) != dist.Int64() {
					t.Errorf("%d bytes %s, signed %v: %d and %d, want %v and %v", n, f.name, signed, got, gotDist, dot,
						dist)
				}
			}
			words := n / 8
			differ, both, any := 0, 0, 0
			for i := range 64 * words {
				v, w := x[i/8]>>(i%8)&1, y[i/8]>>(i%8)&1
				differ, both, any = differ+int(v^w), both+int(v&w), any+int(v|w)
			}
			if got := hammingGeneric(mem[uint64](x), mem[uint64](y), words); got != differ {
				t.Errorf("%d words %s: %d bits differ, want %d", words, f.name, got, differ)
			}
			if b, a := jaccardGeneric(mem[uint64](x), mem[uint64](y), words); b != both || a != any {
				t.Errorf("%d words %s: %d bits in both and %d in any, want %d and %d", words, f.name, b, a, both, any)
			}
		}
	}
}
