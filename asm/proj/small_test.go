package proj

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// smallProblem is what Small is asked for beside the elements.
type smallProblem struct {
	kind, k            int
	radius, rho, limit float64
}

// TestSmall: what the kernel of small problems says it has solved obeys its own equations, each sum anew in float64;
// what it leaves is untouched.
func TestSmall(t *testing.T) { prove.Both(t, testSmall[float32], testSmall[float64]) }

func testSmall[T float](t *testing.T) {
	r := prove.Rand(17)
	solved := map[int]int{}
	prove.Tiers(func(tier cpu.Tier) {
		for i := range 4000 {
			n := 1 + i/2%16
			if i%2 == 1 {
				n = 1 + r.IntN(8*64/int(unsafe.Sizeof(*new(T))))
			}
			scale := math.Pow(10, float64(r.IntN(7)-3))
			a := make([]T, n)
			for j := range a {
				a[j] = T(scale * r.NormFloat64())
				if i%7 == 0 {
					a[j] = T(scale * float64(r.IntN(7)-3))
				}
			}
			q := smallProblem{kind: i % 5, k: 1 + r.IntN(n), radius: scale * r.ExpFloat64(), rho: r.ExpFloat64()}
			kk := float64(q.k)
			q.limit = q.radius / kk
			switch q.kind {
			case 0, 4:
				q.k, q.limit = 1, q.radius
			case 3:
				q.limit = q.radius / (kk - 0.9*r.Float64())
				q.k = int(math.Ceil(q.radius / q.limit))
			}
			if checkSmall(t, tier, i, a, q) {
				solved[q.kind]++
			}
		}
	})
	t.Logf("solved, by kind: %v", solved)
}

// TestSmallTies is TestSmall where the threshold lies at an element but for rounding, of float64 or of float32: then
// the sets that are guessed may be wrong, and Newton's method may not end.
func TestSmallTies(t *testing.T) { prove.Both(t, testSmallTies[float32], testSmallTies[float64]) }

func testSmallTies[T float](t *testing.T) {
	r := prove.Rand(19)
	solved := map[int]int{}
	prove.Tiers(func(tier cpu.Tier) {
		for i := range 20000 {
			a := make([]T, 2+i/5%15)
			for j := range a {
				a[j] = T(1 + r.Float64())
			}
			q := tied(r, a, i%5)
			if checkSmall(t, tier, i, a, q) {
				solved[q.kind]++
			}
		}
	})
	t.Logf("solved, by kind: %v", solved)
}

// tied returns a problem whose T is an element of a, nearly. The cap of kinds 1 and 2 is the L with
// sum_i min(max(0, a_i - T), L) = k L.
func tied[T float](r *rand.Rand, a []T, kind int) smallProblem {
	q := smallProblem{kind: kind, k: 1, rho: r.Float64() / 4}
	threshold := float64(a[r.IntN(len(a))])
	var gaps []float64
	for _, v := range a {
		if d := float64(v) - threshold; d > 0 {
			gaps = append(gaps, d)
		}
	}
	if len(gaps) == 0 {
		gaps = append(gaps, 1)
	}
	slices.Sort(gaps)
	nearly := []float64{0x1p-52, 0x1p-52, 0x1p-50, 0x1p-24}[r.IntN(4)]
	near := func(x float64) float64 { return x * (1 + nearly*float64(r.IntN(9)-4)) }
	sum, over := 0.0, 0.0
	capAt := func(u float64) {
		sum, over = 0, 0
		for _, d := range gaps {
			sum += min(d, u)
			over += max(0, d-u)
		}
	}
	switch kind {
	case 0, 4:
		capAt(math.Inf(1))
		q.radius = near(sum)
		q.limit = q.radius
		if r.IntN(2) == 0 { // the other bound on the sum, T/rho
			q.radius, q.limit, q.rho = 2*sum, 2*sum, near(threshold/sum)
		}
	case 3:
		q.limit = gaps[0] + r.Float64()*(gaps[len(gaps)-1]-gaps[0])
		capAt(q.limit)
		q.radius = near(sum)
		q.k = int(math.Ceil(q.radius / q.limit))
	default:
		q.k = 1 + r.IntN(len(gaps))
		kk, u := float64(q.k), gaps[len(gaps)-1]
		for range 200 { // towards L from above
			capAt(u)
			u = sum / kk
		}
		q.radius = near(kk * u)
		if r.IntN(2) == 0 { // the cone of kind 2, or T/rho as above
			q.radius, q.rho = 2*kk*u, near((threshold+over/kk)/sum)
		}
		q.limit = q.radius / kk
	}
	return q
}

// checkSmall calls the kernel and reports whether it has solved the problem.
func checkSmall[T float](t *testing.T, tier cpu.Tier, at int, elements []T, q smallProblem) bool {
	t.Helper()
	var a, dst prove.Memory[T]
	n, kk := len(elements), float64(q.k)
	a.Place(at%16, 1, n, n, func(i int) T { return elements[i] })
	dst.Place(at%7, 1, n, n, func(int) T { return prove.Poison[T]() })
	p := [SmallParams]float64{q.radius, q.rho, kk, q.limit, kk + q.rho*kk*kk}
	s := smallOf[T]()(ptr(dst.Data), ptr(a.Data), n, q.k, q.kind, &p[0])
	if err := a.Diff(false); err != nil {
		t.Fatalf("%v: input: %v", tier, err)
	}
	if s == 0 {
		if err := dst.Diff(false); err != nil {
			t.Fatalf("%v: not solved: %v", tier, err)
		}
		return false
	}
	c, shift, total, u, lambda := p[5], p[6], p[7], p[8], p[9]
	counts := *(*[2]int32)(unsafe.Pointer(&p[10]))
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%v: %+v of %v, %v: %s", tier, q, a.Data, p[5:10], fmt.Sprintf(format, args...))
	}
	copy(dst.Want(), wantClip(a.Data, c, shift, 0, u))
	// Which float32 are above T the kernel asks of c + t rounded up, which is beyond T by less than 2^-52 |T|.
	above := func(i int) float64 {
		x := float64(a.Data[i]) - c - shift
		if 0 < x && x <= 0x1p-52*math.Abs(total) && dst.Data[i] == 0 {
			dst.Want()[i], x = 0, 0
		}
		return x
	}
	for i := range n {
		above(i)
	}
	if err := dst.Diff(true); err != nil {
		fail("%v", err)
	}
	if total != c+shift || q.kind != 2 && u != q.limit || u > q.limit {
		fail("thresholds")
	}
	sum, over, size, want := 0.0, 0.0, q.radius, [2]int32{}
	for i, v := range a.Data {
		x := above(i)
		size = max(size, math.Abs(float64(v)))
		if x >= u {
			want[0]++
		} else if x > 0 {
			want[1]++
		}
		sum += min(max(0, x), u)
		over += max(0, x-u)
	}
	if counts != want {
		fail("counts %d, want %d", counts, want)
	}
	tol := 64 * 0x1p-52 * size * (1 + q.rho)
	near := func(what string, got, want, tol float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tol) {
			fail("%s is %v, want %v", what, got, want)
		}
	}
	switch {
	case q.kind >= 3:
		near("the sum", sum, q.radius, tol)
		near("lambda", lambda, total, 0)
	case q.kind < 2 && sum < q.radius-tol:
		near("T", total, q.rho*sum, tol)
		near("lambda", lambda, 0, tol)
	case q.kind < 2:
		near("the sum", sum, q.radius, tol)
		near("lambda", lambda, max(0, total-q.rho*q.radius), tol)
	default:
		near("U", u, sum/kk, tol)
		if u < q.radius/kk-tol {
			near("T", total, q.rho*sum-over/kk, tol*(1+q.rho))
		}
		near("lambda", lambda, max(0, total+over/kk-q.rho*sum), tol*(1+q.rho))
	}
	return true
}
